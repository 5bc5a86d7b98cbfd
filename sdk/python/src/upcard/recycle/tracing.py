"""Reports every card that moves in a hand, at no cost for the hands of which nobody wants to know.

A hand that is watched has lists in its state that tell what is stored in them. Its copies have not,
nor have the trials by which options are listed: slices of such lists are plain ones.
"""

from collections.abc import Callable
from typing import Final, SupportsIndex

from upcard.recycle.state import State
from upcard.recycle.values import Place

Moved = Callable[[int, Place | None, Place], None]
"""Is told of a card, where it lay, and where it lies now.

The first place of each card is told without one before. A place in memory says that the card is
remembered there; it still lies where it did.
"""


def watch(state: State, moved: Moved) -> None:
    """Report where all cards are, and from now on each that moves."""
    watched = _Watch(state, moved)
    for card, place in enumerate(state.where):
        moved(card, None, watched.place(place))
    state.where = _Where(watched)
    state.piles = _Piles(watched)


class _Watch:
    """A state, and who is told."""

    def __init__(self, state: State, moved: Moved) -> None:
        self.state: Final = state
        self.moved: Final = moved

    def place(self, slot: int) -> Place:
        return self.state.place_slots.keys[slot]


class _Where(list[int]):
    """The place of each card; to store another one is to move it."""

    def __init__(self, watched: _Watch) -> None:
        super().__init__(watched.state.where)
        self._watched: Final = watched

    def __setitem__(self, card: SupportsIndex, place: int) -> None:  # type: ignore[override]
        watched = self._watched
        watched.moved(int(card), watched.place(self[card]), watched.place(place))
        super().__setitem__(card, place)


class _Piles(list[list[int]]):
    """What lies in each place; a memory place tells of what is put into it."""

    def __init__(self, watched: _Watch) -> None:
        super().__init__(watched.state.piles)
        self._watched: Final = watched

    def __setitem__(self, slot: SupportsIndex, pile: list[int]) -> None:  # type: ignore[override]
        is_memory = self._watched.place(int(slot)).kind == "mem"
        super().__setitem__(slot, _Memory(self._watched, int(slot)) if is_memory else pile)


class _Memory(list[int]):
    """The references in a memory place."""

    def __init__(self, watched: _Watch, slot: int) -> None:
        super().__init__()
        self._watched: Final = watched
        self._slot: Final = slot

    def append(self, card: int) -> None:
        self._tell(card)
        super().append(card)

    def insert(self, index: SupportsIndex, card: int) -> None:
        self._tell(card)
        super().insert(index, card)

    def _tell(self, card: int) -> None:
        watched = self._watched
        watched.moved(card, watched.place(watched.state.where[card]), watched.place(self._slot))
