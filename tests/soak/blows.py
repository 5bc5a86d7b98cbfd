"""Kills somebody at a random moment: the coordinator, a referee, or a sandbox from outside.

Some moments come after any time since the last blow, and so now and then before anything is
played; most come after at least one more duel, so that the league gets on.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from tests.soak import kin, tracing
from tests.soak.kin import ProcessEntry
from tests.soak.scene import Scene

Coordinator = subprocess.Popen[bytes]
Kind = Literal["coordinator", "commit", "referee", "sandbox", "worker", "scheduler"]
KINDS: Final[Mapping[Kind, str]] = {
    "coordinator": "the coordinator",
    "commit": "the coordinator as it writes to the store",
    "referee": "a referee",
    "sandbox": "a sandbox, from outside",
    "worker": "a worker of a cluster",
    "scheduler": "the scheduler of a cluster",
}
LOCAL_KINDS: Final[Sequence[Kind]] = (
    *("coordinator", "coordinator", "commit", "commit", "commit"),
    *("referee", "referee", "sandbox", "sandbox", "sandbox"),
)
"""What is dealt like a pack, so that even few kills are of every kind."""
_SOON: Final = 0.25
"""How many blows do not wait for a duel."""
_SECONDS: Final[Mapping[Kind, float]] = {
    "coordinator": 3.0,
    "commit": 3.0,
    "referee": 1.0,
    "sandbox": 0.5,
    "worker": 2.0,
    "scheduler": 2.0,
}
"""The longest waits; shorter ones are more likely. A sandbox is more often up than it plays."""
_MOST_WRITES: Final = 24
_MOST_VOIDS: Final = 1
"""A duel that was void so often is spared, for the third time would leave it unplayed."""


class Blow(NamedTuple):
    """Whom to kill, and when."""

    kind: Kind
    after_duel: bool
    """Whether another duel has to be stored first."""
    seconds: float
    """How long to wait after that."""
    nth: int
    """For a commit, at the so-manieth write from then on."""
    choice: float
    """Which of several, as a share of them."""


Strike = Callable[[Blow, Coordinator, Scene], bool]
"""Kills; returns whether there was anybody to kill, who had not ended meanwhile."""


class Blows:
    """Draws blows without end; one that never hit is drawn anew, for the same."""

    def __init__(self, random: Random, kinds: Sequence[Kind] = LOCAL_KINDS) -> None:
        """Draw whom to kill first, of kinds that are dealt like a pack."""
        self._random = random
        self._kinds = _kinds(random, kinds)
        self._kind = next(self._kinds)

    def draw(self) -> Blow:
        """Return a blow, of the same kind until one has hit."""
        return Blow(
            self._kind,
            self._random.random() >= _SOON,
            _SECONDS[self._kind] * self._random.random() ** 2,
            self._random.randint(1, _MOST_WRITES),
            self._random.random(),
        )

    def hit(self) -> None:
        """Note that the last blow has hit."""
        self._kind = next(self._kinds)


def _kinds(random: Random, kinds: Sequence[Kind]) -> Iterator[Kind]:
    while True:
        yield from random.sample(kinds, len(kinds))


def fitting(blow: Blow, most_voids: int) -> Blow:
    """Return another blow instead if some duel was void so often that it might be left unplayed."""
    spared = blow.kind == "sandbox" and most_voids > _MOST_VOIDS
    return blow._replace(kind="referee") if spared else blow


def _coordinator(_: Blow, coordinator: Coordinator, _scene: Scene) -> bool:
    coordinator.kill()
    return coordinator.wait() == -signal.SIGKILL


def _commit(blow: Blow, coordinator: Coordinator, scene: Scene) -> bool:
    place = None if scene.server else scene.store
    status = tracing.kill_at_write(coordinator.pid, place, blow.nth)
    if status is None:
        return coordinator.wait() == -signal.SIGKILL
    coordinator.returncode = os.waitstatus_to_exitcode(status)
    return False


def _one_of(
    find: Callable[[int, Mapping[int, ProcessEntry]], list[ProcessEntry]],
) -> Strike:
    def kill(blow: Blow, coordinator: Coordinator, _: Scene) -> bool:
        found: Sequence[ProcessEntry] = find(coordinator.pid, kin.processes())
        if not found:
            return False
        os.kill(found[int(blow.choice * len(found))].pid, signal.SIGKILL)
        return True

    return kill


STRIKES: Final[Mapping[Kind, Strike]] = {
    "coordinator": _coordinator,
    "commit": _commit,
    "referee": _one_of(kin.referees),
    "sandbox": _one_of(kin.sandboxes),
}
"""How each kind hits on one machine."""
