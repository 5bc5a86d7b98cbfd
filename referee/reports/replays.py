"""A match step by step: what was done, and what followed from it."""

from collections.abc import Iterator, Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from referee.engine.cards import Action, Seat
from referee.engine.game import Game, HandResult, State, TrickView, is_trick_view
from referee.engine.match import Match
from referee.engine.record import MatchRecord
from referee.engine.recycle import Recycle
from referee.engine.seating import room_names, rooms
from referee.engine.tricks import trick_view
from referee.reports.positions import HandPositions, MovedReport, PlaceReport, StoredReport


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
    moves: NotRequired[MovedReport]
    """What it changes, in a described game."""


class OutcomeReport(TypedDict):
    """How a hand ended, by side; North-South come first."""

    points: tuple[int, ...]
    tricks: tuple[int, ...]
    notes: list[str]


class CardsReport(TypedDict):
    """The cards of a hand before anybody does anything; none in a game not played in tricks."""

    cards: dict[str, list[str]]
    """What each seat was dealt."""
    turned: str | None
    kitty: list[str]
    trump: str | None


class HandReport(CardsReport):
    """A hand with every card open; it is over."""

    number: int
    """From 1."""
    dealer: str
    score: tuple[int, ...]
    """Before it."""
    places: NotRequired[list[PlaceReport]]
    """What lies where before anybody does anything, in a described game."""
    stored: NotRequired[list[StoredReport]]
    """What the program keeps then."""
    steps: list[StepReport]
    stopped: NotRequired[str]
    """Why a hand of a described game could not go on, and was scored as it stood."""
    result: OutcomeReport | None
    """None if the match was forfeited in this hand."""


class MatchReport(TypedDict):
    """A match of a league, with every card open."""

    room: str
    sides: list[str]
    """Who plays each side; North-South come first."""
    score: tuple[int, ...]
    forfeited_by: str | None
    """A seat."""
    hands: list[HandReport]


def replay(room: int, record: MatchRecord, names: tuple[str, str]) -> MatchReport:
    """Return a match of a duel between the two that are called so, A first.

    Raises:
        UpcardError: it does not follow from the rules.
    """
    game, forfeit = record.game, record.forfeit
    return {
        "room": room_names(game)[room],
        "sides": [names[entrant] for entrant in rooms(game)[room]],
        "score": record.score,
        "forfeited_by": game.seats[forfeit.seat] if forfeit else None,
        "hands": [*_hands(record)],
    }


def _hands(record: MatchRecord) -> Iterator[HandReport]:
    match = Match.start(record.game, record.first_dealer)
    for hand in record.hands:
        yield hand_report(match, match.deal(record.deck(match.hand)), hand.actions, hand.result)
        match = match.after(hand.result)
    if record.forfeit:
        yield hand_report(match, match.deal(record.deck(match.hand)), record.forfeit.actions, None)


def hand_report(
    match: Match, first: State, actions: Sequence[tuple[Seat, Action]], result: HandResult | None
) -> HandReport:
    """Return a hand with every card open, from its first position on."""
    game, dealt = match.game, _dealt(match.game, first)
    report: HandReport = {
        "cards": dealt["cards"],
        "turned": dealt["turned"],
        "kitty": dealt["kitty"],
        "trump": dealt["trump"],
        "number": match.hand + 1,
        "dealer": game.seats[match.dealer],
        "score": match.score,
        "steps": [],
        "result": result
        and {"points": result.points, "tricks": result.tricks, "notes": [*result.notes]},
    }
    if isinstance(game, Recycle):
        positions = HandPositions(first, game.seats)
        report["places"], report["stored"] = positions.places, positions.stored
        report["steps"] = [*_moves(match, positions, first, actions)]
        if positions.stopped is not None:
            report["stopped"] = positions.stopped
    else:
        report["steps"] = [*_steps(match, first, actions)]
    return report


def _dealt(game: Game, first: State) -> CardsReport:
    seen = first.view(None)
    if not is_trick_view(seen):
        return {"cards": {}, "turned": None, "kitty": [], "trump": None}
    hands = {token: trick_view(first, seat).hand for seat, token in enumerate(game.seats)}
    shown = {seen.turned}.union(*hands.values())
    return {
        "cards": {seat: [*map(str, cards)] for seat, cards in hands.items()},
        "turned": seen.turned,
        "kitty": [card for card in game.pack if card not in shown],
        "trump": seen.trump,
    }


def _steps(
    match: Match, first: State, actions: Sequence[tuple[Seat, Action]]
) -> Iterator[StepReport]:
    # Played in place, as that is much faster; what it began from stays as it is.
    state, before, tokens = first.copy(), first.view(None), match.game.seats
    for seat, action in actions:
        decision = state.decision
        state = state.play(action)
        after = state.view(None)
        step: StepReport = {
            "seat": tokens[seat],
            "decision": decision,
            "action": action,
            "says": match.game.say(action),
        }
        if is_trick_view(before) and is_trick_view(after):
            _note_changes(step, before, after, trick_view(state, seat), tokens)
        yield step
        before = after


def _moves(
    match: Match, positions: HandPositions, first: State, actions: Sequence[tuple[Seat, Action]]
) -> Iterator[StepReport]:
    state, tokens = first.copy(), match.game.seats
    for seat, action in actions:
        decision = state.decision
        state, words, moved = positions.play(state, action)
        yield {
            "seat": tokens[seat],
            "decision": decision,
            "action": action,
            "says": words,
            "moves": moved,
        }


def _note_changes(
    step: StepReport, before: TrickView, after: TrickView, own: TrickView, tokens: Sequence[str]
) -> None:
    """Note what a play, a call or a discard changes."""
    if len(after.played) > len(before.played):
        step["plays"] = after.played[-1]
        if len(after.leaders) > len(before.leaders):
            step["takes_trick"] = tokens[after.leaders[-1]]
        return
    if after.trump is not None and before.trump is None:
        step["trump"] = after.trump
    if after.sits_out is not None and before.sits_out is None:
        step["sits_out"] = tokens[after.sits_out]
    if after.picked_up and not before.picked_up:
        step["picks_up"] = tokens[after.dealer]
    if own.discard is not None:
        step["lays_away"] = own.discard
