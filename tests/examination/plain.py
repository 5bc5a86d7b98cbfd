"""Starts bots as plain processes: what they do at the table is the same as in a sandbox."""

import asyncio
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from referee.bots.seating import ENVIRONMENT

SDK = Path(__file__).parents[2] / "sdk" / "python" / "src"
_TICKS = os.sysconf("SC_CLK_TCK")


class Ending(NamedTuple):
    how: str
    exit_code: int | None
    limit: str | None
    detail: str


class Plain:
    """A bot in a process that is nothing more."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path, *, eager: bool) -> None:
        self._process = process
        self._log = log
        self._eager = eager
        self._stopped = False
        self.ended = asyncio.ensure_future(self._end())

    async def _end(self) -> Ending:
        code = await self._process.wait()
        if self._stopped:
            return Ending("stopped", None, None, "it was stopped by the referee")
        return Ending("exited", code, None, f"it ended with exit code {code}")

    def output(self) -> bytes:
        return self._log.read_bytes()

    def cpu_seconds(self) -> float:
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except FileNotFoundError:
            return 0.0
        used = (int(fields[11]) + int(fields[12])) / _TICKS
        # On a busy machine, who computes all the time mostly waits to do so.
        return used + (self.waited_seconds() if self._eager else 0)

    def waited_seconds(self) -> float:
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        try:
            return max((int(thread.read_text().split()[1]) for thread in threads), default=0) / 1e9
        except (FileNotFoundError, ProcessLookupError):
            return 0.0

    def cores(self) -> int:
        return len(os.sched_getaffinity(0))

    def created_since(self, _moment: float) -> int:
        return 0

    def freeze(self) -> None:
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: int) -> None:
        # Not by asyncio's own call, which may take the end of the process from its watcher.
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, number)

    def watching_seconds(self) -> float:
        return 0.0

    @property
    def is_gone(self) -> bool:
        return self.ended.done()

    async def stop(self) -> Ending:
        self._stopped = self._process.returncode is None
        # It leads a group of its own, with whatever it has started.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return await self.ended


class PlainLauncher:
    """Starts one program for every seat, or another one for the second entrant's."""

    def __init__(self, *program: str, other: tuple[str, ...] = ()) -> None:
        self._programs = (program, other or program)
        self.processes: list[Plain] = []

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Plain:
        descriptor, log = tempfile.mkstemp(dir=socket.parent, prefix=f"log-{entrant}-{seat}-")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self._programs[entrant],
            env={
                **os.environ,
                "UPCARD_ADDRESS": f"unix:{socket}",
                "UPCARD_TOKEN": token,
                "PYTHONPATH": str(SDK),
                **ENVIRONMENT,
            },
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
        )
        os.close(descriptor)
        eager = "computes on" in self._programs[entrant]
        self.processes.append(Plain(process, Path(log), eager=eager))
        return self.processes[-1]
