"""Starts one process under its limits, without anything in between.

The process is started first and held to its limits from outside, while it waits for its arguments.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from resource import RLIM_INFINITY, prlimit
from typing import Final, NamedTuple

from referee.sandbox.command import Command, Launch, resource_limits
from referee.sandbox.group import Group
from referee.sandbox.modes import CLEAN_ENVIRONMENT

_NICER: Final = 5
_KILL_FIRST: Final = "1000"


class Started(NamedTuple):
    """A process that was started, and our ends of its pipes."""

    process: subprocess.Popen[bytes]
    output: int
    status: int


def spawn(
    program: str, command: Command, launch: Launch, group: Group | None, *, closing: ExitStack
) -> Started:
    """Start bubblewrap; what is pushed on the stack closes our ends.

    Raises:
        OSError: the process could not be started or held to its limits.
    """
    arguments, words = os.pipe()
    # It may be gone before it has read all; then its status says so.
    with suppress(BrokenPipeError), os.fdopen(words, "wb") as to_bubblewrap:
        with ExitStack() as theirs:
            theirs.callback(os.close, arguments)
            output, their_output = _pipe(closing, theirs)
            status, their_status = _pipe(closing, theirs)
            told = [_readable(word, theirs) for word in command.options]
            data = [word for word in told if isinstance(word, int)]
            bubblewrap = (program, *command.marker_options, "--args", str(arguments))
            process = _start(
                (*command.prefix, *bubblewrap, "--", *command.program),
                their_output,
                (arguments, their_status, *data),
            )
            _hold_or_kill(process, launch, group)
        told += ["--json-status-fd", their_status]
        to_bubblewrap.write(b"".join(os.fsencode(str(word)) + b"\0" for word in told))
    return Started(process, output, status)


def spawn_plain(
    program: Sequence[str], environment: Mapping[str, str], launch: Launch, *, closing: ExitStack
) -> Started:
    """Start a program as it is, under no more than the limits that any process can be held to.

    Raises:
        OSError: the process could not be started or held to its limits.
    """
    with ExitStack() as theirs:
        output, their_output = _pipe(closing, theirs)
        status, _ = _pipe(closing, theirs)
        process = _start(program, their_output, (), environment, str(launch.bundle))
        _hold_or_kill(process, launch, None)
    return Started(process, output, status)


def _hold_or_kill(process: subprocess.Popen[bytes], launch: Launch, group: Group | None) -> None:
    try:
        _hold(process.pid, launch, group)
    except OSError:
        process.kill()
        process.wait()
        raise


def _pipe(ours: ExitStack, theirs: ExitStack) -> tuple[int, int]:
    reading, writing = os.pipe()
    ours.callback(os.close, reading)
    theirs.callback(os.close, writing)
    os.set_blocking(reading, False)
    return reading, writing


def _readable(word: str | bytes, theirs: ExitStack) -> str | int:
    """Replace bytes by a descriptor from which they can be read."""
    if isinstance(word, str):
        return word
    descriptor = os.memfd_create("data")
    theirs.callback(os.close, descriptor)
    os.write(descriptor, word)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _start(
    command: Sequence[str],
    output: int,
    descriptors: Sequence[int] = (),
    environment: Mapping[str, str] = CLEAN_ENVIRONMENT,
    directory: str = "/",
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 (what is started is what this package is for)
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=descriptors,
        env=environment,
        cwd=directory,
        start_new_session=True,
    )


def _hold(pid: int, launch: Launch, group: Group | None) -> None:
    for procs in group.procs_files if group else ():
        procs.write_text(str(pid))
    for kind, (soft, hard) in resource_limits(launch.limits, without_cgroup=group is None).items():
        top = prlimit(pid, kind)[1]
        most = hard if top == RLIM_INFINITY else min(hard, top)
        prlimit(pid, kind, (min(soft, most), most))
    if launch.core is not None:
        os.sched_setaffinity(pid, {launch.core})
    nice = os.getpriority(os.PRIO_PROCESS, pid)
    os.setpriority(os.PRIO_PROCESS, pid, min(nice + _NICER, 19))
    Path(f"/proc/{pid}/oom_score_adj").write_text(_KILL_FIRST)
