"""The control group of one sandbox: its limits, what it used, and stopping all of it at once."""

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.sandbox.limits import SandboxLimits

Setting = tuple[str, str, int | str]
"""A controller, one of its files, and what to write there."""

_WRAPPERS: Final = 4
"""Processes around the bot that count as its own: bubblewrap, twice, and what starts it."""
_MIB: Final = 1 << 20


class CgroupVersion(NamedTuple):
    """What the two versions call the same things."""

    controllers: tuple[str, ...]
    memory: str
    swap: str
    """Where the limit of swap is set, if swap is counted at all."""
    swap_with_memory: bool
    """Whether that limit is of memory and swap together."""
    settings: tuple[Setting, ...]
    memory_peak: tuple[str, ...]
    """The best of these that is there."""
    memory_events: str
    cpu_used: tuple[str, str]
    cpu_units: float
    frozen: Setting
    thawed: Setting


VERSIONS: Final = {
    "v2": CgroupVersion(
        controllers=("memory", "pids", "cpu"),
        memory="memory.max",
        swap="memory.swap.max",
        swap_with_memory=False,
        settings=(("memory", "memory.oom.group", 1), ("cpu", "cpu.weight", 100)),
        memory_peak=("memory.peak", "memory.current"),
        memory_events="memory.events",
        cpu_used=("cpu", "cpu.stat"),
        cpu_units=1e6,
        frozen=("cpu", "cgroup.freeze", 1),
        thawed=("cpu", "cgroup.freeze", 0),
    ),
    "v1": CgroupVersion(
        controllers=("memory", "pids", "cpu", "cpuacct", "freezer"),
        memory="memory.limit_in_bytes",
        swap="memory.memsw.limit_in_bytes",
        swap_with_memory=True,
        settings=(("cpu", "cpu.shares", 1024),),
        memory_peak=("memory.max_usage_in_bytes",),
        memory_events="memory.oom_control",
        cpu_used=("cpuacct", "cpuacct.usage"),
        cpu_units=1e9,
        frozen=("freezer", "freezer.state", "FROZEN"),
        thawed=("freezer", "freezer.state", "THAWED"),
    ),
}


class Group:
    """The group of one sandbox. Nothing of it can be read once it is closed."""

    def __init__(self, version: CgroupVersion, directories: Mapping[str, Path]) -> None:
        """Take the directory of each controller; version 2 has one for all."""
        self._version = version
        self._directories = directories
        self._each = tuple(dict.fromkeys(directories.values()))
        self.procs_files = tuple(directory / "cgroup.procs" for directory in self._each)
        """Where the sandbox's first process writes its number, to take all it starts along."""

    def open(self, limits: SandboxLimits) -> None:
        """Make it, hold it to the limits, and give it the same share of the CPU as any other."""
        version, memory = self._version, limits.memory_mib * _MIB
        for directory in self._each:
            directory.mkdir()
        self._write("memory", version.memory, memory)
        if (self._directories["memory"] / version.swap).exists():
            self._write("memory", version.swap, memory if version.swap_with_memory else 0)
        self._write("pids", "pids.max", limits.processes + _WRAPPERS)
        for setting in version.settings:
            self._write(*setting)

    def cpu_seconds(self) -> float:
        """Return the CPU time used so far, by all of it together."""
        return _first_number(self._read(*self._version.cpu_used)) / self._version.cpu_units

    def memory_peak(self) -> int:
        """Return the most memory it ever held, in bytes."""
        named = (self._directories["memory"] / file for file in self._version.memory_peak)
        return int(next(file for file in named if file.exists()).read_text())

    def out_of_memory(self) -> bool:
        """Return whether the kernel killed any of it for its memory."""
        return self._count("memory", self._version.memory_events, "oom_kill") > 0

    def processes_refused(self) -> bool:
        """Return whether it asked for more processes or threads than it may have."""
        # To have all there are is to have too many: some are kept for what is around the bot.
        full = int(self._read("pids", "pids.current")) >= int(self._read("pids", "pids.max"))
        return full or self._count("pids", "pids.events", "max") > 0

    def processes(self) -> list[int]:
        """Return the processes that are in it; one that cannot be told of stands there as 0."""
        numbers = map(int, self.procs_files[0].read_text().split())
        return [number for number in numbers if number > 0]

    def freeze(self) -> None:
        """Stop all of it where it is."""
        self._write(*self._version.frozen)

    def thaw(self) -> None:
        """Let it go on."""
        self._write(*self._version.thawed)

    def kill(self) -> None:
        """Kill all of it; what was being started meanwhile may need another time."""
        # What is frozen starts nothing new; but under version 1 it dies only once it is thawed.
        self.freeze()
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.thaw()

    def close(self) -> bool:
        """Remove it; false as long as something lives in it. May be called again."""
        for directory in self._each:
            with suppress(OSError):
                directory.rmdir()
        return not any(directory.exists() for directory in self._each)

    def _read(self, controller: str, file: str) -> str:
        return (self._directories[controller] / file).read_text()

    def _write(self, controller: str, file: str, value: object) -> None:
        (self._directories[controller] / file).write_text(str(value))

    def _count(self, controller: str, file: str, event: str) -> int:
        lines = (line.split() for line in self._read(controller, file).splitlines())
        return next(int(count) for name, count in lines if name == event)


def _first_number(text: str) -> int:
    return int(next(word for word in text.split() if word.isdigit()))
