"""Euchre as a game with options, and what its actions are called."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from referee.engine.cards import SUITS, Action, Card, Seat, Suit, Team, suit, team
from referee.engine.euchre import egn
from referee.engine.euchre.bowers import PACK
from referee.engine.euchre.hand import PASS, Bidding, Menu
from referee.engine.game import Figure, Tally
from referee.engine.options import Number, Switch, choose
from referee.engine.partnerships import PartnershipGame
from referee.errors import ConfigError

if TYPE_CHECKING:
    from referee.engine.record import HandRecord

MISDEALS_IN_A_ROW = 20
"""After so many the next dealer is stuck whatever the rules, so that every match ends."""

_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class EuchreRules(NamedTuple):
    """What can be chosen at a euchre table."""

    alone: bool
    stick_dealer: bool
    partner_must_go_alone: bool
    target: int


class Euchre(PartnershipGame):
    """Euchre with its options fixed."""

    name = "euchre"
    options = (
        Switch("alone", True, "the maker may play without her partner"),
        Switch("stick_dealer", True, "the dealer, last to speak in the second round, must name"),
        Switch("partner_must_go_alone", False, "the dealer's partner orders up only alone"),
        Number("target", 10, 1, 100, "points that win the match"),
    )
    pack = PACK.cards
    actions = (
        PASS,
        Action("order_up"),
        Action("order_up_alone"),
        *(Action(f"{call}:{named}") for call in ("name", "name_alone") for named in SUITS),
        *(Action(f"{verb}:{card}") for verb in ("discard", "play") for card in PACK.cards),
    )
    decisions = ("bid 1", "bid 2", "discard", *(f"trick {number}" for number in range(1, 6)))
    notes: ClassVar = (
        "ordered_up",
        "named",
        "stuck",
        "alone",
        "march",
        "euchred",
        "misdeal",
    )
    counted: ClassVar = (
        *("hands", "tricks", "points"),
        *("made", "made_points", "defended_points"),
        *("ordered_up", "named", "stuck", "alone", "march", "euchred"),
    )
    figures: ClassVar = (
        Figure("points a hand as maker", "made_points", "made", is_share=False),
        Figure(
            "points a hand defending",
            "defended_points",
            "made",
            is_share=False,
            over_theirs=True,
        ),
        Figure("orders up", "ordered_up", "hands", is_share=True),
        Figure("names trump", "named", "hands", is_share=True),
        Figure("is stuck", "stuck", "hands", is_share=True),
        Figure("goes alone, of hands made", "alone", "made", is_share=True),
        Figure("marches, of hands made", "march", "made", is_share=True),
        Figure("is euchred, of hands made", "euchred", "made", is_share=True),
    )
    longest_hand = 28
    notations: ClassVar = {".egn": egn.write}
    rules: EuchreRules

    def __init__(self, rules: EuchreRules) -> None:
        """Refuse options that contradict one another."""
        if rules.partner_must_go_alone and not rules.alone:
            message = (
                "partner_must_go_alone=on needs alone=on: nobody can be made to go alone "
                "where nobody may"
            )
            raise ConfigError(message)
        self.rules = rules
        self._menus = tuple(
            {turned: _menu(rules, turned, stuck=stuck) for turned in SUITS}
            for stuck in (False, True)
        )

    @classmethod
    def with_rules(cls, chosen: Mapping[str, object]) -> Self:
        """Make the game from options by name."""
        return cls(EuchreRules(**choose(cls.name, cls.options, chosen)))

    @property
    def longest_match(self) -> int:
        """Count a hand for each point but the last of either team, and misdeals before each."""
        scored = 2 * self.rules.target - 1
        return scored if self.rules.stick_dealer else scored * (MISDEALS_IN_A_ROW + 1)

    def start(self, deck: Sequence[Card], dealer: Seat, misdeals: int = 0) -> Bidding:
        """Deal five cards at a time from eldest on, then the upcard, then the kitty."""
        stuck = self.rules.stick_dealer or misdeals >= MISDEALS_IN_A_ROW
        hands = PACK.deal(deck, dealer, 5)
        upcard = deck[20]
        return Bidding(dealer, upcard, hands, self._menus[stuck][suit(upcard)], stuck)

    @classmethod
    def say(cls, action: Action) -> str:
        """Return an action in a card player's words."""
        call, _, what = action.partition(":")
        said = _SAID[call]
        return said.format(_SUIT_NAMES.get(what, what))

    def _tally(self, hand: "HandRecord", own: Team) -> Tally:
        """Count what became of the hands in which the team made trump, and of the other team's.

        Nobody made a misdeal; it is only a hand.
        """
        tally = super()._tally(hand, own)
        maker = next((seat for seat, call in hand.actions if call != PASS), None)
        if maker is None:
            return tally
        if team(maker) != own:
            return {**tally, "defended_points": tally["points"]}
        noted = dict.fromkeys(hand.result.notes, 1)
        return {**tally, **noted, "made": 1, "made_points": tally["points"]}


_SAID = {
    "pass": "passes",
    "order_up": "orders up",
    "order_up_alone": "orders up, alone",
    "name": "names {}",
    "name_alone": "names {}, alone",
    "discard": "discards {}",
    "play": "plays {}",
}


def _menu(rules: EuchreRules, turned: Suit, *, stuck: bool) -> Menu:
    """List the legal calls at each of the eight turns to speak, eldest's first one first."""
    others = [named for named in SUITS if named != turned]
    up = [Action("order_up")]
    names = [Action(f"name:{named}") for named in others]
    if rules.alone:
        up.append(Action("order_up_alone"))
        names += [Action(f"name_alone:{named}") for named in others]
    first = (PASS, *up)
    partners = (PASS, up[-1]) if rules.partner_must_go_alone else first
    second = (PASS, *names)
    last = tuple(names) if stuck else second
    return (first, partners, first, first, second, second, second, last)
