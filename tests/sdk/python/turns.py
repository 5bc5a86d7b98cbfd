"""Writes what the engine shows a seat as the messages that a bot gets."""

from typing import Any

from referee.engine.game import Game, TrickView
from referee.engine.match import Match
from upcard.cards import CALL_OF, CARD_OF, SUIT_OF
from upcard.v1.cards_pb2 import Card, Seat, Suit
from upcard.v1.euchre_pb2 import EuchreCall, EuchrePhase, EuchreRules, EuchreView
from upcard.v1.referee_pb2 import Turn, Welcome
from upcard.v1.whist_pb2 import WhistRules, WhistView

_CALLS = {call: EuchreCall.ValueType(number) for number, call in CALL_OF.items()}
_PHASES = {"bidding": 1, "discarding": 2, "playing": 3}


def card(token: str | None) -> Card.ValueType:
    return Card.ValueType(CARD_OF.index(token or ""))


def cards(tokens: Any) -> list[Card.ValueType]:  # noqa: ANN401 (a string or a sequence)
    return [card(token) for token in (tokens.split() if isinstance(tokens, str) else tokens)]


def suit(token: str | None) -> Suit.ValueType:
    return Suit.ValueType(SUIT_OF.index(token))


def seat(number: int | None) -> Seat.ValueType:
    return Seat.ValueType(0 if number is None else number + 1)


def calls(tokens: Any) -> list[EuchreCall.ValueType]:  # noqa: ANN401 (as for cards)
    told = tokens.split() if isinstance(tokens, str) else tokens
    return [_CALLS[token] for token in told]


def turn_of(view: TrickView, match: Match, turn_id: int = 1, table_id: int = 1) -> Turn:
    """Return the turn of the seat that is to act."""
    leaders = [trick.leader for trick in view.tricks]
    common: dict[str, Any] = {
        "seat": seat(view.seat),
        "dealer": seat(view.dealer),
        "points_north_south": match.score[0],
        "points_east_west": match.score[1],
        "hand_number": match.hand,
        "hand": cards(view.hand),
        "played": cards([*(c for trick in view.tricks for c in trick.cards), *view.trick]),
        "leaders": [seat(who) for who in (*leaders, view.leader) if who is not None],
    }
    if match.game.name == "euchre":
        euchre = _euchre(view, common)
        return Turn(turn_id=turn_id, table_id=table_id, euchre=euchre)
    whist = WhistView(**common, trump_card=card(view.turned), legal_cards=_offered(view))
    return Turn(turn_id=turn_id, table_id=table_id, whist=whist)


def _euchre(view: Any, common: dict[str, Any]) -> EuchreView:  # noqa: ANN401 (one game's own view)
    bidding = view.phase == "bidding"
    return EuchreView(
        **common,
        phase=EuchrePhase.ValueType(_PHASES[view.phase]),
        dealer_stuck=view.stuck,
        upcard=card(view.turned),
        calls=calls(view.calls),
        trump=suit(view.trump),
        maker=seat(view.maker),
        sits_out=seat(view.sits_out),
        discard=card(view.discard),
        legal_calls=calls(view.legal) if bidding else [],
        legal_cards=[] if bidding else _offered(view),
    )


def _offered(view: TrickView) -> list[Card.ValueType]:
    return cards([action.partition(":")[2] for action in view.legal])


def welcome(game: Game, who: int) -> Welcome:
    """Return what the bot in a seat is received with."""
    rules: dict[str, Any] = game.rules._asdict()
    if game.name == "euchre":
        return Welcome(protocol_revision=1, seat=seat(who), euchre=EuchreRules(**rules))
    return Welcome(protocol_revision=1, seat=seat(who), whist=WhistRules(**rules))
