"""Keeps what takes long to make: it is made once for all who read it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from math import inf
from threading import Lock
from typing import Final, Generic, TypeVar

PATIENCE: Final = 25.0
"""What is made from a store that changes is used for this many times as long as it took to make.

So however much changes, and however many read it, it takes a twenty-fifth of a processor at most.
"""
_Made = TypeVar("_Made")


class Kept(Generic[_Made]):
    """What was made and read last, for any number of threads."""

    def __init__(self, weigh: Callable[[_Made], int] = lambda _: 1, most: float = inf) -> None:
        """Start empty.

        Args:
            weigh: returns the weight of what was made.
            most: the weight of all that is kept.
        """
        self._weigh = weigh
        self._most = self._left = most
        self._lock = Lock()
        self._making: dict[Hashable, Lock] = {}
        self._made: OrderedDict[Hashable, tuple[_Made, int]] = OrderedDict()
        """What was read last is last."""

    def get(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Return what was made for a key; the first who asks makes it, and others wait for it."""
        with self._lock:
            making = self._making.setdefault(key, Lock())
        with making:
            try:
                made = self._read(key)
                return self._keep(key, make()) if made is None else made
            finally:
                with self._lock:
                    self._making.pop(key, None)

    def _read(self, key: Hashable) -> _Made | None:
        with self._lock:
            if key not in self._made:
                return None
            self._made.move_to_end(key)
            return self._made[key][0]

    def _keep(self, key: Hashable, made: _Made) -> _Made:
        """Keep what was made if it is not too heavy, and drop what was not read for longest."""
        weight = self._weigh(made)
        with self._lock:
            if weight <= self._most and key not in self._made:
                self._made[key] = made, weight
                self._left -= weight
            while self._left < 0:
                _, (_, dropped) = self._made.popitem(last=False)
                self._left += dropped
        return made
