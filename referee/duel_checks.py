"""Checks that a duel can have been as a stranger says: its play, its counts, its faults and times.

What nobody can see from a duel is not checked: how long a decision took within its limit, who
failed where a match was forfeited, and whether a bot would have played so.
"""

from collections.abc import Sequence
from typing import NamedTuple

from referee.arena.duel import Timing
from referee.arena.fault import DECISION_TIMEOUT
from referee.arena.limits import GRACE, Terms, TimeLimits
from referee.engine.game import Game
from referee.engine.record import MatchRecord, replay
from referee.engine.seating import entrant_at, room_names, room_title
from referee.errors import RecordError
from referee.json_fields import expect
from referee.json_forms import FaultForm
from referee.ratings.points import hand_margins
from referee.ratings.results import outcome
from referee.scheduling.keys import DuelKey

Rooms = tuple[MatchRecord, ...]
"""The match of each room."""
Slowest = tuple[Timing | None, Timing | None]


class Counts(NamedTuple):
    """What follows from the play of a duel."""

    wins: int
    """How it went for A (`referee.ratings.results.outcome`)."""
    margin: float
    """What A won over the hands that count, in points."""
    hands: int
    """How many count."""


class ReplayTotals(NamedTuple):
    """How much was played again."""

    hands: int
    actions: int


def counts(rooms: Rooms) -> Counts:
    """Return what follows from the play."""
    margins = hand_margins(rooms)
    return Counts(outcome(rooms), sum(margins), len(margins))


def check_counts(rooms: Rooms, said: Counts) -> None:
    """Refuse counts that do not follow from the play."""
    for name, found, expected in zip(Counts._fields, said, counts(rooms), strict=True):
        expect(name, found, expected)


def dealt(record: MatchRecord) -> int:
    """Return how many decks a match took; the hand that nobody finished had one too."""
    return len(record.hands) + (record.forfeit is not None)


def play_again(game: Game, key: DuelKey, rooms: Rooms) -> ReplayTotals:
    """Play all matches again by the rules; refuse what cannot have happened."""
    again = [_play_again(game, key, room, record) for room, record in enumerate(rooms)]
    return ReplayTotals(sum(hands for hands, _ in again), sum(actions for _, actions in again))


def _play_again(game: Game, key: DuelKey, room: int, record: MatchRecord) -> ReplayTotals:
    field = f"rooms[{room}]"
    if record.game != game:
        raise RecordError(f"{field}.rules", "is another game than that of the league")
    found = game.seats[record.first_dealer]
    expected = game.seats[game.first_dealer(key.number)]
    expect(f"{field}.first_dealer", found, expected)
    try:
        hands = sum(1 for _ in replay(record))
    except RecordError as error:
        inside = error.field.removeprefix("deal.")
        where = inside if inside != error.field else f"{field}.{error.field}"
        raise RecordError(where, error.reason) from None
    unfinished = len(record.forfeit.actions) if record.forfeit else 0
    return ReplayTotals(hands, unfinished + sum(len(hand.actions) for hand in record.hands))


def check_faults(terms: Terms, key: DuelKey, rooms: Rooms, faults: Sequence[FaultForm]) -> None:
    """Refuse faults of others than who sat there, or that do not say who forfeited."""
    for number, fault in enumerate(faults):
        _check_fault(terms.game, key, rooms, fault, f"faults[{number}]")
    for room, record in enumerate(rooms):
        found = [fault for fault in faults if fault.room == room]
        cost = [(fault.seat, fault.hand) for fault in found if fault.forfeits]
        expected = [(record.forfeit.seat, len(record.hands))] if record.forfeit else []
        if cost != expected:
            where = room_title(room_names(terms.game)[room])
            reason = f"in the {where}, do not say who forfeited, and in which hand"
            raise RecordError("faults", reason)
        for entrant in (key.first, key.second):
            spared = sum(each.entrant == entrant and not each.forfeits for each in found)
            if spared >= terms.policy.forfeit_at:
                reason = f"are {spared} of entrant {entrant} that cost nothing, more than allowed"
                raise RecordError("faults", reason)


def _check_fault(game: Game, key: DuelKey, rooms: Rooms, fault: FaultForm, field: str) -> None:
    entrant = (key.first, key.second)[entrant_at(game, fault.room, fault.seat)]
    expect(f"{field}.entrant", fault.entrant, entrant)
    if fault.hand > len(rooms[fault.room].hands):
        raise RecordError(f"{field}.hand", "was never dealt")


def check_slowest(
    terms: Terms, rooms: Rooms, faults: Sequence[FaultForm], slowest: Slowest
) -> None:
    """Refuse slowest decisions of others than the entrant, or that took longer than allowed."""
    for entrant, timing in enumerate(slowest):
        if timing is None:
            continue
        field = f"slowest[{entrant}]"
        expect(f"{field}.entrant", entrant_at(terms.game, timing.room, timing.seat), entrant)
        if timing.hand >= dealt(rooms[timing.room]):
            raise RecordError(f"{field}.hand", "was never dealt")
        if timing.decision not in terms.game.decisions:
            raise RecordError(f"{field}.decision", "is none of the game's")
        _check_seconds(terms.limits, timing, faults, field)


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
