"""A match step by step: what was done, and what followed from it."""

from collections.abc import Iterator, Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from referee.arena.fault import ROOM_NAMES, RoomName
from referee.engine.cards import SEAT_TOKENS, SEATS, Action, Seat
from referee.engine.game import HandResult, State, View
from referee.engine.match import Match
from referee.engine.record import MatchRecord


class StepReport(TypedDict):
    """One action, and what follows from it."""

    seat: str
    decision: str
    """What was to be decided: ``bid 1``, ``trick 3``."""
    action: str
    says: str
    """The action as a card player tells it."""
    plays: NotRequired[str]
    trump: NotRequired[str]
    """The suit it makes trump."""
    sits_out: NotRequired[str]
    """Whose partner goes alone by it."""
    picks_up: NotRequired[str]
    """The dealer, who takes the card that was turned up."""
    lays_away: NotRequired[str]
    takes_trick: NotRequired[str]
    """Who takes the trick that it ends."""


class OutcomeReport(TypedDict):
    """How a hand ended; North-South come first."""

    points: tuple[int, int]
    tricks: tuple[int, int]
    notes: list[str]


class HandReport(TypedDict):
    """A hand with every card open; it is over."""

    number: int
    """From 1."""
    dealer: str
    score: tuple[int, int]
    """Before it."""
    cards: dict[str, list[str]]
    """What each seat was dealt."""
    turned: str
    kitty: list[str]
    trump: str | None
    """Before anybody does anything."""
    steps: list[StepReport]
    result: OutcomeReport | None
    """None if the match was forfeited in this hand."""


class MatchReport(TypedDict):
    """A match of a league, with every card open."""

    room: RoomName
    north_south: str
    """Who sits there."""
    east_west: str
    score: tuple[int, int]
    forfeited_by: str | None
    """A seat."""
    hands: list[HandReport]


def replay(room: int, record: MatchRecord, names: tuple[str, str]) -> MatchReport:
    """Return a match of a duel between the two that are called so, A first.

    Raises:
        UpcardError: it does not follow from the rules.
    """
    north_south, east_west = names[room], names[1 - room]
    forfeit = record.forfeit
    return {
        "room": ROOM_NAMES[room],
        "north_south": north_south,
        "east_west": east_west,
        "score": record.score,
        "forfeited_by": SEAT_TOKENS[forfeit.seat] if forfeit else None,
        "hands": [*_hands(record)],
    }


def _hands(record: MatchRecord) -> Iterator[HandReport]:
    match = Match(record.game, record.first_dealer)
    for hand in record.hands:
        yield _hand(match, match.deal(record.deck(match.hand)), hand.actions, hand.result)
        match = match.after(hand.result)
    if record.forfeit:
        yield _hand(match, match.deal(record.deck(match.hand)), record.forfeit.actions, None)


def _hand(
    match: Match, first: State, actions: Sequence[tuple[Seat, Action]], result: HandResult | None
) -> HandReport:
    seen = first.view(None)
    hands = {SEAT_TOKENS[seat]: [*first.view(seat).hand] for seat in SEATS}
    shown = {seen.turned}.union(*hands.values())
    return {
        "number": match.hand + 1,
        "dealer": SEAT_TOKENS[match.dealer],
        "score": match.score,
        "cards": {seat: [*map(str, cards)] for seat, cards in hands.items()},
        "turned": seen.turned,
        "kitty": [card for card in match.game.pack if card not in shown],
        "trump": seen.trump,
        "steps": [*_steps(match, first, actions)],
        "result": result
        and {"points": result.points, "tricks": result.tricks, "notes": [*result.notes]},
    }


def _steps(
    match: Match, first: State, actions: Sequence[tuple[Seat, Action]]
) -> Iterator[StepReport]:
    # Played in place, as that is much faster; what it began from stays as it is.
    state, before = first.copy(), first.view(None)
    for seat, action in actions:
        decision = state.decision
        state = state.play(action)
        after = state.view(None)
        step: StepReport = {
            "seat": SEAT_TOKENS[seat],
            "decision": decision,
            "action": action,
            "says": match.game.say(action),
        }
        if len(after.played) > len(before.played):
            step["plays"] = after.played[-1]
            if len(after.leaders) > len(before.leaders):
                step["takes_trick"] = SEAT_TOKENS[after.leaders[-1]]
        else:
            _note_call(step, before, after, state.view(seat))
        yield step
        before = after


def _note_call(step: StepReport, before: View, after: View, own: View) -> None:
    """Note what a call or a discard changes."""
    if after.trump is not None and before.trump is None:
        step["trump"] = after.trump
    if after.sits_out is not None and before.sits_out is None:
        step["sits_out"] = SEAT_TOKENS[after.sits_out]
    if after.picked_up and not before.picked_up:
        step["picks_up"] = SEAT_TOKENS[after.dealer]
    if own.discard is not None:
        step["lays_away"] = own.discard
