"""Checks one duel of an export: its cards, its play, and what follows from them."""

from collections.abc import Sequence
from typing import NamedTuple

from referee.arena.duel import Timing, entrant_at
from referee.arena.fault import DECISION_TIMEOUT, ROOM_NAMES
from referee.arena.limits import GRACE, TimeLimits
from referee.engine.cards import SEAT_TOKENS
from referee.engine.dealing import decks
from referee.engine.record import MatchRecord, replay
from referee.errors import RecordError
from referee.json_fields import expect
from referee.json_forms import FaultForm
from referee.publication.duel_reading import ReadDuel
from referee.publication.duels import ExportedDuel, canonical, counts, dealt
from referee.publication.league import ExportedLeague
from referee.scheduling.keys import DuelKey, pairing


class Replayed(NamedTuple):
    """How much was played again."""

    hands: int
    actions: int
    decks: int
    """How many follow from the seed; 0 while that is not out."""


def check_duel(league: ExportedLeague, read: ReadDuel, last: DuelKey | None) -> Replayed:
    """Refuse a duel that cannot have been; it comes after `last`."""
    duel = read.duel
    _check_key(league, duel.key, last)
    expect("key", read.label, duel.key.text(league.name, league.terms.game.name))
    expect("epoch", read.epoch, league.epoch(duel.key).number)
    expect("decks", f"{len(read.decks)} decks", f"{max(map(dealt, duel.rooms))} decks")
    sure = _check_decks(league, read)
    played = [_check_room(league, duel.key, room, rec) for room, rec in enumerate(duel.rooms)]
    _check_counts(duel)
    _check_faults(league, duel)
    _check_slowest(league, duel)
    return Replayed(sum(hands for hands, _ in played), sum(done for _, done in played), sure)


def _check_key(league: ExportedLeague, key: DuelKey, last: DuelKey | None) -> None:
    for name, number in (("first", key.first), ("second", key.second)):
        if number < 1 or not league.plays(number):
            raise RecordError(name, f"is {number}, which is no entrant that plays")
    if key.first == key.second:
        raise RecordError("second", f"is {key.second}, and so plays against itself")
    expect("first", key.first, pairing(key.first, key.second)[0])
    if key.number >= league.duels:
        raise RecordError("number", f"is {key.number}, but a pairing has {league.duels} duels")
    if league.is_apart(key):
        raise RecordError("number", f"is {key.number}, beyond the suspension of an entrant")
    if last and canonical(key) == canonical(last):
        raise RecordError("number", "is that of the duel before; no duel counts twice")
    if last and canonical(key) < canonical(last):
        raise RecordError("number", "comes too late: by number, then first, then second")


def _check_decks(league: ExportedLeague, read: ReadDuel) -> int:
    seed = league.epoch(read.duel.key).seed
    if seed is None:
        return 0
    deck_of = decks(league.terms.game.pack, seed, read.label)
    for hand, deck in enumerate(read.decks):
        if deck != deck_of(hand):
            places = zip(deck, deck_of(hand), strict=False)
            wrong = next(
                (n for n, (found, expected) in enumerate(places) if found != expected), len(deck)
            )
            raise RecordError(f"decks[{hand}]", f"does not follow from the seed, from card {wrong}")
    return len(read.decks)


def _check_room(
    league: ExportedLeague, key: DuelKey, room: int, record: MatchRecord
) -> tuple[int, int]:
    field = f"rooms[{room}]"
    if record.game != league.terms.game:
        raise RecordError(f"{field}.rules", "is another game than that of the league")
    found, expected = SEAT_TOKENS[record.first_dealer], SEAT_TOKENS[key.first_dealer]
    expect(f"{field}.first_dealer", found, expected)
    try:
        hands = sum(1 for _ in replay(record))
    except RecordError as error:
        inside = error.field.removeprefix("deal.")
        where = inside if inside != error.field else f"{field}.{error.field}"
        raise RecordError(where, error.reason) from None
    unfinished = len(record.forfeit.actions) if record.forfeit else 0
    return hands, unfinished + sum(len(hand.actions) for hand in record.hands)


def _check_counts(duel: ExportedDuel) -> None:
    wins, margin, hands = counts(duel.rooms)
    expect("wins", duel.wins, wins)
    expect("margin", duel.margin, margin)
    expect("hands", duel.hands, hands)


def _check_faults(league: ExportedLeague, duel: ExportedDuel) -> None:
    for number, fault in enumerate(duel.faults):
        _check_fault(duel, fault, f"faults[{number}]")
    for room, record in enumerate(duel.rooms):
        found = [fault for fault in duel.faults if fault.room == room]
        cost = [(fault.seat, fault.hand) for fault in found if fault.forfeits]
        expected = [(record.forfeit.seat, len(record.hands))] if record.forfeit else []
        if cost != expected:
            reason = f"in the {ROOM_NAMES[room]} room, do not say who forfeited, and in which hand"
            raise RecordError("faults", reason)
        for entrant in (duel.key.first, duel.key.second):
            spared = sum(each.entrant == entrant and not each.forfeits for each in found)
            if spared >= league.terms.policy.forfeit_at:
                reason = f"are {spared} of entrant {entrant} that cost nothing, more than allowed"
                raise RecordError("faults", reason)


def _check_fault(duel: ExportedDuel, fault: FaultForm, field: str) -> None:
    pair = duel.key.first, duel.key.second
    expect(f"{field}.entrant", fault.entrant, pair[entrant_at(fault.room, fault.seat)])
    if fault.hand > len(duel.rooms[fault.room].hands):
        raise RecordError(f"{field}.hand", "was never dealt")


def _check_slowest(league: ExportedLeague, duel: ExportedDuel) -> None:
    for entrant, timing in enumerate(duel.slowest):
        if timing is None:
            continue
        field = f"slowest[{entrant}]"
        expect(f"{field}.entrant", entrant_at(timing.room, timing.seat), entrant)
        if timing.hand >= dealt(duel.rooms[timing.room]):
            raise RecordError(f"{field}.hand", "was never dealt")
        if timing.decision not in league.terms.game.decisions:
            raise RecordError(f"{field}.decision", "is none of the game's")
        _check_seconds(league.terms.limits, timing, duel.faults, field)


def _check_seconds(
    limits: TimeLimits, timing: Timing, faults: Sequence[FaultForm], field: str
) -> None:
    """Refuse a decision that took longer than was allowed, without a fault.

    As in play, a piece of an answer may wait for others, and the referee may be a little late.
    """
    place = timing.room, timing.hand, timing.seat
    timeouts = [fault for fault in faults if fault.kind == DECISION_TIMEOUT]
    if place in [(fault.room, fault.hand, fault.seat) for fault in timeouts]:
        return
    if timing.seconds > limits.decision + GRACE + limits.late:
        reason = f"is {timing.seconds:g}, more than a decision may take, and yet no fault"
        raise RecordError(f"{field}.seconds", reason)
