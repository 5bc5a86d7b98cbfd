"""The command line of a sandbox: the options of bubblewrap for one bot."""

from collections.abc import Iterable, Iterator, Mapping
from math import ceil
from pathlib import Path, PurePosixPath
from resource import (
    RLIMIT_CORE,
    RLIMIT_CPU,
    RLIMIT_DATA,
    RLIMIT_FSIZE,
    RLIMIT_MEMLOCK,
    RLIMIT_MSGQUEUE,
    RLIMIT_NOFILE,
)
from typing import Final, NamedTuple

from referee.sandbox.limits import KIB, MIB, SandboxLimits
from referee.sandbox.modes import INNER_UID, MODE_OPTIONS, Mode, inner_command
from referee.sandbox.mounts import Mount, Runtime
from referee.sandbox.proc_files import proc_files
from referee.sandbox.slots import Slot

BUNDLE: Final = "/bot"
SOCKET: Final = "/run/referee.sock"
SHARED_MIB: Final = 16
"""Space below /dev/shm."""
_PATH: Final = "/usr/bin:/bin"
_HOME: Final = "/tmp"  # noqa: S108 (its own)
_ENVIRONMENT: Final = {"PATH": _PATH, "HOME": _HOME, "TMPDIR": _HOME, "LANG": "C.UTF-8"}
_SPARE: Final = 16
_EMPTY_SIZE: Final = str(4 * KIB)
_NAMESPACES: Final = ("ipc", "pid", "uts", "cgroup-try")
_NETWORK: Final = "net"
_PLACES: Final = (f"{BUNDLE}/any", "/etc/any", "/proc/self/any", "/dev/any")
_DEVICES: Final = {
    **{name: name for name in ("null", "full", "random", "urandom")},
    # Both read as zeros, but a mapping of `zero` itself is memory that belongs to no process.
    "zero": "full",
}
"""For each name, the device of the machine."""

Options = tuple[str | bytes, ...]
"""Arguments; bytes are replaced by the number of a descriptor from which they can be read."""


class Permissions(NamedTuple):
    """What a sandbox may do that a bot that plays may not."""

    file_locks: bool = False
    network: bool = False
    procfs: bool = False
    """Whether it has a procfs of its own processes, and the links in /dev that need one."""


class Launch(NamedTuple):
    """What to start."""

    run: tuple[str, ...]
    """The program and its arguments; a path in the bundle, or the name of the runtime."""
    runtime: Runtime
    bundle: Path
    """The directory of the bot."""
    socket: Path | None
    """The socket on which the referee listens for this seat."""
    environment: Mapping[str, str]
    """Variables that are added to the clean environment."""
    limits: SandboxLimits
    core: int | None
    """The only processor it may use, if it is pinned."""
    extra_mounts: tuple[Mount, ...] = ()
    """What is mounted last, over everything else."""
    permissions: Permissions = Permissions()


class HostSetup(NamedTuple):
    """What all sandboxes of this referee have in common."""

    mode: Mode
    marker: str
    """A text on their command lines, by which the reaper finds them."""
    tools: Mapping[str, Path]
    """The programs that are run inside before the bot."""


class Command(NamedTuple):
    """The command that starts a sandbox."""

    prefix: tuple[str, ...]
    """The words before bubblewrap."""
    marker_options: tuple[str, ...]
    """Options on its command line that hold the marker and have no effect."""
    options: Options
    """Options that it reads from a pipe, since the bot could read its command line."""
    program: tuple[str, ...]
    """The command that bubblewrap starts."""


def command(launch: Launch, host: HostSetup, slot: Slot, seccomp: bytes) -> Command:
    """Return the command for a bot, with its seccomp filter."""
    options = MODE_OPTIONS[host.mode]
    uid = slot.uid if options.drops_uid_inside else INNER_UID
    network = launch.permissions.network
    bubblewrap_options = (
        *(f"--unshare-{namespace}" for namespace in _NAMESPACES + (() if network else (_NETWORK,))),
        *("--die-with-parent", "--new-session", *options.bubblewrap, "--hostname", "bot"),
        *_environment(launch),
        *_mounts(launch, host.tools),
        *_identity(uid, launch.environment.get("HOME", _HOME), network=network),
        *_proc(launch),
        *_devices(launch.permissions),
        *("--perms", "1777", "--size", str(launch.limits.scratch_mib * MIB), "--tmpfs", "/tmp"),  # noqa: S108 (its own)
        *("--ro-bind", str(launch.bundle), BUNDLE, "--chdir", BUNDLE),
        *(("--ro-bind", str(launch.socket), SOCKET) if launch.socket else ()),
        *(word for mount in launch.extra_mounts for word in _mounted(mount)),
        *("--remount-ro", "/", "--seccomp", seccomp),
    )
    # The control group reports when it refuses a process and this limit does not: it comes second.
    start = inner_command(host.mode, uid, launch.limits.processes + _SPARE)
    # The options clear the environment later, so the bot does not get this.
    marker = ("--setenv", "MARK", host.marker)
    return Command(options.prefix, marker, bubblewrap_options, (*start, *_program(launch)))


