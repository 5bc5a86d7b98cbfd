"""A hand of euchre: two rounds of bidding, the dealer's discard, and the play."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from referee.engine.cards import (
    SUITS,
    Action,
    Card,
    ChoicesByHalf,
    Seat,
    Suit,
    Team,
    partner,
    suit,
)
from referee.engine.euchre.bowers import PACK, effective_suit, strength
from referee.engine.game import HandResult, State, Trick
from referee.engine.tricks import (
    EMPTY_TABLE,
    Done,
    Playing,
    Table,
    finished_tricks,
    leader_now,
    play_table,
    trick_in_progress,
)

PASS: Final = Action("pass")
Menu = tuple[tuple[Action, ...], ...]
"""The legal calls at each of the eight turns to speak."""

_MAKES: Final = {
    Action("order_up"): (None, False),
    Action("order_up_alone"): (None, True),
    **{Action(f"name:{named}"): (named, False) for named in SUITS},
    **{Action(f"name_alone:{named}"): (named, True) for named in SUITS},
}
"""What a call makes trump (None: the suit turned up), and whether alone."""
_SUITS: Final = {card: suit(card) for card in PACK.cards}
_LAID_AWAY: Final = {Action(f"discard:{card}"): (card, PACK.bit[card]) for card in PACK.cards}
_PLAYS: Final = ChoicesByHalf(PACK, "play")
_DISCARDS: Final = ChoicesByHalf(PACK, "discard")
_PLAY_TABLES: Final = {trump: play_table(PACK, trump, effective_suit, strength) for trump in SUITS}


class EuchreView(NamedTuple):
    """What one seat may know of a hand of euchre; with no seat, what everybody may."""

    seat: Seat | None
    phase: str
    dealer: Seat
    stuck: bool
    """Whether the dealer may not pass in the second round."""
    turned: Card
    """The upcard."""
    calls: tuple[Action, ...]
    trump: Suit | None
    maker: Seat | None
    sits_out: Seat | None
    """The maker's partner, when the maker goes alone."""
    hand: tuple[Card, ...]
    discard: Card | None
    """What the dealer laid away; only she sees it."""
    played: tuple[Card, ...]
    leaders: tuple[Seat, ...]
    actor: Seat | None
    legal: tuple[Action, ...]
    result: HandResult | None

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        return finished_tricks(self)

    @property
    def leader(self) -> Seat | None:
        """Who leads the trick in progress."""
        return leader_now(self)

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick in progress."""
        return trick_in_progress(self)

    @property
    def picked_up(self) -> bool:
        """Whether trump was made in the first round, so that the dealer takes the upcard."""
        return self.trump is not None and len(self.calls) <= 4


class EuchreContract(NamedTuple):
    """What the bidding has settled so far; nobody is the maker until somebody is."""

    dealer: Seat
    stuck: bool
    """Whether the dealer may not pass in the second round."""
    upcard: Card
    calls: tuple[Action, ...]
    trump: Suit | None = None
    maker: Seat | None = None
    sits_out: Seat | None = None
    """The maker's partner, when the maker goes alone."""
    discard: Card | None = None

    def score(self, winners: Sequence[Seat]) -> HandResult:
        """Score a hand by who made trump, how, and how many tricks they took (rules: "Score")."""
        if self.maker is None:
            return _MISDEAL
        east_west = winners.count(1) + winners.count(3)
        turns = len(self.calls)
        stuck = turns == 8 and self.stuck
        return _scored(east_west, self.maker % 2, turns > 4, stuck, self.sits_out is not None)

    def view(
        self,
        seat: Seat | None,
        state: State,
        hands: Sequence[int],
        table: Table = EMPTY_TABLE,
    ) -> EuchreView:
        """Show a hand: to its owner her cards, to the dealer her discard, to nobody the kitty."""
        played, leaders = table
        return EuchreView(
            seat,
            state.phase,
            self.dealer,
            self.stuck,
            self.upcard,
            self.calls,
            self.trump,
            self.maker,
            self.sits_out,
            () if seat is None else PACK.names(hands[seat]),
            self.discard if seat == self.dealer else None,
            played,
            leaders,
            state.actor,
            state.offered_to(seat),
            state.result,
        )


_MISDEAL: Final = HandResult((0, 0), (0, 0), ("misdeal",))


