"""The archives of submissions: files beside the database, each under the digest of its content.

Only the host's own user can read them, unlike the bundles of bots, which play as strangers.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.errors import FileError
from referee.files.own_directory import directory_beside
from referee.files.writing import sync

_RECEIVING: Final = ".receiving-"


def source_file(files: Path, digest: str) -> Path:
    """Return where the archive of a digest is kept."""
    return _directory(files) / digest


@contextmanager
def receiving(files: Path) -> Iterator[Path]:
    """Make a directory for what is received, on the same file system; it is removed at the end.

    Raises:
        FileError: it cannot be made.
    """
    parent = _directory(files)
    try:
        files.mkdir(exist_ok=True)
        parent.mkdir(mode=0o700, exist_ok=True)
        with directory_beside(parent, _RECEIVING) as own:
            yield own
    except OSError as error:
        raise FileError(f"cannot receive a submission: {error.strerror or error}") from None


def put_source(files: Path, digest: str, received: Path) -> None:
    """Keep an archive that was received; one of the same content that is there stays."""
    target = source_file(files, digest)
    if not target.exists():
        sync(received)
        received.replace(target)
        sync(target.parent)


def remove_sources(files: Path, digests: Iterable[str]) -> None:
    """Remove archives for good."""
    for digest in digests:
        source_file(files, digest).unlink(missing_ok=True)


def _directory(files: Path) -> Path:
    return files / "submissions"
