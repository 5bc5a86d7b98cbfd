"""What a seat knows when it is to act, under the names a card player would use.

A view wraps the referee's message and converts only what is asked for. Every name is there in
both games; what a game does not have is None, False or empty.
"""

from itertools import pairwise
from typing import ClassVar

from upcard.cards import (
    CARD_OF,
    SEAT_OF,
    Action,
    Card,
    Play,
    Rules,
    Seat,
    Sides,
    Suit,
    Trick,
)
from upcard.game import ORDERS, Game
from upcard.lazy import lazy
from upcard.v1.euchre_pb2 import EuchreView as EuchreMessage
from upcard.v1.referee_pb2 import Turn
from upcard.v1.whist_pb2 import WhistView as WhistMessage


class View:
    """What your seat knows when it is to act."""

    game: ClassVar[str]
    """``"euchre"`` or ``"whist"``."""
    pack: ClassVar[tuple[Card, ...]]
    """Every card of the game: clubs, diamonds, hearts, spades, each from the lowest rank up."""
    _game: ClassVar[Game]
    _message: EuchreMessage | WhistMessage

    def __init__(
        self,
        turn: Turn,
        message: EuchreMessage | WhistMessage,
        legal: tuple[Action, ...],
        rules: Rules,
    ) -> None:
        """Wrap a turn, the game's own message in it, what is legal, and the table's rules."""
        self._turn = turn
        self._message = message
        self.legal = legal
        """What you may do; return one of them."""
        self.rules = rules
        """The rules at this table."""

    def __str__(self) -> str:
        """Return the situation in one line of text.

        >>> print(view)
        euchre, playing: hand JD AD QD, trump H, trick 9S AS
        """
        upcard = f", upcard {self.upcard}" if self.phase == "bidding" else ""
        trump = f", trump {self.trump}" if self.trump else ""
        trick = f", trick {' '.join(self.trick)}" if self.trick else ""
        return f"{self.game}, {self.phase}: hand {' '.join(self.hand)}{upcard}{trump}{trick}"

    # Where and when

    @lazy
    def table(self) -> int:
        """The table: a number that means nothing, another one for every match."""
        return self._turn.table_id

    @lazy
    def turn(self) -> int:
        """The number of this decision; the referee counts them."""
        return self._turn.turn_id

    @lazy
    def time_left(self) -> float | None:
        """The seconds left for this match; None if only each decision is limited."""
        return self._turn.time_left_ms / 1000 or None

    @lazy
    def hand_number(self) -> int:
        """The number of this hand in its match, from 0."""
        return self._message.hand_number

    @lazy
    def phase(self) -> str:
        """What is due: ``"bidding"``, ``"discarding"`` or ``"playing"``."""
        return "playing"

    # Who

    @lazy
    def seat(self) -> Seat:
        """Your seat: 0 to 3 for North, East, South, West."""
        return self._message.seat - 1

    @lazy
    def partner(self) -> Seat:
        """The seat across the table."""
        return (self.seat + 2) % 4

    @lazy
    def dealer(self) -> Seat:
        """Who dealt."""
        return self._message.dealer - 1

    # The score

    @lazy
    def score(self) -> Sides:
        """The points of both teams before this hand."""
        points = self._message.points_north_south, self._message.points_east_west
        return Sides(*points) if self.seat % 2 == 0 else Sides(*reversed(points))

    @property
    def target(self) -> int:
        """How many points win the match."""
        return self.rules.target

    # The cards

    @lazy
    def hand(self) -> tuple[Card, ...]:
        """The cards you hold, in the order of the pack."""
        return tuple([CARD_OF[card] for card in self._message.hand])

    @lazy
    def legal_cards(self) -> tuple[Card, ...]:
        """The cards you may play or discard, in the order of `legal`."""
        return tuple([CARD_OF[card] for card in self._message.legal_cards])

    @lazy
    def upcard(self) -> Card | None:
        """Euchre: the card turned up."""
        return None

    @lazy
    def trump_card(self) -> Card | None:
        """Whist: the last card dealt, the dealer's until she plays it."""
        return None

    @lazy
    def trump(self) -> Suit | None:
        """The trump suit; None until it is made."""
        return None

    @lazy
    def cards_still_out(self) -> tuple[Card, ...]:
        """The cards that others may still play, as far as you can see.

        All but those you hold, those played, those you know to be out of play. In euchre three of
        them lie in the kitty.

        >>> len(view.cards_still_out)
        10
        """
        gone = {*self.hand, *self._out_of_play(), *(play.card for play in self.plays)}
        return tuple([card for card in self.pack if card not in gone])

    def holding(self, suit: Suit | None) -> tuple[Card, ...]:
        """Return the cards you hold that count as a suit, the strongest first.

        >>> view.holding("H")
        ('JD',)
        """
        return self._holdings.get(suit, ())

    def still_out(self, suit: Suit | None) -> tuple[Card, ...]:
        """Return the cards of a suit that others may still play, the strongest first.

        >>> view.still_out("H")
        ('JH', 'AH', 'KH', 'QH', 'TH')
        """
        return self._suits_out.get(suit, ())

    @lazy
    def _holdings(self) -> dict[Suit | None, tuple[Card, ...]]:
        return self._sorted(self.hand)

    @lazy
    def _suits_out(self) -> dict[Suit | None, tuple[Card, ...]]:
        return self._sorted(self.cards_still_out)

    def _sorted(self, cards: tuple[Card, ...]) -> dict[Suit | None, tuple[Card, ...]]:
        found: dict[Suit | None, tuple[Card, ...]] = {}
        for card in sorted(cards, key=self.strength, reverse=True):
            suit = self.effective_suit(card)
            found[suit] = (*found.get(suit, ()), card)
        return found

    def _out_of_play(self) -> tuple[Card | None, ...]:
        return ()

    # The bidding

    @lazy
    def calls(self) -> tuple[Action, ...]:
        """Euchre: what was said so far, the first to speak first."""
        return ()

    @lazy
    def dealer_stuck(self) -> bool:
        """Euchre: whether the dealer, when she speaks last, must name a suit."""
        return False

    @lazy
    def maker(self) -> Seat | None:
        """Euchre: who made trump."""
        return None

    @lazy
    def we_made_trump(self) -> bool:
        """Euchre: whether you or your partner made trump."""
        return self.maker is not None and self.maker % 2 == self.seat % 2

    @lazy
    def picked_up(self) -> bool:
        """Euchre: whether the dealer took the upcard, as she does when it is ordered up."""
        return False

    @lazy
    def discard(self) -> Card | None:
        """Euchre: what you laid away as the dealer."""
        return None

    @lazy
    def sits_out(self) -> Seat | None:
        """Euchre: the maker's partner when the maker goes alone."""
        return None

    # The play

    @lazy
    def leader(self) -> Seat | None:
        """Who leads the trick in progress; None before the play."""
        leaders = self._message.leaders
        return SEAT_OF[leaders[-1]] if leaders else None

    @lazy
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        size, cards = self._trick_size, self._played
        leaders = [leader - 1 for leader in self._message.leaders]
        return tuple(
            [
                Trick(leader, cards[turn * size : (turn + 1) * size], winner)
                for turn, (leader, winner) in enumerate(pairwise(leaders))
            ]
        )

    @lazy
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick in progress, the led one first."""
        played = self._played
        return played[len(played) - len(played) % self._trick_size :]

    @lazy
    def plays(self) -> tuple[Play, ...]:
        """Every card played in this hand, with who played it.

        >>> view.plays[-1]
        Play(seat=1, card='AS')
        """
        size, order = self._trick_size, ORDERS[self.sits_out]
        leaders = self._message.leaders
        return tuple(
            [
                Play(order[leaders[place // size] - 1][place % size], card)
                for place, card in enumerate(self._played)
            ]
        )

    @lazy
    def tricks_won(self) -> Sides:
        """The tricks both teams have taken."""
        ours = sum([winner % 2 != self.seat % 2 for winner in self._message.leaders[1:]])
        return Sides(ours, max(0, len(self._message.leaders) - 1) - ours)

    @lazy
    def suit_led(self) -> Suit | None:
        """The suit to follow; None when you lead. The left bower leads trump."""
        return self.effective_suit(self.trick[0]) if self.trick else None

    @lazy
    def winning_card(self) -> Card | None:
        """The card that is winning the trick in progress; None when you lead.

        >>> view.winning_card, view.winning_seat
        ('AS', 1)
        """
        return self._game.winning_card(self.trick, self.trump)

    @lazy
    def winning_seat(self) -> Seat | None:
        """Who is winning the trick in progress; None when you lead."""
        if self.leader is None:
            return None
        return self._game.winning_seat(self.leader, self.trick, self.trump, self.sits_out)

    @property
    def partner_is_winning(self) -> bool:
        """Whether your partner's card is winning the trick in progress."""
        return self.winning_seat == self.partner

    @lazy
    def last_to_play(self) -> bool:
        """Whether your card ends the trick in progress."""
        return len(self.trick) == self._trick_size - 1

    def void_suits(self, seat: Seat) -> frozenset[Suit]:
        """Return the suits a seat has shown to have none of, by not following."""
        return self._voids[seat]

    @lazy
    def _voids(self) -> tuple[frozenset[Suit], ...]:
        shown: tuple[set[Suit], ...] = (set(), set(), set(), set())
        led = ""
        for place, play in enumerate(self.plays):
            suit = self.effective_suit(play.card)
            if place % self._trick_size == 0:
                led = suit
            elif suit != led:
                shown[play.seat].add(led)
        return tuple(map(frozenset, shown))

    # The worth of cards

    def effective_suit(self, card: Card, trump: Suit | None = None) -> Suit:
        """Return the suit a card counts as: the left bower is a trump.

        `trump` stands for the hand's trump suit; give another to see how it would be.

        >>> view.effective_suit("JD")
        'H'
        >>> view.effective_suit("JD", trump="S")
        'D'
        """
        return self._game.effective_suit(card, trump or self.trump)

    def strength(self, card: Card, trump: Suit | None = None) -> int:
        """Return the strength of a card in its effective suit, the higher the stronger.

        >>> sorted(["AH", "JH", "JD", "TH"], key=view.strength)
        ['TH', 'AH', 'JD', 'JH']
        """
        return self._game.strength(card, trump or self.trump)

    def beats(self, card: Card, other: Card, trump: Suit | None = None) -> bool:
        """Return whether a card takes the trick over from another that is winning it.

        >>> view.beats("9H", "AS"), view.beats("AD", "9S")
        (True, False)
        """
        return self._game.beats(card, other, trump or self.trump)

    def takes_trick(self, card: Card) -> bool:
        """Return whether a card would be the winning one if you played it now."""
        return self.winning_card is None or self.beats(card, self.winning_card)

    # The table as the message has it

    @lazy
    def _played(self) -> tuple[Card, ...]:
        return tuple([CARD_OF[card] for card in self._message.played])

    @lazy
    def _trick_size(self) -> int:
        return 4 if self.sits_out is None else 3
