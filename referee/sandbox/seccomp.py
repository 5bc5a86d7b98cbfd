"""The system calls a bot may not make, as a seccomp filter in classic BPF.

Namespaces hide most of the machine; the filter refuses what no namespace hides: keyrings, file
locks, other socket families, the state of the page cache, counters of the whole kernel. Nothing
here is executed: bubblewrap loads the filter as bytes. It compares the number of the call with one
refused number after the other, which costs nothing: the kernel computes once which numbers always
pass, and skips the filter there.
"""

import struct
from collections.abc import Iterable, Iterator
from errno import (
    EAFNOSUPPORT,
    EINVAL,
    EMFILE,
    ENOLCK,
    ENOMEM,
    ENOPROTOOPT,
    ENOSYS,
    ENOTTY,
    EOPNOTSUPP,
    EPERM,
)
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
    direct_flag: int
    """The value of O_DIRECT."""


_MACHINES: Final = {
    "x86_64": _Machine(0, 0xC000003E, has_x32=True, direct_flag=0x4000),
    "aarch64": _Machine(1, 0xC00000B7, has_x32=False, direct_flag=0x10000),
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
    # It takes a disk in an instant; libraries write instead, as for a file system without it.
    _Refused(EOPNOTSUPP, "fallocate 285 47"),
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
    # Counters and limits of the whole machine: how many processes there are and how much memory is
    # free; how many events for asynchronous I/O are left; numbers given out in one sequence to all
    # processes (pidfd) and to all mounts (statx); the free space of any file system, no matter who
    # mounted it (ustat); on which memory node the page of a shared file is.
    _Refused(
        ENOSYS,
        """sysinfo 99 179, ustat 136 -, statx 332 291, get_mempolicy 239 236,
        io_setup 206 0, io_destroy 207 1, io_submit 209 2, io_cancel 210 3, io_getevents 208 4,
        io_pgetevents 333 292, pidfd_open 434 434, pidfd_send_signal 424 424,
        process_mrelease 448 448""",
    ),
    # Memory that no limit of one process counts, numbered like all files in memory of the machine.
    _Refused(ENOSYS, "memfd_create 319 279"),
    # It keeps pages alive that no process has mapped, a large one for each small part of it.
    _Refused(EPERM, "vmsplice 278 75"),
    # Its flags are in memory, too.
    _Refused(ENOSYS, "openat2 437 437"),
    # Nothing that a bot writes outlives it, and these would make all others wait for the disk.
    _Refused(
        _SUCCESS,
        "sync 162 81, syncfs 306 267, fsync 74 82, fdatasync 75 83, sync_file_range 277 84",
    ),
)
_LOCKS: Final = _Refused(ENOSYS, "flock 73 32")
# The referee is asked about each (see `creations`), and refuses them when there are too many.
_CREATIONS: Final = _Refused(
    EMFILE,
    "pipe 22 -, pipe2 293 59, socket 41 198, socketpair 53 199, accept 43 202, accept4 288 242",
)
# Who may write to a device may set its time, which every sandbox sees; in a build, tools need it.
_FILE_TIMES: Final = _Refused(
    _SUCCESS, "utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88"
)
# The free space of file systems of the machine, on which sockets and copies are: what a bot prints
# may go to a file of the referee's, and all others would see that.
_FREE_SPACE: Final = _Refused(ENOSYS, "statfs 137 43, fstatfs 138 44")

_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45


class _Condition(NamedTuple):
    """What must be true of an argument; of its low half only, as in the kernel itself."""

    argument: int
    test: int
    values: tuple[int, ...]
    """It is true if one of them matches."""
    negated: bool = False
    """Whether it is true if none of them matches instead."""
    mask: int = 0xFFFFFFFF


class _Rule(NamedTuple):
    """A call that is refused if all conditions on its arguments are true."""

    numbers: tuple[int | None, int | None]
    """Its number on x86_64 and on aarch64; None if it does not exist there."""
    error: int
    conditions: tuple[_Condition, ...]


