"""A bot without a sandbox, for its own author: a plain process with a few limits."""

import os
import shutil
import signal
import sys
from contextlib import ExitStack, suppress

from referee.sandbox import statistics
from referee.sandbox.command import SOCKET, Launch
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.modes import CLEAN_ENVIRONMENT
from referee.sandbox.mounts import Runtime
from referee.sandbox.sandbox import Sandbox
from referee.sandbox.spawn import Started, spawn_plain

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


def start_unsafe(launch: Launch) -> Unsafe:
    """Start a bot without a sandbox.

    Raises:
        OSError: it could not be started.
    """
    with ExitStack() as closing:
        started = spawn_plain(_program(launch), _environment(launch), launch, closing=closing)
        return Unsafe(started, launch.limits, closing.pop_all())


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
    runtime = launch.runtime.environment.items()
    # A path inside means nothing outside, except that of the socket, which is replaced.
    usable = {name: value for name, value in runtime if not value.startswith("/")}
    socket = str(launch.socket)
    replaced = {name: text.replace(SOCKET, socket) for name, text in launch.environment.items()}
    return {**CLEAN_ENVIRONMENT, **usable, **replaced}
