"""Finds, signals and traces processes that are not its own, the referee first."""

import os
import signal
from pathlib import Path

from tests.hostile.attacks.kernel import call
from tests.hostile.attacks.verdict import FACTS, tell

PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
VICTIM, REFEREE = FACTS["victim"], FACTS["referee"]


def foreign() -> list[str]:
    lines = {path: path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")}
    return [str(path) for path, line in lines.items() if FACTS["victim_name"].encode() in line]


def killed(process: int) -> str:
    os.kill(process, signal.SIGKILL)
    return "killed"


def anybody() -> None:
    # Signal 0 reaches all that a deadly one would, and does no harm where that is everybody.
    os.kill(-1, 0)


def memory(process: int) -> object:
    with Path(f"/proc/{process}/mem").open("r+b"):
        return "opened"


tell(
    {
        "in sight": foreign,
        "victim killed": lambda: killed(VICTIM),
        "referee killed": lambda: killed(REFEREE),
        "referee's group killed": lambda: os.killpg(FACTS["group"], signal.SIGKILL),
        "anybody else signalled": anybody,
        "handle on the referee": lambda: os.pidfd_open(REFEREE),
        "first process traced": lambda: call("ptrace", PTRACE_SEIZE, 1, 0, 0) == 0,
        "victim traced": lambda: call("ptrace", PTRACE_ATTACH, VICTIM, 0, 0) == 0,
        "memory of the first process": lambda: memory(1),
        "memory of the referee": lambda: memory(REFEREE),
        "memory of the first process read": lambda: call("process_vm_readv", 1, 0, 0, 0, 0, 0) == 0,
        "compared": lambda: call("kcmp", os.getpid(), os.getpid(), 0, 0, 0) == 0,
        "slowed down": lambda: os.setpriority(os.PRIO_PROCESS, VICTIM, 19),
    }
)
