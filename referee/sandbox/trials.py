"""The trials of `doctor`: bots that try what is forbidden, and a referee that is killed."""

import asyncio
import json
import os
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from time import monotonic
from typing import Final, Protocol

from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.sandbox import creations, probe, statistics
from referee.sandbox.command import SHARED_MIB, Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.modes import Mode
from referee.sandbox.private_files import NAME
from referee.sandbox.runtimes import find_runtimes
from referee.sandbox.sandbox import Sandbox

Findings = dict[str, list[str]]
"""What the trials could do, by guarantee; empty for one that holds."""

_WAIT_SECONDS: Final = 30.0
"""On a busy machine it can take long until a bot exceeds a limit."""
_AT_ONCE: Final = 2
"""Trials at the same time: each sandbox needs a copy of its files, which the next may use."""
_NOT_TRIED: Final = "it could not be tried"
_LIMITS: Final = SandboxLimits(memory_mib=64, processes=16, scratch_mib=16)
_CPU_LIMITS: Final = _LIMITS._replace(cpu_seconds=0.25)
_PROBE_LIMITS: Final = SandboxLimits(scratch_mib=_LIMITS.scratch_mib)
_HOGS: Final = """
import ctypes, os, threading, time
def hold():
    memory = bytearray(24 << 20)
    time.sleep(60)
for _ in range(4):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        # Its first thread ends, by the call exit.
        ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
time.sleep(60)
"""
_BOMB: Final = """
import os, time
for _ in range(64):
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError:
        pass
time.sleep(60)
"""
_FILES: Final = """
import json, os, stat, time
found = {}
for top, below, names in os.walk("/"):
    below.sort()
    for name in sorted(names):
        status = os.lstat(f"{top}/{name}")
        if stat.S_ISREG(status.st_mode) and len(found) < 5000:
            found[f"{status.st_dev}:{status.st_ino}"] = f"{top}/{name}"
print(json.dumps(found))
time.sleep(60)
"""
_SPIN: Final = """
import os, signal, time
# Nobody waits for the children, so their time is added to nobody's.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        while time.process_time() < 0.1:
            pass
        os._exit(0)
    try:
        os.wait()
    except ChildProcessError:
        pass
"""


async def try_all(sandboxes: Sandboxes, mode: Mode) -> Findings:
    """Run all trials, so many at the same time that they need few copies of files.

    Raises:
        ConfigError: not even the probe could be started.
        OSError: the machine refused.
    """
    with ExitStack() as closing:
        place = closing.enter_context(own_directory(Path(gettempdir()), "upcard-doctor-"))
        start = _starter(sandboxes, _bundle(place), closing)
        turn = asyncio.Semaphore(_AT_ONCE)
        trials = (
            partial(_referee_killed, mode),
            partial(_shared_files, start),
            partial(_exceeds, "cpu", partial(start, _python(_SPIN), _CPU_LIMITS, pinned=False)),
            partial(_exceeds, "memory", partial(start, _python(_HOGS), _LIMITS)),
            partial(_exceeds, "processes", partial(start, _python(_BOMB), _LIMITS)),
            partial(_probe, start, mode, _sockets(place, closing)),
        )
        try:
            async with asyncio.TaskGroup() as group:
                found = [group.create_task(_in_turn(trial, turn)) for trial in trials]
        except BaseExceptionGroup as failed:
            # The first is enough; most of the others were only cancelled by it.
            raise failed.exceptions[0] from None
        return {name: evidence for each in found for name, evidence in each.result().items()}


async def _in_turn(trial: Callable[[], Awaitable[Findings]], turn: asyncio.Semaphore) -> Findings:
    async with turn:
        return await trial()


def _python(program: str) -> tuple[str, ...]:
    return "python", "-c", program


class _Start(Protocol):
    async def __call__(
        self, run: tuple[str, ...], limits: SandboxLimits, *, pinned: bool = True
    ) -> Sandbox: ...


def _starter(sandboxes: Sandboxes, bundle: Path, closing: ExitStack) -> _Start:
    runtime, core = find_runtimes()["python"], min(os.sched_getaffinity(0))

    async def start(run: tuple[str, ...], limits: SandboxLimits, *, pinned: bool = True) -> Sandbox:
        slot = sandboxes.slot()
        closing.callback(sandboxes.release, slot)
        launch = Launch(run, runtime, bundle, None, {}, limits, core if pinned else None)
        return await sandboxes.start(launch, slot)

    return start


def _bundle(place: Path) -> Path:
    bundle = place / "bundle"
    bundle.mkdir()
    shutil.copyfile(probe.__file__, bundle / "probe.py")
    # The seat's uid has to read them, whatever our umask.
    bundle.chmod(0o755)
    (bundle / "probe.py").chmod(0o644)
    return bundle


