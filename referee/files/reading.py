"""Opens files that may be of a stranger."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from referee.errors import FileError


@contextmanager
def opened(path: Path, *, follow_links: bool = True) -> Iterator[BufferedReader]:
    """Open a file to be read, and nothing else: no directory, and no pipe that never ends.

    Raises:
        FileError: it cannot be read, or is no file.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        number = os.open(path, flags if follow_links else flags | os.O_NOFOLLOW)
        with open(number, "rb") as file:  # noqa: PTH123 # a number is no path
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise FileError(f"{path} is not a file")
            yield file
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
