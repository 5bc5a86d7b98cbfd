"""Runs the commands that build bots in a sandbox that can write and has larger limits.

A build is as untrusted as a bot. It sees what a bot does and the machine's own programs, and
reaches the network only if that is asked for. Where `build_space` has no file system for it, no
kernel limits how much it writes: what it wrote is added up twice a second, and the free space is
looked at fifty times a second. It cannot allocate without writing, so between two looks the disk
loses what can be written in that time, far less than what has to stay free.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
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
_BIN: Final = "/opt/bin"
_PYTHON: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"
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
"""How much a build may write, its copy of the build environment included."""
MOST_FILES: Final = 400_000
_MIN_FREE_MIB: Final = 1024
_MAX_TAKEN_MIB: Final = 2 * MOST_MIB
"""How much the free space may shrink during a build: deleted files can be hidden."""
_POLL_SECONDS: Final = 0.02
_COUNT_SECONDS: Final = 0.5
"""Between two counts of all files, which take longer than to ask for the free space."""


class BuildDirectories(NamedTuple):
    """The directories of a build, of which it may write the first two."""

    project: Path
    """The bot's sources, and what is built of them."""
    home: Path
    """A copy of the build environment's home directory."""
    sdk: Path | None
    disk: Path | None = None
    """On the disk that must not become full, if the others have a file system of their own."""


class Tools(NamedTuple):
    """What a build gets of the machine."""

    environment: Mapping[str, str]
    tool_chain: Path | None
    """Its directory, if it is not among the machine's own programs."""
    network: bool
    seconds: float
    """The time limit."""


class BuildStep(NamedTuple):
    """The result of a command."""

    failure: str
    """Why it failed; empty if it did not."""
    log: bytes
    """What it wrote."""


def build_mode() -> Mode:
    """Return a mode in which this user can read and remove what was built."""
    return "root" if os.geteuid() == 0 else "userns"


class BuildSandbox(NamedTuple):
    """A sandbox in which the commands of a build run."""

    sandboxes: Sandboxes
    slot: Slot
    directories: BuildDirectories

    async def run(self, command: tuple[str, ...], tools: Tools) -> BuildStep:
        """Run a command until it ends or exceeds a limit."""
        launch = _launch(command, self.directories, tools)
        sandbox = await self.sandboxes.start(launch, self.slot)
        try:
            failure = await _failure(sandbox, self.directories, tools.seconds)
        finally:
            # Nothing is read or removed while a process of it is alive.
            await sandbox.stop()
        return BuildStep(failure, sandbox.output())


@contextmanager
def open_build_sandbox(
    sandboxes: Sandboxes, directories: BuildDirectories
) -> Iterator[BuildSandbox]:
    """Open a build sandbox; while it is open, its directories belong to the uid of its slot."""
    (directories.home / "tmp").mkdir(parents=True, exist_ok=True)
    slot = sandboxes.slot()
    try:
        if sandboxes.mode == "root":
            owner = f"{slot.uid}:{slot.uid}"
            machine("chown", "-R", "-h", owner, str(directories.project), str(directories.home))
        yield BuildSandbox(sandboxes, slot, directories)
    finally:
        if sandboxes.mode != "root":
            # Whatever permissions it took away, we have to read it.
            machine("chmod", "-R", "u+rwX", str(directories.project), str(directories.home))
        sandboxes.release(slot)


def machine(*command: str) -> None:
    """Run a program of the machine on files, which is faster than Python.

    Raises:
        UpcardError: it failed.
    """
    done = subprocess.run(  # noqa: S603 (no shell)
        command,
        env=CLEAN_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,  # so that Ctrl-C interrupts us alone
    )
    if done.returncode:
        errors = done.stderr.strip().splitlines() or [f"with status {done.returncode}"]
        raise UpcardError(f"{command[0]} failed: {errors[-1]}")


def _launch(command: tuple[str, ...], directories: BuildDirectories, tools: Tools) -> Launch:
    mounts = [
        Mount(directories.project, BUNDLE, writable=True),
        Mount(directories.home, _HOME, writable=True),
    ]
    if directories.sdk:
        mounts.append(Mount(directories.sdk, f"{BUNDLE}/{SDK_INSIDE}"))
    return Launch(
        run=("/usr/bin/env", *command),
        runtime=_programs(tools),
        bundle=directories.project,
        socket=None,
        environment=_environment(tools),
        limits=_LIMITS,
        core=None,
        extra_mounts=tuple(mounts),
        permissions=Permissions(file_locks=True, network=tools.network, procfs=True),
    )


