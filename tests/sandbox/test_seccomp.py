import ctypes
import fcntl
import platform
import socket
import struct
import subprocess
import sys
from errno import (
    EAFNOSUPPORT,
    EINVAL,
    ENOLCK,
    ENOMEM,
    ENOPROTOOPT,
    ENOSYS,
    ENOTTY,
    EPERM,
)
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.errors import ConfigError
from referee.sandbox import notified_start, statistics
from referee.sandbox.channels.system import CALLS
from referee.sandbox.seccomp import filter_program, refused_calls
from tests.hostile.attacks.kernel import MACHINES, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
I386 = 0x40000003
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
# Too new for some versions of libseccomp. All numbers from 424 on are those of every machine.
TOO_NEW = {
    "cachestat": 451,
    "statmount": 457,
    "listmount": 458,
    "open_tree_attr": 467,
    "listns": 470,
}
DIRECT = {"x86_64": 0x4000, "aarch64": 0x10000}
SHARED, PRIVATE, SHARED_VALIDATE, ANONYMOUS = 0x01, 0x02, 0x03, 0x20

on_each_machine = pytest.mark.parametrize("machine", ARCHITECTURES)


def libseccomp_number(machine: str, call: str) -> int:
    resolve: Any = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name_arch
    resolve.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    return int(resolve(ARCHITECTURES[machine], call.encode()))


def verdict(program: bytes, number: int, architecture: int, *arguments: int) -> int:
    """Run a filter as the kernel does: one accumulator, forward jumps, 32-bit words."""
    data = struct.pack("<iIQ6Q", number, architecture, 0, *(*arguments, *[0] * 6)[:6])
    steps = list(struct.iter_unpack("<HBBI", program))
    at = accumulator = 0
    tests: dict[int, Callable[[int, int], bool]] = {
        0x15: lambda a, k: a == k,
        0x35: lambda a, k: a >= k,
        0x45: lambda a, k: bool(a & k),
    }
    while True:
        code, when_true, when_false, constant = steps[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, constant)
        elif code == 0x54:
            accumulator &= constant
        elif code == 0x06:
            return int(constant)
        elif code == 0x05:
            at += constant
        else:
            at += when_true if tests[code](accumulator, constant) else when_false


def judged(machine: str, call: str, *arguments: int, **options: bool) -> int:
    program = filter_program(machine, **{"without_cgroup": False, **options})
    number = libseccomp_number(machine, call)
    return verdict(program, number, ARCHITECTURES[machine], *arguments)


@on_each_machine
def test_numbers_are_those_of_libseccomp(machine: str) -> None:
    ours = refused_calls(machine)
    theirs = {name: TOO_NEW.get(name) or libseccomp_number(machine, name) for name in ours}
    assert ours == theirs


@on_each_machine
def test_numbers_of_what_is_tried_are_those_of_libseccomp(machine: str) -> None:
    """With a wrong number an attack would be refused, whatever the filter does."""
    attacks = {name: each[MACHINES.index(machine)] for name, each in NUMBERS.items()}
    for ours in (CALLS[machine], attacks):
        theirs = {name: libseccomp_number(machine, name) for name in ours}
        # A call that a machine does not have is negative there.
        assert {name: max(number, -1) for name, number in theirs.items()} == ours


@on_each_machine
def test_numbers_of_what_the_referee_calls_are_those_of_libseccomp(machine: str) -> None:
    assert statistics.KCMP[machine] == libseccomp_number(machine, "kcmp")
    assert notified_start.SECCOMP[machine] == libseccomp_number(machine, "seccomp")


