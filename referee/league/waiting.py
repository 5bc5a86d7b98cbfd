"""The visits that wait to be handed out, found one after the other: there may be a million."""

from collections import deque
from collections.abc import Callable, Iterator

from referee.scheduling.round_robin import Block


class Waiting:
    """Visits to come, and before them those of which something is to be played again."""

    def __init__(
        self,
        visits: Iterator[Block],
        is_active: Callable[[Block], bool],
        dropped: Callable[[Block], None],
    ) -> None:
        """Find none yet.

        Args:
            visits: yields them in order.
            is_active: returns whether both entrants of a visit play on.
            dropped: is told of each visit that is not handed out since one does not.
        """
        self._visits = visits
        self._is_active = is_active
        self._dropped = dropped
        self._next: deque[Block] = deque()

    def __bool__(self) -> bool:
        """Return whether there is one, having dropped those of who is suspended by now."""
        while True:
            while self._next and not self._is_active(self._next[0]):
                self._dropped(self._next.popleft())
            if self._next:
                return True
            block = next(self._visits, None)
            if block is None:
                return False
            self._next.append(block)

    def take(self) -> Block:
        """Return the next; there is one."""
        return self._next.popleft()

    def again(self, block: Block) -> None:
        """Put a visit before all others."""
        self._next.appendleft(block)
