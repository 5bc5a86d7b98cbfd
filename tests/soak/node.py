"""A Slurm of one node, this machine, that has nothing to do with one that is installed on it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_bytes
from typing import Final, NamedTuple

from tests.soak import kin
from tests.soak.cluster import free_port
from tests.soak.comparing import last_line
from tests.soak.storm import Broken
from tests.waiting import PATIENCE, until

INSTALL: Final = "a real Slurm is started as root: apt-get install munge slurm-wlm"
_PROGRAMS: Final = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "scancel", "sinfo")
_MEMORY: Final = 1024
"""MB that a core has for jobs, whether the machine has it or not: nothing holds jobs to theirs."""
_CONFIGURATION: Final = """\
ClusterName=soak
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
AuthInfo=socket={place}/munge.socket
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
MailProg=/bin/true
MinJobAge=86400
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory}
PartitionName=all Nodes=ALL Default=YES
"""


class Slurm(NamedTuple):
    """What is running."""

    environment: Mapping[str, str]
    """With which its commands find it, and its jobs find `upcard`."""
    daemons: Mapping[str, subprocess.Popen[bytes]]

    def said(self, *words: str, within: Path | None = None) -> str:
        """Run one of its commands in a directory, and return what it said."""
        ran = subprocess.run(
            words,
            cwd=within,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if ran.returncode:
            raise Broken(f"{' '.join(words)}: {ran.stderr.strip()}")
        return ran.stdout.strip()

    def job(self, number: str) -> Mapping[str, str]:
        """Return what it knows of a job."""
        words = self.said("scontrol", "--oneliner", "show", "job", number).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def is_over(self, number: str) -> bool:
        """Say whether a job has ended."""
        return self.job(number)["JobState"] not in {"PENDING", "RUNNING", "COMPLETING"}

    def await_nobody(self) -> None:
        """Wait until nobody is left of its jobs."""
        known = {daemon.pid for daemon in self.daemons.values()}
        until(lambda: not kin.strangers(known, kin.processes()))


def can_start() -> bool:
    """Say whether one can be started here."""
    return os.geteuid() == 0 and all(map(shutil.which, _PROGRAMS))


@contextmanager
def started(place: Path) -> Iterator[Slurm]:
    """Start one, with all it keeps in a new directory; at the end nobody is left of it.

    Who calls this adopts orphans, as every daemon and job is one at times.
    """
    for each in (place, place / "state", place / "spool"):
        each.mkdir()
    host, cores = socket.gethostname(), os.cpu_count() or 1
    configuration, key = place / "slurm.conf", place / "munge.key"
    ports, memory = (free_port(), free_port()), cores * _MEMORY
    configuration.write_text(
        _CONFIGURATION.format(host=host, ports=ports, place=place, cores=cores, memory=memory)
    )
    key.touch(0o600)
    key.write_bytes(token_bytes(128))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    slurm = Slurm(os.environ | {"SLURM_CONF": str(configuration), "PATH": path}, {})
    try:
        yield _running(slurm, place, key)
    finally:
        _kill_all()


def _running(slurm: Slurm, place: Path, key: Path) -> Slurm:
    # Its directory is closed to others, which is refused unless it is forced.
    munged = ("munged", "--foreground", "--force", f"--key-file={key}")
    own = (f"--{what}={place}/munge.{what}" for what in ("socket", "pid-file", "seed-file"))
    slurm = _with(slurm, place, *munged, *own)
    _await(slurm, place, (place / "munge.socket").exists)
    for name in ("slurmctld", "slurmd"):
        slurm = _with(slurm, place, name, "-D")
    _await(slurm, place, lambda: "idle" in _state(slurm))
    return slurm


def _await(slurm: Slurm, place: Path, fact: Callable[[], bool]) -> None:
    def is_so() -> bool:
        for name, daemon in slurm.daemons.items():
            if daemon.poll() is not None:
                raise Broken(f"{name} does not start: {last_line(place / f'{name}.log')}")
        return fact()

    until(is_so)


def _with(slurm: Slurm, place: Path, *words: str) -> Slurm:
    with (place / f"{words[0]}.log").open("wb") as log:
        daemon = subprocess.Popen(
            words, cwd="/", env=slurm.environment, stdout=log, stderr=log, start_new_session=True
        )
    return slurm._replace(daemons={**slurm.daemons, words[0]: daemon})


def _state(slurm: Slurm) -> str:
    with suppress(Broken):  # it does not listen yet
        return slurm.said("sinfo", "--noheader", "--format=%T")
    return ""


def _kill_all() -> None:
    """Kill all that comes from this program, daemons and jobs, until nothing is left."""

    def is_over() -> bool:
        for each in kin.below(os.getpid(), kin.processes()):
            with suppress(ProcessLookupError):
                os.kill(each.pid, signal.SIGKILL)
        return not kin.strangers((), kin.processes())

    until(is_over)
