"""What follows by the rules from what is told of a situation; what cannot have been is refused.

A situation is told in cards and calls. From these follow who is to act, who made trump, who won
which trick, and what is legal.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple, NoReturn

from upcard.cards import CARD_OF, SUITS, Action, Card, Play, Rules, Seat, Suit
from upcard.errors import ImpossibleSituation
from upcard.euchre import EUCHRE
from upcard.game import ORDERS, Game
from upcard.whist import WHIST

_SEATS: Final = ("North", "East", "South", "West")
_MOST_POINTS: Final = 100
_ROUND: Final = 4
_WITH_UPCARD: Final = 6


class Told(NamedTuple):
    """What is told of a situation, word by word."""

    game: Game
    hand: tuple[Card, ...]
    seat: Seat | None
    dealer: Seat
    upcard: Card | None
    trump_card: Card | None
    trump: Suit | None
    maker: Seat | None
    calls: tuple[Action, ...]
    played: tuple[Card, ...]
    discard: Card | None
    score: tuple[int, int]
    hand_number: int
    dealer_stuck: bool
    rules: Rules

    @property
    def stuck(self) -> bool:
        """Whether the dealer must name a suit in the end."""
        return self.rules.stick_dealer or self.dealer_stuck

    @property
    def turned(self) -> Card:
        """The card that is shown to all."""
        return self.upcard or self.trump_card or ""


class Made(NamedTuple):
    """What the bidding came to."""

    trump: Suit | None
    maker: Seat | None = None
    sits_out: Seat | None = None
    picked_up: bool = False


class Table(NamedTuple):
    """What lies on the table, and who is to act."""

    phase: str
    actor: Seat
    leaders: tuple[Seat, ...] = ()
    plays: tuple[Play, ...] = ()
    trick: tuple[Card, ...] = ()
    voids: frozenset[tuple[Seat, Suit]] = frozenset()


class Moment(NamedTuple):
    """A situation, and all that follows from it."""

    told: Told
    made: Made
    table: Table
    legal: tuple[Action, ...]


def moment(told: Told) -> Moment:
    """Return a situation with all that follows from it.

    Raises:
        ImpossibleSituation: it cannot have come about by the rules.
    """
    _check_words(told)
    told = _with_calls(told)
    made = Made(told.turned[1]) if told.game is WHIST else _bidding(told)
    upcard = (told.turned,) if told.game is EUCHRE and not made.picked_up else ()
    _check_cards(chain(told.hand, filter(None, (told.discard,)), told.played, upcard))
    table = _table(told, made)
    _check_actor(told, table)
    _check_discard(told, made, table)
    _check_hand(told, made, table)
    return Moment(told, made, table, _legal(told, made, table))


def in_order(hand: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the pack."""
    return tuple(sorted(hand, key=CARD_OF.index))


# What is told, word by word


def _refuse(why: str) -> NoReturn:
    raise ImpossibleSituation(why)


def _check_words(told: Told) -> None:
    for seat in (told.seat, told.dealer, told.maker):
        if seat not in (None, 0, 1, 2, 3):
            _refuse(f"there is no seat {seat}; they are 0 to 3 for North, East, South, West")
    _check_rules(told)
    _check_fields(told)
    cards = (told.upcard, told.trump_card, *told.hand, told.discard, *told.played)
    for card in filter(None, cards):
        if card not in told.game.pack:
            _refuse(f"{card} is no card of {told.game.name}")
    if told.trump is not None and told.trump not in SUITS:
        _refuse(f"{told.trump} is no suit")
    if not told.hand:
        _refuse("the hand is empty")


def _check_rules(told: Told) -> None:
    rules, (us, them) = told.rules, told.score
    if not 1 <= rules.target <= _MOST_POINTS:
        _refuse(f"a match is to 1 to {_MOST_POINTS} points, not {rules.target}")
    if rules.partner_must_go_alone and not rules.alone:
        _refuse("nobody can be made to go alone where nobody may")
    if not (0 <= us < rules.target and 0 <= them < rules.target):
        _refuse(f"the score is not {us} to {them} in a match to {rules.target}")


