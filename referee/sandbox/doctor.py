"""Examines the sandbox of this machine by attacking it from inside.

A guarantee is believed only if it was tried (`trials`). One that a trial broke, or that could not
be tried, is missing; one that holds with a restriction is weak.
"""

import os
import platform
import subprocess
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from referee.sandbox.cgroups import Cgroups
from referee.sandbox.launcher import BOTS, Sandboxes
from referee.sandbox.modes import CLEAN_ENVIRONMENT, Mode, bubblewrap
from referee.sandbox.private_files import NAME, REMEDY
from referee.sandbox.trials import Findings, try_all

Level = Literal["enforced", "weak", "missing"]


class Guarantee(NamedTuple):
    """One thing that a bot must not be able to do."""

    name: str
    level: Level
    mechanism: str
    """What enforces it."""
    reason: str
    """Why it is not enforced."""
    remedy: str
    required: bool = True
    """Whether ranked play needs it; one that is not required is weak, never missing."""


class _Row(NamedTuple):
    name: str
    mechanism: str
    remedy: str
    required: bool = True


_KERNEL: Final = "run it on a machine whose kernel lets bubblewrap do all of its work"
_WATCHED: Final = (
    "run it where no other program answers for its system calls: not in a container whose engine "
    "does (seccomp user notification)"
)
_REPORT: Final = "report this as a defect: the sandbox should not start like that"
_DELEGATE: Final = (
    "let a systemd user manager run for this user (loginctl enable-linger), or run upcard by "
    "systemd-run --user --scope -p Delegate=yes"
)
_ROWS: Final = (
    _Row("bubblewrap", "the program bwrap", "install the package bubblewrap"),
    _Row("filter", "a seccomp filter", _KERNEL),
    _Row("own-uid", "a uid for each seat", "run as root, or give the user subordinate uids"),
    _Row("namespaces", "the filter; bubblewrap", _KERNEL),
    _Row("privileges", "no capability; no new privileges", _REPORT),
    _Row("memory", "a control group", _DELEGATE),
    _Row("processes", "a limit of each sandbox", _REPORT),
    _Row("cpu", "a control group", _DELEGATE),
    _Row("cores", "pinning, which the filter protects", _REPORT),
    _Row("open-files", "a limit of each process", _REPORT),
    _Row("disk", "a read-only root; scratch space of a fixed size", _REPORT),
    _Row("network", "a network namespace; the filter", _KERNEL),
    _Row("vsock", "the filter", _KERNEL),
    _Row("own-proc", "a process namespace; no procfs", _KERNEL),
    _Row("masked-proc", "constant files in place of a procfs", _KERNEL),
    _Row("environment", "a clean environment, no open files", _REPORT),
    _Row("sockets", "a mount namespace; one socket for each seat", _REPORT),
    _Row("few-pipes", "a second filter, which asks the referee", _WATCHED),
    _Row("dies-with-referee", "a signal at the death of its parent", _KERNEL),
    _Row(
        "runtime", "read-only mounts that any uid can read", "install upcard where all can read it"
    ),
    _Row(NAME, "copies of all files in memory, for each bot its own", REMEDY),
    _Row(
        "free-cores", "a core for each bot", "play with --strict, or on more cores", required=False
    ),
    _Row("tempo", "", "play with --strict, which answers at fixed intervals", required=False),
)
GUARANTEES: Final = tuple(row.name for row in _ROWS)
"""All guarantees, by their names."""
REQUIRED: Final = tuple(row.name for row in _ROWS if row.required)
"""The guarantees without which nothing is played, unless it is said that they may be missing."""


async def examine(sandboxes: Sandboxes) -> list[Guarantee]:
    """Attack the sandbox and return its guarantees, usually within a second.

    Raises:
        ConfigError: nothing can be started in it.
    """
    if sandboxes.mode is None:
        return [_missing(row, "bots run without a sandbox") for row in _ROWS]
    found = await try_all(sandboxes, sandboxes.mode)
    found["bubblewrap"] = []
    if sandboxes.shared_because:
        found[NAME] = [sandboxes.shared_because]
    found["free-cores"] = _too_few(len(os.sched_getaffinity(0)), BOTS)
    found["tempo"] = ["partners see how long the others at the table take"]
    mechanisms = {"bubblewrap": _version(), "filter": f"a seccomp filter for {platform.machine()}"}
    return judge(found, sandboxes.mode, sandboxes.cgroups, mechanisms)


def judge(
    found: Findings, mode: Mode, cgroups: Cgroups, mechanisms: Mapping[str, str]
) -> list[Guarantee]:
    """Return the guarantees, from the evidence of the trials and the mechanisms in use."""
    weak = _weak(mode, cgroups)
    by = {
        "own-uid": f"the mode {mode}",
        "memory": _memory(cgroups),
        "cpu": _cpu(cgroups),
        **mechanisms,
    }
    return [_judged(row, found, weak, by.get(row.name, row.mechanism)) for row in _ROWS]


def _judged(row: _Row, found: Findings, weak: Mapping[str, str], mechanism: str) -> Guarantee:
    evidence = found.get(row.name, ["it was not tried"])
    if evidence and row.required:
        return _missing(row, "; ".join(evidence))
    reason = "; ".join(evidence) or weak.get(row.name, "")
    if reason:
        return Guarantee(row.name, "weak", mechanism, reason, row.remedy, row.required)
    return Guarantee(row.name, "enforced", mechanism, "", "", row.required)


def _missing(row: _Row, reason: str) -> Guarantee:
    level: Level = "missing" if row.required else "weak"
    return Guarantee(row.name, level, "", reason, row.remedy, row.required)


def _weak(mode: Mode, cgroups: Cgroups) -> dict[str, str]:
    """Return the guarantees that hold with a restriction, each with the reason."""
    reasons = {}
    if mode == "userns":
        reasons["own-uid"] = (
            "all bots share this user's uid, and the limits that the kernel counts per user: "
            "partners can communicate by one of them (upcard doctor --channels)"
        )
    if cgroups.kind == "none":
        polled = f"there is no control group ({cgroups.reason}), so it is polled every 20 ms: "
        reasons["memory"] = (
            f"{polled}for a moment a bot can have about 100 MiB too much on each core, and more in "
            "mappings and epolls"
        )
        reasons["cpu"] = (
            f"{polled}what a process for which nobody waits uses after the last poll is not counted"
        )
    return reasons


def _memory(cgroups: Cgroups) -> str:
    if cgroups.kind == "none":
        return "a limit of each process; polling by the referee"
    return f"a control group ({cgroups.kind})"


def _cpu(cgroups: Cgroups) -> str:
    if cgroups.kind == "none":
        return "polling of all processes by the referee"
    return f"a control group ({cgroups.kind})"


def _too_few(cores: int, seats: int) -> list[str]:
    return [] if cores >= seats else [f"{seats} bots share {cores} cores, and slow each other down"]


def _version() -> str:
    command = [bubblewrap() or "bwrap", "--version"]
    done = subprocess.run(  # noqa: S603 (no shell)
        command, env=CLEAN_ENVIRONMENT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
