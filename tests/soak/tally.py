"""Counts what a soak has done so far."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.soak.blows import Kind


class KillTally:
    """The kills so far, and what became of the leagues."""

    def __init__(self, wanted: int, watch: Callable[["KillTally"], None]) -> None:
        self.wanted = wanted
        self._watch = watch
        self.kills: Counter[Kind] = Counter()
        self.torn = 0
        """How many kills left a transaction that was written in part."""
        self.leagues = 0
        self.duels = 0
        self.voids = 0
        self.differences: list[str] = []

    @property
    def enough(self) -> bool:
        """Whether all kills are done."""
        return self.kills.total() >= self.wanted

    def tell(self) -> None:
        """Show how far it is."""
        self._watch(self)
