"""Tells of every card that moves in a hand, at no cost for the hands of which nobody wants to know.

A hand that is watched has lists in its state that tell what is stored in them. Its copies have not,
nor have the trials by which options are listed: slices of such lists are plain ones.
"""

from collections.abc import Iterable
from typing import Final, Protocol, SupportsIndex, TypeVar

from upcard.recycle.state import UNUSED, State
from upcard.recycle.values import Place


_Same = TypeVar("_Same", bound="_Piles")


class Moved(Protocol):
    """What is told of each card."""

    def __call__(self, card: int, source: Place | None, target: Place) -> None:
        """Take a card, from where, and to where.

        The first place of a card is told without a source. A target in memory tells that the card
        is remembered there; it still lies at the source.
        """


def watch(state: State, moved: Moved) -> None:
    """Tell of all cards where they are, and from now on of each that moves."""
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
        super().__init__()
        self._watched: Final = watched
        self += watched.state.piles

    def __iadd__(self: _Same, piles: Iterable[list[int]]) -> _Same:  # type: ignore[override,misc]
        """Add the piles of places that are named for the first time."""
        for pile in piles:
            slot = len(self)
            is_memory = pile is UNUSED and self._watched.place(slot).kind == "mem"
            self.append(_Memory(self._watched, slot) if is_memory else pile)
        return self


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
