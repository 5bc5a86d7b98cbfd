"""The system calls a bot may not make, as a seccomp filter in classic BPF.

Namespaces hide most of the machine; the filter refuses what no namespace hides: keyrings, file
locks, other socket families, the state of the page cache. Nothing here is executed: bubblewrap
loads the filter as bytes. It compares the number of the call with one refused number after the
other, which costs nothing: the kernel computes once which numbers always pass, and skips the
filter there.
"""

import struct
from collections.abc import Iterable, Iterator
from errno import EAFNOSUPPORT, ENOLCK, ENOMEM, ENOSYS, EPERM
from typing import Final, NamedTuple

from referee.errors import ConfigError

_SUCCESS: Final = 0
"""As an error number: the call does nothing and reports success."""


class _Machine(NamedTuple):
    column: int
    """The column of its numbers in the tables below."""
    audit: int
    """The kernel's constant for this architecture (``AUDIT_ARCH_...``)."""
    has_x32: bool


_MACHINES: Final = {
    "x86_64": _Machine(0, 0xC000003E, has_x32=True),
    "aarch64": _Machine(1, 0xC00000B7, has_x32=False),
}


class _Refused(NamedTuple):
    error: int
    calls: str
    """Each with its number on x86_64 and on aarch64; a dash if it does not exist there."""


_ALWAYS: Final = (
    # Other processes: reading and writing their memory, taking their files.
    _Refused(
        EPERM,
        """ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272,
        pidfd_getfd 438 438, process_madvise 440 440""",
    ),
    # Mounts and namespaces, and information about them.
    _Refused(
        EPERM,
        """mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, open_tree 428 428,
        move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433,
        mount_setattr 442 442, open_tree_attr 467 467, statmount 457 457, listmount 458 458,
        listns 470 470, unshare 272 97, setns 308 268""",
    ),
    # Its flags are in memory, where a filter cannot read them; libraries fall back to clone.
    _Refused(ENOSYS, "clone3 435 435"),
    # What is shared over the whole machine, or by all with one uid, whatever the namespaces.
    _Refused(
        ENOSYS,
        """keyctl 250 219, add_key 248 217, request_key 249 218,
        io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427,
        userfaultfd 323 282, memfd_secret 447 447,
        inotify_init 253 -, inotify_init1 294 26, inotify_add_watch 254 27, inotify_rm_watch 255 28,
        shmget 29 194, shmat 30 196, shmctl 31 195, shmdt 67 197,
        semget 64 190, semop 65 193, semtimedop 220 192, semctl 66 191,
        msgget 68 186, msgsnd 69 189, msgrcv 70 188, msgctl 71 187,
        mq_open 240 180, mq_unlink 241 181, mq_timedsend 242 182, mq_timedreceive 243 183,
        mq_notify 244 184, mq_getsetattr 245 185""",
    ),
    # The kernel itself, its clock, its devices, its scheduling of others.
    _Refused(
        EPERM,
        """bpf 321 280, perf_event_open 298 241, init_module 175 105, finit_module 313 273,
        delete_module 176 106, kexec_load 246 104, kexec_file_load 320 294, reboot 169 142,
        swapon 167 224, swapoff 168 225, acct 163 89, settimeofday 164 170, clock_settime 227 112,
        adjtimex 159 171, clock_adjtime 305 266, sethostname 170 161, setdomainname 171 162,
        syslog 103 116, quotactl 179 60, quotactl_fd 443 443, vhangup 153 58,
        lookup_dcookie 212 18, modify_ldt 154 -, iopl 172 -, ioperm 173 -,
        sched_setaffinity 203 122, sched_setattr 314 274, sched_setparam 142 118,
        sched_setscheduler 144 119, ioprio_set 251 30, set_mempolicy 238 237, mbind 237 235,
        set_mempolicy_home_node 450 450, migrate_pages 256 238, move_pages 279 239,
        name_to_handle_at 303 264, open_by_handle_at 304 265, fanotify_init 300 262,
        fanotify_mark 301 263, mknod 133 -, mknodat 259 33""",
    ),
    # Which pages of a shared file are in memory: two bots could communicate by that.
    _Refused(ENOSYS, "preadv2 327 286, mincore 27 232, cachestat 451 451"),
    _Refused(_SUCCESS, "fadvise64 221 223, readahead 187 213"),
)
_LOCKS: Final = _Refused(ENOSYS, "flock 73 32")
# Memory that no limit of one process counts.
_UNCOUNTED: Final = _Refused(ENOSYS, "memfd_create 319 279")

_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45


class _Checked(NamedTuple):
    """A call of which one argument is checked; its low half only, as in the kernel itself."""

    numbers: tuple[int, int]
    argument: int
    test: int
    values: tuple[int, ...]
    refused_when: bool
    """Whether it is refused if one of the values matches, or if none does."""
    error: int
    mask: int = 0xFFFFFFFF


