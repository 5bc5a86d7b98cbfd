"""What games have in common that two teams of two play in tricks, to a target."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from referee.engine.cards import SEAT_NAMES, SEAT_TOKENS, SEATS, TEAM_NAMES, Team, team
from referee.engine.game import Game, Rules, Tally

if TYPE_CHECKING:
    from referee.engine.record import HandRecord


class TargetRules(Rules, Protocol):
    """The options of a game that is played to a target."""

    @property
    def target(self) -> int:
        """How many points win the match."""


class PartnershipGame(Game):
    """A game of North-South against East-West."""

    seats = SEAT_TOKENS
    seat_names = SEAT_NAMES
    sides = tuple(map(team, SEATS))
    side_names = TEAM_NAMES
    rules: TargetRules

    def is_over(self, score: Sequence[int], hands: int) -> bool:  # noqa: ARG002 (it goes by points)
        """Whether a team has reached the target."""
        return max(score) >= self.rules.target

    def _tally(self, hand: "HandRecord", own: Team) -> Tally:
        """Count the tricks too; `points` is what the team won less what it lost."""
        result = hand.result
        net = result.points[own] - result.points[1 - own]
        return {"hands": 1, "tricks": result.tricks[own], "points": net}
