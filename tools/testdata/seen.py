"""Everything that a view tells a bot, worked out from the engine's own view."""

from typing import Any

from referee.engine.cards import SUITS, Card, partner, team
from referee.engine.game import TrickView
from referee.engine.match import Match
from referee.engine.tricks import trick_view, turns

from .moments import DueDecision
from .worth import Worth

Facts = dict[str, Any]


def seen(moment: DueDecision, view: TrickView | None = None) -> Facts:
    """Return every name of a view with its value; what there is not is None.

    Args:
        moment: the decision.
        view: the engine's view of it, unless it is that of who is to act.
    """
    view = view or trick_view(moment.state, moment.state.actor)
    worth = Worth.of(moment.game.name, view.trump)
    return {
        "game": moment.game.name,
        "phase": moment.state.phase,
        "table": moment.table_id,
        "turn": moment.turn_id,
        "time_left_ms": moment.time_left_ms or None,
        **_seats_and_score(view, moment.match),
        **_bidding(view, moment.game.name),
        **_table(view, worth),
        **_cards(view, worth),
    }


def _seats_and_score(view: TrickView, match: Match) -> Facts:
    assert view.seat is not None
    return {
        "hand_number": match.hand,
        "seat": view.seat,
        "partner": partner(view.seat),
        "dealer": view.dealer,
        "score": _ours_first(view, match.score),
        "target": match.game.rules._asdict()["target"],
        "hand": view.hand,
        "legal": view.legal,
        "legal_cards": _legal_cards(view),
    }


def _ours_first(view: TrickView, by_team: tuple[int, ...]) -> tuple[int, ...]:
    assert view.seat is not None
    return by_team if team(view.seat) == 0 else by_team[::-1]


def _legal_cards(view: TrickView) -> list[Card]:
    told = (action.partition(":") for action in view.legal)
    return [Card(card) for verb, _, card in told if verb in ("discard", "play")]


def _bidding(view: TrickView, game: str) -> Facts:
    euchre = game == "euchre"
    maker = getattr(view, "maker", None)
    return {
        "upcard": view.turned if euchre else None,
        "trump_card": None if euchre else view.turned,
        "trump": view.trump,
        "calls": view.calls,
        "dealer_stuck": getattr(view, "stuck", False),
        "maker": maker,
        "we_made_trump": maker is not None and maker in (view.seat, _partner(view)),
        "picked_up": view.picked_up,
        "sits_out": view.sits_out,
        "discard": view.discard,
    }


def _partner(view: TrickView) -> int:
    assert view.seat is not None
    return partner(view.seat)


def _table(view: TrickView, worth: Worth) -> Facts:
    trick, leader = view.trick, view.leader
    winning_seat, winning_card = _winning(view, worth)
    order = () if leader is None else turns(leader, view.sits_out)
    won = [team(trick.winner) for trick in view.tricks]
    return {
        "leader": leader,
        "trick": trick,
        "suit_led": worth.suit(trick[0]) if trick else None,
        "winning_card": winning_card,
        "winning_seat": winning_seat,
        "partner_is_winning": winning_seat == _partner(view),
        "last_to_play": bool(order) and view.seat == order[-1],
        "tricks": [trick._asdict() for trick in view.tricks],
        "tricks_won": _ours_first(view, (won.count(0), won.count(1))),
        "plays": _plays(view),
        "void_suits": _voids(view, worth),
    }


def _winning(view: TrickView, worth: Worth) -> tuple[int | None, Card | None]:
    if view.leader is None or not view.trick:
        return None, None
    return worth.winning(view.leader, view.sits_out, view.trick)


def _plays(view: TrickView) -> list[tuple[int, Card]]:
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    return [
        play
        for leader, cards in tricks
        for play in zip(turns(leader, view.sits_out), cards, strict=False)
    ]


def _voids(view: TrickView, worth: Worth) -> list[list[str]]:
    shown: list[set[str]] = [set(), set(), set(), set()]
    led = ""
    for place, (seat, card) in enumerate(_plays(view)):
        if place % len(turns(0, view.sits_out)) == 0:
            led = worth.suit(card)
        elif worth.suit(card) != led:
            shown[seat].add(led)
    return [[named for named in SUITS if named in suits] for suits in shown]


def _cards(view: TrickView, worth: Worth) -> Facts:
    out = _still_out(view, worth)
    playing = bool(view.legal) and view.legal[0].startswith("play:")
    return {
        "cards_still_out": out,
        "holding": worth.by_suit(view.hand),
        "still_out": worth.by_suit(out),
        "takes_trick": {card: _takes(view, worth, card) for card in _legal_cards(view)}
        if playing
        else {},
    }


def _still_out(view: TrickView, worth: Worth) -> list[Card]:
    """Return the cards that are not held, played or out of play.

    The upcard is out of play until it is picked up; whist's trump card is in the dealer's hand.
    """
    gone = {*view.hand, *view.played, view.discard}
    if hasattr(view, "stuck") and not view.picked_up:
        gone.add(view.turned)
    return [card for card in worth.pack.cards if card not in gone]


def _takes(view: TrickView, worth: Worth, card: Card) -> bool:
    """Play the card, and look who is winning then."""
    assert view.leader is not None
    seat, _ = worth.winning(view.leader, view.sits_out, (*view.trick, card))
    return seat == view.seat
