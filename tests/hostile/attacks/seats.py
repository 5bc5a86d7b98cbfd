"""Connects to another seat's socket, and takes over the path of its own."""

import os
import socket
import stat
from pathlib import Path

from tests.hostile.attacks.verdict import FACTS, tell

OWN = os.environ["UPCARD_ADDRESS"].removeprefix("unix:")


def connected(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as ours:
        ours.settimeout(1)
        ours.connect(path)
        return path


def found() -> str:
    """Look everywhere, first where there is one: a whole machine takes long."""
    tops = (Path(FACTS["other"]).parent, "/")
    places = (f"{at}/{name}" for top in tops for at, _, names in os.walk(top) for name in names)
    return next(place for place in places if place != OWN and _is_socket(place))


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.lstat(path).st_mode)
    except OSError:
        return False


def bound(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as ours:
        ours.bind(path)
        return path


with socket.socket(socket.AF_UNIX) as allowed:
    allowed.connect(OWN)
tell(
    {
        "other seat": lambda: connected(FACTS["other"]),
        "other seat beside ours": lambda: connected(f"{OWN}/../other.sock"),
        "other seat from the first process": lambda: connected(f"/proc/1/root{FACTS['other']}"),
        "any other socket": found,
        "own removed": lambda: Path(OWN).unlink(),
        "own replaced": lambda: bound(OWN),
        "own renamed": lambda: Path(OWN).rename(f"{OWN}.old"),
        "own opened to all": lambda: Path(OWN).chmod(0o666),
        "another beside it": lambda: bound(f"{OWN}.beside"),
    }
)
