"""Write matches in Portable Bridge Notation (`docs/notations.md` says what goes where)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from referee.engine.cards import SEAT_TOKENS, Card, Seat, next_seat, rank, suit
from referee.engine.match import Match
from referee.engine.tricks import trick_view, turns

if TYPE_CHECKING:
    from referee.engine.game import State
    from referee.engine.record import HandRecord, MatchRecord

_SUITS = "SHDC"


def write(records: Iterable["MatchRecord"]) -> Iterator[str]:
    """Yield hand after hand; they are not replayed here, so replay what is not trusted."""
    # The export format asks for this end of line on every machine.
    yield "% PBN 2.1\r\n% EXPORT\r\n"
    games = (game for number, record in enumerate(records, 1) for game in _games(number, record))
    for place, game in enumerate(games):
        yield (f"\n{game}" if place else game).replace("\n", "\r\n")


def _games(number: int, record: "MatchRecord") -> Iterator[str]:
    """Write each hand of a match as a game, which is what the notation calls it."""
    match = Match.start(record.game, record.first_dealer)
    for hand in record.hands:
        dealt = match.deal(record.deck(match.hand))
        match = match.after(hand.result)
        eldest = next_seat(hand.dealer)
        tags = _tags(number, hand, dealt, match) | {"Play": SEAT_TOKENS[eldest]}
        lines = [f'[{name} "{value}"]' for name, value in tags.items()]
        lines += [" ".join(trick) for trick in _tricks(hand, eldest)]
        yield "".join(f"{line}\n" for line in lines)


def _tags(number: int, hand: "HandRecord", dealt: "State", after: Match) -> dict[str, object]:
    """Return the fifteen tags every game has, in their order, and then others by the alphabet.

    "?" stands for what a record does not know, nothing at all for what whist does not have.
    """
    turned, target = trick_view(dealt, None).turned, after.game.rules._asdict()["target"]
    return {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "Board": after.hand,
        "West": "?",
        "North": "?",
        "East": "?",
        "South": "?",
        "Dealer": SEAT_TOKENS[hand.dealer],
        "Vulnerable": "None",
        "Deal": _deal(dealt, hand.dealer),
        "Scoring": "Whist",
        "Declarer": "",
        "Contract": "",
        "Result": "",
        "Description": f"Whist to {target}; the last card dealt is trump",
        "Match": number,
        "MatchScore": _by_team(after.score),
        "Score": _by_team(hand.result.points),
        "Tricks": _by_team(hand.result.tricks),
        "Trump": suit(turned),
        "TrumpCard": _card(turned),
    }


def _deal(dealt: "State", dealer: Seat) -> str:
    hands = " ".join(_holding(trick_view(dealt, seat).hand) for seat in turns(dealer, None))
    return f"{SEAT_TOKENS[dealer]}:{hands}"


def _holding(cards: Sequence[Card]) -> str:
    """Return the ranks of each suit, highest first; a view lists them from the lowest up."""
    return ".".join(
        "".join(rank(card) for card in reversed(cards) if suit(card) == of_suit)
        for of_suit in _SUITS
    )


def _tricks(hand: "HandRecord", eldest: Seat) -> Iterator[list[str]]:
    """Return the cards of each trick by seat from eldest on, not from the leader."""
    for first in range(0, len(hand.actions), 4):
        trick = dict(hand.actions[first : first + 4])
        yield [_card(Card(trick[seat].removeprefix("play:"))) for seat in turns(eldest, None)]


def _card(card: Card) -> str:
    return suit(card) + rank(card)


def _by_team(counts: Sequence[int]) -> str:
    return f"NS {counts[0]} EW {counts[1]}"
