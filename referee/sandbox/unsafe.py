"""A bot without a sandbox, for its own author: a plain process with a few limits, or with none."""

import os
import shutil
import signal
import sys
from contextlib import ExitStack, suppress

from referee.errors import ConfigError
from referee.sandbox import statistics
from referee.sandbox.command import SOCKET, Launch
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.modes import CLEAN_ENVIRONMENT
from referee.sandbox.mounts import Runtime
from referee.sandbox.sandbox import Sandbox
from referee.sandbox.spawn import Started, spawn_here, spawn_plain
from referee.sandbox.usage import ResourceUsage, UsageReader

_DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL", "--")
_BY_SIGNAL = 128


class Unsafe(Sandbox):
    """A bot that can do whatever this user can."""

    _wrappers = 0

    def __init__(self, started: Started, limits: SandboxLimits, resources: ExitStack) -> None:
        """Monitor a process; at its end, close its resources."""
        super().__init__(started, limits, None, resources)
        self.pid = started.process.pid
        self._up.set_result(None)

    def _exit_code(self, returned: int) -> int | None:
        return returned if returned >= 0 else _BY_SIGNAL - returned

    def _kill(self) -> None:
        assert self.pid is not None
        with suppress(OSError):
            statistics.signal_all(self.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


class DebuggedProcess(Unsafe):
    """The process of a bot that its author debugs; it may use as much, for as long, as it likes."""

    def usage_reader(self) -> UsageReader | None:
        """Return nothing: its usage is not limited."""
        return None

    def check(self, usage: ResourceUsage | OSError | None, *, group: bool) -> None:
        """Do nothing: a debugger may use as much as it likes."""

    def cpu_seconds(self) -> float:
        """Return nothing: a debugger may compute as much as it likes."""
        return 0.0

    def _set_frozen(self, *, frozen: bool) -> None:
        """Do nothing: a debugger stops and resumes it."""


def start_unsafe(launch: Launch) -> Unsafe:
    """Start a bot without a sandbox.

    Raises:
        OSError: it could not be started.
    """
    with ExitStack() as closing:
        started = spawn_plain(_program(launch), _environment(launch), launch, closing=closing)
        return Unsafe(started, launch.limits, closing.pop_all())


def start_debugged(launch: Launch) -> DebuggedProcess:
    """Start a bot without a sandbox and without limits, on our own terminal.

    Raises:
        ConfigError: there is no such program.
        OSError: it could not be started.
    """
    name, *arguments = launch.run
    here = shutil.which(launch.bundle / name) or shutil.which(name)
    program = _interpreter(launch.runtime, name) or here
    if program is None:
        raise ConfigError(f"there is no program {name!r}, neither in {launch.bundle} nor in PATH")
    # Her own environment comes before that of bots, but not before what the referee says.
    environment = {**_usable(launch.runtime), **os.environ, **_told(launch)}
    with ExitStack() as closing:
        command = (*_DIES_WITH_US, program, *arguments)
        started = spawn_here(command, environment, launch.bundle, closing=closing)
        with suppress(ProcessLookupError):
            # We may be bound to one processor.
            os.sched_setaffinity(started.process.pid, range(os.cpu_count() or 1))
        return DebuggedProcess(started, launch.limits, closing.pop_all())


def _program(launch: Launch) -> tuple[str, ...]:
    name, *arguments = launch.run
    return (
        *_DIES_WITH_US,
        _interpreter(launch.runtime, name) or str(launch.bundle / name),
        *arguments,
    )


def _interpreter(runtime: Runtime, name: str) -> str | None:
    if name != runtime.name or not runtime.program:
        return None
    # The Python that runs the referee has the SDK as well.
    return sys.executable if name == "python" else shutil.which(name)


def _environment(launch: Launch) -> dict[str, str]:
    return {**CLEAN_ENVIRONMENT, **_usable(launch.runtime), **_told(launch)}


def _usable(runtime: Runtime) -> dict[str, str]:
    """Return the variables of a runtime without paths, which mean nothing outside of a sandbox."""
    variables = runtime.environment.items()
    return {name: value for name, value in variables if not value.startswith("/")}


def _told(launch: Launch) -> dict[str, str]:
    """Return what the referee tells a bot, with the path that its socket has outside."""
    socket = str(launch.socket)
    return {name: text.replace(SOCKET, socket) for name, text in launch.environment.items()}
