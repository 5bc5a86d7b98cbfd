"""A cluster on this machine, whose members are killed while it plays, and started again."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.soak import kin
from tests.soak.blows import STRIKES, Blow, Coordinator, Kind, Strike
from tests.soak.networks import NetworkHost
from tests.soak.scene import NAME, ROOT, Scene, start

CLUSTER_KINDS: Final[Sequence[Kind]] = (
    *("worker", "worker", "worker", "scheduler", "scheduler"),
    *("coordinator", "coordinator", "commit", "referee", "referee"),
)
"""What is dealt like a pack, so that even few kills are of every kind."""
WORKERS: Final = 3
_IMPATIENT: Final = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s"}
"""So that a link that is cut is noticed soon."""
_STOPPING: Final = 300.0
"""Seconds a member has for its end, on a machine that is busy."""


class Cluster:
    """A scheduler and workers, each of one session, which know each other by certificates."""

    def __init__(
        self, scene: Scene, log: Path, workers: int, hosts: Sequence[NetworkHost] = ()
    ) -> None:
        """Start it, each worker on a host of its own if there are any."""
        self._scene = scene
        self._log = log
        self._tls = scene.place.with_name("tls")
        if not self._tls.exists():
            made = (ROOT / "deploy" / "make-certificates", self._tls)
            subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
        port = free_port()
        self.address = f"tls://127.0.0.1:{port}"
        listens = f"tls://0.0.0.0:{port}" if hosts else self.address
        self._hosts = {f"worker {number}": host for number, host in enumerate(hosts, 1)}
        hubs = [f"tls://{host.hub}:{port}" for host in hosts] or [self.address] * workers
        self._words = {
            "scheduler": ("scheduler", listens),
            **{
                f"worker {number}": ("worker", hub, "--jobs", "1", "--name", f"w{number}")
                for number, hub in enumerate(hubs, 1)
            },
        }
        self._members = {name: self._started(name) for name in self._words}

    def _started(self, name: str) -> subprocess.Popen[bytes]:
        host = self._hosts.get(name)
        return self._start(*self._words[name], within=host.within if host else ())

    def _start(self, *words: str, within: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        cache = self._scene.place.with_name("cache")
        return start(
            self._scene,
            *words,
            "--tls",
            str(self._tls),
            log=self._log,
            environment={"XDG_CACHE_HOME": str(cache), **_IMPATIENT},
            within=within,
        )

    def run(self, seed: str) -> Coordinator:
        """Start to play what is missing of the league."""
        return self._start("league", "run", NAME, "--seed", seed, "--cluster", self.address)

    def pids(self) -> set[int]:
        """Return those of its members."""
        return {member.pid for member in self._members.values()}

    def pid(self, name: str) -> int:
        """Return that of a member."""
        return self._members[name].pid

    def strikes(self) -> Mapping[Kind, Strike]:
        """Return how each kind of a blow hits."""
        return {
            **STRIKES,
            "worker": self._member("worker"),
            "scheduler": self._member("scheduler"),
            "referee": self._referee,
        }

    def _named(self, kind: str) -> list[str]:
        return [name for name in self._members if name.startswith(kind)]

    def _member(self, kind: str) -> Strike:
        def kill(blow: Blow, coordinator: Coordinator, scene: Scene) -> bool:
            del coordinator, scene
            names = self._named(kind)
            self.kill(names[int(blow.choice * len(names))])
            return True

        return kill

    def kill(self, name: str) -> None:
        """Kill a member, and start it again."""
        self._members[name].kill()
        self._members[name].wait()
        self._members[name] = self._started(name)

    def _referee(self, blow: Blow, coordinator: Coordinator, scene: Scene) -> bool:
        del coordinator, scene
        among = kin.processes()
        workers = [self._members[name].pid for name in self._named("worker")]
        found = [each for worker in workers for each in kin.referees(worker, among)]
        if found:
            os.kill(found[int(blow.choice * len(found))].pid, signal.SIGKILL)
        return bool(found)

    def stop(self) -> list[str]:
        """Stop it; return who did not end as it should."""
        wrong = []
        for name, member in reversed(self._members.items()):
            member.terminate()
            if member.wait(_STOPPING):
                wrong.append(f"{name} ended with {member.returncode}")
        return wrong

    def kill_all(self) -> None:
        """Kill all that are left."""
        for member in self._members.values():
            member.kill()
            member.wait()


@contextmanager
def started(
    scene: Scene, log: Path, workers: int = WORKERS, hosts: Sequence[NetworkHost] = ()
) -> Iterator[Cluster]:
    """Start a cluster for a league; at the end nobody is left of it."""
    cluster = Cluster(scene, log, workers, hosts)
    try:
        yield cluster
    finally:
        cluster.kill_all()


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
