"""The vectors of `sdk/testdata`: what each file holds, a line each."""

from collections.abc import Iterable, Iterator
from typing import Final

from referee.engine.cards import SEATS, SUITS, Suit, suit
from referee.rpc.enums import CARDS

from .chance import Chance
from .choosing import chosen
from .described import described
from .seen import Facts
from .situations import situations
from .worth import PACKS, Worth

_TRUMPS: Final[dict[str, tuple[Suit | None, ...]]] = {"euchre": (None, *SUITS), "whist": SUITS}


def vectors() -> dict[str, list[Facts]]:
    """Return the lines of each file by its name."""
    return {
        "cards.jsonl": list(cards()),
        "effective_suit.jsonl": list(effective_suits()),
        "beats.jsonl": list(beaten()),
        "trick_winner.jsonl": list(trick_winners()),
        "legal_plays.jsonl": list(legal_plays()),
        "views.jsonl": list(views()),
        "recycle_views.jsonl": list(described()),
        "situations.jsonl": list(situations()),
    }


def cards() -> Iterator[Facts]:
    """Return the number of each card."""
    for number, card in enumerate(CARDS, 1):
        yield {"number": number, "card": card, "suit": suit(card)}


def effective_suits() -> Iterator[Facts]:
    """Return the suit and the strength of every card, whatever is trump."""
    for game, trump, worth in _games():
        for card in worth.pack.cards:
            counts_as = {"suit": worth.suit(card), "strength": worth.strength(card)}
            yield {"game": game, "trump": trump, "card": card, **counts_as}


def beaten() -> Iterator[Facts]:
    """Return pairs of cards: half of them of one suit, for among others little is to be decided."""
    chance = Chance(1)
    for game, trump, worth in _games():
        for number in range(40):
            card = chance.choose(worth.pack.cards)
            others = worth.pack.cards if number % 2 else worth.legal(worth.pack.cards, card)
            other = chance.choose([other for other in others if other != card])
            beats = worth.beats(card, other)
            yield {"game": game, "trump": trump, "card": card, "other": other, "beats": beats}


def trick_winners() -> Iterator[Facts]:
    """Return tricks in which players follow suit, most of them, so that it is close."""
    chance = Chance(2)
    for number in range(150):
        game = "whist" if number % 3 == 2 else "euchre"
        trump = chance.choose(SUITS)
        worth = Worth.of(game, trump)
        leader = chance.choose(SEATS)
        sits_out = (leader + 1 + chance.below(3)) % 4 if game == "euchre" and number % 2 else None
        trick = [chance.choose(worth.pack.cards)]
        most = 3 if sits_out is None else 2
        for _ in range(max(chance.below(most + 1), chance.below(most + 1))):
            left = [card for card in worth.pack.cards if card not in trick]
            hand = chance.draw(left, 4)
            trick.append(chance.choose(worth.legal(hand, trick[0])))
        seat, card = worth.winning(leader, sits_out, trick)
        yield {
            "game": game,
            "trump": trump,
            "leader": leader,
            "sits_out": sits_out,
            "cards": trick,
            "suit_led": worth.suit(trick[0]),
            "winning_seat": seat,
            "winning_card": card,
        }


def legal_plays() -> Iterator[Facts]:
    """Return hands of every size, to lead from or to follow with."""
    chance = Chance(3)
    for number in range(120):
        game = "whist" if number % 3 == 2 else "euchre"
        trump = chance.choose(SUITS)
        worth = Worth.of(game, trump)
        drawn = chance.draw(worth.pack.cards, 1 + (13 if game == "whist" else 5))
        led = drawn.pop() if number % 8 else None
        hand = worth.pack.names(worth.pack.bits(drawn[chance.below(len(drawn)) :]))
        legal = worth.legal(hand, led)
        yield {"game": game, "trump": trump, "hand": hand, "led": led, "legal": legal}


def views() -> Iterator[Facts]:
    """Return decisions as the wire has them, and everything a view tells of them."""
    for game in PACKS:
        for moment, view in chosen(game):
            wire = {"welcome": moment.welcome().hex(), "turn": moment.turn().hex()}
            yield {"game": game, **wire, "view": view}


def _games() -> Iterable[tuple[str, Suit | None, Worth]]:
    for game, trumps in _TRUMPS.items():
        for trump in trumps:
            yield game, trump, Worth.of(game, trump)
