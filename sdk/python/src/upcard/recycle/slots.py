"""Which slot of a state holds which place, number, text or points map.

What a program names in its text has a slot before play. What it names by a text that is worked out
during play gets one when it is first used; the position then has a table of its own.
"""

from collections.abc import Iterator
from typing import Final

from upcard.recycle import bounds
from upcard.recycle.values import Key, Owner, Place

_KINDS_OWN_SEES: Final = frozenset({"vloc", "iloc", "mem"})
_KINDS_OTHERS_SEE: Final = frozenset({"vloc", "oloc", "mem"})


class FullTable(Exception):
    """There are more names than `bounds.SLOTS`."""


class Stored:
    """The slots of the numbers, of the texts or of the points maps."""

    def __init__(self) -> None:
        """Start with none."""
        self.slots: Final[dict[Key, int]] = {}
        self.keys: Final[list[Key]] = []

    def slot(self, owner: Owner, name: str) -> int:
        """Return the slot of a name, a new one if it has none."""
        key = owner, name
        if key not in self.slots:
            if len(self.keys) >= bounds.SLOTS:
                raise FullTable
            self.slots[key] = len(self.keys)
            self.keys.append(key)
        return self.slots[key]

    def copy(self) -> "Stored":
        """Return a table that may grow on its own."""
        copied = Stored()
        copied.slots.update(self.slots)
        copied.keys.extend(self.keys)
        return copied


class Places:
    """The slots of the places, and who may see what lies there."""

    def __init__(self, players: int) -> None:
        """Start with none, in a game of that many players."""
        self.slots: Final[dict[Place, int]] = {}
        self.keys: Final[list[Place]] = []
        self.owners: Final[list[int]] = []
        """The player who owns each place, from 0; -1 for the table."""
        self.sights: Final[list[int]] = []
        """Who sees what lies there: bit n for player n."""
        self._players: Final = players

    def slot(self, owner: Owner, kind: str, name: str, index: int = 0) -> int:
        """Return the slot of a place, a new one if it has none."""
        place = Place(owner, kind, name, index)
        if place not in self.slots:
            if len(self.keys) >= bounds.SLOTS:
                raise FullTable
            self.slots[place] = len(self.keys)
            self.keys.append(place)
            self.owners.append(owner - 1)
            self.sights.append(self._sight(owner, kind))
        return self.slots[place]

    def everybody(self) -> int:
        """Return the sight of what all see."""
        return (1 << self._players) - 1

    def named(self, owner: Owner, kind: str, name: str) -> Iterator[int]:
        """Yield the slots of all places of a name, the lowest index first."""
        found = (
            (place.index, slot)
            for place, slot in self.slots.items()
            if place[:3] == (owner, kind, name)
        )
        for _, slot in sorted(found):
            yield slot

    def copy(self) -> "Places":
        """Return a table that may grow on its own."""
        copied = Places(self._players)
        copied.slots.update(self.slots)
        copied.keys.extend(self.keys)
        copied.owners.extend(self.owners)
        copied.sights.extend(self.sights)
        return copied

    def _sight(self, owner: Owner, kind: str) -> int:
        """Return who sees a place; the table is nobody's, so all are others to it."""
        everybody = self.everybody()
        own = 1 << (owner - 1) if owner else 0
        return (own if kind in _KINDS_OWN_SEES else 0) | (
            everybody & ~own if kind in _KINDS_OTHERS_SEE else 0
        )
