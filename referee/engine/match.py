"""A match: hands to the target, the deal passing to the left after each."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from referee.engine.cards import Card, Seat, Team, next_seat
from referee.engine.game import Game, HandResult, State


class Match(NamedTuple):
    """Where a match stands between two hands."""

    game: Game
    dealer: Seat
    """Who deals the next hand."""
    score: tuple[int, int] = (0, 0)
    hand: int = 0
    """The number of the next hand, from 0; hands thrown in count."""
    misdeals: int = 0
    """How many hands in a row were thrown in just before."""

    @property
    def over(self) -> bool:
        """Whether a team has reached the target."""
        return max(self.score) >= self.game.rules.target

    @property
    def winner(self) -> Team | None:
        """The team with more points, once the match is over."""
        return self.score.index(max(self.score)) if self.over else None

    def deal(self, deck: Sequence[Card]) -> State:
        """Deal the next hand."""
        return self.game.start(deck, self.dealer, self.misdeals)

    def after(self, result: HandResult) -> Self:
        """Return the match after a hand; a misdeal passes the deal on like any other hand."""
        (north_south, east_west), points = self.score, result.points
        return self._replace(
            dealer=next_seat(self.dealer),
            score=(north_south + points[0], east_west + points[1]),
            hand=self.hand + 1,
            misdeals=0 if any(points) else self.misdeals + 1,
        )