_NEW_NAMESPACES: Final = 0x7E020000
_NEW_PIDFD: Final = 0x1000
_TERMINAL_INJECTION: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_REQUEST_KINDS: Final = (0x5400, 0x8900)  # of any file and of a terminal; of a socket
_FILE_LOCKS: Final = (5, 6, 7, 36, 37, 38)  # F_GETLK to F_SETLKW, and F_OFD_...
_LEASES: Final = (1024, 1025, 1026)  # F_SETLEASE, F_GETLEASE, F_NOTIFY
_FCNTL_COMMANDS: Final = (
    *range(5),  # F_DUPFD to F_SETFL
    *(8, 9, 10, 11, 15, 16, 17),  # F_SETOWN, F_GETOWN, F_SETSIG, F_GETSIG and their extensions
    *(1027, 1028, 1030, 1032, 1033, 1034),  # of a descriptor, a pipe or a file in memory
)
"""Others leave something at a file that others who have it open can read: F_SET_RW_HINT; or more
bytes than 64 KiB in a pipe: F_SETPIPE_SZ."""
_SET_FLAGS: Final = 4  # F_SETFL
_SHARED_ANONYMOUS: Final = 0x21  # MAP_SHARED | MAP_ANONYMOUS
_HUGE_PAGES: Final = 0x40000  # MAP_HUGETLB
_MERGEABLE: Final = 12  # MADV_MERGEABLE
_CORE_SCHEDULING: Final = 62  # PR_SCHED_CORE
_GLOBAL_BARRIERS: Final = (1, 2, 4)  # MEMBARRIER_CMD_GLOBAL and MEMBARRIER_CMD_..._EXPEDITED
_OF_SOCKETS: Final = 1  # SOL_SOCKET
_COOKIES: Final = (57, 71, 77)  # SO_COOKIE, SO_NETNS_COOKIE, SO_PEERPIDFD
_PASS_PIDFD: Final = 76  # SO_PASSPIDFD
_BUFFER_SIZES: Final = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and ...FORCE
_UNIX_SOCKETS: Final = (1,)
_NETWORK_SOCKETS: Final = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK

_FCNTL: Final = (72, 25)
_MMAP: Final = (9, 222)
_UNCOUNTED_MAPPING: Final = _Rule(
    _MMAP, ENOMEM, (_Condition(3, _EQUAL, (_SHARED_ANONYMOUS,), mask=_SHARED_ANONYMOUS),)
)


def _rules(machine: _Machine, locks: bool, network: bool) -> Iterator[_Rule]:
    families = _NETWORK_SOCKETS if network else _UNIX_SOCKETS
    yield _refused_unless((41, 198), EAFNOSUPPORT, 0, families)  # socket
    yield _refused_unless((53, 199), EAFNOSUPPORT, 0, _UNIX_SOCKETS)  # socketpair
    yield _Rule(
        (56, 220), EPERM, (_Condition(0, _ANY_BIT, (_NEW_NAMESPACES | _NEW_PIDFD,)),)
    )  # clone
    yield _refused_if((16, 29), EPERM, 1, _TERMINAL_INJECTION)  # ioctl
    # Files have requests of their own: for the state of their caches, for sharing blocks.
    yield _Rule(
        (16, 29), ENOTTY, (_Condition(1, _EQUAL, _REQUEST_KINDS, negated=True, mask=0xFF00),)
    )
    yield _refused_unless((135, 92), EPERM, 0, (0,))  # personality
    yield _refused_if(_FCNTL, ENOLCK, 1, _LEASES if locks else (*_FILE_LOCKS, *_LEASES))
    commands = (*_FCNTL_COMMANDS, *(_FILE_LOCKS if locks else ()))
    yield _refused_unless(_FCNTL, EINVAL, 1, commands)
    # Reading past the page cache occupies the disk; file systems without it answer like this.
    direct = _Condition(2, _ANY_BIT, (machine.direct_flag,))
    yield _Rule((2, None), EINVAL, (direct._replace(argument=1),))  # open
    yield _Rule((257, 56), EINVAL, (direct,))  # openat
    yield _Rule(_FCNTL, EINVAL, (_Condition(1, _EQUAL, (_SET_FLAGS,)), direct))
    # Numbers given out in one sequence to all sockets; a descriptor of the referee.
    of_sockets = _Condition(1, _EQUAL, (_OF_SOCKETS,))
    yield _Rule((55, 209), ENOPROTOOPT, (of_sockets, _Condition(2, _EQUAL, _COOKIES)))  # getsockopt
    yield _Rule(
        (54, 208), ENOPROTOOPT, (of_sockets, _Condition(2, _EQUAL, (_PASS_PIDFD,)))
    )  # setsockopt
    yield _Rule((54, 208), _SUCCESS, (of_sockets, _Condition(2, _EQUAL, _BUFFER_SIZES)))
    # Large pages are taken from a pool of the whole machine; equal pages of all are merged.
    yield _Rule(_MMAP, ENOMEM, (_Condition(3, _ANY_BIT, (_HUGE_PAGES,)),))
    yield _refused_if((28, 233), EINVAL, 2, (_MERGEABLE,))  # madvise
    # These make other processors wait.
    yield _refused_if((157, 167), EINVAL, 0, (_CORE_SCHEDULING,))  # prctl
    yield _refused_if((324, 283), EINVAL, 0, _GLOBAL_BARRIERS)  # membarrier


