"""Control groups, which count the memory, processes and CPU time of each sandbox as a whole.

Version 2 is used where we may divide our own group, version 1 where we are root. Groups are created
below our own, never at the top of the hierarchy, where they would escape the limits on ourselves.
Either version is used only after a process was moved into a trial group. An ordinary user with
neither asks the systemd manager of that user for a scope, a group in which we are alone.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final, Literal, NamedTuple

from referee.sandbox.group import VERSIONS, Group
from referee.sandbox.limits import SandboxLimits

_PREFIX: Final = "upcard-"
_REFEREE: Final = "upcard-referee"
_MANAGER: Final = "org.freedesktop.systemd1"
_START_UNIT: Final = (
    *("busctl", "--user", "call", _MANAGER, "/org/freedesktop/systemd1", f"{_MANAGER}.Manager"),
    *("StartTransientUnit", "ssa(sv)a(sa(sv))"),
)
_SCOPE_SECONDS: Final = 2.0
_JOIN: Final = 'for procs; do echo $$ > "$procs" || exit 1; done'


Kind = Literal["v2", "v1", "none"]


class Cgroups(NamedTuple):
    """The control groups of this machine."""

    kind: Kind
    reason: str
    """Why it is no better kind."""
    parents: Mapping[str, Path]

    def create(self, name: str, limits: SandboxLimits) -> Group | None:
        """Create the group of a sandbox; return None where there are no groups."""
        if self.kind == "none":
            return None
        name = f"{_PREFIX}{os.getpid()}-{name}"
        directories = {controller: parent / name for controller, parent in self.parents.items()}
        group = Group(VERSIONS[self.kind], directories)
        try:
            group.open(limits)
        except OSError:
            group.close()
            raise
        return group

    def sweep(self) -> None:
        """Remove the groups of referees that have ended; one in which a bot still ends stays."""
        for parent in set(self.parents.values()):
            for group in parent.glob(f"{_PREFIX}[0-9]*-*"):
                if not Path("/proc", group.name.split("-")[1]).exists():
                    with suppress(OSError):
                        group.rmdir()


_Prepare = Callable[[Mapping[str, Path]], Mapping[str, Path]]


def find(process: Path = Path("/proc/self")) -> Cgroups:
    """Return the best kind of groups that works, and sweep what earlier referees left.

    It may move this process into a scope of its own.
    """
    found = _find(process)
    if found.kind == "none" and _enter_scope(process):
        found = _find(process)
    return found


def _enter_scope(process: Path) -> bool:
    """Ask the user's systemd manager for a scope; return whether we are in another group now."""
    command = scope_command(os.getpid(), os.geteuid(), os.environ.get("XDG_RUNTIME_DIR"))
    if command is None or shutil.which(command[0]) is None:
        return False
    before, deadline = (process / "cgroup").read_text(), monotonic() + _SCOPE_SECONDS
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_SCOPE_SECONDS)  # noqa: S603 (no shell)
    except (OSError, subprocess.SubprocessError):
        return False
    # The manager answers before it has moved us.
    while monotonic() < deadline:
        if (process / "cgroup").read_text() != before:
            return True
        sleep(0.01)
    return False


def scope_command(process: int, uid: int, runtime: str | None) -> tuple[str, ...] | None:
    """Return the command that asks for a delegated scope; None if there is nobody to ask.

    Args:
        process: the process that is moved into it.
        uid: the user; for root nobody is asked, since version 1 or a delegated service works.
        runtime: the user's runtime directory, in which the manager has its socket.
    """
    if uid == 0 or not runtime or not Path(runtime, "systemd", "private").exists():
        return None
    properties = ("2", "PIDs", "au", "1", str(process), "Delegate", "b", "true")
    return (*_START_UNIT, f"upcard-{process}.scope", "fail", *properties, "0")


def _find(process: Path) -> Cgroups:
    own = _own_groups(process)
    reasons: list[str] = []
    candidates: tuple[tuple[Kind, _Prepare], ...] = (("v2", _prepare_v2), ("v1", _prepare_v1))
    for kind, prepare in candidates:
        try:
            found = Cgroups(kind, "; ".join(reasons), prepare(own))
            found.sweep()
            _try(found)
        except OSError as error:
            reasons.append(f"{kind}: {error.strerror or error}")
        else:
            return found
    return Cgroups("none", "; ".join(reasons), {})


def _prepare_v2(own: Mapping[str, Path]) -> Mapping[str, Path]:
    here = own.get("")
    if here is None:
        raise OSError("not mounted")
    parent = here.parent if here.name == _REFEREE else here
    offered = (parent / "cgroup.controllers").read_text().split()
    missing = [wanted for wanted in VERSIONS["v2"].controllers if wanted not in offered]
    if missing:
        raise OSError(f"our own group has no controller {', '.join(missing)}")
    _divide(parent)
    return dict.fromkeys(VERSIONS["v2"].controllers, parent)


def _prepare_v1(own: Mapping[str, Path]) -> Mapping[str, Path]:
    missing = [wanted for wanted in VERSIONS["v1"].controllers if wanted not in own]
    if missing:
        raise OSError(f"there is no controller {', '.join(missing)}")
    return {controller: own[controller] for controller in VERSIONS["v1"].controllers}


def _divide(parent: Path) -> None:
    shared = parent / "cgroup.subtree_control"
    wanted = " ".join(f"+{controller}" for controller in VERSIONS["v2"].controllers)
    try:
        shared.write_text(wanted)
    except OSError:
        # A group with controllers for its children must have no process: move to a child.
        child = parent / _REFEREE
        child.mkdir(exist_ok=True)
        (child / "cgroup.procs").write_text(str(os.getpid()))
        try:
            shared.write_text(wanted)
        except OSError:
            (parent / "cgroup.procs").write_text(str(os.getpid()))
            with suppress(OSError):
                child.rmdir()
            raise


def _try(found: Cgroups) -> None:
    group = found.create("trial", SandboxLimits())
    assert group is not None
    try:
        command = ["/bin/sh", "-c", _JOIN, "sh", *map(str, group.procs_files)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 (no shell)
    except subprocess.CalledProcessError as error:
        raise OSError("no process can be moved into one of our groups") from error
    finally:
        group.close()


def _own_groups(process: Path) -> dict[str, Path]:
    """Return our directory for each controller of version 1, and that of version 2 as `""`."""
    mounts = dict(_mounts((process / "mountinfo").read_text()))
    groups = {}
    for line in (process / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in mounts:
                root, mounted = mounts[controller]
                below = path.removeprefix(root.rstrip("/")).lstrip("/")
                groups[controller] = mounted / below
    return groups


def _mounts(mountinfo: str) -> Iterator[tuple[str, tuple[str, Path]]]:
    for line in mountinfo.splitlines():
        place, _, system = line.partition(" - ")
        root, mounted = (_unescaped(field) for field in place.split()[3:5])
        kind, _, options = system.split()[:3]
        if kind == "cgroup2":
            yield "", (root, Path(mounted))
        elif kind == "cgroup":
            for option in options.split(","):
                yield option, (root, Path(mounted))


def _unescaped(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), field)