def _programs(tools: Tools) -> Runtime:
    """Return a runtime of the machine's programs, the tool chain, the SDK of Python and pip."""
    found = find_runtimes()
    system = [str(place) for name in _SYSTEM for place in sorted(Path("/").glob(name[1:]))]
    mounts = [Mount(Path(place), place) for place in system]
    mounts += [mount for mount in found["python"].mounts if mount.inside.startswith(PACKAGES)]
    mounts += _pip()
    if tools.network:
        mounts.append(Mount(Path(_RESOLVER).resolve(), _RESOLVER))
    if tools.tool_chain and not tools.tool_chain.is_relative_to(_USR):
        mounts.append(Mount(tools.tool_chain, _inside(tools.tool_chain)))
    native = found["native"]
    links = (*native.links, *_python(tools))
    return native._replace(name="build", mounts=tuple(mounts), links=links)


def _python(tools: Tools) -> Iterator[tuple[str, str]]:
    """Yield links by which `python` is the one that bots in Python play with."""
    if tools.tool_chain == Path(sys.base_prefix).resolve():
        program = f"{_inside(tools.tool_chain)}/bin/{_PYTHON}"
        yield from ((program, f"{_BIN}/{name}") for name in ("python", "python3"))


def _pip() -> Iterator[Mount]:
    """Yield pip as it is installed beside this program, if the Python of builds has none."""
    spec = None if _has_pip() else find_spec("pip")
    for place in (spec and spec.submodule_search_locations) or ():
        yield Mount(Path(place).resolve(), f"{PACKAGES}/pip")


@cache
def _has_pip() -> bool:
    return not subprocess.run(  # noqa: S603 (the Python that runs this)
        [Path(sys.base_prefix, "bin", _PYTHON), "-I", "-c", "import pip"],
        capture_output=True,
        check=False,
    ).returncode


def _inside(tool_chain: Path) -> str:
    """Return where a tool chain is mounted: outside /usr, its path would name a user."""
    return str(tool_chain) if tool_chain.is_relative_to(_USR) else "/opt/tools"


def _environment(tools: Tools) -> dict[str, str]:
    path = f"{_inside(tools.tool_chain)}/bin:{PATH}" if tools.tool_chain else PATH
    homes = {"PATH": f"{_BIN}:{path}", "HOME": _HOME, "TMPDIR": f"{_HOME}/tmp"}  # noqa: S108 (its own)
    return {**homes, **tools.environment}


async def _failure(sandbox: Sandbox, directories: BuildDirectories, seconds: float) -> str:
    """Wait for the end of a command and return why it failed; empty if it did not."""
    deadline = monotonic() + seconds
    least = max(_MIN_FREE_MIB, _free_mib(directories) - _MAX_TAKEN_MIB)
    next_count = monotonic() + _COUNT_SECONDS
    while monotonic() < deadline:
        with suppress(TimeoutError):
            async with asyncio.timeout(_POLL_SECONDS):
                return _ending_failure(await sandbox.ended)
        if _free_mib(directories) < least:
            return f"less than {least} MiB are free on the disk it works on"
        if monotonic() > next_count:
            if await asyncio.to_thread(_is_too_large, directories, sandbox.pid, least):
                return f"it wrote more than {MOST_MIB} MiB or {MOST_FILES} files, or hid some"
            next_count = monotonic() + _COUNT_SECONDS
    return f"it took longer than {seconds:g} seconds"


def _ending_failure(ending: SandboxEnding) -> str:
    return "" if ending.how == "exited" and ending.exit_code == 0 else ending.detail


def _is_too_large(directories: BuildDirectories, pid: int | None, least_free: int) -> bool:
    """Add up what it wrote, deleted files too; by descriptors, as paths may be too long."""
    size = deleted_bytes(descendants(pid)) if pid else 0
    files = 0
    try:
        for top in (directories.project, directories.home):
            for _, _, names, directory in os.fwalk(top, onerror=_unless_gone):
                files += 1 + len(names)
                for name in names:
                    with suppress(OSError):  # removed meanwhile
                        size += os.lstat(name, dir_fd=directory).st_blocks * BLOCK
                too_much = size > MOST_MIB * MIB or files > MOST_FILES
                if too_much or _free_mib(directories) < least_free:
                    return True  # without counting on: it may write faster
    except (OSError, RecursionError):
        return True
    return size > MOST_MIB * MIB


def _unless_gone(error: OSError) -> None:
    """Raise what fails, so that nothing can be hidden in a directory that cannot be read."""
    if not isinstance(error, FileNotFoundError):
        raise error


def _free_mib(directories: BuildDirectories) -> int:
    found = os.statvfs(directories.disk or directories.project)
    return found.f_bavail * found.f_frsize // MIB
