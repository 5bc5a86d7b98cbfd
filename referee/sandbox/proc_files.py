"""What a bot finds in /proc: a few constant files that runtimes read.

No procfs is mounted where bots play. What two bots can both read there, and one of them can change,
is a channel between them: counters of the machine, and which pages of a file somebody else has
mapped. It also shows paths of the machine. So there is only what runtimes cannot do without, and
none of it ever changes.
"""

import os
import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from referee.sandbox.limits import SandboxLimits

_SELF_STAT: Final = f"1 (bot) R 0 1 1 0 -1{' 0' * 9} 20 0 1 0 1 0 0\n"
"""The fields up to the resident size, which Node.js needs; a JVM ignores a line as short as this,
and would believe the address of the stack in a longer one."""


def proc_files(limits: SandboxLimits) -> Mapping[str, bytes]:
    """Return the content of each file below /proc, by its path there."""
    return {**_constant_files(), "meminfo": _memory(limits)}


@cache
def _constant_files() -> Mapping[str, bytes]:
    processors = range(os.cpu_count() or 1)
    features = _features()
    times = " 0 0 0 0 0 0 0 0 0 0\n"
    texts = {
        "loadavg": "0.00 0.00 0.00 1/1 1\n",
        "uptime": "1.00 1.00\n",
        "version": f"Linux version {platform.release()}\n",
        "stat": f"cpu {times}"
        + "".join(f"cpu{number}{times}" for number in processors)
        + "intr 0\nctxt 0\nbtime 0\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n",
        "cpuinfo": "".join(f"processor\t: {number}\n{features}\n" for number in processors),
        "self/stat": _SELF_STAT,
    }
    return {name: text.encode() for name, text in texts.items()}


def _features() -> str:
    """Return the lines of /proc/cpuinfo that name the instruction set, which never change."""
    kept = ("vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU ")
    lines = Path("/proc/cpuinfo").read_text().partition("\n\n")[0].splitlines(keepends=True)
    return "".join(line for line in lines if line.startswith(kept))


def _memory(limits: SandboxLimits) -> bytes:
    """Return a /proc/meminfo of a machine with as much memory as the bot's limit."""
    kib = limits.memory_mib * 1024
    rows = {"MemTotal": kib, "MemFree": kib, "MemAvailable": kib, "Buffers": 0, "Cached": 0}
    rows |= {"SwapTotal": 0, "SwapFree": 0}
    return "".join(f"{name + ':':<16}{size:>8} kB\n" for name, size in rows.items()).encode()
