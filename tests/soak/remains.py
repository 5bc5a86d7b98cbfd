"""Looks for what a league left lying about, of all that it makes while it is played."""

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tests.soak.scene import Scene

_HIERARCHY = Path("/sys/fs/cgroup")
_DEEP = 6


def remains(
    scene: Scene,
    pids: Collection[int],
    before: Collection[Path] = (),
    hierarchy: Path = _HIERARCHY,
) -> list[str]:
    """Return what is left of a league that is over.

    Args:
        scene: where it was played.
        pids: the processes that took part.
        before: the control groups there were before, by older processes of perhaps the same number.
        hierarchy: where control groups are.
    """
    kept = {scene.store, scene.files}
    beside = {*scene.place.iterdir()} - kept
    return [
        *(f"{path} lies beside the store" for path in sorted(beside)),
        *(f"{path} was not removed" for path in sorted(scene.loose.iterdir())),
        *(f"a socket: {line}" for line in _lines("/proc/net/unix", scene.place)),
        *(f"a mount: {line}" for line in _lines("/proc/self/mountinfo", scene.place)),
        *(f"a control group: {path}" for path in _dead(groups(hierarchy), pids, before)),
    ]


def _lines(file: str, place: Path) -> Iterator[str]:
    return (line for line in Path(file).read_text().splitlines() if str(place) in line)


def _dead(found: Iterable[Path], pids: Collection[int], before: Collection[Path]) -> Iterator[Path]:
    """Find the groups of processes that are gone.

    Where its number is used again, the group is that other's: all of ours are gone.
    """
    for path in found:
        pid = path.name.split("-")[1]
        if int(pid) in pids and path not in before and not Path("/proc", pid).exists():
            yield path


def groups(hierarchy: Path = _HIERARCHY) -> Iterator[Path]:
    """Find all groups of sandboxes, which are named for the process that made them."""
    for here, below, _ in os.walk(hierarchy):
        path = Path(here)
        if path.name.startswith("upcard-") and path.name.split("-")[1].isdecimal():
            yield path
        if len(path.relative_to(hierarchy).parts) == _DEEP:
            below.clear()
