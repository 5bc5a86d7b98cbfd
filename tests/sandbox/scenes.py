"""Runs scenes with real sandboxes and prints what came of each, as a line of JSON.

A test starts this as the user whose sandboxes it is about, because no process can be both: for one
scene, which is named on the command line, or for all that it writes to it, a line each.
"""

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, chdir, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from referee.sandbox import statistics
from referee.sandbox.command import SOCKET, Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.mounts import Mount
from referee.sandbox.runtimes import find_runtimes
from referee.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from referee.sandbox.slots import Slot

Found = dict[str, Any]
_PATIENCE: Final = 600


class Stage:
    """What a scene is played with."""

    def __init__(self, sandboxes: Sandboxes, place: Path) -> None:
        self.sandboxes = sandboxes
        self.place = place
        self.bundle = place / "bundle"
        self.bundle.mkdir()
        self.bundle.chmod(0o755)
        self._slots: list[Slot] = []
        self._started: list[Sandbox] = []

    def launch(self, code: str, **limits: int) -> Launch:
        run = ("python", "-c", f"import os, sys, time, signal, socket\n{code}")
        runtime = find_runtimes()["python"]
        return Launch(run, runtime, self.bundle, None, {}, SandboxLimits(**limits), None)

    async def start(self, code: str, **limits: int) -> Sandbox:
        return await self.start_as(self.launch(code, **limits))

    async def start_as(self, launch: Launch) -> Sandbox:
        self._slots.append(self.sandboxes.slot())
        self._started.append(await self.sandboxes.start(launch, self._slots[-1]))
        return self._started[-1]

    async def clear(self) -> None:
        """Stop what still runs."""
        for sandbox in self._started:
            await sandbox.stop()
        for slot in self._slots:
            self.sandboxes.release(slot)

    async def to_the_end(self, code: str, **limits: int) -> Found:
        sandbox = await self.start(code, **limits)
        await sandbox.ended
        return await _stop(sandbox)


async def _stop(sandbox: Sandbox) -> Found:
    ending = await sandbox.stop()
    return {**ending._asdict(), "output": sandbox.output().decode()}


async def _until(condition: Callable[[], bool]) -> bool:
    deadline = monotonic() + _PATIENCE
    while not condition() and monotonic() < deadline:  # noqa: ASYNC110 (others' conditions)
        await asyncio.sleep(0.01)
    return condition()


async def _until_written(sandbox: Sandbox, word: bytes) -> None:
    assert await _until(lambda: word in sandbox.output()), sandbox.output()


async def code(stage: Stage, text: str, **limits: int) -> Found:
    return await stage.to_the_end(text, **limits)


async def program(stage: Stage, *run: str) -> Found:
    sandbox = await stage.start_as(stage.launch("")._replace(run=run))
    await sandbox.ended
    return await _stop(sandbox)


async def bundled(stage: Stage) -> Found:
    (stage.bundle / "bot.py").write_text("import cards; print(cards.TRUMP)")
    (stage.bundle / "cards.py").write_text("TRUMP = 'spades'")
    os.chdir(stage.place)
    launch = stage.launch("")._replace(run=("python", "bot.py"), bundle=Path("bundle"))
    sandbox = await stage.start_as(launch)
    await sandbox.ended
    return await _stop(sandbox)


async def native(stage: Stage) -> Found:
    shutil.copy("/bin/echo", stage.bundle / "bot")
    launch = stage.launch("")._replace(run=("bot", "hello"), runtime=find_runtimes()["native"])
    sandbox = await stage.start_as(launch)
    await sandbox.ended
    return await _stop(sandbox)


async def interpreted(stage: Stage, name: str, text: str) -> Found:
    (stage.bundle / "Hello.java").write_text(text)
    runtime = find_runtimes()[name]
    launch = stage.launch("")._replace(run=(name, "Hello.java"), runtime=runtime)
    sandbox = await stage.start_as(launch)
    await sandbox.ended
    return await _stop(sandbox)


async def dials(stage: Stage) -> Found:
    home = stage.place / "seat"
    home.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home / "socket"))
        listener.listen()
        text = """s = socket.socket(socket.AF_UNIX)
s.connect(os.environ["UPCARD_ADDRESS"].removeprefix("unix:"))
print(s.recv(9).decode(), os.environ["UPCARD_TOKEN"])"""
        environment = {"UPCARD_ADDRESS": f"unix:{SOCKET}", "UPCARD_TOKEN": "token"}
        launch = stage.launch(text)._replace(socket=home / "socket", environment=environment)
        sandbox = await stage.start_as(launch)
        # Meanwhile the referee is asked whether it may create its socket.
        accepted = await asyncio.to_thread(listener.accept)
        with accepted[0] as dialled:
            dialled.send(b"welcome")
            await sandbox.ended
        return await _stop(sandbox)