def _program(launch: Launch) -> tuple[str, ...]:
    name, *arguments = launch.run
    interpreter = launch.runtime.interpreter(name, launch.limits)
    return (*(interpreter or (str(PurePosixPath(BUNDLE, name)),)), *arguments)


def _environment(launch: Launch) -> Iterator[str]:
    yield "--clearenv"
    added = {**_ENVIRONMENT, **launch.runtime.environment, **launch.environment}
    for name, value in added.items():
        yield from ("--setenv", name, value)


def _mounts(launch: Launch, tools: Mapping[str, Path]) -> Iterator[str]:
    mounts = (*launch.runtime.mounts, *launch.extra_mounts)
    paths = [mount.inside for mount in mounts] + [f"/usr/bin/{name}" for name in tools]
    links = [place for _, place in launch.runtime.links]
    yield from _parents([*paths, *links, SOCKET, *_PLACES])
    for target, place in launch.runtime.links:
        yield from ("--symlink", target, place)
    for mount in launch.runtime.mounts:
        yield from _mounted(mount)
    for name, program in tools.items():
        yield from ("--ro-bind", str(program), f"/usr/bin/{name}")


def _mounted(mount: Mount) -> Iterator[str]:
    yield from ("--bind" if mount.writable else "--ro-bind", str(mount.host), mount.inside)
    for hidden in mount.hidden:
        yield from _empty(f"{mount.inside}/{hidden}")


def _parents(paths: Iterable[str]) -> Iterator[str]:
    """Create the parent directories: bubblewrap would create them readable only by itself."""
    parents = {parent for path in paths for parent in PurePosixPath(path).parents}
    for parent in sorted(parents - {PurePosixPath("/")}):
        yield from ("--perms", "0755", "--dir", str(parent))


def _empty(directory: str) -> tuple[str, ...]:
    created = ("--perms", "0555", "--size", _EMPTY_SIZE, "--tmpfs", directory)
    return (*created, "--remount-ro", directory)


def _identity(uid: int, home: str, *, network: bool) -> Iterator[str | bytes]:
    names = "files dns" if network else "files"
    files = {
        # A JVM reads `user.home` here, whatever HOME says.
        "passwd": f"bot:x:{uid}:{uid}:bot:{home}:/bin/false\n",
        "group": f"bot:x:{uid}:\n",
        "hosts": "127.0.0.1 localhost\n",
        "nsswitch.conf": f"passwd: files\ngroup: files\nhosts: {names}\n",
    }
    for name, text in files.items():
        yield from _file(f"/etc/{name}", text.encode())


def _file(place: str, text: bytes) -> Options:
    return ("--perms", "0444", "--file", text, place)


def _proc(launch: Launch) -> Iterator[str | bytes]:
    if launch.permissions.procfs:
        # Otherwise it could write to its first process through /proc/1/mem.
        yield from ("--proc", "/proc", "--remount-ro", "/proc")
        return
    for name, text in proc_files(launch.limits).items():
        yield from _file(f"/proc/{name}", text)
    # Where the loader, a JVM and others look for what belongs to the program.
    yield from ("--symlink", _program(launch)[0], "/proc/self/exe")


def _devices(permissions: Permissions) -> Iterator[str]:
    if permissions.procfs:
        yield from ("--dev", "/dev")
    else:
        for name, device in _DEVICES.items():
            yield from ("--dev-bind", f"/dev/{device}", f"/dev/{name}")
    yield from ("--perms", "1777", "--size", str(SHARED_MIB * MIB), "--tmpfs", "/dev/shm")  # noqa: S108 (its own)
    if permissions.procfs:
        yield from ("--remount-ro", "/dev")


def resource_limits(limits: SandboxLimits, *, without_cgroup: bool) -> dict[int, tuple[int, int]]:
    """Return the soft and hard limits of each process."""
    limits_of_both = {
        RLIMIT_NOFILE: limits.open_files,
        RLIMIT_FSIZE: limits.file_mib * MIB,
        RLIMIT_CORE: 0,
        RLIMIT_MEMLOCK: 64 * KIB,
        RLIMIT_MSGQUEUE: 0,
        **({RLIMIT_DATA: limits.memory_mib * MIB} if without_cgroup else {}),
    }
    # At the soft limit of CPU time the kernel sends SIGXCPU, at the hard one it kills.
    whole_seconds = ceil(limits.cpu_seconds)
    cpu = {RLIMIT_CPU: (whole_seconds, whole_seconds + 1)}
    return {kind: (limit, limit) for kind, limit in limits_of_both.items()} | cpu
