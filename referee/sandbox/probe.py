"""Tries, inside a sandbox, what a bot must not be able to do, and prints what it could do as JSON.

`doctor` runs this like any bot, so it needs nothing but Python itself. Each trial yields evidence
of what it could do; a guarantee without evidence holds.
"""

import ctypes
import errno
import fcntl
import importlib.util
import json
import os
import resource
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

_COUNTERS = (
    *("stat", "loadavg", "uptime", "meminfo", "vmstat", "interrupts", "softirqs", "locks", "keys"),
    *("schedstat", "diskstats", "zoneinfo", "buddyinfo", "slabinfo", "timer_list", "pressure/cpu"),
)
_CLEAN = (
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LC_CTYPE",
    "PWD",
    "PYTHON",
    "UPCARD_",
    "LD_LIBRARY_PATH",
)
_SCRATCH = ("/tmp", "/dev/shm")  # noqa: S108 (the sandbox's own)
_NEW_USER_NAMESPACE = 0x10000000
_OF_PROCFS = ("pagemap", "smaps", "maps", "fdinfo", "fd", "mountinfo", "status", "environ", "mem")
"""Some of what a procfs has for each process."""
_GET_SECCOMP, _GET_NO_NEW_PRIVILEGES, _IS_BOUND = 21, 39, 23
"""Options of prctl."""
_SECCOMP_FILTER = 2
_CAPABILITIES_VERSION = 0x20080522
_INTERFACE_NAME = 0x8910
"""The request of ioctl for the name of a network interface by its number."""
_INTERFACES = 64
_MOST_DIRECTORIES = 2000
_LIBC: Any = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Run every trial, print the evidence, and wait to be stopped."""
    facts = json.loads(sys.argv[1])
    trials: dict[str, Callable[[], Iterable[str]]] = {
        "filter": _filter,
        "namespaces": _namespaces,
        "privileges": _privileges,
        "network": _network,
        "vsock": _families,
        "own-proc": lambda: _processes(facts["referee"]),
        "masked-proc": _counters,
        "environment": environment,
        "sockets": lambda: _sockets(facts["sockets"]),
        "disk": lambda: _disk(facts["scratch_mib"]),
        "cores": _cores,
        "open-files": lambda: _bounds(facts["open_files"]),
        "runtime": _runtime,
        # Last, since it uses up what may be created.
        "few-pipes": lambda: _creations(facts["creations"]),
    }
    evidence = {name: tried(trial) for name, trial in trials.items()}
    sys.stdout.write(json.dumps(evidence) + "\n")
    sys.stdout.flush()
    while True:
        time.sleep(60)


def tried(trial: Callable[[], Iterable[str]]) -> list[str]:
    """Run one trial and return its evidence."""
    try:
        return list(trial())
    # An unexpected error must not look like a guarantee.
    except Exception as error:  # noqa: BLE001
        return [f"it could not be tried: {error!r}"]


def _refused(attempt: Callable[[], object], *errors: int) -> bool:
    try:
        attempt()
    except OSError as error:
        return not errors or error.errno in errors
    return False


def _filter() -> Iterator[str]:
    if _LIBC.prctl(_GET_SECCOMP, 0, 0, 0, 0) != _SECCOMP_FILTER:
        yield "no filter is loaded"
    calls: dict[str, Callable[[], object]] = {
        "changing its cores": lambda: os.sched_setaffinity(0, {0}),
        "another kind of socket": socket.socket,
        "an unknown personality": lambda: _checked(_LIBC.personality(0x0040000)),
        "watching files": lambda: _checked(_LIBC.inotify_init1(0)),
    }
    yield from (name for name, call in calls.items() if not _refused(call))


def _checked(result: int) -> int:
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _namespaces() -> Iterator[str]:
    child = os.fork()
    if child == 0:
        os._exit(0 if _LIBC.unshare(_NEW_USER_NAMESPACE) == 0 else 1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        yield "a new user namespace can be made"


def _privileges() -> Iterator[str]:
    if os.getuid() == 0 or os.getgid() == 0:
        yield "it is root"
    header, sets = struct.pack("Ii", _CAPABILITIES_VERSION, 0), ctypes.create_string_buffer(24)
    _checked(_LIBC.capget(header, sets))
    if any(sets.raw):
        yield "it has capabilities"
    if any(_LIBC.prctl(_IS_BOUND, number, 0, 0, 0) == 1 for number in range(64)):
        yield "it may get capabilities"
    if _LIBC.prctl(_GET_NO_NEW_PRIVILEGES, 0, 0, 0, 0) != 1:
        yield "programs may give it privileges"


def _network() -> Iterator[str]:
    yield from (f"the interface {name}" for name in _interfaces() if name != "lo")
    if not _refused(lambda: socket.create_connection(("192.0.2.1", 9), timeout=0.2)):
        yield "a connection"


def _interfaces() -> Iterator[str]:
    with socket.socket(socket.AF_UNIX) as any_socket:
        for number in range(1, _INTERFACES):
            with suppress(OSError):
                request = struct.pack("16si20x", b"", number)
                answer = fcntl.ioctl(any_socket, _INTERFACE_NAME, request)
                yield answer[:16].rstrip(b"\0").decode(errors="replace")


def _families() -> Iterator[str]:
    for family in range(1, 46):
        if family != socket.AF_UNIX and not _refused(lambda: socket.socket(family)):  # noqa: B023
            yield f"sockets of the family {family}"


def _processes(referee: int) -> Iterator[str]:
    # In a container the referee may have a number that a process of the sandbox has as well.
    ours = referee in (1, os.getpid())
    if not ours and not _refused(lambda: os.kill(referee, 0), errno.ESRCH):
        yield "the referee can be signalled"
    found = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    yield from (f"the process {number} can be seen" for number in found)
    names = [f"/proc/self/{name}" for name in _OF_PROCFS]
    yield from (f"there is {name}" for name in names if os.path.lexists(name))
    if not _refused(lambda: os.close(os.open("/proc/1/mem", os.O_RDWR))):
        yield "the memory of its first process can be written"


def _counters() -> Iterator[str]:
    before = _snapshots()
    deadline = time.monotonic() + 0.05
    while time.monotonic() < deadline:
        # This changes the counters where they are not masked.
        Path("/").stat()
    after = _snapshots()
    yield from (f"/proc/{name} changes" for name in before if before[name] != after[name])


def _snapshots() -> dict[str, bytes]:
    return {name: _content(f"/proc/{name}") for name in _COUNTERS}


def _content(path: str) -> bytes:
    with suppress(OSError):
        return Path(path).read_bytes()
    return b""


def environment() -> Iterator[str]:
    """Yield variables and open files that a bot should not have."""
    first = _content("/proc/1/environ").decode(errors="replace").split("\0")
    names = {*os.environ, *(entry.partition("=")[0] for entry in first)} - {""}
    yield from (f"the variable {name}" for name in sorted(names) if not name.startswith(_CLEAN))
    opened = (number for number in range(3, 256) if not _refused(lambda: os.fstat(number)))  # noqa: B023
    yield from (f"the open file {number}" for number in opened)


def _sockets(addresses: Iterable[str]) -> Iterator[str]:
    for address in addresses:
        with socket.socket(socket.AF_UNIX) as ours:
            if not _refused(lambda: ours.connect(address)):  # noqa: B023
                yield f"the socket {address!r}"


def _disk(allowed_mib: int) -> Iterator[str]:
    for place in _directories():
        file = Path(place, "made-by-a-bot")
        with suppress(OSError):
            file.touch()
            file.unlink()
            if place not in _SCRATCH:
                yield f"{place} can be written"
            elif not _is_full_after(allowed_mib, place):
                yield f"{place} can be written, more than {allowed_mib} MiB"


def _is_full_after(mib: int, place: str) -> bool:
    file = Path(place, "made-by-a-bot")
    try:
        with file.open("wb", buffering=0) as opened:
            for _ in range(mib + 1):
                opened.write(bytes(1 << 20))
    except OSError as error:
        return error.errno == errno.ENOSPC
    finally:
        file.unlink()
    return False


def _directories() -> list[str]:
    """Return directories, those nearest to the root first: no list of mounts can be read."""
    found = ["/"]
    for place in found:
        with suppress(OSError), os.scandir(place) as entries:
            found += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        if len(found) > _MOST_DIRECTORIES:
            break
    return found


def _cores() -> Iterator[str]:
    with suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    cores = os.sched_getaffinity(0)
    if len(cores) > 1:
        yield f"{len(cores)} cores can be used"


def _bounds(open_files: int) -> Iterator[str]:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] > open_files:
        yield "more files can be open"
    if resource.getrlimit(resource.RLIMIT_CORE)[1]:
        yield "core files can be written"


def _runtime() -> Iterator[str]:
    for name in ("upcard", "grpc", "google.protobuf"):
        found = importlib.util.find_spec(name)
        if found is None or not found.origin or not _content(found.origin):
            yield f"the package {name} cannot be read"


def _creations(most: int) -> Iterator[str]:
    for _ in range(most + 1):
        try:
            ends = os.pipe()
        except OSError as error:
            if error.errno != errno.EMFILE:
                raise
            return
        for end in ends:
            os.close(end)
    yield f"a bot created {most + 1} pipes, and could read how many others create"


if __name__ == "__main__":
    main()
