"""The command line of a sandbox: what bubblewrap is told for one bot."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from resource import (
    RLIMIT_CORE,
    RLIMIT_CPU,
    RLIMIT_DATA,
    RLIMIT_FSIZE,
    RLIMIT_MEMLOCK,
    RLIMIT_MSGQUEUE,
    RLIMIT_NOFILE,
    RLIMIT_SIGPENDING,
)
from typing import Final, NamedTuple

from referee.sandbox.limits import KIB, MIB, SandboxLimits
from referee.sandbox.masks import Procfs, memory_snapshot
from referee.sandbox.modes import INNER_UID, MODE_OPTIONS, Mode, inner_command
from referee.sandbox.mounts import Mount, Runtime
from referee.sandbox.slots import Slot

BUNDLE: Final = "/bot"
SOCKET: Final = "/run/referee.sock"
SHARED_MIB: Final = 16
"""Space below /dev/shm."""
_PATH: Final = "/usr/bin:/bin"
_HOME: Final = "/tmp"  # noqa: S108 (its own)
_ENVIRONMENT: Final = {"PATH": _PATH, "HOME": _HOME, "TMPDIR": _HOME, "LANG": "C.UTF-8"}
_BEYOND: Final = 16
_LITTLE: Final = str(4 * KIB)
_NAMESPACES: Final = ("ipc", "pid", "uts", "cgroup-try")
_NETWORK: Final = "net"

Options = tuple[str | bytes, ...]
"""Arguments; bytes stand for the number of a descriptor from which they can be read."""


class Permissions(NamedTuple):
    """What is allowed beyond what a bot at play may do."""

    file_locks: bool = False
    network: bool = False


class Launch(NamedTuple):
    """What is to be started."""

    run: tuple[str, ...]
    """The program and its arguments; it is in the bundle, or the runtime's own name."""
    runtime: Runtime
    bundle: Path
    """The bot's own directory."""
    socket: Path | None
    """Where the referee listens for this seat."""
    environment: Mapping[str, str]
    """What is added to the clean environment."""
    limits: SandboxLimits
    core: int | None
    """The only processor it may use, if it is held to one."""
    extra_mounts: tuple[Mount, ...] = ()
    """Trees that are mounted last, over all else."""
    permissions: Permissions = Permissions()


class HostSetup(NamedTuple):
    """What all sandboxes of one machine have in common."""

    mode: Mode
    marker: str
    """By which they are found when the referee is gone."""
    procfs: Procfs
    tools: Mapping[str, Path]
    """Where the programs are that do what is left to do inside."""


class Command(NamedTuple):
    """How a sandbox is started."""

    prefix: tuple[str, ...]
    """What stands before bubblewrap."""
    marker_options: tuple[str, ...]
    """What it is told on its command line; it has no effect."""
    options: Options
    """What bubblewrap is told; never on a command line, which the bot could read."""
    program: tuple[str, ...]
    """What bubblewrap starts."""


def command(launch: Launch, host: HostSetup, slot: Slot, refused: bytes) -> Command:
    """Return the command for a bot, its filter of system calls included."""
    options = MODE_OPTIONS[host.mode]
    uid = slot.uid if options.drops_uid_inside else INNER_UID
    network = launch.permissions.network
    words = (
        *(f"--unshare-{namespace}" for namespace in _NAMESPACES + (() if network else (_NETWORK,))),
        *("--die-with-parent", "--new-session", *options.bubblewrap, "--hostname", "bot"),
        *_environment(launch),
        *_trees(launch, host.tools),
        *_identity(uid, launch.environment.get("HOME", _HOME), network=network),
        *_proc(host.procfs, launch.limits),
        *_devices(),
        *("--perms", "1777", "--size", str(launch.limits.scratch_mib * MIB), "--tmpfs", "/tmp"),  # noqa: S108 (its own)
        *("--ro-bind", str(launch.bundle), BUNDLE, "--chdir", BUNDLE),
        *(("--ro-bind", str(launch.socket), SOCKET) if launch.socket else ()),
        *(word for mount in launch.extra_mounts for word in _shown(mount)),
        *("--remount-ro", "/", "--seccomp", refused),
    )
    # Nobody is told when this limit has to refuse a process; what can tell has to come first.
    start = inner_command(host.mode, uid, launch.limits.processes + _BEYOND)
    # The clean environment comes later, and the bot gets nothing of this.
    marked = ("--setenv", "MARK", host.marker)
    return Command(options.prefix, marked, words, (*start, *_program(launch)))