@on_each_machine
@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("ptrace", EPERM),
        ("mount", EPERM),
        ("unshare", EPERM),
        ("clone3", ENOSYS),
        ("keyctl", ENOSYS),
        ("shmget", ENOSYS),
        ("mq_open", ENOSYS),
        ("io_uring_setup", ENOSYS),
        ("inotify_init1", ENOSYS),
        ("flock", ENOSYS),
        ("bpf", EPERM),
        ("sched_setaffinity", EPERM),
        ("preadv2", ENOSYS),
        ("mincore", ENOSYS),
        ("fadvise64", 0),
        ("readahead", 0),
        ("sysinfo", ENOSYS),
        ("statx", ENOSYS),
        ("io_setup", ENOSYS),
        ("pidfd_open", ENOSYS),
        ("openat2", ENOSYS),
        ("memfd_create", ENOSYS),
        ("vmsplice", EPERM),
        ("get_mempolicy", ENOSYS),
        ("sync", 0),
        ("fsync", 0),
    ],
)
def test_call_is_refused_with_its_error(machine: str, call: str, error: int) -> None:
    assert judged(machine, call) == ERROR | error


@on_each_machine
def test_every_refused_call_is_refused(machine: str) -> None:
    program = filter_program(machine, without_cgroup=True)
    allowed = {
        name
        for name, number in refused_calls(machine).items()
        if verdict(program, number, ARCHITECTURES[machine]) == ALLOW
    }
    assert allowed == set()


@on_each_machine
@pytest.mark.parametrize(
    "call",
    [
        "read",
        "write",
        "openat",
        "futex",
        "epoll_ctl",
        "connect",
        "sendmsg",
        "execve",
        "brk",
        "munmap",
        "sched_yield",
        "clock_gettime",
        "getrandom",
        "seccomp",
        "exit_group",
        "pread64",
    ],
)
def test_what_every_runtime_needs_passes(machine: str, call: str) -> None:
    assert judged(machine, call, without_cgroup=True) == ALLOW


@on_each_machine
def test_another_architecture_is_killed(machine: str) -> None:
    program = filter_program(machine, without_cgroup=False)
    others = {I386, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}
    assert {verdict(program, 0, other) for other in others} == {KILL}


def test_x32_calls_are_not_there() -> None:
    program = filter_program("x86_64", without_cgroup=False)
    x32 = [verdict(program, 0x40000000 + n, ARCHITECTURES["x86_64"]) for n in (0, 1, 512)]
    assert x32 == [ERROR | ENOSYS] * 3


@on_each_machine
def test_the_network_is_reached_only_with_leave(machine: str) -> None:
    families = [
        family
        for family in range(46)
        if judged(machine, "socket", family, allow_network=True) == ALLOW
    ]
    assert families == [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK]


@on_each_machine
@pytest.mark.parametrize("call", ["socket", "socketpair"])
def test_only_unix_sockets_are_made(machine: str, call: str) -> None:
    made = [family for family in range(64) if judged(machine, call, family) == ALLOW]
    assert made == [socket.AF_UNIX]


@on_each_machine
def test_other_families_are_not_supported(machine: str) -> None:
    assert judged(machine, "socket", socket.AF_INET) == ERROR | EAFNOSUPPORT


@on_each_machine
def test_upper_half_of_a_family_hides_nothing(machine: str) -> None:
    assert judged(machine, "socket", socket.AF_INET | 1 << 32) == ERROR | EAFNOSUPPORT


@on_each_machine
@pytest.mark.parametrize(
    "flag",
    [0x1000, 0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000],
)
def test_clone_makes_no_namespace_and_no_descriptor(machine: str, flag: int) -> None:
    assert judged(machine, "clone", flag | 17) == ERROR | EPERM


@on_each_machine
@pytest.mark.parametrize("flags", [17, 0x3D0F00, 0x1200011])
def test_clone_makes_processes_and_threads(machine: str, flags: int) -> None:
    assert judged(machine, "clone", flags) == ALLOW


@on_each_machine
@pytest.mark.parametrize("request_code", [0x5412, 0x541C, 0x5412 | 1 << 32])
def test_nothing_is_typed_into_a_terminal(machine: str, request_code: int) -> None:
    assert judged(machine, "ioctl", 1, request_code) == ERROR | EPERM


@on_each_machine
def test_other_requests_to_a_terminal_pass(machine: str) -> None:
    assert judged(machine, "ioctl", 1, 0x5401) == ALLOW


@on_each_machine
@pytest.mark.parametrize("command", [5, 6, 7, 36, 37, 38, 1024, 1025, 1026])
def test_file_locks_and_leases_are_refused(machine: str, command: int) -> None:
    assert judged(machine, "fcntl", 3, command) == ERROR | ENOLCK


