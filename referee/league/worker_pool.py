"""The playing floor: referees who are given a visit when they are free, and what they tell."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import NamedTuple

from referee.league.channel import ResultChannel, StoredOutcome
from referee.league.visit import Visit, play_visit
from referee.scheduling.round_robin import Block


class FinishedVisit(NamedTuple):
    """That a visit is over."""

    block: Block
    killed: bool
    """Whether its referee ended before it did."""


class WorkerPool:
    """All referees, and the sink they call."""

    def __init__(self, referees: Sequence[Callable[[], Executor]], sink: ResultChannel) -> None:
        """Take the ways to make them; each is made when there is something to play."""
        self._referees = [_Referee(make) for make in referees]
        self._sink = sink

    @property
    def busy(self) -> bool:
        """Whether anything is being played."""
        return any(referee.block for referee in self._referees)

    @property
    def free(self) -> bool:
        """Whether somebody could play something."""
        return not all(referee.block for referee in self._referees)

    def play(self, block: Block, visit: Visit) -> None:
        """Give a visit to a referee who is free."""
        referee = next(referee for referee in self._referees if not referee.block)
        referee.play(block, visit, self._sink.ring)

    def hear(self, seconds: float) -> Iterator[StoredOutcome]:
        """Yield what they tell, having waited so long at most."""
        return self._sink.hear(seconds)

    def ended(self) -> tuple[list[FinishedVisit], list[StoredOutcome]]:
        """Return the visits that are over, and the last that was told of them."""
        over = [referee.leave() for referee in self._referees if referee.has_ended]
        # What a referee told before it ended has arrived, though it may not have been heard.
        return over, list(self._sink.hear_all()) if over else []

    def close(self) -> None:
        """Send everybody home."""
        for referee in self._referees:
            referee.close()


class _Referee:
    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._executor: Executor | None = None
        self._future: Future[None] | None = None
        self.block: Block | None = None

    def play(self, block: Block, visit: Visit, over: Callable[[], None]) -> None:
        self.block = block
        try:
            self._future = self._at_work().submit(play_visit, visit)
        except BrokenExecutor:  # it was killed while it had nothing to do
            self.close()
            self._future = self._at_work().submit(play_visit, visit)
        self._future.add_done_callback(lambda _: over())

    def _at_work(self) -> Executor:
        self._executor = self._executor or self._make()
        return self._executor

    @property
    def has_ended(self) -> bool:
        return self._future is not None and self._future.done()

    def leave(self) -> FinishedVisit:
        assert self.block
        assert self._future
        error = self._future.exception()
        over = FinishedVisit(self.block, killed=isinstance(error, BrokenExecutor))
        self.block = self._future = None
        if over.killed:
            self.close()
        elif error:
            raise error
        return over

    def close(self) -> None:
        if self._executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None
