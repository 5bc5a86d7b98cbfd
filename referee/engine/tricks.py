"""Playing the cards out in tricks, which is the same in every game here.

Follow the suit led if able, else play any card; the winner leads the next trick; all tricks are
played. What differs from game to game (which suit a card counts as, which card beats which, who
sits out) comes in as tables made before the first lead.

A card that leads or is winning is known by the cards that would beat it: higher ones of its own
suit and, unless it is a trump, every trump. So one bit shows whether the next card takes
the trick over, and a card that neither follows nor trumps never can.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, Protocol, Self

from referee.engine.cards import SEATS, Action, Card, CardChoices, Pack, Seat, Suit, next_seat
from referee.engine.game import HandResult, State, Trick, TrickView, is_trick_view

_ANY: Final = -1
"""Every card there is, as bits."""


PlayTable = dict[Action, tuple[Card, int, int, int]]
"""By play: the card, its bit, the cards that follow suit if it leads, the cards that beat it."""


def play_table(
    pack: Pack,
    trump: Suit,
    suit_of: Callable[[Card, Suit], Suit],
    strength: Callable[[Card, Suit], int],
) -> PlayTable:
    """Make the table of all plays, given the suit and strength of a card when `trump` is trump."""
    suits = {card: suit_of(card, trump) for card in pack.cards}

    def same_suit(card: Card) -> set[Card]:
        return {other for other in pack.cards if suits[other] == suits[card]}

    def beats(other: Card, card: Card) -> bool:
        if suits[other] == suits[card]:
            return strength(other, trump) > strength(card, trump)
        return suits[other] == trump

    return {
        Action(f"play:{card}"): (
            card,
            pack.bit[card],
            pack.bits(same_suit(card)),
            pack.bits(other for other in pack.cards if beats(other, card)),
        )
        for card in pack.cards
    }


@cache
def turns(leader: Seat, sits_out: Seat | None) -> tuple[Seat, ...]:
    """Return the seats that play to a trick, the leader first."""
    around = ((leader + turn) % 4 for turn in range(4))
    return tuple(seat for seat in around if seat != sits_out)


Round = tuple[Seat, "Round | None"]
"""Who is still to play: the next seat, and those after it."""


def _round(after: Seat, sits_out: Seat | None) -> Round:
    """Return those who play after a seat, up to that seat itself."""
    first, *others = (seat for seat in turns(next_seat(after), sits_out) if seat != after)
    still_to_play: Round | None = None
    for seat in reversed(others):
        still_to_play = (seat, still_to_play)
    return first, still_to_play


_ROUNDS: Final = {
    sits_out: tuple(_round(seat, sits_out) for seat in SEATS) for sits_out in (None, *SEATS)
}


Table = tuple[tuple[Card, ...], tuple[Seat, ...]]
"""What everybody sees of the play: `played` and `leaders`, as a `TrickView` has them."""
EMPTY_TABLE: Final[Table] = ((), ())


class Contract(Protocol):
    """What was settled before the first lead, and how that is scored and shown."""

    @property
    def dealer(self) -> Seat:
        """Who dealt."""

    @property
    def sits_out(self) -> Seat | None:
        """The seat that does not play, if one does not."""

    def score(self, winners: Sequence[Seat]) -> HandResult:
        """Score a hand from the winner of each trick."""

    def view(
        self, seat: Seat | None, state: State, hands: Sequence[int], table: Table
    ) -> TrickView:
        """Show a hand, given what each seat still holds and what was played."""


def trick_view(state: State, seat: Seat | None) -> TrickView:
    """Return what a seat may know of a hand that is played in tricks; for None, what all may."""
    view = state.view(seat)
    assert is_trick_view(view)
    return view


def finished_tricks(view: TrickView) -> tuple[Trick, ...]:
    """Put each finished trick together: its leader, its cards and its winner."""
    size = len(turns(0, view.sits_out))
    return tuple(
        Trick(leader, view.played[turn * size : (turn + 1) * size], winner)
        for turn, (leader, winner) in enumerate(pairwise(view.leaders))
    )


def leader_now(view: TrickView) -> Seat | None:
    """Return the leader of the trick in progress, if there is one."""
    return view.leaders[-1] if view.leaders and view.actor is not None else None


def trick_in_progress(view: TrickView) -> tuple[Card, ...]:
    """Return the cards of the trick in progress."""
    finished = max(0, len(view.leaders) - 1)
    return view.played[finished * len(turns(0, view.sits_out)) :]


def _first_leader(contract: Contract) -> Seat:
    """Return eldest, or the seat after her if she sits out (rules: "Play")."""
    return turns(next_seat(contract.dealer), contract.sits_out)[0]


def _hands_left(dealt: Sequence[int], left: int) -> list[int]:
    """Return the cards left in each hand."""
    north, east, south, west = dealt
    return [north & left, east & left, south & left, west & left]


class Done(State):
    """The hand is over."""

    __slots__ = ("_contract", "_dealt", "_left", "_played", "_winners", "result")

    phase = "done"
    actor: None
    result: HandResult

    def __init__(
        self,
        contract: Contract,
        dealt: Sequence[int],
        left: int = _ANY,
        played: Sequence[Card] = (),
        winners: Sequence[Seat] = (),
    ) -> None:
        """Score the hand."""
        self.actor = None
        self.legal = ()
        self._contract = contract
        self._dealt = dealt
        self._left = left
        self._played = played
        self._winners = winners
        self.result = contract.score(winners)

    def play(self, action: Action) -> State:
        """Refuse every action."""
        self.refuse(action)

    def view(self, seat: Seat | None) -> TrickView:
        """Show how the hand went."""
        table = tuple(self._played), (_first_leader(self._contract), *self._winners)
        return self._contract.view(seat, self, _hands_left(self._dealt, self._left), table)

    @property
    def decision(self) -> str:
        """An empty string: no decision is due."""
        return ""


class Playing(State):
    """Tricks are being played."""

    __slots__ = (
        "_after",
        "_beaten_by",
        "_choices",
        "_contract",
        "_dealt",
        "_first_leader",
        "_follow",
        "_left",
        "_played",
        "_plays",
        "_rounds",
        "_winner",
        "_winners",
    )

    phase = "playing"
    actor: Seat

    def __init__(
        self, contract: Contract, hands: Sequence[int], choices: CardChoices, plays: PlayTable
    ) -> None:
        """Begin with the first leader; `hands` are the cards of each seat, as bits."""
        self._contract = contract
        self._dealt = hands
        self._choices = choices
        self._plays = plays
        self._rounds = _ROUNDS[contract.sits_out]
        self._first_leader = _first_leader(contract)
        self._played: list[Card] = []
        self._winners: list[Seat] = []
        self._left = _ANY
        self._follow = 0
        self._beaten_by = _ANY
        self.actor = self._winner = leader = self._rounds[contract.dealer][0]
        self._after: Round | None = self._rounds[leader]
        self.legal = choices[hands[leader]]

    def copy(self) -> Self:
        """Return the same state with lists of its own."""
        new = super().copy()
        new._played = self._played.copy()  # noqa: SLF001 (of its own kind)
        new._winners = self._winners.copy()  # noqa: SLF001 (of its own kind)
        return new

    def play(self, action: Action) -> State:
        """Play a card; the last one of the last trick ends the hand."""
        if action not in self.legal:
            self.refuse(action)
        card, bit, follow, beaten_by = self._plays[action]
        if bit & self._beaten_by:
            self._beaten_by = beaten_by
            self._winner = self.actor
        left = self._left = self._left ^ bit
        self._played.append(card)
        if self._after is None:
            return self._finish_trick()
        follow = self._follow = self._follow or follow
        seat, self._after = self._after
        self.actor = seat
        hand = self._dealt[seat] & left
        self.legal = self._choices[hand & follow or hand]
        return self

    def _finish_trick(self) -> State:
        winner = self.actor = self._winner
        self._winners.append(winner)
        hand = self._dealt[winner] & self._left
        if not hand:
            return Done(self._contract, self._dealt, self._left, self._played, self._winners)
        self.legal = self._choices[hand]
        self._after = self._rounds[winner]
        self._follow = 0
        self._beaten_by = _ANY
        return self

    def view(self, seat: Seat | None) -> TrickView:
        """Show the hand in play."""
        table = tuple(self._played), (self._first_leader, *self._winners)
        return self._contract.view(seat, self, _hands_left(self._dealt, self._left), table)

    @property
    def decision(self) -> str:
        """Name the trick."""
        return f"trick {len(self._winners) + 1}"
