"""Duels as an export has them: one line of JSON each, with the decks of all rooms written once."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from referee.duel_checks import Rooms, Slowest, dealt
from referee.engine.record import Deck, MatchRecord, to_json
from referee.json_forms import FaultForm, fault_as_json, timing_as_json
from referee.publication.league import ExportedLeague
from referee.ratings.results import Result
from referee.scheduling.keys import DuelKey


class ExportedDuel(NamedTuple):
    """A finished duel."""

    key: DuelKey
    rooms: Rooms
    wins: int
    """How it went for A: 2 is won, 1 drawn, 0 lost."""
    margin: float
    """What A won over the hands that count, in points."""
    hands: int
    """How many count."""
    faults: tuple[FaultForm, ...]
    slowest: Slowest
    """Each entrant's slowest decision."""

    @property
    def result(self) -> Result:
        """Return what the ratings are made from."""
        first, second = self.key.first, self.key.second
        faults = [sum(fault.entrant == who for fault in self.faults) for who in (first, second)]
        return Result(*self.key, self.wins, self.margin, self.hands, (faults[0], faults[1]))


def canonical(key: DuelKey) -> tuple[int, int, int]:
    """Return what duels are ordered by."""
    return key.number, key.first, key.second


def line(league: ExportedLeague, duel: ExportedDuel) -> str:
    """Write a duel."""
    key, rooms, game = duel.key, duel.rooms, league.terms.game
    return _dumped(
        {
            "key": key.text(league.name, game.name),
            "epoch": league.epoch(key).number,
            **key._asdict(),
            "wins": duel.wins,
            "margin": duel.margin,
            "hands": duel.hands,
            "faults": [fault_as_json(fault, game) for fault in duel.faults],
            "slowest": [timing and timing_as_json(timing, game) for timing in duel.slowest],
            "decks": _decks(rooms),
            "rooms": [_without_decks(record) for record in rooms],
        }
    )


def _dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def _decks(rooms: Sequence[MatchRecord]) -> list[Deck]:
    longest = max(rooms, key=dealt)
    return [longest.deck(hand) for hand in range(dealt(longest))]


def _without_decks(record: MatchRecord) -> dict[str, object]:
    form: dict[str, object] = json.loads(to_json(record._replace(dealt=())))
    del form["deal"]
    return form
