"""A hand of whist: thirteen tricks, with the last card dealt for trump."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.engine.cards import (
    RANKS,
    SUITS,
    Action,
    Card,
    ChoicesBySuit,
    Pack,
    Seat,
    Suit,
    rank,
    suit,
    team,
)
from referee.engine.game import HandResult, State, Trick
from referee.engine.tricks import (
    Playing,
    Table,
    finished_tricks,
    leader_now,
    play_table,
    trick_in_progress,
)

PACK: Final = Pack(RANKS)


def _suit_of(card: Card, trump: Suit) -> Suit:  # noqa: ARG001 (every card is of its own suit)
    return suit(card)


def _strength(card: Card, trump: Suit) -> int:  # noqa: ARG001 (the same in trumps)
    return RANKS.index(rank(card))


_PLAYS: Final = ChoicesBySuit(PACK, "play")
_PLAY_TABLES: Final = {trump: play_table(PACK, trump, _suit_of, _strength) for trump in SUITS}


class WhistView(NamedTuple):
    """What one seat may know of a hand of whist; with no seat, what everybody may."""

    seat: Seat | None
    phase: str
    dealer: Seat
    turned: Card
    """The trump card: the dealer's last, in her hand until she plays it."""
    trump: Suit
    hand: tuple[Card, ...]
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
    def calls(self) -> tuple[Action, ...]:
        """Always empty: there is no bidding."""
        return ()

    @property
    def picked_up(self) -> bool:
        """Always false: the trump card is one of the dealer's thirteen."""
        return False

    @property
    def sits_out(self) -> None:
        """Always None: all four play."""
        return

    @property
    def discard(self) -> None:
        """Always None: there is no discard."""
        return


class Turned(NamedTuple):
    """All that is settled before the first lead: who dealt, and the trump card."""

    dealer: Seat
    card: Card
    sits_out: None = None

    def score(self, winners: Sequence[Seat]) -> HandResult:
        """Score a point for each trick over six (rules: "Score")."""
        east_west = sum(map(team, winners))
        north_south = len(winners) - east_west
        points = (max(0, north_south - 6), max(0, east_west - 6))
        return HandResult(points, (north_south, east_west), ("slam",) if max(points) == 7 else ())

    def view(
        self, seat: Seat | None, state: State, hands: Sequence[int], table: Table
    ) -> WhistView:
        """Show a hand: to its owner her cards, to all the trump card."""
        played, leaders = table
        return WhistView(
            seat,
            state.phase,
            self.dealer,
            self.card,
            suit(self.card),
            () if seat is None else PACK.names(hands[seat]),
            played,
            leaders,
            state.actor,
            state.offered_to(seat),
            state.result,
        )


def deal(deck: Sequence[Card], dealer: Seat) -> Playing:
    """Deal thirteen cards at a time from eldest on; the last one is turned up for trump."""
    hands = PACK.deal(deck, dealer, each=13)
    turned = deck[-1]
    return Playing(Turned(dealer, turned), hands, _PLAYS, _PLAY_TABLES[suit(turned)])
