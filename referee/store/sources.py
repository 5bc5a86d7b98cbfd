"""The archives of submissions: files beside the database, each under the digest of its content.

Only the host's own user can read them, unlike the bundles of bots, which play as strangers.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Final

from referee.errors import FileError
from referee.files.own_directory import directory_beside
from referee.files.writing import sync

_RECEIVING: Final = ".receiving-"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


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
        reason = error.strerror or error
        raise FileError(f"cannot keep a submission in {files}: {reason}") from None


def put_source(files: Path, digest: str, received: Path) -> None:
    """Keep an archive that was received; one of the same content that is there stays."""
    target = source_file(files, digest)
    if not target.exists():
        sync(received)
        received.replace(target)
        sync(target.parent)


def copy_source(files: Path, digest: str, target: Path) -> None:
    """Copy an archive to the files of another store.

    Raises:
        FileError: it is not there, though it should be, or cannot be copied.
    """
    # It names a file, so nothing else than a digest will do.
    archive = source_file(files, digest) if _DIGEST.fullmatch(digest) else None
    if archive is None or archive.is_symlink() or not archive.is_file():
        raise FileError(f"the archive of submission {digest[:12]} is missing in {files}")
    with receiving(target) as own:
        put_source(target, digest, copyfile(archive, own / "archive"))


def remove_sources(files: Path, digests: Iterable[str]) -> None:
    """Remove archives for good."""
    for digest in digests:
        source_file(files, digest).unlink(missing_ok=True)


def _directory(files: Path) -> Path:
    return files / "submissions"
