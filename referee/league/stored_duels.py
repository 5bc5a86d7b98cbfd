"""Turns the outcome of a duel into what the store takes."""

import json
import zlib
from collections import Counter
from datetime import datetime
from typing import Final

from referee.arena.duel import Duel, DuelResult, Voided
from referee.arena.fault import Fault, FaultKind, StartFailure
from referee.arena.limits import Terms
from referee.arena.session import Outcome
from referee.bots.seating import SeatedBot
from referee.duel_checks import Rooms, counts
from referee.engine.seating import sides_of
from referee.errors import RecordError
from referee.examination.fault_bundle import bundle_of, to_json
from referee.league.channel import NeverStarted
from referee.ratings.points import identical_hands
from referee.scheduling.keys import DuelKey
from referee.store.chain import duel_digest
from referee.store.models import Side, StoredDuel, StoredFault, StoredOutcome, StoredVoid
from referee.store.play import packed
from referee.text import storable

LARGEST_BUNDLE: Final = 1 << 20
"""Bytes of a compressed fault bundle, of which an honest bot's has a small part."""


class Writer:
    """Writes down the duels of one session."""

    def __init__(
        self,
        key: tuple[int, int],
        entrants: tuple[SeatedBot, SeatedBot],
        digests: tuple[str, str],
        terms: Terms,
    ) -> None:
        """Take the two entrants: their numbers in the league, how they play, and their files'."""
        self._numbers = key
        self._entrants = entrants
        self._digests = digests  # to read their files again would delay every bot
        self._terms = terms
        self._bundled: set[tuple[int, FaultKind]] = set()

    def written(self, outcome: Outcome, at: datetime) -> StoredOutcome | NeverStarted:
        """Write down how a duel ended, or that an entrant never started."""
        if isinstance(outcome, Voided):
            return StoredVoid(self._key(outcome.duel), outcome.reason, at)
        if isinstance(outcome, StartFailure):
            number, bundle = self._numbers[outcome.entrant], self._bundle(outcome)
            return NeverStarted(number, outcome.kind, outcome.explanation, bundle)
        try:
            return self._duel(outcome, at)
        except RecordError as error:
            return StoredVoid(self._key(outcome.duel), str(error), at)

    def _key(self, duel: Duel) -> DuelKey:
        return DuelKey(*self._numbers, duel.number)

    def _duel(self, result: DuelResult, at: datetime) -> StoredDuel:
        key, faults = self._key(result.duel), tuple(map(self._fault, result.faults))
        return StoredDuel(
            key,
            packed(result.rooms),
            *counts(result.rooms),
            (self._side(result, 0), self._side(result, 1)),
            faults,
            at,
            duel_digest(key, result.rooms, [fault.form for fault in faults]),
            identical_hands(result.rooms),
        )

    def _side(self, result: DuelResult, entrant: int) -> Side:
        return Side(tallies(result.rooms, entrant), result.slowest[entrant])

    def _fault(self, fault: Fault) -> StoredFault:
        return StoredFault(
            fault.kind,
            self._numbers[fault.entrant],
            fault.seat,
            fault.room,
            fault.hand,
            storable(fault.explanation),
            fault.forfeits,
            self._bundle(fault),
        )

    def _bundle(self, fault: Fault | StartFailure) -> bytes | None:
        """Return what its author can play again, once a session for each kind of fault.

        That an entrant never started ends the session, and is always one more.
        """
        kind = fault.entrant, fault.kind
        if fault.evidence is None:
            return None
        if isinstance(fault, Fault):
            if kind in self._bundled:
                return None
            self._bundled.add(kind)
        entrant, digest = self._entrants[fault.entrant], self._digests[fault.entrant]
        bundle = bundle_of(fault, entrant, self._terms, digest)
        packed_up = zlib.compress(json.dumps(to_json(bundle)).encode())
        return packed_up if len(packed_up) <= LARGEST_BUNDLE else None


def tallies(rooms: Rooms, entrant: int) -> Counter[str]:
    """Add up what an entrant did in all rooms, with each of its sides."""
    found: Counter[str] = Counter()
    for room, record in enumerate(rooms):
        sides = sides_of(record.game, room, entrant)
        for hand in record.hands:
            tally = record.game.tally(hand)
            for side in sides:
                found.update(tally[side])
    return found
