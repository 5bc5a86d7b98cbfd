"""Copies of directories."""

import os
from collections.abc import Callable
from pathlib import Path
from shutil import copy2
from stat import S_IXUSR
from typing import NoReturn

from referee.files.writing import sync


def _none(_path: Path) -> bool:
    return False


def copy_tree(
    source: Path, copy: Path, left_out: Callable[[Path], bool] = _none, *, synced: bool = False
) -> None:
    """Copy a directory so that every user can read it; links are copied as links.

    Args:
        source: the directory.
        copy: where the copy goes, a directory that is new or empty.
        left_out: whether a path, relative to the source, is left out with all that is below it.
        synced: whether the copy is also written to disk.

    Raises:
        OSError: the first problem; nothing more is copied then.
    """
    copied = []
    for directory, below, names in os.walk(source, onerror=_stop):
        here = Path(directory).relative_to(source)
        below[:] = [name for name in below if not left_out(here / name)]
        (copy / here).mkdir(parents=True, exist_ok=True)
        copied.append(copy / here)
        for name in (*names, *below):
            path, target = source / here / name, copy / here / name
            if path.is_symlink():
                target.symlink_to(path.readlink())
            elif name not in below and not left_out(here / name):
                copied.append(Path(copy2(path, target)))
    for path in reversed(copied):
        may_run = path.is_dir() or path.stat().st_mode & S_IXUSR
        path.chmod(0o755 if may_run else 0o644)
        if synced:
            sync(path)


def _stop(error: OSError) -> NoReturn:
    raise error
