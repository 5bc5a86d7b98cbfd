"""Starts one process under its limits.

The process is started first, and its limits are set from outside while it waits for its arguments.
"""

import os
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from resource import RLIM_INFINITY, prlimit
from typing import Final, NamedTuple

from referee.sandbox import creations
from referee.sandbox.command import Command, Launch, Permissions, resource_limits
from referee.sandbox.group import Group
from referee.sandbox.modes import CLEAN_ENVIRONMENT

_NICENESS: Final = 5
_OOM_SCORE: Final = "1000"


class Started(NamedTuple):
    """A process that was started, and our ends of its pipes."""

    process: subprocess.Popen[bytes]
    output: int
    status: int
    link: socket.socket | None = None
    """On it the descriptor comes by which creations are asked about."""


def spawn(
    program: str, command: Command, launch: Launch, group: Group | None, *, closing: ExitStack
) -> Started:
    """Start bubblewrap, and push on the stack what closes our ends of its pipes.

    Raises:
        OSError: the process could not be started, or its limits could not be set.
    """
    arguments, write_end = os.pipe()
    # It may end before it has read everything; then its status reports that.
    with suppress(BrokenPipeError), os.fdopen(write_end, "wb") as to_bubblewrap:
        with ExitStack() as inherited:
            inherited.callback(os.close, arguments)
            output, output_end = _pipe(closing, inherited)
            status, status_end = _pipe(closing, inherited)
            options = [_readable(word, inherited) for word in command.options]
            data = [word for word in options if isinstance(word, int)]
            bubblewrap = (program, *command.marker_options, "--args", str(arguments))
            link: socket.socket | None = None
            bound: tuple[str, ...] = ()
            # A build may create as many as it likes: it does not play.
            if launch.permissions == Permissions():
                link, link_end = _link(closing, inherited)
                bound = creations.command(link_end)
                data.append(link_end)
            process = _start(
                (*command.prefix, *bound, *bubblewrap, "--", *command.program),
                output_end,
                (arguments, status_end, *data),
            )
            _limit_or_kill(process, launch, group)
        options += ["--json-status-fd", status_end]
        to_bubblewrap.write(b"".join(os.fsencode(str(word)) + b"\0" for word in options))
    return Started(process, output, status, link)


def spawn_plain(
    program: Sequence[str], environment: Mapping[str, str], launch: Launch, *, closing: ExitStack
) -> Started:
    """Start a program without a sandbox, under the resource limits of a process.

    Raises:
        OSError: the process could not be started, or its limits could not be set.
    """
    with ExitStack() as inherited:
        output, output_end = _pipe(closing, inherited)
        status, _ = _pipe(closing, inherited)
        process = _start(program, output_end, (), environment, str(launch.bundle))
        _limit_or_kill(process, launch, None)
    return Started(process, output, status)


def spawn_here(
    program: Sequence[str], environment: Mapping[str, str], directory: Path, *, closing: ExitStack
) -> Started:
    """Start a program without a sandbox or limits, with our own standard input and output.

    It stays in our session and group, so that it may read from the terminal.

    Raises:
        OSError: the process could not be started.
    """
    with ExitStack() as inherited:
        # Nobody writes to these: what it writes is not ours to read.
        (output, _), (status, _) = (_pipe(closing, inherited) for _ in range(2))
    process = subprocess.Popen(program, env=environment, cwd=directory)  # noqa: S603 (as in `_start`)
    return Started(process, output, status)


def _limit_or_kill(process: subprocess.Popen[bytes], launch: Launch, group: Group | None) -> None:
    try:
        _limit(process.pid, launch, group)
    except OSError:
        process.kill()
        process.wait()
        raise


def _pipe(ours: ExitStack, inherited: ExitStack) -> tuple[int, int]:
    reading, writing = os.pipe()
    ours.callback(os.close, reading)
    inherited.callback(os.close, writing)
    os.set_blocking(reading, False)
    return reading, writing


def _link(ours: ExitStack, inherited: ExitStack) -> tuple[socket.socket, int]:
    link, end = socket.socketpair()
    ours.callback(link.close)
    inherited.callback(end.close)
    return link, end.fileno()


def _readable(word: str | bytes, inherited: ExitStack) -> str | int:
    """Return a word, or the descriptor from which bytes can be read."""
    if isinstance(word, str):
        return word
    descriptor = os.memfd_create("data")
    inherited.callback(os.close, descriptor)
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


def _limit(pid: int, launch: Launch, group: Group | None) -> None:
    for procs in group.procs_files if group else ():
        procs.write_text(str(pid))
    for kind, (soft, hard) in resource_limits(launch.limits, without_cgroup=group is None).items():
        inherited = prlimit(pid, kind)[1]
        maximum = hard if inherited == RLIM_INFINITY else min(hard, inherited)
        prlimit(pid, kind, (min(soft, maximum), maximum))
    if launch.core is not None:
        os.sched_setaffinity(pid, {launch.core})
    nice = os.getpriority(os.PRIO_PROCESS, pid)
    os.setpriority(os.PRIO_PROCESS, pid, min(nice + _NICENESS, 19))
    Path(f"/proc/{pid}/oom_score_adj").write_text(_OOM_SCORE)
