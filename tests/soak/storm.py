"""Plays a league through a storm of kills, and has it resumed after each until it is complete."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic, sleep

from tests.soak import kin
from tests.soak.blows import STRIKES, Blow, Blows, Coordinator, Kind, Strike, fitting
from tests.soak.comparing import last_line
from tests.soak.log_end import is_torn
from tests.soak.remains import groups, remains
from tests.soak.scene import Scene, progress
from tests.soak.tally import KillTally

_PAUSE = 0.1
"""Seconds between looks, short of the life of a referee."""
_GONE_WITHIN = 300.0
"""Seconds in which an orphan has to be gone, on a machine that is busy."""
_HANGS = 900.0
"""Seconds from a beginning or a kill to the next, or to the end, on a machine that is busy."""
_MID_COMMIT = ("coordinator", "commit")


class Broken(Exception):
    """What may not happen has happened."""


class Storm:
    """One league, and what is done to it."""

    def __init__(
        self,
        scene: Scene,
        play: Callable[[], Coordinator],
        blows: Blows,
        random: Random,
        tally: KillTally,
        log: Path,
        *,
        strikes: Mapping[Kind, Strike] = STRIKES,
        members: Callable[[], Collection[int]] = tuple,
    ) -> None:
        """Take what plays the league, the blows that hit it and how, and who may live on."""
        self._strikes = strikes
        self._members = members
        self._scene = scene
        self._play = play
        self._random = random
        self._blows = blows
        self._blow = blows.draw()
        self._tally = tally
        self._log = log
        self._groups = {*groups()}
        self._pids: set[int] = set()
        self._orphans: dict[int, float] = {}
        """Since when they are known."""
        self._moved = monotonic()

    def pass_over(self) -> None:
        """Play until the league is complete and nobody is left of those who played it.

        Raises:
            Broken: something is not as it should be.
        """
        while self._is_killed():
            if self._random.random() < 0.5:  # else the next finds them still dying
                self.await_nobody()
        self.await_nobody()

    def left(self) -> list[str]:
        """Return what is left of it."""
        return remains(self._scene, self._pids, self._groups)

    def _is_killed(self) -> bool:
        """Run a coordinator until it ends, and return whether it was killed."""
        with self._living() as coordinator:
            while not self._tally.enough and coordinator.poll() is None:
                blow = fitting(self._blow, progress(self._scene).most)
                if self._awaits(coordinator, blow) and self._strike(blow, coordinator):
                    self._note(blow)
                    if coordinator.returncode is not None:
                        return True
            while coordinator.poll() is None:
                self._look(coordinator)
            if coordinator.returncode:
                raise Broken(f"it ended with {coordinator.returncode}: {last_line(self._log)}")
        return False

    @contextmanager
    def _living(self) -> Iterator[Coordinator]:
        self._moved = monotonic()
        coordinator = self._play()
        try:
            yield coordinator
        finally:
            coordinator.kill()
            coordinator.wait()

    def _awaits(self, coordinator: Coordinator, blow: Blow) -> bool:
        """Wait for the moment of a blow; false if the coordinator ends before."""
        before = progress(self._scene).duels
        while blow.after_duel and progress(self._scene).duels == before:
            if coordinator.poll() is not None:
                return False
            self._look(coordinator)
        moment = monotonic() + blow.seconds
        while (left := moment - monotonic()) > 0:
            if coordinator.poll() is not None:
                return False
            self._look(coordinator, left)
        return True

    def _strike(self, blow: Blow, coordinator: Coordinator) -> bool:
        """Kill; false if there is nobody to kill now, or it has ended meanwhile."""
        try:
            return self._strikes[blow.kind](blow, coordinator, self._scene)
        except ProcessLookupError:
            return False

    def _note(self, blow: Blow) -> None:
        self._tally.kills[blow.kind] += 1
        self._blows.hit()
        self._blow = self._blows.draw()
        if blow.kind in _MID_COMMIT:
            log = self._scene.store.with_name(f"{self._scene.store.name}-wal")
            self._tally.torn += is_torn(log)
        self._moved = monotonic()
        self._tally.tell()

    def _look(self, coordinator: Coordinator, seconds: float = _PAUSE) -> None:
        sleep(min(seconds, _PAUSE))
        among = kin.processes()
        self._pids |= {each.pid for each in kin.below(os.getpid(), among)}
        self._refuse_orphans(kin.strangers({coordinator.pid, *self._members()}, among))
        if monotonic() > self._moved + _HANGS:
            raise Broken("it hangs")

    def await_nobody(self) -> None:
        """Wait until nobody is left of those who played.

        Raises:
            Broken: somebody stays.
        """
        while left := kin.strangers(self._members(), kin.processes()):
            self._refuse_orphans(left)
            sleep(_PAUSE)

    def _refuse_orphans(self, left: list[kin.ProcessEntry]) -> None:
        now = monotonic()
        self._orphans = {each.pid: self._orphans.get(each.pid, now) for each in left}
        stay = [each for each in left if now > self._orphans[each.pid] + _GONE_WITHIN]
        if stay:
            raise Broken(f"nobody ended {', '.join(map(str, stay))}")
