"""How the compiled program finds one thing: a slot, a card, a player, a number at random.

Each function takes the state first; `at` is where in the page its construct begins.
"""

from collections.abc import Sequence
from typing import Any

from upcard.recycle.state import NO_CARD, State
from upcard.recycle.values import Owner

Cards = Sequence[int]


def place(  # noqa: PLR0913, PLR0917 (each is a part of its name)
    state: State, at: int, whose: Owner, kind: str, name: str, index: int
) -> int:
    """Return the slot of a place whose name or index is worked out during play."""
    slot = state.place_slots.slots.get((whose, kind, name, index))  # type: ignore[call-overload]
    return state.new_place(at, whose, kind, name, index) if slot is None else slot


def stored(state: State, at: int, family: str, whose: Owner, name: str) -> int:
    """Return the slot of what is stored under a name that is worked out during play."""
    slot = state.stored_slots(family).slots.get((whose, name))
    return state.new_stored(at, family, whose, name) if slot is None else slot


def sees_card(state: State, card: int) -> bool:
    """Return whether the actor sees a card; where there is none, there is nothing to see."""
    return card == NO_CARD or state.see(card) >= 0


def sees_cards(state: State, cards: Cards) -> bool:
    """Return whether the actor sees all of some cards."""
    return all(state.see(card) >= 0 for card in cards)


def last(cards: Cards) -> int:
    """Return the top card, or that there is none."""
    return cards[-1] if cards else NO_CARD


def first(cards: Cards) -> int:
    """Return the bottom card, or that there is none."""
    return cards[0] if cards else NO_CARD


def top(state: State, at: int, cards: Cards) -> int:
    """Return the top card, which there has to be."""
    return cards[-1] if cards else state.fail(at, "there is no card")


def bottom(state: State, at: int, cards: Cards) -> int:
    """Return the bottom card, which there has to be."""
    return cards[0] if cards else state.fail(at, "there is no card")


def held(state: State, at: int, card: int) -> int:
    """Return a card that a variable was bound to, if there was one."""
    return card if card != NO_CARD else state.fail(at, "there is no card")


def item(state: State, at: int, items: Sequence[Any], number: int) -> Any:  # noqa: ANN401 (one of them)
    """Return the item at an index."""
    if 0 <= number < len(items):
        return items[number]
    return state.fail(at, f"there is no item {number}, of {len(items)} from 0")


def final(state: State, at: int, items: Sequence[Any]) -> Any:  # noqa: ANN401 (one of them)
    """Return the last of some collections."""
    return items[-1] if items else state.fail(at, "there is none in an empty collection")


def seat(state: State, at: int, number: int, numbering: int, count: int) -> int:
    """Return the player or team of a number."""
    if numbering <= number < numbering + count:
        return number - numbering
    return state.fail(at, f"there is no {number}; they are {numbering} to {numbering + count - 1}")


def owner(state: State, at: int, card: int) -> int:
    """Return the player who owns the place of a card."""
    found = state.place_slots.owners[state.where[card]]
    if found < 0:
        state.fail(at, "the card is the table's")
    return found


def drawn(state: State, at: int, low: int, high: int) -> int:
    """Return a random number between two, both included."""
    if high < low:
        state.fail(at, f"there is no number between {low} and {high}")
    return low + state.below(high - low + 1)


def index(state: State, at: int, number: int) -> int:
    """Return where in a place a card is put."""
    return number if number >= 0 else state.fail(at, f"there is no index {number}")
