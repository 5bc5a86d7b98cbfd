"""Situations for the tests of a bot: the view of a moment that its author thinks of.

Only what matters has to be told; the rest follows by the rules: who is to act, who made trump, who
won which trick, what is legal. What cannot have come about is refused.
"""

from collections.abc import Iterable
from typing import Any, Final, Literal, overload

from upcard.answering import index_of
from upcard.bot import Bot, create_bot
from upcard.cards import CALL_OF, CARD_OF, SUIT_OF, Action, Card, Rules, Seat, Suit
from upcard.errors import ImpossibleSituation
from upcard.euchre import EUCHRE, EuchreView
from upcard.situations import Moment, Told, in_order, moment
from upcard.v1.euchre_pb2 import EuchreView as EuchreMessage
from upcard.v1.referee_pb2 import Turn
from upcard.v1.whist_pb2 import WhistView as WhistMessage
from upcard.view import View
from upcard.whist import WHIST, WhistView

Words = str | Iterable[str]
"""Cards or calls: a text with spaces between them, or one by one."""

_WEST: Final = 3
_GAMES: Final = {game.name: game for game in (EUCHRE, WHIST)}
_USUAL: Final = {"euchre": Rules(10, alone=True, stick_dealer=True), "whist": Rules(10)}
_CALLS: Final = {call: number for number, call in CALL_OF.items()}
_PHASES: Final = {"bidding": 1, "discarding": 2, "playing": 3}
_SEED: Final = 1


@overload
def situation(
    *,
    hand: Words,
    game: Literal["euchre"] = ...,
    seat: Seat | None = ...,
    dealer: Seat = ...,
    upcard: Card | None = ...,
    trump: Suit | None = ...,
    maker: Seat | None = ...,
    calls: Words = ...,
    played: Words = ...,
    discard: Card | None = ...,
    score: tuple[int, int] = ...,
    hand_number: int = ...,
    dealer_stuck: bool = ...,
    rules: Rules | None = ...,
) -> EuchreView: ...
@overload
def situation(
    *,
    hand: Words,
    game: Literal["whist"],
    seat: Seat | None = ...,
    dealer: Seat = ...,
    trump_card: Card,
    played: Words = ...,
    score: tuple[int, int] = ...,
    hand_number: int = ...,
    rules: Rules | None = ...,
) -> WhistView: ...
def situation(  # noqa: PLR0913 (all that may be told)
    *,
    hand: Words,
    game: str = "euchre",
    seat: Seat | None = None,
    dealer: Seat = _WEST,
    upcard: Card | None = None,
    trump_card: Card | None = None,
    trump: Suit | None = None,
    maker: Seat | None = None,
    calls: Words = (),
    played: Words = (),
    discard: Card | None = None,
    score: tuple[int, int] = (0, 0),
    hand_number: int = 0,
    dealer_stuck: bool = False,
    rules: Rules | None = None,
) -> View:
    """Return the view of the seat that is to act.

    >>> print(situation(hand="9C JD AH", upcard="KH"))
    euchre, bidding: hand 9C JD AH, upcard KH
    >>> print(situation(hand="9C JD AH", trump="H", played="9H QH"))
    euchre, playing: hand 9C JD AH, trump H, trick 9H QH

    Args:
        hand: the cards that it holds; with six, the dealer has to lay one away. There may be fewer
            than there would be: those that matter.
        game: ``"euchre"`` or ``"whist"``.
        seat: who is to act; that follows from the rest, and is checked if it is told.
        dealer: who dealt.
        upcard: euchre: the card turned up.
        trump_card: whist: the last card dealt.
        trump: euchre: the trump suit, instead of `calls`. It was ordered up if it is the upcard's,
            else named; where no upcard is told, that is a card nobody has.
        maker: euchre: who made trump, instead of `calls`; else eldest.
        calls: euchre: what was said so far, eldest's call first.
        played: every card of this hand that was played, in order; who played it follows.
        discard: euchre: what the dealer laid away, where she is the one to act.
        score: the points of both teams before this hand, the own ones first.
        hand_number: the number of the hand in its match, from 0.
        dealer_stuck: euchre: whether the dealer must name a suit in the end though the rules do not
            say so, as after twenty misdeals.
        rules: the rules at the table; else the usual ones of a match to 10 points.

    Raises:
        ImpossibleSituation: it cannot have come about by the rules.
    """
    if game not in _GAMES:
        raise ImpossibleSituation(f"{game} is no game of a situation; choose euchre or whist")
    told = Told(
        *(_GAMES[game], _words(hand), seat, dealer, upcard, trump_card, trump, maker),
        *(_words(calls), _words(played), discard, score, hand_number, dealer_stuck),
        _USUAL[game] if rules is None else rules,
    )
    found = moment(told)
    return _whist(found) if told.game is WHIST else _euchre(found)


def ask(bot: type[Bot], view: View) -> Action:
    """Return what a bot chooses in a situation; its random numbers are the same each time.

    Raises:
        IllegalChoice: it is not legal there.
    """
    choice = create_bot(bot, view.seat, view.rules, _SEED).choose(view, view.legal)
    return view.legal[index_of(choice, view.legal)]


def _words(told: Words) -> tuple[str, ...]:
    return tuple(told.split() if isinstance(told, str) else told)


def _euchre(found: Moment) -> EuchreView:
    told, made, table, legal = found
    bids = table.phase == "bidding"
    fields: dict[str, Any] = {
        **_common(found),
        "phase": _PHASES[table.phase],
        "dealer_stuck": told.stuck,
        "upcard": CARD_OF.index(told.turned),
        "calls": [_CALLS[call] for call in told.calls],
        "trump": SUIT_OF.index(made.trump),
        "maker": _number(made.maker),
        "sits_out": _number(made.sits_out),
        "discard": CARD_OF.index(told.discard or ""),
        "legal_calls": [_CALLS[call] for call in legal if bids],
        "legal_cards": [] if bids else _cards_of(legal),
    }
    turn = Turn(turn_id=1, table_id=1, euchre=EuchreMessage(**fields))
    return EuchreView(turn, turn.euchre, legal, told.rules)


def _whist(found: Moment) -> WhistView:
    fields = {
        **_common(found),
        "trump_card": CARD_OF.index(found.told.turned),
        "legal_cards": _cards_of(found.legal),
    }
    turn = Turn(turn_id=1, table_id=1, whist=WhistMessage(**fields))
    return WhistView(turn, turn.whist, found.legal, found.told.rules)


def _common(found: Moment) -> dict[str, Any]:
    told, _, table, _ = found
    us, them = told.score
    north_south, east_west = (us, them) if table.actor % 2 == 0 else (them, us)
    return {
        "seat": _number(table.actor),
        "dealer": _number(told.dealer),
        "points_north_south": north_south,
        "points_east_west": east_west,
        "hand_number": told.hand_number,
        "hand": [CARD_OF.index(card) for card in in_order(told.hand)],
        "played": [CARD_OF.index(card) for card in told.played],
        "leaders": [_number(seat) for seat in table.leaders],
    }


def _cards_of(legal: Iterable[Action]) -> list[int]:
    return [CARD_OF.index(action.partition(":")[2]) for action in legal]


def _number(seat: Seat | None) -> int:
    return 0 if seat is None else seat + 1
