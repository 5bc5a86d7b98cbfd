"""A match: hands until the game says it is over, the deal moving on after each."""

from collections.abc import Sequence
from operator import add
from typing import NamedTuple, Self

from referee.engine.cards import Card, Seat, Side
from referee.engine.game import Game, HandResult, State


class Match(NamedTuple):
    """Where a match stands between two hands."""

    game: Game
    dealer: Seat
    """Who deals the next hand."""
    score: tuple[int, ...]
    """The points of each side."""
    hand: int = 0
    """The number of the next hand, from 0; hands thrown in count."""
    misdeals: int = 0
    """How many hands in a row were thrown in just before."""

    @classmethod
    def start(cls, game: Game, first_dealer: Seat) -> Self:
        """Return a match before its first hand."""
        return cls(game, first_dealer, (0,) * len(game.side_names))

    @property
    def over(self) -> bool:
        """Whether no hand follows."""
        return self.game.is_over(self.score, self.hand)

    @property
    def winner(self) -> Side | None:
        """The side with more points than any other, once the match is over."""
        most = max(self.score)
        return self.score.index(most) if self.over and self.score.count(most) == 1 else None

    def deal(self, deck: Sequence[Card]) -> State:
        """Deal the next hand."""
        return self.game.start(deck, self.dealer, self.misdeals)

    def after(self, result: HandResult) -> Self:
        """Return the match after a hand; a misdeal passes the deal on like any other hand."""
        points = result.points
        return self._replace(
            dealer=self.game.next_dealer(self.dealer),
            score=tuple(map(add, self.score, points)),
            hand=self.hand + 1,
            misdeals=0 if any(points) else self.misdeals + 1,
        )
