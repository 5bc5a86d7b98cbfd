"""Bundles as one stream of bytes, in parts: that is how a machine that lacks a bot gets it."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from referee.bots import archives
from referee.bots.archives import ArchiveLimits
from referee.bots.digest import MOST_BYTES, MOST_FILES
from referee.bots.packing import write_tar
from referee.errors import ConfigError, FileError

PART: Final = 4 << 20
"""Bytes of a part."""
LARGEST: Final = MOST_BYTES + 3072 * MOST_FILES + PART
"""Bytes of the largest archive: a file takes three blocks of 512 bytes besides, and a long name a
few more.
"""
_LIMITS: Final = ArchiveLimits(LARGEST, MOST_BYTES, MOST_FILES)


def parts(bundle: Path) -> Iterator[bytes]:
    """Yield a bundle as an archive, in parts."""
    with TemporaryFile() as file:
        write_tar(bundle, (path.relative_to(bundle) for path in sorted(bundle.rglob("*"))), file)
        file.seek(0)
        while part := file.read(PART):
            yield part


def unpack(archive: Path, directory: Path) -> None:
    """Unpack an archive into a new directory, which everybody can read.

    Whether it is the bundle that was asked for is for its digest to say.

    Raises:
        FileError: it is damaged, or leads out of the directory.
    """
    try:
        archives.unpack(archive, directory, _LIMITS)
    except ConfigError as error:
        raise FileError(f"a bot arrived damaged: {error}") from None