_NEW_NAMESPACES: Final = 0x7E020000
_TERMINAL_INJECTION: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_FILE_LOCKS: Final = (5, 6, 7, 36, 37, 38)  # F_GETLK to F_SETLKW, and F_OFD_...
_LEASES: Final = (1024, 1025, 1026)  # F_SETLEASE, F_GETLEASE, F_NOTIFY
_SHARED_ANONYMOUS: Final = 0x21  # MAP_SHARED | MAP_ANONYMOUS
_UNIX_SOCKETS: Final = (1,)
_NETWORK_SOCKETS: Final = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK

_SOCKET: Final = _Checked((41, 198), 0, _EQUAL, _UNIX_SOCKETS, False, EAFNOSUPPORT)
_ALWAYS_CHECKED: Final = (
    _Checked((53, 199), 0, _EQUAL, _UNIX_SOCKETS, False, EAFNOSUPPORT),  # socketpair
    _Checked((56, 220), 0, _ANY_BIT, (_NEW_NAMESPACES,), True, EPERM),  # clone
    _Checked((16, 29), 1, _EQUAL, _TERMINAL_INJECTION, True, EPERM),  # ioctl
    _Checked((135, 92), 0, _EQUAL, (0,), False, EPERM),  # personality
)
_FCNTL: Final = (72, 25)
_MMAP: Final = _Checked(
    (9, 222), 3, _EQUAL, (_SHARED_ANONYMOUS,), True, ENOMEM, mask=_SHARED_ANONYMOUS
)

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_KILL, _ALLOW, _ERROR = 0x80000000, 0x7FFF0000, 0x00050000
_X32: Final = 0x40000000

_Instruction = tuple[int, int, int, int]
"""Its code, the jumps if the test is true and if it is false, and its constant."""


def filter_program(
    machine: str,
    *,
    without_cgroup: bool,
    allow_file_locks: bool = False,
    allow_network: bool = False,
) -> bytes:
    """Return the filter for a machine, named as by `platform.machine`.

    Without a cgroup that counts it, memory that belongs to no single process is refused as well.
    File locks and the network connect sandboxes with each other, so only builds may have them.
    """
    known = _MACHINES.get(machine)
    if known is None:
        choices = " or ".join(_MACHINES)
        message = f"the sandbox has no filter for {machine}; run it on {choices}"
        raise ConfigError(message)
    refused = (*_ALWAYS, *(() if allow_file_locks else (_LOCKS,)))
    fcntl = _LEASES if allow_file_locks else (*_FILE_LOCKS, *_LEASES)
    sockets = _SOCKET._replace(values=_NETWORK_SOCKETS) if allow_network else _SOCKET
    checked = (sockets, *_ALWAYS_CHECKED, _Checked(_FCNTL, 1, _EQUAL, fcntl, True, ENOLCK))
    steps = (
        _program(known, (*refused, _UNCOUNTED), (*checked, _MMAP))
        if without_cgroup
        else _program(known, refused, checked)
    )
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def refused_calls(machine: str) -> dict[str, int]:
    """Return the numbers of the calls that are refused whatever their arguments."""
    column = _MACHINES[machine].column
    return dict(_calls((*_ALWAYS, _LOCKS, _UNCOUNTED), column))


def _program(
    machine: _Machine, refused: Iterable[_Refused], checked: Iterable[_Checked]
) -> Iterator[_Instruction]:
    yield (_LOAD, 0, 0, _MACHINE_OFFSET)
    yield (_EQUAL, 1, 0, machine.audit)
    yield (_RETURN, 0, 0, _KILL)
    yield (_LOAD, 0, 0, _NUMBER_OFFSET)
    if machine.has_x32:
        yield (_AT_LEAST, 0, 1, _X32)
        yield _refuse(ENOSYS)
    for group in refused:
        for _, number in _calls((group,), machine.column):
            yield (_EQUAL, 0, 1, number)
            yield _refuse(group.error)
    for call in checked:
        body = tuple(_check(call))
        yield (_EQUAL, 0, len(body), call.numbers[machine.column])
        yield from body
    yield (_RETURN, 0, 0, _ALLOW)


def _check(call: _Checked) -> Iterator[_Instruction]:
    match, else_ = (_RETURN, 0, 0, _ALLOW), _refuse(call.error)
    if call.refused_when:
        match, else_ = else_, match
    # Both machines are little-endian: the low half comes first.
    yield (_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * call.argument)
    yield (_AND, 0, 0, call.mask)
    for value in call.values:
        yield (call.test, 0, 1, value)
        yield match
    yield else_


def _refuse(error: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERROR | error)


def _calls(groups: Iterable[_Refused], column: int) -> Iterator[tuple[str, int]]:
    for group in groups:
        for call in group.calls.split(","):
            name, *numbers = call.split()
            if numbers[column] != "-":
                yield name, int(numbers[column])
