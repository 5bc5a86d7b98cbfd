"""One running sandbox: its output, its usage, and its end."""

import asyncio
import errno
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic, thread_time
from typing import Final

from referee.sandbox import statistics
from referee.sandbox.cpu_time import CpuTime
from referee.sandbox.creations import Creations
from referee.sandbox.ending import EndingEvidence, SandboxEnding, judge, record
from referee.sandbox.group import Group
from referee.sandbox.limits import KIB, MIB, SandboxLimits
from referee.sandbox.output import Output
from referee.sandbox.spawn import Started
from referee.sandbox.usage import ResourceUsage, UsageReader
from referee.sandbox.waited_time import WaitedTime

_GONE: Final = frozenset((errno.ENOENT, errno.ESRCH, errno.ENODEV))
"""Errors that say that what was to be read is gone, and needs no watching."""
_STATUS_CHUNK: Final = 1 << 16
_WAIT_SECONDS: Final = 2.0
_DYING_SECONDS: Final = 30.0
"""What has been killed is gone by then, however busy the machine, unless it hangs in the kernel."""
_POLL_SECONDS: Final = 0.005
_THREADS_SECONDS: Final = 0.1
"""For how long a list of threads is reused: listing them takes longer than reading each."""


class Sandbox:
    """The sandbox of a bot that was started."""

    _wrappers = 1
    """How many of its processes are not the bot's own."""

    def __init__(
        self, started: Started, limits: SandboxLimits, group: Group | None, resources: ExitStack
    ) -> None:
        """Monitor a process; at its end, close its resources."""
        self.started_at = monotonic()
        self.pid: int | None = None
        """The process id of the sandbox's first process, outside."""
        self._process = started.process
        self._limits = limits
        self._group = group
        self._resources = resources
        self._loop = asyncio.get_running_loop()
        self._output = Output(limits.output_kib * KIB)
        self._status = b""
        self._first: int | None = None
        self._exceeded: str | None = None
        self._unwatched: str | None = None
        self._stopped = self._frozen = False
        self._cpu_seconds = self._threads_known = 0.0
        self._waited_time = WaitedTime()
        self._threads: list[str] = []
        self._cpu_time = CpuTime()
        self._oom_kills = (statistics.oom_kills(),) * 2
        """Those of the machine at the last two polls."""
        self._reader: UsageReader | None = None
        self._usage: ResourceUsage | None = None
        self._created_by_rest: int | None = None
        self._rest_began = self._watching_seconds = 0.0
        self._up: asyncio.Future[None] = self._loop.create_future()
        self._ended: asyncio.Future[SandboxEnding] = self._loop.create_future()
        self._all_ended: asyncio.Future[None] = self._loop.create_future()
        self._cleaning: asyncio.Task[None] | None = None
        self._pipes = (started.output, started.status)
        self._add_reader(started.output, self._read_output)
        self._add_reader(started.status, self._read_status)
        self._outermost = self._close_at_end(os.pidfd_open(started.process.pid))
        self._add_reader(self._outermost, self._on_ended)
        self.creations = started.link and Creations(started.link, self._loop, resources)

    def _close_at_end(self, descriptor: int) -> int:
        self._resources.callback(os.close, descriptor)
        return descriptor

    def _add_reader(self, descriptor: int, callback: Callable[[], None]) -> None:
        self._resources.callback(self._loop.remove_reader, descriptor)
        self._loop.add_reader(descriptor, callback)

    @property
    def ended(self) -> Awaitable[SandboxEnding]:
        """Its end, to be awaited; several may wait, and each may be cancelled."""
        return asyncio.shield(self._ended)

    @property
    def is_cleaned_up(self) -> bool:
        """Whether it has ended and all its resources are released."""
        return self._cleaning is not None and self._cleaning.done()

    @property
    def is_gone(self) -> bool:
        """Whether none of its processes is left."""
        return self._ended.done() and (self._first is None or self._all_ended.done())

    async def wait_until_up(self) -> None:
        """Wait until its first process runs or has ended."""
        await asyncio.shield(self._up)

    def output(self) -> bytes:
        """Return the part of its output that was kept."""
        return self._output.text()

    def copy_output(self, copy: Callable[[bytes], None]) -> None:
        """Pass on what it writes, as it comes; empty bytes mark the end."""
        self._output.copy_to(copy)

    def cpu_seconds(self) -> float:
        """Return the CPU time of all its processes."""
        if not self._all_ended.done():
            with self._read_on_the_loop():
                group = self._group
                now = group.cpu_seconds() if group else self._cpu_time.read(self._known_processes())
                self._cpu_seconds = max(self._cpu_seconds, now)
        return self._cpu_seconds

    def _known_processes(self) -> tuple[int, ...]:
        if self._usage:
            return self._usage.processes
        return (self.pid,) if self.pid else ()

    def created_since(self, moment: float) -> int:
        """Return how many processes and threads it has created since a moment at which it rested.

        Where a control group counts its CPU time, this is not counted.
        """
        if moment != self._rest_began:
            self._rest_began, self._created_by_rest = moment, None
        if self._usage is None or self._usage.at < moment:
            return 0
        if self._created_by_rest is None:
            self._created_by_rest = self._usage.created
        return max(0, self._usage.created - self._created_by_rest)

    def waited_seconds(self) -> float:
        """Return the time that one of its threads has waited for a processor."""
        with self._read_on_the_loop():
            now = monotonic()
            if now > self._threads_known + _THREADS_SECONDS:
                self._threads, self._threads_known = statistics.threads(self._processes()), now
            self._waited_time.read(self._threads, now)
        return self._waited_time.seconds

    def cores(self) -> int:
        """Return on how many processors it may run at once."""
        with suppress(ProcessLookupError):
            return len(os.sched_getaffinity(self.pid or 0))
        return 1

    def freeze(self) -> None:
        """Suspend all its processes."""
        self._set_frozen(frozen=True)

    def thaw(self) -> None:
        """Resume all its processes."""
        self._set_frozen(frozen=False)

    def _set_frozen(self, *, frozen: bool) -> None:
        if self._ended.done() or frozen == self._frozen:
            return
        self._frozen = frozen
        if self.pid:
            # Not by its group: a process frozen by version 1 cannot be killed.
            with self._watched():
                statistics.signal_all(self.pid, signal.SIGSTOP if frozen else signal.SIGCONT)

    async def stop(self) -> SandboxEnding:
        """Kill all its processes, wait for their end, and clean up. May be called again."""
        if self._cleaning is None:
            self._cleaning = asyncio.create_task(self._clean_up())
        await asyncio.shield(self._cleaning)
        return await self.ended

    def usage_reader(self) -> UsageReader | None:
        """Return what reads its usage; None if the kernel counts that, or there is nothing."""
        if self._group or self._ended.done() or self._exceeded or not self.pid:
            return None
        if self._reader is None:
            self._reader = UsageReader(self.pid, self._wrappers, self._limits)
        return self._reader

    def check(self, usage: ResourceUsage | OSError | None, *, group: bool) -> None:
        """Kill it if it exceeds a limit that the kernel does not enforce, or cannot be read.

        Args:
            usage: what was read of it, or why nothing could be.
            group: whether to look at what the kernel counts, too, which need not be so often.
        """
        with self._watched():
            if isinstance(usage, OSError):
                raise usage
            self._usage = usage or self._usage
            self._check_limits(usage)
            if group:
                self._check_group()

    def watching_seconds(self) -> float:
        """Return the processor time that the event loop spent on reading what it uses."""
        return self._watching_seconds

    def _check_limits(self, usage: ResourceUsage | None) -> None:
        if self._ended.done() or self._exceeded:
            return
        if self._output.is_flood:
            self._kill_for("output")
        elif usage and usage.tasks > self._limits.processes:
            self._kill_for("processes")
        elif usage and usage.memory > self._limits.memory_mib * MIB:
            self._kill_for("memory")

    def _check_group(self) -> None:
        if self._ended.done() or self._exceeded:
            return
        if self.cpu_seconds() > self._limits.cpu_seconds:
            self._kill_for("cpu")
        elif self._group is None:
            self._oom_kills = (self._oom_kills[-1], statistics.oom_kills())
        elif self._group.out_of_memory():
            self._kill_for("memory")
        elif self._group.processes_refused():
            self._kill_for("processes")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Kill it if it cannot be looked at: no bot runs unwatched, and it is not to blame."""
        try:
            yield
        except OSError as error:
            if error.errno not in _GONE and not self._ended.done():
                self._unwatched = self._unwatched or f"its limits could not be watched: {error}"
                with suppress(OSError):
                    self._kill()

    @contextmanager
    def _read_on_the_loop(self) -> Iterator[None]:
        began = thread_time()
        with self._watched():
            yield
        self._watching_seconds += thread_time() - began

    def _kill_for(self, limit: str) -> None:
        self._exceeded = limit
        self._kill()

    def _processes(self) -> list[int]:
        return statistics.descendants(self.pid) if self.pid else []

    def _read_output(self) -> None:
        if not self._output.read(self._pipes[0]):
            self._loop.remove_reader(self._pipes[0])

    def _read_status(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self._pipes[1], _STATUS_CHUNK)
            self._status += chunk
            if not chunk:
                self._loop.remove_reader(self._pipes[1])
        if self._first is None and (first := record(self._status, "child-pid")):
            self._set_first(first)

    def _set_first(self, first: int) -> None:
        with suppress(ProcessLookupError):
            self._first = self._close_at_end(os.pidfd_open(first))
            self.pid = first
            self._add_reader(self._first, self._on_all_ended)
        _resolve(self._up)

    def _on_all_ended(self) -> None:
        assert self._first is not None
        self._loop.remove_reader(self._first)
        # It may have become our own child, if orphans are reparented to us.
        with suppress(ChildProcessError):
            os.waitid(os.P_PIDFD, self._first, os.WEXITED | os.WNOHANG)
        _resolve(self._all_ended)

    def _on_ended(self) -> None:
        returned = self._process.wait()
        self._read_status()
        self._output.read_rest(self._pipes[0])
        self._output.close()
        self.cpu_seconds()
        for descriptor in (*self._pipes, self._outermost):
            self._loop.remove_reader(descriptor)
        self._ended.set_result(judge(self._evidence(returned)))
        _resolve(self._up)

    def _evidence(self, returned: int) -> EndingEvidence:
        lines = self._output.text().decode(errors="replace").strip().splitlines()
        group = self._group
        return EndingEvidence(
            exit_code=self._exit_code(returned),
            returned=returned,
            exceeded=self._exceeded,
            unwatched=self._unwatched,
            stopped=self._stopped,
            out_of_memory=bool(group and group.out_of_memory()),
            machine_out_of_memory=self._machine_out_of_memory(),
            processes_refused=bool(group and group.processes_refused()),
            last_line=lines[-1] if lines else "",
        )

    def _machine_out_of_memory(self) -> bool:
        if self._group:
            return self._group.machine_out_of_memory()
        with self._watched():
            return statistics.oom_kills() > self._oom_kills[0]
        return False

    def _exit_code(self, _returned: int) -> int | None:
        return record(self._status, "exit-code")

    def _kill(self) -> None:
        """Kill the first process inside; the kernel kills all others with it."""
        if self._first is None:
            statistics.signal_all(self._process.pid, signal.SIGKILL)
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)

    async def _clean_up(self) -> None:
        if not self._ended.done():
            self._stopped = True
            self._kill()
            await self._wait_for(self._ended)
            self._process.kill()
            await self.ended
        if self._first is not None:
            self._kill()
            await asyncio.wait([self._all_ended], timeout=_DYING_SECONDS)
        await self._close_group()
        self._resources.close()

    async def _wait_for(self, done: asyncio.Future[SandboxEnding] | asyncio.Future[None]) -> None:
        await asyncio.wait([done], timeout=_WAIT_SECONDS)

    async def _close_group(self) -> None:
        deadline = monotonic() + _WAIT_SECONDS
        while self._group and not self._group.close() and monotonic() < deadline:
            # Some of its directories may be removed already.
            with suppress(OSError):
                self._group.kill()
            await asyncio.sleep(_POLL_SECONDS)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
