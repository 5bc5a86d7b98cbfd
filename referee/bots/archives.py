"""Reads archives of bots, which strangers made: tar, tar.gz or zip, each as one directory.

Nothing is written but below that directory, and no more than the limits allow: what an archive says
of itself is never believed. Whether what was unpacked can be a bot is for its manifest and its
digest to say.
"""

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple

from referee.bots.manifest import MANIFEST
from referee.bots.tar_headers import TarHeaders
from referee.errors import ConfigError, FileError

_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK"
_PART: Final = 1 << 20
"""Bytes that are read at once, at most; no header of an honest archive has as many."""
_TAR: Final = slice(257, 262)
"""Where a tar file that is not packed says that it is one."""
_DEEP: Final = 64
_LONGEST: Final = 4096
"""Bytes of a path, and of the target of a link."""
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED: Final = 0x1
_DAMAGED: Final = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError),
    *(OSError, ValueError, LookupError, NotImplementedError, RecursionError),
)
"""What reading a damaged archive raises."""


class ArchiveLimits(NamedTuple):
    """How large an archive may be."""

    packed: int = 20 << 20
    """Bytes of the file."""
    unpacked: int = 100 << 20
    """Bytes of all that is in it."""
    files: int = 2000
    """Directories and links with them."""


class _Member(NamedTuple):
    """Something that an archive has."""

    name: str
    kind: str
    """``file``, ``directory``, ``link``, or what else it is."""
    executable: bool
    target: str
    """Where a link leads."""
    content: Callable[[], IO[bytes]]


def is_archive(file: Path) -> bool:
    """Return whether a file begins as the archives do that are read here.

    Raises:
        FileError: it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            begin = opened.read(_TAR.stop)
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}") from None
    return begin[:2] in {_ZIP, _GZIP} or begin[_TAR] == b"ustar"


def unpack(archive: Path, directory: Path, limits: ArchiveLimits) -> None:
    """Unpack an archive into a new directory, which everybody can read.

    Args:
        archive: the file.
        directory: where what is in it goes; it is made.
        limits: how large it may be.

    Raises:
        ConfigError: it is damaged, too large, or holds what a bot must not.
    """
    size = archive.stat().st_size
    if size > limits.packed:
        raise ConfigError(
            f"the archive has {_mib(size)}; at most {_mib(limits.packed)} are accepted"
        )
    directory.mkdir()
    unpacked = _Unpacked(directory, limits)
    try:
        with archive.open("rb") as file:
            for member in _members(file, limits):
                unpacked.add(member)
    except _Refused as refused:
        raise ConfigError(str(refused)) from None
    except _DAMAGED as error:
        raise ConfigError(f"the archive is damaged: {_reason(error)}") from None


def only_directory(directory: Path) -> Path:
    """Return where the manifest is: in the directory, or in the only one that is in it."""
    if (directory / MANIFEST).exists():
        return directory
    inside = [*directory.iterdir()]
    if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        return inside[0]
    return directory


class _Refused(Exception):
    """Why an archive is not unpacked."""


class _Unpacked:
    """What was unpacked so far."""

    def __init__(self, directory: Path, limits: ArchiveLimits) -> None:
        self._directory = directory
        self._limits = limits
        self._files = 0
        self._left = limits.unpacked

    def add(self, member: _Member) -> None:
        self._files += 1
        if self._files > self._limits.files:
            raise _Refused(f"the archive has more than {self._limits.files} files")
        path = _path(member.name)
        if not path.parts:
            return
        # No link is ever followed, so none leads what comes after it elsewhere. Where chains of
        # links lead in the end, the digest refuses.
        parent = self._directory_of(path.parent, member.name)
        target = parent / path.name
        if member.kind == "directory":
            self._directory_of(path, member.name)
        elif target.is_symlink() or target.exists():
            raise _Refused(f"{member.name!r} is in the archive twice")
        elif member.kind == "file":
            self._write(member, target)
        elif member.kind == "link":
            _refuse_leading_out(member, path)
            target.symlink_to(member.target)
        else:
            raise _Refused(f"{member.name!r} is {member.kind}; take it out")

    def _directory_of(self, path: PurePosixPath, name: str) -> Path:
        """Return a directory below ours, made if it is not there; none of it is a link."""
        here = self._directory
        for part in path.parts:
            here /= part
            if here.is_symlink() or (here.exists() and not here.is_dir()):
                raise _Refused(f"{name!r} is below something that is no directory")
            here.mkdir(mode=0o755, exist_ok=True)
            here.chmod(0o755)
        return here

    def _write(self, member: _Member, target: Path) -> None:
        with member.content() as content, target.open("xb") as out:
            while part := content.read(_PART):
                self._left -= len(part)
                if self._left < 0:
                    raise _Refused(
                        f"what is in the archive has more than {_mib(self._limits.unpacked)}; "
                        f"{member.name!r} is one file too many"
                    )
                out.write(part)
        target.chmod(0o755 if member.executable else 0o644)


def _path(name: str) -> PurePosixPath:
    """Return the path of a member, which is below the directory."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        raise _Refused(f"{name[:200]!r} leads out of the archive")
    if "\0" in name or len(name.encode(errors="surrogateescape")) > _LONGEST:
        raise _Refused("the archive has a path that is none, or too long")
    if len(path.parts) > _DEEP:
        raise _Refused(f"{name[:200]!r} is over {_DEEP} deep")
    return path