async def open_socket(stage: Stage) -> Found:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(stage.place / "socket"))
        stage.place.chmod(0o755)
        launch = stage.launch("")._replace(socket=stage.place / "socket")
        return await _stop(await stage.start_as(launch))


async def broken_mount(stage: Stage) -> Found:
    launch = stage.launch("")
    lost = Mount(stage.place / "nothing", "/opt/nothing")
    sandbox = await stage.start_as(launch._replace(extra_mounts=(lost,)))
    await sandbox.ended
    return await _stop(sandbox)


async def killed_from_outside(stage: Stage) -> Found:
    sandbox = await stage.start("print('up'); time.sleep(600)")
    await _until_written(sandbox, b"up")
    os.kill(_outermost(sandbox), signal.SIGKILL)
    await sandbox.ended
    return await _stop(sandbox)


_DAEMON: Final = """
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print('daemon', flush=True)
        time.sleep(600)
    os._exit(0)
"""


async def stopped(stage: Stage) -> Found:
    sandbox = await stage.start(f"{_DAEMON}\ntime.sleep(600)")
    await _until_written(sandbox, b"daemon")
    return await _left_of(sandbox)


async def stopped_with_children(stage: Stage) -> Found:
    sandbox = await stage.start(
        "os.fork() or (os.setsid(), print('child', flush=True))\ntime.sleep(600)"
    )
    await _until_written(sandbox, b"child")
    return await _left_of(sandbox)


async def leaves_a_daemon(stage: Stage) -> Found:
    sandbox = await stage.start(f"{_DAEMON}\nsys.stdin.read(); time.sleep(1)")
    await _until_written(sandbox, b"daemon")
    return await _left_of(sandbox, ended=True)


async def _left_of(sandbox: Sandbox, *, ended: bool = False) -> Found:
    assert sandbox.pid
    tree = statistics.descendants(sandbox.pid)
    if ended:
        await sandbox.ended
    found = await _stop(sandbox)
    # Who is told to die without being waited for takes a moment.
    await _until(lambda: not any(map(_runs, tree)))
    return {**found, "count": len(tree), "left": [pid for pid in tree if _runs(pid)]}


async def frozen(stage: Stage) -> Found:
    sandbox = await stage.start("print('up')\nwhile True: pass")
    await _until_written(sandbox, b"up")
    assert sandbox.pid
    bot = statistics.descendants(sandbox.pid)[-1]
    sandbox.freeze()
    still = await _until(lambda: _state(bot) in "TD")
    used = sandbox.cpu_seconds()
    sandbox.thaw()
    goes_on = await _until(lambda: sandbox.cpu_seconds() > used)
    return {**await _stop(sandbox), "still": still, "goes_on": goes_on}


def _runs(pid: int) -> bool:
    # One that is dead may still wait for the machine's own first process to take note.
    try:
        return _state(pid) != "Z"
    except OSError:
        return False


def _state(pid: int) -> str:
    return _fields(pid)[0]


def _outermost(sandbox: Sandbox) -> int:
    assert sandbox.pid
    return int(_fields(sandbox.pid)[1])


