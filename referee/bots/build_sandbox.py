"""Runs what builds bots in a sandbox: like the one bots play in, but it can write and takes longer.

A build may be anybody's, so it sees no more than a bot does but the machine's own programs, and the
network only if that was asked for. What it writes lies on a disk, which no kernel limits for us: it
is looked at again and again, so it can be a second's writing too much.
"""

import asyncio
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from referee.bots.manifest import SDK_INSIDE
from referee.bots.sdks import PATH
from referee.errors import UpcardError
from referee.sandbox.command import BUNDLE, Launch, Permissions
from referee.sandbox.ending import SandboxEnding
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import MIB, SandboxLimits
from referee.sandbox.modes import CLEAN_ENVIRONMENT, Mode
from referee.sandbox.mounts import Mount, Runtime
from referee.sandbox.runtimes import PACKAGES, find_runtimes
from referee.sandbox.sandbox import Sandbox
from referee.sandbox.slots import Slot
from referee.sandbox.statistics import BLOCK, deleted_bytes, descendants

_HOME: Final = "/build"
_USR: Final = Path("/usr")
_SYSTEM: Final = (
    *("/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
    *("/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust"),
    *("/etc/maven/m2.conf", "/etc/maven/logging", "/etc/java-*"),
)
"""What tool chains need of the machine. No keys, and no settings: those may hold passwords."""
_RESOLVER: Final = "/etc/resolv.conf"
_LIMITS: Final = SandboxLimits(
    memory_mib=4096,
    processes=512,
    open_files=4096,
    file_mib=1024,
    cpu_seconds=7200,
)
MOST_MIB: Final = 4096
"""How much a build may write, what it began with included."""
_MOST_FILES: Final = 400_000
_LEAST_FREE_MIB: Final = 1024
_MOST_TAKEN_MIB: Final = 2 * MOST_MIB
"""So much less free than when it began, whoever took it: what has no name can be hidden."""
_LOOK_SECONDS: Final = 0.5


class BuildMount(NamedTuple):
    """Where a build works; all of it is its own, to write and to spoil."""

    project: Path
    """The bot's sources, where it is built."""
    home: Path
    """What it begins with: packages and what was compiled of them."""
    sdk: Path | None
    """Is shown, not written."""


class Tools(NamedTuple):
    """What a build works with."""

    environment: Mapping[str, str]
    tool_chain: Path | None
    """Its directory, if it is not among the machine's own programs."""
    network: bool
    seconds: float
    """How long it may take."""


class BuildStep(NamedTuple):
    """What came of a command."""

    failure: str
    """Why it failed; empty if it did not."""
    log: bytes
    """What it wrote."""


def build_mode() -> Mode:
    """Choose the mode of the sandbox: what is built must be ours afterwards, to use and remove."""
    return "root" if os.geteuid() == 0 else "userns"


class BuildSandbox(NamedTuple):
    """A place, and who works there."""

    sandboxes: Sandboxes
    slot: Slot
    place: BuildMount

    async def work(self, command: tuple[str, ...], tools: Tools) -> BuildStep:
        """Run a command to its end, or until it has used up what it may use."""
        launch = _launch(command, self.place, tools)
        sandbox = await self.sandboxes.start(launch, self.slot)
        try:
            failure = await _failure(sandbox, self.place, tools.seconds)
        finally:
            # Nobody touches the place while any of it is alive.
            await sandbox.stop()
        return BuildStep(failure, sandbox.output())


@contextmanager
def open_build_sandbox(sandboxes: Sandboxes, place: BuildMount) -> Iterator[BuildSandbox]:
    """Return a place over to a uid of its own, for as long as commands are to run there."""
    (place.home / "tmp").mkdir(parents=True, exist_ok=True)
    slot = sandboxes.slot()
    try:
        if sandboxes.mode == "root":
            mine = f"{slot.uid}:{slot.uid}"
            machine("chown", "-R", "-h", mine, str(place.project), str(place.home))
        yield BuildSandbox(sandboxes, slot, place)
    finally:
        if sandboxes.mode != "root":
            # Whatever it locked itself out of, we have to read.
            machine("chmod", "-R", "u+rwX", str(place.project), str(place.home))
        sandboxes.release(slot)


def machine(*command: str) -> None:
    """Run a program of the machine on files, faster than we could do the same.

    Raises:
        UpcardError: it failed.
    """
    done = subprocess.run(  # noqa: S603 (our own words)
        command,
        env=CLEAN_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,  # who is interrupted at a terminal is us
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"with status {done.returncode}"]
        raise UpcardError(f"{command[0]} failed: {said[-1]}")


def _launch(command: tuple[str, ...], place: BuildMount, tools: Tools) -> Launch:
    over = [
        Mount(place.project, BUNDLE, writable=True),
        Mount(place.home, _HOME, writable=True),
    ]
    if place.sdk:
        over.append(Mount(place.sdk, f"{BUNDLE}/{SDK_INSIDE}"))
    return Launch(
        run=("/usr/bin/env", *command),
        runtime=_programs(tools),
        bundle=place.project,
        socket=None,
        environment=_environment(tools),
        limits=_LIMITS,
        core=None,
        extra_mounts=tuple(over),
        permissions=Permissions(file_locks=True, network=tools.network),
    )


def _programs(tools: Tools) -> Runtime:
    """Show the machine's programs, the tool chain, and the SDK of Python, which is a runtime's."""
    found = find_runtimes()
    system = [str(place) for name in _SYSTEM for place in sorted(Path("/").glob(name[1:]))]
    trees = [Mount(Path(place), place) for place in system]
    trees += [mount for mount in found["python"].mounts if mount.inside.startswith(PACKAGES)]
    if tools.network:
        trees.append(Mount(Path(_RESOLVER).resolve(), _RESOLVER))
    if tools.tool_chain and not tools.tool_chain.is_relative_to(_USR):
        trees.append(Mount(tools.tool_chain, _inside(tools.tool_chain)))
    return found["native"]._replace(name="workshop", mounts=tuple(trees))


def _inside(tool_chain: Path) -> str:
    """Show a tool chain where it says nothing of whose it is."""
    return str(tool_chain) if tool_chain.is_relative_to(_USR) else "/opt/tools"


def _environment(tools: Tools) -> dict[str, str]:
    path = f"{_inside(tools.tool_chain)}/bin:{PATH}" if tools.tool_chain else PATH
    homes = {"PATH": path, "HOME": _HOME, "TMPDIR": f"{_HOME}/tmp"}  # noqa: S108 (its own)
    return {**homes, **tools.environment}


async def _failure(sandbox: Sandbox, place: BuildMount, seconds: float) -> str:
    """Wait for the end of a command, and say why it failed."""
    deadline = monotonic() + seconds
    least = max(_LEAST_FREE_MIB, _free_mib(place) - _MOST_TAKEN_MIB)
    while monotonic() < deadline:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                return _told(await sandbox.ended)
        if await asyncio.to_thread(_is_too_large, place, sandbox.pid):
            return f"it wrote more than {MOST_MIB} MiB or {_MOST_FILES} files, or hid what it wrote"
        if _free_mib(place) < least:
            return f"less than {least} MiB are free on the disk it works on"
    return f"it took longer than {seconds:g} seconds"


def _told(ending: SandboxEnding) -> str:
    return "" if ending.how == "exited" and ending.exit_code == 0 else ending.detail


def _is_too_large(place: BuildMount, pid: int | None) -> bool:
    """Add up what it wrote, by descriptors, as paths may be too long; also what has no name."""
    size = deleted_bytes(descendants(pid)) if pid else 0
    files = 0
    try:
        for top in (place.project, place.home):
            for _, _, names, directory in os.fwalk(top, onerror=_unless_gone):
                files += 1 + len(names)
                for name in names:
                    with suppress(OSError):  # it is being worked on
                        size += os.lstat(name, dir_fd=directory).st_blocks * BLOCK
                if size > MOST_MIB * MIB or files > _MOST_FILES:
                    return True  # at once, as it may make more than we can count
    except (OSError, RecursionError):
        return True
    return size > MOST_MIB * MIB


def _unless_gone(error: OSError) -> None:
    """Let nobody hide what is written in a directory that cannot be read."""
    if not isinstance(error, FileNotFoundError):
        raise error


def _free_mib(place: BuildMount) -> int:
    found = os.statvfs(place.project)
    return found.f_bavail * found.f_frsize // MIB
