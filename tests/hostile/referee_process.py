"""A referee with something to lose: starts attackers as it is asked, and tells what became of it.

Run by the tests, once for each mode, as the user that the mode is for. Each request and each
answer is a line of JSON.
"""

import asyncio
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.sandbox.command import SHARED_MIB, Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.measurement import measure
from referee.sandbox.modes import Mode
from referee.sandbox.runtimes import find_runtimes
from referee.sandbox.sandbox import Sandbox
from referee.sandbox.slots import Slot

ATTACKS = Path(__file__).parent / "attacks"
PACKAGE = "tests/hostile/attacks"
"""Where they lie in a bundle: as here, so that they find each other."""
CANARY = "UPCARD_CANARY"
MODES: dict[str, Mode] = {"root": "root", "subuid": "subuid", "userns": "userns"}
LIMITS = SandboxLimits(memory_mib=128, processes=48, scratch_mib=32, file_mib=16, cpu_seconds=60)
PATIENCE = 600.0
"""Seconds; only what hangs takes as long, however busy the machine is."""
VICTIM = "86400.125"
"""How long the victim sleeps, and how it is known in a list of processes."""

Request = dict[str, Any]
Answer = dict[str, object]


class Stakes:
    """What an attacker is after."""

    def __init__(self, closing: ExitStack) -> None:
        self.closing = closing
        self.place = Path(closing.enter_context(TemporaryDirectory(prefix="upcard-hostile-")))
        self.secret = self.place / "secret"
        self.secret.write_text(f"{CANARY} of a file")
        self.opponent = self.place / "opponent"
        self.opponent.mkdir()
        (self.opponent / "bot.py").write_text(f"# {CANARY} of an opponent\n")
        self.sockets = self.place / "sockets"
        self.sockets.mkdir(mode=0o700)
        self.doors = {
            "other seat": self.listening(str(self.sockets / "other.sock")),
            "abstract socket": self.listening(f"\0{self.name}"),
            "port": closing.enter_context(socket.create_server(("127.0.0.1", 0))),
        }
        self.doors["port"].setblocking(False)
        self.victim = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "sleep", VICTIM],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        closing.callback(self.victim.wait)
        closing.callback(self.victim.kill)

    @property
    def name(self) -> str:
        return f"upcard-hostile-{os.getpid()}"

    def listening(self, address: str) -> socket.socket:
        listener = self.closing.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(address)
        listener.listen()
        listener.setblocking(False)
        return listener

    def facts(self, bundle: Path, limits: SandboxLimits) -> dict[str, object]:
        return {
            "canary": CANARY,
            "bundle": str(bundle),
            "secret": str(self.secret),
            "opponent": str(self.opponent),
            "other": str(self.sockets / "other.sock"),
            "abstract": f"\0{self.name}",
            "port": self.doors["port"].getsockname()[1],
            "victim": self.victim.pid,
            "victim_name": VICTIM,
            "referee": os.getpid(),
            "group": os.getpgrp(),
            "memory_mib": limits.memory_mib,
            "open_files": limits.open_files,
            "file_mib": limits.file_mib,
            "disk_mib": max(limits.scratch_mib, SHARED_MIB) + 1,
            "tag": f"{self.name}-outlives",
        }

    def bundle(self, limits: SandboxLimits, number: int) -> Path:
        made = self.place / f"bundle-{number}"
        attacks = made / PACKAGE
        shutil.copytree(ATTACKS, attacks, ignore=shutil.ignore_patterns("__pycache__"))
        (made / "facts.json").write_text(json.dumps(self.facts(made, limits)))
        (made / "link").symlink_to(self.secret)
        (made / "relative").symlink_to("../secret")
        return made

    def harm(self) -> list[str]:
        """Return what happened to what no bot may touch."""
        return [
            *(f"the {name} was reached" for name, door in self.doors.items() if _reached(door)),
            *(["the victim was killed"] if self.victim.poll() is not None else []),
            *(["the secret was changed"] if CANARY not in self.secret.read_text() else []),
        ]


def _reached(door: socket.socket) -> bool:
    with suppress(BlockingIOError):
        door.accept()[0].close()
        return True
    return False


def left_of(tag: str) -> list[int]:
    """Find processes by what stands on their command line."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if tag.encode() in line.read_bytes():
                found.append(int(line.parent.name))
    return found


async def until(fact: Callable[[], bool]) -> bool:
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not fact() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110 (in /proc, nothing wakes us)
        await asyncio.sleep(0.005)
    return fact()


class Referee:
    """Starts attackers."""

    def __init__(self, sandboxes: Sandboxes, stakes: Stakes, *, strict: bool) -> None:
        self.sandboxes = sandboxes
        self.stakes = stakes
        self.strict = strict
        self.slot = sandboxes.slot()
        self.numbers = itertools.count()

    async def answer(self, request: Request) -> Answer:
        if "channels" in request:
            return await self.measured(request["channels"], request["bits"])
        limits = LIMITS._replace(**request.get("limits", {}))
        bundle = self.stakes.bundle(limits, next(self.numbers))
        return await self.attacked(request, bundle, limits)

    async def measured(self, names: Sequence[str], bits: int) -> Answer:
        """Measure channels between two sandboxes."""
        rates = measure(self.sandboxes, names, strict=self.strict, bits=bits)
        return {rate.name: rate._asdict() async for rate in rates}

    async def attacked(self, request: Request, bundle: Path, limits: SandboxLimits) -> Answer:
        attack = (request["attack"], *request.get("arguments", ()))
        sandbox = await self.start(bundle, limits, attack, self.slot)
        watched = asyncio.ensure_future(sandbox.ended)
        said = str(request.get("until", "\0never")).encode()
        await until(lambda: watched.done() or said in sandbox.output())
        over = watched.done()
        if not request.get("kept"):
            await sandbox.stop()
        ending = (await watched)._asdict() if over or not request.get("kept") else {}
        tag = f"{self.stakes.name}-outlives"
        left = left_of(tag)
        for process in left if self.sandboxes.mode is None else ():
            os.kill(process, signal.SIGKILL)
        return {
            "over": over,
            "ending": ending,
            "output": text(sandbox.output()),
            "output_bytes": len(sandbox.output()),
            "cpu_seconds": sandbox.cpu_seconds(),
            "tag": tag,
            "left": left,
            "harm": self.stakes.harm(),
        }

    async def start(
        self, bundle: Path, limits: SandboxLimits, attack: tuple[str, ...], slot: Slot
    ) -> Sandbox:
        address = self.stakes.sockets / f"{next(self.numbers)}.sock"
        self.stakes.listening(str(address))
        launch = Launch(
            run=("python", "-m", f"{PACKAGE.replace('/', '.')}.{attack[0]}", *attack[1:]),
            runtime=find_runtimes()["python"],
            bundle=bundle,
            socket=address,
            environment={"UPCARD_ADDRESS": "unix:/run/referee.sock"},
            limits=limits,
            core=0,
        )
        return await self.sandboxes.start(launch, slot)


def text(output: bytes) -> str:
    return output[-20_000:].decode(errors="replace")


async def serve(mode: str, play: str) -> None:
    loop = asyncio.get_running_loop()
    with ExitStack() as closing:
        stakes = Stakes(closing)
        strict, unsafe = play == "strict", mode == "unsafe"
        async with Sandboxes.open(MODES.get(mode), unsafe=unsafe) as sandboxes:
            referee = Referee(sandboxes, stakes, strict=strict)
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                answer = await referee.answer(json.loads(line))
                print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
