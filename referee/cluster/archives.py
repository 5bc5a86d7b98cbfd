"""Bundles as one stream of bytes, in parts: that is how a machine that lacks a bot gets it."""

import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import Final

from referee.bots.digest import MOST_BYTES, MOST_FILES
from referee.errors import FileError

PART: Final = 4 << 20
"""Bytes of a part."""
LARGEST: Final = MOST_BYTES + 3072 * MOST_FILES + PART
"""Bytes of the largest archive: a file takes three blocks of 512 bytes besides, and a long name a
few more.
"""


def parts(bundle: Path) -> Iterator[bytes]:
    """Yield a bundle as an archive, in parts."""
    with TemporaryFile() as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(bundle.iterdir()):
                archive.add(path, path.name, filter=_plain)
        file.seek(0)
        while part := file.read(PART):
            yield part


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out whose a file was, and when."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def unpack(archive: Path, directory: Path) -> None:
    """Unpack an archive into a new directory, which everybody can read.

    Whether it is the bundle that was asked for is for its digest to say.

    Raises:
        FileError: it is damaged, or leads out of the directory.
    """
    directory.mkdir()
    try:
        with tarfile.open(archive, "r:") as found:
            for member in found:
                _extract(found, member, directory)
    except (tarfile.TarError, OSError, ValueError) as error:
        raise FileError(f"a bot arrived damaged: {error}") from None


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, directory: Path) -> None:
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{member.name!r} leads out of it")
    target = directory / path
    # No link may lead what follows it elsewhere; where links lead in the end, the digest refuses.
    if not target.parent.resolve().is_relative_to(directory.resolve()):
        raise ValueError(f"{member.name!r} leads out of it")
    if member.isdir():
        target.mkdir(mode=0o755)
    elif member.issym():
        target.symlink_to(member.linkname)
    elif member.isreg():
        content = archive.extractfile(member)
        assert content
        with target.open("xb") as out:
            while part := content.read(PART):
                out.write(part)
        target.chmod(0o755 if member.mode & 0o100 else 0o644)
    else:
        raise ValueError(f"{member.name!r} is no file, directory or link")
