"""The control group of one sandbox: its limits, its usage, and stopping all its processes."""

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.sandbox.limits import SandboxLimits

Setting = tuple[str, str, int | str]
"""A controller, one of its files, and the value to write."""

_WRAPPERS: Final = 4
"""Processes that count besides the bot's: bubblewrap, twice, and what starts it."""
_MIB: Final = 1 << 20
_LARGE_PAGE: Final = 2 * _MIB
"""By so much a group that is at its limit may be below it."""


class CgroupVersion(NamedTuple):
    """The files of a version."""

    controllers: tuple[str, ...]
    memory: str
    swap: str
    """The file with the limit of swap, if swap is counted at all."""
    swap_with_memory: bool
    """Whether it limits memory and swap together."""
    settings: tuple[Setting, ...]
    memory_peak: tuple[str, ...]
    """Files in order of preference; the first that exists is used."""
    memory_events: str
    memory_reached: str
    """The event that it was at its own limit of memory; empty if there is none such."""
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
        memory_reached="oom",
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
        memory_reached="",
        cpu_used=("cpuacct", "cpuacct.usage"),
        cpu_units=1e9,
        frozen=("freezer", "freezer.state", "FROZEN"),
        thawed=("freezer", "freezer.state", "THAWED"),
    ),
}


class Group:
    """The group of one sandbox. Nothing can be read from it once it is closed."""

    def __init__(self, version: CgroupVersion, directories: Mapping[str, Path]) -> None:
        """Store the directory of each controller; version 2 has one for all."""
        self._version = version
        self._directories = directories
        self._unique = tuple(dict.fromkeys(directories.values()))
        self.procs_files = tuple(directory / "cgroup.procs" for directory in self._unique)
        """The files to which the number of the sandbox's first process is written."""

    def open(self, limits: SandboxLimits) -> None:
        """Create the group, and set its limits and an equal share of the CPU."""
        version, memory = self._version, limits.memory_mib * _MIB
        for directory in self._unique:
            directory.mkdir()
        self._write("memory", version.memory, memory)
        if (self._directories["memory"] / version.swap).exists():
            self._write("memory", version.swap, memory if version.swap_with_memory else 0)
        self._write("pids", "pids.max", limits.processes + _WRAPPERS)
        for setting in version.settings:
            self._write(*setting)

    def cpu_seconds(self) -> float:
        """Return the CPU time used so far by all processes together."""
        return _first_number(self._read(*self._version.cpu_used)) / self._version.cpu_units

    def memory_peak(self) -> int:
        """Return the peak of its memory, in bytes."""
        files = (self._directories["memory"] / name for name in self._version.memory_peak)
        return int(next(file for file in files if file.exists()).read_text())

    def out_of_memory(self) -> bool:
        """Return whether the kernel killed a process since the group was at its limit of memory."""
        return self._killed() and self._limit_reached()

    def machine_out_of_memory(self) -> bool:
        """Return whether the kernel killed a process for lack of memory elsewhere."""
        # The kernel counts a process in its own group, no matter what has run out of memory.
        return self._killed() and not self._limit_reached()

    def _killed(self) -> bool:
        return self._count("memory", self._version.memory_events, "oom_kill") > 0

    def _limit_reached(self) -> bool:
        version = self._version
        if version.memory_reached:
            return self._count("memory", version.memory_events, version.memory_reached) > 0
        return self.memory_peak() > int(self._read("memory", version.memory)) - _LARGE_PAGE

    def processes_refused(self) -> bool:
        """Return whether it asked for more processes or threads than it may have."""
        # The limit leaves room for the wrappers, so a bot that fills it has too many.
        full = int(self._read("pids", "pids.current")) >= int(self._read("pids", "pids.max"))
        return full or self._count("pids", "pids.events", "max") > 0

    def processes(self) -> list[int]:
        """Return the processes in it; the kernel lists one of another namespace as 0."""
        numbers = map(int, self.procs_files[0].read_text().split())
        return [number for number in numbers if number > 0]

    def freeze(self) -> None:
        """Suspend all processes."""
        self._write(*self._version.frozen)

    def thaw(self) -> None:
        """Resume all processes."""
        self._write(*self._version.thawed)

    def kill(self) -> None:
        """Kill all processes; one that was being started meanwhile may need another call."""
        # Frozen processes start no others, but in version 1 they die only once thawed.
        self.freeze()
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.thaw()

    def close(self) -> bool:
        """Remove the group; return False while a process is in it. May be called again."""
        for directory in self._unique:
            with suppress(OSError):
                directory.rmdir()
        return not any(directory.exists() for directory in self._unique)

    def _read(self, controller: str, file: str) -> str:
        return (self._directories[controller] / file).read_text()

    def _write(self, controller: str, file: str, value: object) -> None:
        (self._directories[controller] / file).write_text(str(value))

    def _count(self, controller: str, file: str, event: str) -> int:
        lines = (line.split() for line in self._read(controller, file).splitlines())
        return next(int(count) for name, count in lines if name == event)


def _first_number(text: str) -> int:
    return int(next(word for word in text.split() if word.isdigit()))