@on_each_machine
@pytest.mark.parametrize("command", [0, 1, 2, 3, 4, 1030])
def test_other_uses_of_fcntl_pass(machine: str, command: int) -> None:
    assert judged(machine, "fcntl", 3, command) == ALLOW


@on_each_machine
def test_file_locks_can_be_allowed(machine: str) -> None:
    locks = [judged(machine, "fcntl", 3, command, allow_file_locks=True) for command in (6, 37)]
    assert [*locks, judged(machine, "flock", allow_file_locks=True)] == [ALLOW] * 3


@on_each_machine
def test_leases_are_refused_even_with_locks(machine: str) -> None:
    assert judged(machine, "fcntl", 3, 1024, allow_file_locks=True) == ERROR | ENOLCK


@on_each_machine
@pytest.mark.parametrize("persona", [0x0040000, 0x0400000, 8, 0xFFFFFFFF])
def test_personality_cannot_be_changed(machine: str, persona: int) -> None:
    assert judged(machine, "personality", persona) == ERROR | EPERM


@on_each_machine
def test_plain_personality_may_be_asked_for(machine: str) -> None:
    assert judged(machine, "personality", 0) == ALLOW


@on_each_machine
@pytest.mark.parametrize("kind", [SHARED, SHARED_VALIDATE])
def test_shared_memory_is_refused_without_cgroup(machine: str, kind: int) -> None:
    flags = kind | ANONYMOUS
    assert judged(machine, "mmap", 0, 0, 0, flags, without_cgroup=True) == ERROR | ENOMEM


@on_each_machine
@pytest.mark.parametrize("flags", [PRIVATE | ANONYMOUS, SHARED, PRIVATE | ANONYMOUS | 0x4000])
def test_memory_that_is_counted_is_given_without_cgroup(machine: str, flags: int) -> None:
    assert judged(machine, "mmap", 0, 0, 0, flags, without_cgroup=True) == ALLOW


@on_each_machine
def test_shared_memory_is_given_with_a_cgroup(machine: str) -> None:
    assert judged(machine, "mmap", 0, 0, 0, SHARED | ANONYMOUS) == ALLOW


@on_each_machine
@pytest.mark.parametrize("flags", [PRIVATE | ANONYMOUS | 0x40000, SHARED | 0x40000])
def test_large_pages_of_the_machine_are_refused(machine: str, flags: int) -> None:
    assert judged(machine, "mmap", 0, 0, 0, flags) == ERROR | ENOMEM


@on_each_machine
def test_memory_is_not_merged_with_that_of_others(machine: str) -> None:
    advice = [judged(machine, "madvise", 0, 4096, number) for number in (4, 8, 12, 14)]
    assert advice == [ALLOW, ALLOW, ERROR | EINVAL, ALLOW]


@on_each_machine
@pytest.mark.parametrize("call", ["open", "openat"])
def test_files_are_not_read_past_the_page_cache(machine: str, call: str) -> None:
    if libseccomp_number(machine, call) > 0:
        before = (0,) if call == "open" else (0, 0)
        judgements = [
            judged(machine, call, *before, flags) for flags in (0, DIRECT[machine], 0x241)
        ]
        assert judgements == [ALLOW, ERROR | EINVAL, ALLOW]


@on_each_machine
def test_files_are_not_read_past_the_page_cache_later(machine: str) -> None:
    set_flags = [judged(machine, "fcntl", 3, 4, flags) for flags in (0x800, DIRECT[machine])]
    assert [*set_flags, judged(machine, "fcntl", 3, 0, DIRECT[machine])] == [
        ALLOW,
        ERROR | EINVAL,
        ALLOW,
    ]


@on_each_machine
@pytest.mark.parametrize("command", [1029, 1035, 1036, 1037, 1038, 1039, 1040, 2000])
def test_nothing_is_left_at_a_file(machine: str, command: int) -> None:
    locks = judged(machine, "fcntl", 3, command, allow_file_locks=True)
    assert [judged(machine, "fcntl", 3, command), locks] == [ERROR | EINVAL] * 2


