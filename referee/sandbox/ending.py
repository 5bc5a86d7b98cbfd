"""How a bot's process ended, and whether the bot is responsible."""

import json
from collections.abc import Mapping
from contextlib import suppress
from signal import SIGKILL, SIGXCPU, SIGXFSZ, Signals
from typing import Final, Literal, NamedTuple

How = Literal["exited", "signalled", "limit", "vanished", "stopped"]

_BY_SIGNAL: Final = 128
_KILLED: Final = (None, _BY_SIGNAL + SIGKILL)
_LIMITS_BY_SIGNAL: Final[Mapping[int, str]] = {SIGXCPU: "cpu", SIGXFSZ: "output"}


class SandboxEnding(NamedTuple):
    """The end of a bot's process."""

    how: How
    """By itself, by a signal it caused, by a limit, killed from outside, or stopped by us."""
    exit_code: int | None
    limit: str | None
    """`memory`, `processes`, `cpu` or `output`."""
    detail: str
    """The same in one line of text."""


class EndingEvidence(NamedTuple):
    """What is known when the process has ended."""

    exit_code: int | None
    """The exit code that bubblewrap recorded; None if it recorded none."""
    returned: int
    """The return code of the sandbox's outermost process, as `subprocess` has it."""
    exceeded: str | None
    """The limit for which we killed it, if any."""
    unwatched: str | None
    """Why we killed it though it was within its limits, as far as we knew."""
    stopped: bool
    out_of_memory: bool
    """Whether the kernel killed one of its processes since it was at its limit of memory."""
    machine_out_of_memory: bool
    """Whether the kernel did so, or may have, since there was none left elsewhere."""
    processes_refused: bool
    last_line: str
    """The last line of its output."""


def judge(found: EndingEvidence) -> SandboxEnding:
    """Return how a process ended."""
    if found.exceeded:
        return SandboxEnding(
            "limit", None, found.exceeded, f"it went over its limit of {found.exceeded}"
        )
    if found.unwatched:
        return SandboxEnding("vanished", None, None, found.unwatched)
    if found.stopped:
        return SandboxEnding("stopped", found.exit_code, None, "it was stopped by the referee")
    # The kernel may have killed the outermost process together with the bot.
    if found.out_of_memory and found.exit_code != 0:
        return SandboxEnding("limit", found.exit_code, "memory", "it used more memory than it may")
    if found.exit_code is None or _killed_for_the_machine(found):
        return SandboxEnding("vanished", found.exit_code, None, _vanished(found))
    return _own_end(found.exit_code, found.processes_refused)


def _killed_for_the_machine(found: EndingEvidence) -> bool:
    return found.machine_out_of_memory and found.exit_code in _KILLED


def _vanished(found: EndingEvidence) -> str:
    if _killed_for_the_machine(found):
        return "it was killed since the machine ran out of memory"
    if found.returned < 0:
        return f"its sandbox was killed from outside ({_signal(-found.returned)})"
    return f"its sandbox could not be set up: {found.last_line or 'it wrote nothing'}"


def _signal(number: int) -> str:
    with suppress(ValueError):
        return Signals(number).name
    return f"signal {number}"


def _own_end(code: int, processes_refused: bool) -> SandboxEnding:
    signal = code - _BY_SIGNAL
    if signal in _LIMITS_BY_SIGNAL:
        limit = _LIMITS_BY_SIGNAL[signal]
        return SandboxEnding("limit", code, limit, f"it went over its limit of {limit}")
    if code and processes_refused:
        detail = f"it wanted more processes than it may have, and ended with exit code {code}"
        return SandboxEnding("limit", code, "processes", detail)
    with suppress(ValueError):
        return SandboxEnding("signalled", code, None, f"it was killed by {Signals(signal).name}")
    return SandboxEnding("exited", code, None, f"it ended with exit code {code}")


def record(status: bytes, name: str) -> int | None:
    """Return a number from what bubblewrap has written to its status pipe; None if not there."""
    for line in status.splitlines(keepends=True):
        if line.endswith(b"\n"):
            fields = json.loads(line)
            if name in fields:
                return int(fields[name])
    return None
