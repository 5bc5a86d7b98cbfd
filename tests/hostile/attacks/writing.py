"""Writes wherever it can beside its own scratch space, and looks for setuid programs."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import os
import stat
from pathlib import Path

from tests.hostile.attacks.verdict import BUNDLE, tell

MOST = 3000
SCRATCH = {"/tmp", "/dev/shm"}


def directories() -> list[str]:
    found = [str(BUNDLE), "/usr/bin"]
    for top, below, _ in os.walk("/"):
        # Our own processes may be written to; the machine's own trees are large.
        below[:] = [name for name in below if not name.isdigit() and len(found) < MOST]
        if top in SCRATCH:
            below.clear()
        else:
            found.append(top)
    return found


def made() -> list[str]:
    return [place for place in directories() if _came(Path(place, "made-by-a-bot"))]


def _came(path: Path) -> bool:
    try:
        path.write_text("was here")
        path.unlink()
    except OSError:
        return False
    return True


def changed() -> list[str]:
    files = (Path(top, name) for top in directories() for name in _names(top))
    return [str(file) for file in files if file.is_file() and _opened(file)]


def _names(directory: str) -> list[str]:
    try:
        return [file.name for file in Path(directory).iterdir()]
    except OSError:
        return []


def _opened(path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError:
        return False
    return True


def setuid() -> list[str]:
    files = (f"{top}/{name}" for top in directories() for name in _names(top))
    return [file for file in files if _is_setuid(file)]


def _is_setuid(file: str) -> bool:
    try:
        counts = not os.statvfs(file).f_flag & os.ST_NOSUID
        return bool(os.lstat(file).st_mode & stat.S_ISUID) and counts
    except OSError:  # it may be removed while it is looked at
        return False


tell(
    {
        "new file": made,
        "file of others": changed,
        "setuid program": setuid,
        "mode of the bundle": lambda: Path(__file__).chmod(0o600),
        "mode of the root": lambda: Path("/").chmod(0o755),
        "first to be killed no more": lambda: Path("/proc/self/oom_score_adj").write_text("0"),
        "name of the machine": lambda: Path("/proc/sys/kernel/hostname").write_text("bot"),
    }
)
