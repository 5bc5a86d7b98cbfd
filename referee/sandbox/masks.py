"""What a bot sees of /proc besides its own processes: nothing that changes with the load.

Whatever two bots can both read and one of them can change is a channel between them. So every entry
that is not known to be harmless is hidden, also those a future kernel may add, and those that
programs need are replaced by snapshots that never change.
"""

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from referee.sandbox.limits import SandboxLimits

_OF_THE_PROCESS: Final = {"self", "thread-self", "mounts", "net"}
_CONSTANT: Final = {
    *("config.gz", "consoles", "crypto", "devices", "dma", "execdomains", "filesystems"),
    *("iomem", "ioports", "misc", "mtrr"),
}


class Procfs(NamedTuple):
    """The entries of /proc to hide and to replace."""

    files: tuple[str, ...]
    directories: tuple[str, ...]
    snapshots: Mapping[str, bytes]


def inspect_procfs(proc: Path = Path("/proc")) -> Procfs:
    """Return the entries to mask on this kernel."""
    snapshots = {name: text for name, text in _snapshots().items() if (proc / name).exists()}
    known = _OF_THE_PROCESS | _CONSTANT | set(snapshots) | {"meminfo"}
    others = [
        entry
        for entry in sorted(proc.iterdir())
        if entry.name not in known and not entry.name.isdigit() and not entry.is_symlink()
    ]
    files = tuple(entry.name for entry in others if entry.is_file() and _readable(entry))
    return Procfs(files, tuple(entry.name for entry in others if entry.is_dir()), snapshots)


def _readable(entry: Path) -> bool:
    # What only root can read, no bot can.
    return bool(entry.stat().st_mode & 0o044)


def _snapshots() -> dict[str, bytes]:
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
    }
    return {name: text.encode() for name, text in texts.items()}


def _features() -> str:
    """Return the lines of /proc/cpuinfo that name the instruction set, which never change."""
    kept = ("vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU ")
    lines = Path("/proc/cpuinfo").read_text().partition("\n\n")[0].splitlines(keepends=True)
    return "".join(line for line in lines if line.startswith(kept))


def memory_snapshot(limits: SandboxLimits) -> bytes:
    """Return a /proc/meminfo of a machine with as much memory as the bot's limit."""
    kib = limits.memory_mib * 1024
    rows = {"MemTotal": kib, "MemFree": kib, "MemAvailable": kib, "Buffers": 0, "Cached": 0}
    rows |= {"SwapTotal": 0, "SwapFree": 0}
    return "".join(f"{name + ':':<16}{size:>8} kB\n" for name, size in rows.items()).encode()