@on_each_machine
@pytest.mark.parametrize("request_code", [0x40049409, 0xC020662B, 0x80045200, 0xC0506617])
def test_requests_to_files_and_devices_are_unknown(machine: str, request_code: int) -> None:
    assert judged(machine, "ioctl", 3, request_code) == ERROR | ENOTTY


@on_each_machine
@pytest.mark.parametrize("request_code", [0x5401, 0x541B, 0x5421, 0x5451, 0x802C542A, 0x8905])
def test_requests_to_any_file_and_to_sockets_pass(machine: str, request_code: int) -> None:
    assert judged(machine, "ioctl", 3, request_code) == ALLOW


@on_each_machine
def test_numbers_of_sockets_are_not_told(machine: str) -> None:
    judgements = [judged(machine, "getsockopt", 3, 1, option) for option in (4, 17, 57, 71, 77)]
    assert judgements == [ALLOW, ALLOW, *[ERROR | ENOPROTOOPT] * 3]


@on_each_machine
def test_options_of_other_protocols_pass(machine: str) -> None:
    assert judged(machine, "getsockopt", 3, 6, 57) == ALLOW


@on_each_machine
def test_descriptors_of_processes_are_not_passed(machine: str) -> None:
    judgements = [judged(machine, "setsockopt", 3, 1, option) for option in (16, 76)]
    assert judgements == [ALLOW, ERROR | ENOPROTOOPT]


@on_each_machine
def test_no_other_processor_is_made_to_wait(machine: str) -> None:
    barriers = [judged(machine, "membarrier", command) for command in (0, 1, 2, 4, 8, 16)]
    assert barriers == [ALLOW, *[ERROR | EINVAL] * 3, ALLOW, ALLOW]
    assert judged(machine, "prctl", 62) == ERROR | EINVAL


def test_unknown_machine_has_no_filter() -> None:
    with pytest.raises(ConfigError, match="riscv64"):
        filter_program("riscv64", without_cgroup=False)


LOAD_AND_TRY = """
import ctypes, errno, fcntl, mmap, os, socket, sys, threading
program = open(sys.argv[1], "rb").read()
class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Filter(len(program) // 8, program))) == 0, ctypes.get_errno()
def tried(what):
    try:
        what()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
tries = dict(
    inet=lambda: socket.socket(), unix=lambda: socket.socketpair(),
    lock=lambda: fcntl.flock(0, fcntl.LOCK_SH), record=lambda: fcntl.lockf(0, fcntl.LOCK_SH),
    cores=lambda: os.sched_setaffinity(0, [0]), advice=lambda: os.posix_fadvise(0, 0, 0, 4),
    memfd=lambda: os.memfd_create("x"), shared=lambda: mmap.mmap(-1, 4096),
    private=lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE), fork=lambda: os.fork() or os._exit(0),
    thread=lambda: threading.Thread(target=int).start(), node=lambda: os.mknod("/tmp/x"))
print(*(f"{name}={tried(what)}" for name, what in tries.items()))
"""


def test_this_kernel_loads_it_and_obeys(tmp_path: Path) -> None:
    program = tmp_path / "filter"
    program.write_bytes(filter_program(platform.machine(), without_cgroup=True))
    ran = subprocess.run(
        [sys.executable, "-c", LOAD_AND_TRY, program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )
    assert (ran.stdout, ran.stderr) == (
        (
            "inet=EAFNOSUPPORT unix=done lock=ENOSYS record=ENOLCK cores=EPERM advice=done "
            "memfd=ENOSYS shared=ENOMEM private=done fork=done thread=done node=EPERM\n"
        ),
        "",
    )


@on_each_machine
def test_buffers_of_pipes_and_sockets_keep_their_sizes(machine: str) -> None:
    assert judged(machine, "fcntl", 3, fcntl.F_SETPIPE_SZ) == ERROR | EINVAL
    assert judged(machine, "setsockopt", 3, socket.SOL_SOCKET, socket.SO_SNDBUF) == ERROR | 0
    assert judged(machine, "setsockopt", 3, socket.SOL_SOCKET, socket.SO_PASSCRED) == ALLOW