@cache
def _scored(east_west: int, makers: Team, named: bool, stuck: bool, alone: bool) -> HandResult:
    """Score 1 for the makers, 2 for a march, 4 for a march alone, or 2 for the other team."""
    tricks = (5 - east_west, east_west)
    notes = ["named" if named else "ordered_up"]
    if stuck:
        notes.append("stuck")
    if alone:
        notes.append("alone")
    if tricks[makers] < 3:
        notes.append("euchred")
        winners, won = 1 - makers, 2
    elif tricks[makers] < 5:
        winners, won = makers, 1
    else:
        notes.append("march")
        winners, won = makers, 4 if alone else 2
    return HandResult((0, won) if winners else (won, 0), tricks, tuple(notes))


class Bidding(State):
    """Each seat speaks once a round: on the upcard's suit first, then on the other three."""

    __slots__ = ("_calls", "_menu", "dealer", "hands", "stuck", "upcard")

    phase = "bidding"
    actor: Seat

    def __init__(
        self, dealer: Seat, upcard: Card, hands: Sequence[int], menu: Menu, stuck: bool
    ) -> None:
        """Begin with eldest, who speaks first."""
        self.dealer = dealer
        self.upcard = upcard
        self.hands = hands
        self.stuck = stuck
        self._menu = menu
        self._calls: tuple[Action, ...] = ()
        self.actor = (dealer + 1) % 4
        self.legal = menu[0]

    def play(self, action: Action) -> State:
        """Call; the first call other than pass makes trump."""
        if action not in self.legal:
            self.refuse(action)
        self._calls += (action,)
        turn = len(self._calls)
        if action != PASS:
            return self._make_trump(action)
        if turn == 8:
            return Done(self._passed(), self.hands)
        self.actor = (self.actor + 1) % 4
        self.legal = self._menu[turn]
        return self

    def _make_trump(self, call: Action) -> State:
        named, alone = _MAKES[call]
        sits_out = partner(self.actor) if alone else None
        if named is None:
            return Discarding(self, sits_out)
        return Playing(self.settle(named, sits_out), self.hands, _PLAYS, _PLAY_TABLES[named])

    def settle(
        self, trump: Suit, sits_out: Seat | None, discard: Card | None = None
    ) -> EuchreContract:
        """Return the contract that was bid; the last to speak is the maker."""
        return EuchreContract(
            self.dealer,
            self.stuck,
            self.upcard,
            self._calls,
            trump,
            self.actor,
            sits_out,
            discard,
        )

    def _passed(self) -> EuchreContract:
        return EuchreContract(self.dealer, self.stuck, self.upcard, self._calls)

    def view(self, seat: Seat | None) -> EuchreView:
        """Show the bidding."""
        return self._passed().view(seat, self, self.hands)

    @property
    def decision(self) -> str:
        """Name the round."""
        return "bid 1" if len(self._calls) < 4 else "bid 2"


class Discarding(State):
    """The dealer holds six cards, the upcard among them, and lays one away face down."""

    __slots__ = ("_bidding", "_sits_out", "_six")

    phase = "discarding"
    actor: Seat

    def __init__(self, bidding: Bidding, sits_out: Seat | None) -> None:
        """Start after the bidding; the dealer chooses among all six."""
        self._bidding = bidding
        self._sits_out = sits_out
        self.actor = dealer = bidding.dealer
        self._six = six = bidding.hands[dealer] | PACK.bit[bidding.upcard]
        self.legal = _DISCARDS[six]

    def play(self, action: Action) -> State:
        """Lay a card away; then the first lead is due."""
        if action not in self.legal:
            self.refuse(action)
        card, bit = _LAID_AWAY[action]
        self._six ^= bit
        trump = self._trump
        contract = self._bidding.settle(trump, self._sits_out, card)
        return Playing(contract, self._hands(), _PLAYS, _PLAY_TABLES[trump])

    @property
    def _trump(self) -> Suit:
        return _SUITS[self._bidding.upcard]

    def _hands(self) -> list[int]:
        hands = list(self._bidding.hands)
        hands[self.actor] = self._six
        return hands

    def view(self, seat: Seat | None) -> EuchreView:
        """Show the hand before the discard."""
        contract = self._bidding.settle(self._trump, self._sits_out)
        return contract.view(seat, self, self._hands())

    @property
    def decision(self) -> str:
        """The one kind of decision of this phase."""
        return "discard"