def _refused_if(
    numbers: tuple[int, int], error: int, argument: int, values: tuple[int, ...]
) -> _Rule:
    return _Rule(numbers, error, (_Condition(argument, _EQUAL, values),))


def _refused_unless(
    numbers: tuple[int, int], error: int, argument: int, values: tuple[int, ...]
) -> _Rule:
    return _Rule(numbers, error, (_Condition(argument, _EQUAL, values, negated=True),))


_LOAD, _AND, _RETURN, _JUMP = 0x20, 0x54, 0x06, 0x05
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_KILL, _ALLOW, _ERROR, _ASK = 0x80000000, 0x7FFF0000, 0x00050000, 0x7FC00000
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
    refused = (*_ALWAYS, *(() if allow_file_locks else (_LOCKS, _FILE_TIMES, _FREE_SPACE)))
    rules = (
        *_rules(known, allow_file_locks, allow_network),
        *((_UNCOUNTED_MAPPING,) if without_cgroup else ()),
    )
    return _packed(_program(known, refused, rules))


def asking_program(machine: str) -> bytes:
    """Return the filter that makes the kernel ask about each pipe and socket."""
    asked = creation_calls(machine).values()
    tests = (step for number in asked for step in ((_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ASK)))
    return _packed([(_LOAD, 0, 0, _NUMBER_OFFSET), *tests, (_RETURN, 0, 0, _ALLOW)])


def creation_calls(machine: str) -> dict[str, int]:
    """Return the numbers of the calls that create pipes and sockets."""
    return dict(_calls((_CREATIONS,), _MACHINES[machine].column))


def _packed(program: Iterable[_Instruction]) -> bytes:
    return b"".join(struct.pack("<HBBI", *step) for step in program)


def refused_calls(machine: str) -> dict[str, int]:
    """Return the numbers of the calls that are refused whatever their arguments."""
    column = _MACHINES[machine].column
    return dict(_calls((*_ALWAYS, _LOCKS, _FILE_TIMES, _FREE_SPACE), column))


def _program(
    machine: _Machine, refused: Iterable[_Refused], rules: Iterable[_Rule]
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
    for rule in rules:
        called = rule.numbers[machine.column]
        if called is not None:
            steps = _checked(rule)
            yield (_EQUAL, 0, len(steps), called)
            yield from steps
    yield (_RETURN, 0, 0, _ALLOW)


def _checked(rule: _Rule) -> list[_Instruction]:
    """Return the instructions that refuse a call, or go on with its number loaded again."""
    steps = [_refuse(rule.error), (_LOAD, 0, 0, _NUMBER_OFFSET)]
    for condition in reversed(rule.conditions):
        steps = [*_tested(condition, len(steps) - 1), *steps]
    return steps


def _tested(condition: _Condition, rest: int) -> Iterator[_Instruction]:
    """Yield the instructions that skip the rest of the rule unless a condition is true."""
    # Both machines are little-endian: the low half comes first.
    yield (_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * condition.argument)
    yield (_AND, 0, 0, condition.mask)
    for left, value in zip(range(len(condition.values) - 1, -1, -1), condition.values, strict=True):
        yield (condition.test, left + (rest if condition.negated else 1), 0, value)
    if not condition.negated:
        yield (_JUMP, 0, 0, rest)


def _refuse(error: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERROR | error)


def _calls(groups: Iterable[_Refused], column: int) -> Iterator[tuple[str, int]]:
    for group in groups:
        for call in group.calls.split(","):
            name, *numbers = call.split()
            if numbers[column] != "-":
                yield name, int(numbers[column])