def _refuse_leading_out(member: _Member, path: PurePosixPath) -> None:
    """Refuse a link that leads out of the archive by what it says."""
    target = PurePosixPath(member.target)
    depth = len(path.parent.parts)
    for part in target.parts:
        depth += -1 if part == ".." else 1
        if depth < 0 or target.is_absolute():
            raise _Refused(f"{member.name!r} is a link that leads out of the archive")


def _members(file: IO[bytes], limits: ArchiveLimits) -> Iterator[_Member]:
    begin = file.read(2)
    file.seek(0)
    if begin == _ZIP:
        return _zip_members(_Bounded(file, limits.packed), limits)
    if begin == _GZIP:
        return _tar_members(_Bounded(gzip.GzipFile(fileobj=file), _most_bytes(limits)))
    return _tar_members(_Bounded(file, _most_bytes(limits)))


def _most_bytes(limits: ArchiveLimits) -> int:
    """Return the bytes of the largest archive: a file takes a header, and fills its last block."""
    return limits.unpacked + (limits.files + 2) * 3072 + 10240


class _Bounded(io.RawIOBase):
    """What an archive is read from: no header of it is large, and it ends in time."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile, most: int) -> None:
        self._file = file
        self._most = most
        self._headers: TarHeaders | None = None

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(_PART + 1 if size < 0 else min(size, _PART + 1))
        if len(found) > _PART:
            raise _Refused("the archive has a header that is too large")
        self._refuse_beyond(self._file.tell())
        if self._headers is not None:
            self._headers.read(found)
        return found

    @contextmanager
    def reading_headers(self) -> Iterator[None]:
        """Look at what is read, as long as the context lasts: the headers of one member."""
        self._headers = TarHeaders()
        yield
        self._headers = None

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == io.SEEK_SET:
            self._refuse_beyond(offset)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def _refuse_beyond(self, place: int) -> None:
        if place > self._most:
            raise _Refused("the archive is larger than it may be")


def _tar_members(file: _Bounded) -> Iterator[_Member]:
    with file.reading_headers():
        archive = tarfile.open(fileobj=file, mode="r:")  # noqa: SIM115 (the file is the caller's)
    while member := _next(archive, file):
        yield _Member(
            member.name,
            _tar_kind(member),
            bool(member.mode & stat.S_IXUSR),
            member.linkname,
            partial(_opened, archive, member),
        )
    while file.read(_PART):  # to its end, where a packed one has its sum
        pass


def _next(archive: tarfile.TarFile, file: _Bounded) -> tarfile.TarInfo | None:
    """Return the next member.

    The module would keep each of them, with a copy of what the archive says of all that follow.
    """
    with file.reading_headers():
        member = archive.next()
    archive.members = []  # type: ignore[attr-defined] # it is there, and does not begin with _
    archive.pax_headers = {}
    return member


def _tar_kind(member: tarfile.TarInfo) -> str:
    if member.isreg() and not member.issparse():
        return "file"
    if member.isdir():
        return "directory"
    if member.issym():
        return "link"
    return "a hard link" if member.islnk() else "no file, directory or link"


def _opened(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(member)
    assert content
    return content


def _zip_members(file: _Bounded, limits: ArchiveLimits) -> Iterator[_Member]:
    with zipfile.ZipFile(file) as archive:
        found = archive.infolist()
        if len(found) > limits.files:
            raise _Refused(f"the archive has more than {limits.files} files")
        for member in found:
            mode = member.external_attr >> 16
            if member.flag_bits & _ENCRYPTED:
                raise _Refused(f"{member.filename!r} is encrypted; take the password away")
            if member.compress_type not in _METHODS:
                raise _Refused(f"{member.filename!r} is packed in a way that is not read here")
            is_link = stat.S_ISLNK(mode)
            yield _Member(
                member.filename,
                "link" if is_link else "directory" if member.is_dir() else "file",
                bool(mode & stat.S_IXUSR),
                _link_target(archive, member) if is_link else "",
                partial(archive.open, member),
            )


def _link_target(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    with archive.open(member) as content:
        return content.read(_LONGEST).decode()


def _mib(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB" if size % (1 << 20) else f"{size >> 20} MiB"


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