def _program(launch: Launch) -> tuple[str, ...]:
    name, *arguments = launch.run
    interpreter = launch.runtime.interpreter(name, launch.limits)
    return (*(interpreter or (str(PurePosixPath(BUNDLE, name)),)), *arguments)


def _environment(launch: Launch) -> Iterator[str]:
    yield "--clearenv"
    added = {**_ENVIRONMENT, **launch.runtime.environment, **launch.environment}
    for name, value in added.items():
        yield from ("--setenv", name, value)


def _trees(launch: Launch, tools: Mapping[str, Path]) -> Iterator[str]:
    trees = (*launch.runtime.mounts, *launch.extra_mounts)
    places = [mount.inside for mount in trees] + [f"/usr/bin/{name}" for name in tools]
    links = [place for _, place in launch.runtime.links]
    yield from _parents([*places, *links, SOCKET, f"{BUNDLE}/any", "/etc/any"])
    for target, place in launch.runtime.links:
        yield from ("--symlink", target, place)
    for mount in launch.runtime.mounts:
        yield from _shown(mount)
    for name, program in tools.items():
        yield from ("--ro-bind", str(program), f"/usr/bin/{name}")


def _shown(mount: Mount) -> Iterator[str]:
    yield from ("--bind" if mount.writable else "--ro-bind", str(mount.host), mount.inside)
    for hidden in mount.hidden:
        yield from _emptied(f"{mount.inside}/{hidden}")


def _parents(places: Iterable[str]) -> Iterator[str]:
    """Make the directories above: bubblewrap alone would make them for its own eyes only."""
    parents = {parent for place in places for parent in PurePosixPath(place).parents}
    for parent in sorted(parents - {PurePosixPath("/")}):
        yield from ("--perms", "0755", "--dir", str(parent))


def _emptied(directory: str) -> tuple[str, ...]:
    made = ("--perms", "0555", "--size", _LITTLE, "--tmpfs", directory)
    return (*made, "--remount-ro", directory)


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
        yield from _data_file(f"/etc/{name}", text.encode())


def _data_file(place: str, text: bytes) -> Options:
    return ("--perms", "0444", "--ro-bind-data", text, place)


def _proc(procfs: Procfs, limits: SandboxLimits) -> Iterator[str | bytes]:
    yield from ("--proc", "/proc")
    for name in procfs.files:
        yield from ("--ro-bind", "/dev/null", f"/proc/{name}")
    for name, text in procfs.snapshots.items():
        yield from _data_file(f"/proc/{name}", text)
    yield from _data_file("/proc/meminfo", memory_snapshot(limits))
    for name in procfs.directories:
        yield from _emptied(f"/proc/{name}")
    # Else its first process could be written to through /proc/1/mem.
    yield from ("--remount-ro", "/proc")


def _devices() -> tuple[str, ...]:
    shared = ("--perms", "1777", "--size", str(SHARED_MIB * MIB), "--tmpfs", "/dev/shm")  # noqa: S108 (its own)
    return ("--dev", "/dev", *shared, "--remount-ro", "/dev")


def resource_limits(limits: SandboxLimits, *, without_cgroup: bool) -> dict[int, tuple[int, int]]:
    """Return the limits that each process has, soft and hard."""
    same = {
        RLIMIT_NOFILE: limits.open_files,
        RLIMIT_FSIZE: limits.file_mib * MIB,
        RLIMIT_CORE: 0,
        RLIMIT_MEMLOCK: 64 * KIB,
        RLIMIT_MSGQUEUE: 0,
        RLIMIT_SIGPENDING: 256,
        **({RLIMIT_DATA: limits.memory_mib * MIB} if without_cgroup else {}),
    }
    # Over the soft limit of CPU time the kernel sends a signal that tells why, then it kills.
    uneven = {RLIMIT_CPU: (limits.cpu_seconds, limits.cpu_seconds + 1)}
    return {kind: (limit, limit) for kind, limit in same.items()} | uneven
