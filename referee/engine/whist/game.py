"""Whist as a game with options, and what its actions are called."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from referee.engine.cards import Action, Card, Seat, Team
from referee.engine.game import Figure, Tally
from referee.engine.options import Number, choose
from referee.engine.partnerships import PartnershipGame
from referee.engine.tricks import Playing
from referee.engine.whist import pbn
from referee.engine.whist.hand import PACK, deal

if TYPE_CHECKING:
    from referee.engine.record import HandRecord


class WhistRules(NamedTuple):
    """What can be chosen at a whist table."""

    target: int


class Whist(PartnershipGame):
    """Whist with its options fixed."""

    name = "whist"
    options = (Number("target", 10, 1, 100, "points that win the match"),)
    pack = PACK.cards
    actions = tuple(Action(f"play:{card}") for card in PACK.cards)
    decisions = tuple(f"trick {number}" for number in range(1, 14))
    notes: ClassVar = ("slam",)
    counted: ClassVar = ("hands", "tricks", "points", "slam")
    figures: ClassVar = (
        Figure("points a hand", "points", "hands", is_share=False),
        Figure("tricks a hand", "tricks", "hands", is_share=False),
        Figure("makes a slam", "slam", "hands", is_share=True),
    )
    longest_hand = 52
    notations: ClassVar = {".pbn": pbn.write}
    rules: WhistRules

    def __init__(self, rules: WhistRules) -> None:
        """Make the game from its options."""
        self.rules = rules

    @classmethod
    def with_rules(cls, chosen: Mapping[str, object]) -> Self:
        """Make the game from options by name."""
        return cls(WhistRules(**choose(cls.name, cls.options, chosen)))

    @property
    def longest_match(self) -> int:
        """Count a hand for each point but the last of either team."""
        return 2 * self.rules.target - 1

    def start(self, deck: Sequence[Card], dealer: Seat, misdeals: int = 0) -> Playing:  # noqa: ARG002 (whist has none)
        """Deal thirteen cards to each seat."""
        return deal(deck, dealer)

    @classmethod
    def say(cls, action: Action) -> str:
        """Return a play in a card player's words."""
        return f"plays {action.removeprefix('play:')}"

    def _tally(self, hand: "HandRecord", own: Team) -> Tally:
        """Count the slams too."""
        slam = int(hand.result.tricks[own] == 13)
        return {**super()._tally(hand, own), "slam": slam}
