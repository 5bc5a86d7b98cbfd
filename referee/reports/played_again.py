"""A duel that is played again with the same deals: the first decision of each hand that differs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.engine.cards import Action, Seat
from referee.engine.game import State
from referee.engine.match import Match
from referee.engine.record import MatchRecord

Actions = Sequence[tuple[Seat, Action]]


class Parted(NamedTuple):
    """A decision that was not made as it was before, after all before it in its hand was."""

    room: int
    move: int
    """In its hand, from 1."""
    before: Action
    now: Action
    match: Match
    """Where it stood before the hand, this time."""
    state: State
    """The hand, as it was to be decided."""

    @property
    def seat(self) -> Seat:
        """Who decided."""
        assert self.state.actor is not None
        return self.state.actor


class PlayedAgain(NamedTuple):
    """How a duel compares with the one before it that had the same deals."""

    hands: int
    """How many were played both times, in all rooms."""
    parted: Sequence[Parted]


def played_again(before: Sequence[MatchRecord], now: Sequence[MatchRecord]) -> PlayedAgain:
    """Compare the rooms of two duels with the same deals, hand by hand."""
    hands, parted = 0, []
    for room, (earlier, later) in enumerate(zip(before, now, strict=True)):
        for (_, old), (match, new) in zip(_hands(earlier), _hands(later), strict=False):
            hands += 1
            if (differing := _first_difference(old, new)) is not None:
                state = match.deal(later.deck(match.hand))
                for _, action in new[:differing]:
                    state = state.play(action)
                choices = old[differing][1], new[differing][1]
                parted.append(Parted(room, differing + 1, *choices, match, state))
    return PlayedAgain(hands, parted)


def _hands(record: MatchRecord) -> Iterator[tuple[Match, Actions]]:
    """Yield the hands of a match, and the one in which it was forfeited."""
    match = Match.start(record.game, record.first_dealer)
    for hand in record.hands:
        yield match, hand.actions
        match = match.after(hand.result)
    if record.forfeit:
        yield match, record.forfeit.actions


def _first_difference(old: Actions, new: Actions) -> int | None:
    together = enumerate(zip(old, new, strict=False))
    return next((number for number, (one, other) in together if one != other), None)
