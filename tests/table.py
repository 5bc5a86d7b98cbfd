"""Deals and plays hands as a test describes them."""

from collections.abc import Mapping
from typing import Any

from referee.engine.cards import SEAT_TOKENS, Action, Card
from referee.engine.game import Game, State
from referee.engine.partnerships import PartnershipGame
from referee.engine.registry import preset


def seat(token: str) -> int:
    return SEAT_TOKENS.index(token)


def deck(game: Game, dealer: str, turned: str, hands: Mapping[str, str]) -> tuple[Card, ...]:
    """Stack a deck so that seats get these cards; what is left unsaid is filled in pack order.

    In a game that turns the last card dealt, `turned` belongs to the dealer's hand.
    """
    size = 5 if len(game.pack) == 24 else 13
    given = {token: cards.split() for token, cards in hands.items()}
    last_is_turned = size * 4 == len(game.pack)
    if last_is_turned:
        given[dealer] = [card for card in given.get(dealer, []) if card != turned]
    used = {turned}.union(*given.values())
    spare = [card for card in game.pack if card not in used]
    dealt: list[str] = []
    for turn in range(1, 5):
        token = SEAT_TOKENS[(seat(dealer) + turn) % 4]
        cards = list(given.get(token, []))
        full = size - (last_is_turned and token == dealer)
        while len(cards) < full:
            cards.append(spare.pop(0))
        dealt += cards
    return tuple(map(Card, [*dealt, turned, *spare]))


def euchre(**rules: object) -> Game:
    return preset("euchre").game(rules)


def whist(**rules: object) -> Game:
    return preset("whist").game(rules)


def target_of(game: Game) -> int:
    assert isinstance(game, PartnershipGame)
    return game.rules.target


def start(
    game: Game, dealer: str, turned: str, hands: Mapping[str, str] | None = None, misdeals: int = 0
) -> State:
    return game.start(deck(game, dealer, turned, hands or {}), seat(dealer), misdeals)


def play(state: State, actions: str) -> State:
    """Apply actions one after the other; a bare card is played."""
    for token in actions.split():
        state = state.apply(Action(f"play:{token}" if len(token) == 2 else token))
    return state


def offered(state: State) -> set[str]:
    return set(state.legal)


def cards_offered(state: State) -> set[str]:
    return {action.partition(":")[2] for action in state.legal}


def points(state: State) -> tuple[int, ...]:
    assert state.result is not None
    return state.result.points


def seen(state: State, who: str) -> Any:  # noqa: ANN401 (each game adds fields of its own)
    return state.view(None if who == "spectator" else seat(who))
