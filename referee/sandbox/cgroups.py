"""A control group for each sandbox: what counts its memory, processes and CPU time as a whole.

Version 2 serves where our own group is ours to divide, version 1 where we are root. Groups are
made below our own one, never at the top, where they would escape what we are ourselves held to.
Either is believed only after a process was moved into a trial group.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, NamedTuple

from referee.sandbox.group import VERSIONS, Group
from referee.sandbox.limits import SandboxLimits

_PREFIX: Final = "upcard-"
_REFEREE: Final = "upcard-referee"
_JOIN: Final = 'for procs; do echo $$ > "$procs" || exit 1; done'


Kind = Literal["v2", "v1", "none"]


class Cgroups(NamedTuple):
    """Where groups can be made on this machine, if they can."""

    kind: Kind
    reason: str
    """Why it is no better one."""
    parents: Mapping[str, Path]

    def create(self, name: str, limits: SandboxLimits) -> Group | None:
        """Make the group of a sandbox; none where there are none."""
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
        """Remove what dead referees left; where a bot of theirs still dies, the next may."""
        for parent in set(self.parents.values()):
            for left in parent.glob(f"{_PREFIX}[0-9]*-*"):
                if not Path("/proc", left.name.split("-")[1]).exists():
                    with suppress(OSError):
                        left.rmdir()


_Ready = Callable[[Mapping[str, Path]], Mapping[str, Path]]


def find(process: Path = Path("/proc/self")) -> Cgroups:
    """Find the best kind of groups that really works for us, and remove what dead referees left."""
    own = _own_groups(process)
    reasons: list[str] = []
    ways: tuple[tuple[Kind, _Ready], ...] = (("v2", _ready_v2), ("v1", _ready_v1))
    for kind, ready in ways:
        try:
            found = Cgroups(kind, "; ".join(reasons), ready(own))
            found.sweep()
            _try(found)
        except OSError as error:
            reasons.append(f"{kind}: {error.strerror or error}")
        else:
            return found
    return Cgroups("none", "; ".join(reasons), {})


def _ready_v2(own: Mapping[str, Path]) -> Mapping[str, Path]:
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


def _ready_v1(own: Mapping[str, Path]) -> Mapping[str, Path]:
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
        # A group that shares out its controllers has no process of its own: we step aside.
        aside = parent / _REFEREE
        aside.mkdir(exist_ok=True)
        (aside / "cgroup.procs").write_text(str(os.getpid()))
        try:
            shared.write_text(wanted)
        except OSError:
            (parent / "cgroup.procs").write_text(str(os.getpid()))
            with suppress(OSError):
                aside.rmdir()
            raise


def _try(found: Cgroups) -> None:
    group = found.create("trial", SandboxLimits())
    assert group is not None
    try:
        command = ["/bin/sh", "-c", _JOIN, "sh", *map(str, group.procs_files)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 (our own words)
    except subprocess.CalledProcessError as error:
        raise OSError("no process may be moved into a group of ours") from error
    finally:
        group.close()


def _own_groups(process: Path) -> dict[str, Path]:
    """Return our own directory for each controller of version 1, and of version 2 under no name."""
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
