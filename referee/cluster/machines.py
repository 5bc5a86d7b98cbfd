"""Which machine gets a visit, and which are set aside because duels are void there; pure.

A duel is void where nobody can be blamed: its bots were killed from outside, or the referee itself
ran late. Bots can bring that about anywhere, so a machine is judged by the others.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from referee.scheduling.keys import DuelKey

LEAST_VOIDS: Final = 6
"""A machine with fewer is never set aside."""
FACTOR: Final = 5
"""How many times more voids a machine has than it would as one of the others, to be set aside."""


@dataclass(slots=True)
class Record:
    """What came of the duels on a machine."""

    played: int = 0
    voids: int = 0
    void: set[DuelKey] = field(default_factory=set)
    """The duels that were void there."""

    def count(self, key: DuelKey, *, is_void: bool) -> None:
        """Add a duel."""
        if is_void:
            self.voids += 1
            self.void.add(key)
        else:
            self.played += 1

    @property
    def duels(self) -> int:
        """How many duels came to anything."""
        return self.played + self.voids


def is_set_aside(own: Record, others: Iterable[Record]) -> bool:
    """Return whether a machine has so many more voids than the others that it is to play no more.

    One void is added to theirs, so that the first few anywhere say little; and where nobody else
    has played, nobody can be told from the others.
    """
    rest = [*others]
    duels, voids = sum(each.duels for each in rest), sum(each.voids for each in rest)
    expected = own.duels * (voids + 1) / (duels + 1)
    return own.voids >= LEAST_VOIDS and own.voids > FACTOR * expected


def preference(record: Record, free: int, keys: Collection[DuelKey]) -> tuple[int, int]:
    """Return what orders machines for a visit: the largest gets it.

    Duels that were void on one are played on another if one is free, for after three voids a duel
    stays unplayed; else the machine that has the most to spare gets it.
    """
    return -len(record.void.intersection(keys)), free