def _check_fields(told: Told) -> None:
    if told.game is EUCHRE:
        if told.trump_card is not None:
            _refuse("euchre has no trump card")
        return
    fields = {
        "upcard": told.upcard,
        "trump to be made": told.trump,
        "maker": told.maker,
        "calls": told.calls or None,
        "discard": told.discard,
        "stuck dealer": told.dealer_stuck or None,
    }
    for name, value in fields.items():
        if value is not None:
            _refuse(f"whist has no {name}")
    if told.trump_card is None:
        _refuse("the trump card is missing")


def _check_cards(cards: Iterable[Card]) -> None:
    """Refuse a card that is in two places."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            _refuse(f"{card} is there twice")
        seen.add(card)


# The bidding


def _with_calls(told: Told) -> Told:
    """Put the calls by which trump was made in the place of trump and maker."""
    if told.calls or told.trump is None:
        return told
    upcard = told.upcard or _nobodys(told, told.trump)
    maker = (told.dealer + 1) % 4 if told.maker is None else told.maker
    before = ("pass",) * ((maker - told.dealer - 1) % 4)
    if upcard[1] == told.trump:
        return told._replace(upcard=upcard, calls=(*before, "order_up"))
    first_round = ("pass",) * _ROUND
    return told._replace(upcard=upcard, calls=(*first_round, *before, f"name:{told.trump}"))


def _nobodys(told: Told, trump: Suit) -> Card:
    """Return the first card of another suit that nobody is said to have."""
    known = {*told.hand, *told.played, told.discard}
    left = [card for card in told.game.pack if card[1] != trump and card not in known]
    # With six cards it is in the hand, and only its author can say which one it is.
    if not left or len(told.hand) == _WITH_UPCARD:
        _refuse("the upcard is missing")
    return left[0]


def _menu(told: Told, said: int) -> tuple[Action, ...]:
    """Return what may be said after so many passes."""
    rules, turned = told.rules, told.turned[1]
    if said < _ROUND:
        up = ("order_up", "order_up_alone") if rules.alone else ("order_up",)
        partners = rules.partner_must_go_alone and said == 1
        return ("pass", *(up[-1:] if partners else up))
    suits = [suit for suit in SUITS if suit != turned]
    verbs = ("name", "name_alone") if rules.alone else ("name",)
    names = [f"{verb}:{suit}" for verb in verbs for suit in suits]
    last = said == 2 * _ROUND - 1
    return tuple(names) if told.stuck and last else ("pass", *names)


def _bidding(told: Told) -> Made:
    """Return what the calls come to, each of which has to be legal."""
    if told.maker is not None and told.trump is None and not told.calls:
        _refuse(f"the trump that {_SEATS[told.maker]} made is missing")
    if told.upcard is None:
        _refuse("the upcard is missing")
    made = Made(None)
    for said, call in enumerate(told.calls):
        if made.trump is not None:
            _refuse(f"nothing is said after {told.calls[said - 1]}")
        speaker, menu = (told.dealer + 1 + said) % 4, _menu(told, said)
        if call not in menu:
            _refuse(f"{_SEATS[speaker]} may not say {call}; only {' '.join(menu)}")
        if call != "pass":
            partner = (speaker + 2) % 4 if "alone" in call else None
            trump = call[-1] if ":" in call else told.upcard[1]
            made = Made(trump, speaker, partner, picked_up=said < _ROUND)
        elif said == 2 * _ROUND - 1:
            _refuse("all have passed twice: the hand is thrown in")
    _check_made(told, made)
    return made


def _check_made(told: Told, made: Made) -> None:
    if made.maker is None:
        if (told.trump, told.maker) != (None, None):
            _refuse("nobody has made trump yet")
        if told.played:
            _refuse("a card is played before trump is made")
        return
    if told.trump not in (None, made.trump):
        _refuse(f"trump is {made.trump} by the calls, not {told.trump}")
    if told.maker not in (None, made.maker):
        assert told.maker is not None
        _refuse(f"{_SEATS[made.maker]} made trump, not {_SEATS[told.maker]}")


# The play


def _table(told: Told, made: Made) -> Table:
    if made.trump is None:
        return Table("bidding", (told.dealer + 1 + len(told.calls)) % 4)
    laying = len(told.hand) == _WITH_UPCARD and not told.played and told.discard is None
    if made.picked_up and laying:
        return Table("discarding", told.dealer)
    return _play(told, made)


def _tricks(game: Game) -> int:
    """Return how many tricks a hand has, and so how many cards are dealt to a seat."""
    return 5 if game is EUCHRE else len(game.pack) // 4


def _play(told: Told, made: Made) -> Table:
    """Play the cards that were played; return what comes of it."""
    game, size = told.game, 4 if made.sits_out is None else 3
    leader = ORDERS[made.sits_out][(told.dealer + 1) % 4][0]
    leaders, plays, trick = [leader], list[Play](), list[Card]()
    voids: set[tuple[Seat, Suit]] = set()
    for card in told.played:
        seat = ORDERS[made.sits_out][leader][len(trick)]
        _note_void(game, made.trump, trick, Play(seat, card), voids)
        trick.append(card)
        plays.append(Play(seat, card))
        if len(trick) == size:
            winner = game.winning_seat(leader, trick, made.trump, made.sits_out)
            assert winner is not None
            leader, trick = winner, []
            leaders.append(leader)
        if len(leaders) > _tricks(game):
            _refuse("all tricks are played")
    actor = ORDERS[made.sits_out][leader][len(trick)]
    return Table("playing", actor, tuple(leaders), tuple(plays), tuple(trick), frozenset(voids))


def _note_void(
    game: Game,
    trump: Suit | None,
    trick: Sequence[Card],
    play: Play,
    voids: set[tuple[Seat, Suit]],
) -> None:
    suit = game.effective_suit(play.card, trump)
    if (play.seat, suit) in voids:
        _refuse(f"{_SEATS[play.seat]} did not follow {suit}, and has {play.card}")
    led = game.effective_suit(trick[0], trump) if trick else suit
    if suit != led:
        voids.add((play.seat, led))


def _check_actor(told: Told, table: Table) -> None:
    if told.seat not in (None, table.actor):
        assert told.seat is not None
        _refuse(f"{_SEATS[table.actor]} is to act, not {_SEATS[told.seat]}")


def _check_hand(told: Told, made: Made, table: Table) -> None:
    """Check the cards of who is to act."""
    actor = table.actor
    own = [play.card for play in table.plays if play.seat == actor]
    laying = table.phase == "discarding"
    most = _WITH_UPCARD if laying else _tricks(told.game) - len(own)
    if len(told.hand) > most:
        _refuse(f"{_SEATS[actor]} holds at most {most} cards here, not {len(told.hand)}")
    if made.picked_up or told.game is WHIST:
        _check_dealers_card(told, table, {*told.hand, *own, told.discard})
    for card in in_order(told.hand):
        suit = told.game.effective_suit(card, made.trump)
        if (actor, suit) in table.voids:
            _refuse(f"{_SEATS[actor]} did not follow {suit}, and has {card}")


def _check_dealers_card(told: Told, table: Table, own: set[Card | None]) -> None:
    """Check that the card turned up is the dealer's, and nobody else's."""
    dealer, turned = _SEATS[told.dealer], told.turned
    if table.actor == told.dealer:
        if turned not in own:
            _refuse(f"{turned} is missing among {dealer}'s cards")
    elif turned in told.hand:
        _refuse(f"{turned} is {dealer}'s, and nobody else's")
    if any(play.card == turned and play.seat != told.dealer for play in table.plays):
        _refuse(f"{turned} is {dealer}'s, and nobody else's")


def _check_discard(told: Told, made: Made, table: Table) -> None:
    laid_away = made.picked_up and table.actor == told.dealer and table.phase == "playing"
    if told.discard is not None and not laid_away:
        _refuse(f"{_SEATS[table.actor]} laid no card away")
    if told.discard is None and laid_away:
        _refuse(f"what {_SEATS[told.dealer]} laid away is missing")


def _legal(told: Told, made: Made, table: Table) -> tuple[Action, ...]:
    if table.phase == "bidding":
        return _menu(told, len(told.calls))
    hand = in_order(told.hand)
    if table.phase == "discarding":
        return tuple(f"discard:{card}" for card in hand)
    led = table.trick[0] if table.trick else None
    return tuple(f"play:{card}" for card in told.game.legal_plays(hand, led, made.trump))