def _fields(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


async def stopped_while_frozen(stage: Stage) -> Found:
    sandbox = await stage.start("print('up')\nwhile True: pass")
    await _until_written(sandbox, b"up")
    sandbox.freeze()
    return await _left_of(sandbox)


async def crowded(stage: Stage) -> Found:
    """Two of one sandbox on one processor: one of them always waits."""
    text = "print('up')\nif os.fork() or True:\n while True: pass"
    launch = stage.launch(text)._replace(core=min(os.sched_getaffinity(0)))
    sandbox = await stage.start_as(launch)
    waited = await _until(lambda: sandbox.waited_seconds() > 0.05)
    used = await _until(lambda: sandbox.cpu_seconds() > 0.05)
    return {**await _stop(sandbox), "waited": waited, "used": used}


async def flickers(stage: Stage) -> Found:
    """Processes for which nobody waits, each too short to be seen."""
    text = """signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        while time.process_time() < 0.002: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass"""
    sandbox = await stage.start(text)
    began, ended = monotonic(), asyncio.ensure_future(sandbox.ended)
    if stage.sandboxes.cgroups.kind == "none":
        await _until(lambda: sandbox.created_since(began) > 200 or ended.done())
    return {**await _stop(sandbox), "created": sandbox.created_since(began)}


async def several_wait(stage: Stage) -> Found:
    sandbox = await stage.start("sys.stdin.read(); time.sleep(600)")
    impatient, patient = (asyncio.ensure_future(_wait(sandbox)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    await sandbox.stop()
    return {"how": (await patient).how, "cancelled": impatient.cancelled()}


async def given_up(stage: Stage) -> Found:
    """Nobody wants it any more before it is up."""
    before = _children()
    starting = asyncio.ensure_future(stage.start("time.sleep(600)"))
    while _children() == before and not starting.done():  # noqa: ASYNC110 (in /proc, nothing wakes us)
        await asyncio.sleep(0)
    started = _children()
    starting.cancel()
    await asyncio.wait([starting])
    return {
        "cancelled": starting.cancelled(),
        "started": started > before,
        "left": _children() - before,
    }


async def _wait(sandbox: Sandbox) -> Any:  # noqa: ANN401 (an ending, once it is there)
    return await sandbox.ended


async def eight(stage: Stage) -> Found:
    text = "print(os.getuid(), *sorted(os.sched_getaffinity(0)))"
    sandboxes = await asyncio.gather(*(stage.start(text) for _ in range(8)))
    await asyncio.gather(*(sandbox.ended for sandbox in sandboxes))
    return {"outputs": [(await _stop(sandbox))["output"].strip() for sandbox in sandboxes]}


async def pinned(stage: Stage) -> Found:
    core = max(os.sched_getaffinity(0))
    launch = stage.launch("print(*os.sched_getaffinity(0))")._replace(core=core)
    sandbox = await stage.start_as(launch)
    await sandbox.ended
    return {**await _stop(sandbox), "core": core}


async def oom_score(stage: Stage) -> Found:
    sandbox = await stage.start("print('up'); time.sleep(600)")
    await _until_written(sandbox, b"up")
    assert sandbox.pid
    scores = {_oom_score(pid) for pid in statistics.descendants(sandbox.pid)}
    return {**await _stop(sandbox), "scores": [*scores]}


def _oom_score(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


async def nothing_left(stage: Stage) -> Found:
    await stage.to_the_end("")
    before, children = _descriptors(), _children()
    for text in ("", "time.sleep(600)"):
        sandbox = await stage.start(text)
        await sandbox.stop()
    parents = stage.sandboxes.cgroups.parents.values()
    groups = [str(group) for parent in parents for group in parent.glob(f"upcard-{os.getpid()}-*")]
    return {
        "groups": groups,
        "children": _children() - children,
        "descriptors": _descriptors() - before,
    }


def _children() -> int:
    return len(statistics.descendants(os.getpid()))


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def wait_to_be_killed_early(stage: Stage) -> Found:
    """Report a sandbox before it is set up."""
    launch = stage.launch("time.sleep(600)")
    many = tuple(Mount(stage.bundle, f"/many/{number}") for number in range(500))
    sandbox = await stage.start_as(launch._replace(extra_mounts=many))
    assert sandbox.pid, await sandbox.ended
    print(json.dumps([_outermost(sandbox), sandbox.pid]), flush=True)
    await asyncio.sleep(600)
    return {}


async def wait_to_be_killed(stage: Stage) -> Found:
    sandbox = await stage.start(f"{_DAEMON}\ntime.sleep(600)")
    await _until_written(sandbox, b"daemon")
    assert sandbox.pid
    print(json.dumps([_outermost(sandbox), *statistics.descendants(sandbox.pid)]), flush=True)
    await asyncio.sleep(600)
    return {}


SCENES: Final[dict[str, Callable[..., Awaitable[Found]]]] = {
    each.__name__: each
    for each in (
        *(code, program, bundled, dials, open_socket, broken_mount, killed_from_outside),
        *(
            stopped,
            stopped_with_children,
            native,
            interpreted,
            leaves_a_daemon,
            frozen,
            stopped_while_frozen,
            crowded,
            flickers,
            several_wait,
            given_up,
        ),
        *(eight, pinned, oom_score, nothing_left, wait_to_be_killed_early, wait_to_be_killed),
    )
}


async def _play(mode: str, scenes: Callable[[], Awaitable[str]]) -> None:
    async with AsyncExitStack() as closing:
        options: Any = {mode: True} if mode == "unsafe" else {"mode": mode.removesuffix("-shared")}
        options |= {"files": "shared" if mode.endswith("-shared") else "private"}
        sandboxes = await closing.enter_async_context(Sandboxes.open(**options))
        while line := await scenes():
            name, arguments, limits = json.loads(line)
            with tempfile.TemporaryDirectory() as place, chdir("/"):
                stage = Stage(sandboxes, Path(place))
                found = await SCENES[name](stage, *arguments, **limits)
                await stage.clear()
            print(json.dumps({**found, "cgroups": sandboxes.cgroups.kind}), flush=True)


async def _next_line() -> str:
    return await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


def main() -> None:
    mode, *lines = sys.argv[1:]

    async def given() -> str:
        return lines.pop() if lines else ""

    with suppress(KeyboardInterrupt):
        asyncio.run(_play(mode, given if lines else _next_line))


if __name__ == "__main__":
    main()