def _sockets(place: Path, closing: ExitStack) -> list[str]:
    """Open sockets that no bot may reach."""
    # Others may share our network and have our number, in a container of their own.
    addresses = [str(place / "other.sock"), f"\0upcard-doctor-{token_hex(8)}"]
    for address in addresses:
        listener = closing.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(address)
        listener.listen()
    return addresses


async def _probe(start: _Start, mode: Mode, sockets: Sequence[str]) -> Findings:
    facts = {
        "referee": os.getpid(),
        "sockets": sockets,
        "scratch_mib": max(_LIMITS.scratch_mib, SHARED_MIB),
        "open_files": _LIMITS.open_files,
        "creations": creations.MOST,
    }
    sandbox = await start(("python", "probe.py", json.dumps(facts)), _PROBE_LIMITS)
    await _written(sandbox)
    uids = {int(uid) for words in _status(sandbox, "Uid") for uid in words}
    numbers = _status(sandbox, "NSpid")
    found: Findings = json.loads(await _line(sandbox))
    found["own-proc"] += not_apart(numbers)
    return {**found, "own-uid": _shared(uids, mode)}


async def _shared_files(start: _Start) -> Findings:
    """Check that two bots have no file in common."""
    sandboxes = [await start(_python(_FILES), _PROBE_LIMITS) for _ in range(2)]
    for each in sandboxes:
        await _written(each)  # or the kernel may number what the second has like what the first had
    first, second = [json.loads(await _line(each)) for each in sandboxes]
    common = sorted(first[number] for number in first.keys() & second.keys())
    evidence = [f"two bots have {len(common)} files in common, such as {each}" for each in common]
    return {NAME: evidence[:1] if first else [_NOT_TRIED]}


async def _line(sandbox: Sandbox) -> bytes:
    """Return the first line that a bot has written, and stop it."""
    line, newline, _ = sandbox.output().partition(b"\n")
    ending = await sandbox.stop()
    if not newline:
        raise ConfigError(f"nothing can be started in the sandbox: {ending.detail}")
    return line


async def _written(sandbox: Sandbox) -> None:
    ended = asyncio.ensure_future(sandbox.ended)
    await _until(lambda: b"\n" in sandbox.output() or ended.done())


def _shared(uids: set[int], mode: Mode) -> list[str]:
    if not uids:
        return [_NOT_TRIED]
    # In userns a bot always has our uid; that is reported as a weakness.
    shared = os.getuid() in uids and mode != "userns"
    return [f"a bot has the uid {os.getuid()}, as we do"] if shared else []


def not_apart(numbers: Iterable[Sequence[str]]) -> list[str]:
    """Return evidence that processes have no namespace of their own, from all numbers of each."""
    # In ours they have one number, and in a namespace of their own another.
    return [f"it is our process {each}" for each, *inner in numbers if not inner]


def _status(sandbox: Sandbox, field: str) -> list[list[str]]:
    """Return what the kernel tells of each process in a sandbox."""
    found = []
    for process in statistics.descendants(sandbox.pid)[1:] if sandbox.pid else []:
        with suppress(OSError):
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
            found += [line.split()[1:] for line in lines if line.startswith(f"{field}:")]
    return found


async def _exceeds(limit: str, start: Callable[[], Awaitable[Sandbox]]) -> Findings:
    """Check that a bot that exceeds a limit ends by it."""
    sandbox = await start()
    try:
        async with asyncio.timeout(_WAIT_SECONDS):
            ending = await sandbox.ended
    except TimeoutError:
        return {limit: ["a bot went over its limit and lived on"]}
    finally:
        await sandbox.stop()
    return {limit: [] if ending.limit == limit else [f"a bot went over its limit: {ending.detail}"]}


async def _referee_killed(mode: Mode) -> Findings:
    """Kill a referee, and check whether its bot ends too."""
    referee = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "referee.sandbox.killed_referee", mode),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert referee.stdout
    line = b""
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_WAIT_SECONDS):
                line = await referee.stdout.readline()
    finally:
        with suppress(ProcessLookupError):
            referee.kill()
        await referee.wait()
    tree = [int(word) for word in line.split()]
    died = await _until(lambda: not any(map(_lives, tree)))
    evidence = [] if died else ["a bot outlived its referee"]
    return {"dies-with-referee": evidence if tree else [_NOT_TRIED]}


def _lives(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


async def _until(fact: Callable[[], bool]) -> bool:
    deadline = monotonic() + _WAIT_SECONDS
    while not fact() and monotonic() < deadline:  # noqa: ASYNC110 (nothing wakes us)
        await asyncio.sleep(0.005)
    return fact()
