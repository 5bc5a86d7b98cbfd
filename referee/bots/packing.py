"""Packs bots: one file with what an author hands in, the same bytes for the same content."""

import gzip
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Final, NamedTuple

from pathspec import GitIgnoreSpec

from referee.bots.archives import ArchiveLimits
from referee.bots.copying import is_never_copied, is_no_source
from referee.bots.manifest import Manifest, read_manifest
from referee.errors import ConfigError
from referee.text import counted

IGNORED: Final = ".gitignore"
_LARGEST_NAMED: Final = 3


class Packed(NamedTuple):
    """A bot that was packed."""

    manifest: Manifest
    files: int
    size: int
    """Bytes of the archive."""


def pack(directory: Path, out: IO[bytes], limits: ArchiveLimits) -> Packed:
    """Write the archive of a bot.

    Raises:
        ConfigError: it has no manifest, cannot be read, or is larger than is accepted.
    """
    manifest = read_manifest(directory)
    paths = [*packed_paths(directory, manifest)]
    _refuse_too_large(directory, paths, limits)
    archive = BytesIO()
    try:
        with gzip.GzipFile("", "wb", fileobj=archive, mtime=0) as packed:
            write_tar(directory, paths, packed)
    except OSError as error:
        raise ConfigError(f"cannot read {error.filename or directory}: {error.strerror}") from None
    size = len(archive.getvalue())
    if size > limits.packed:
        raise ConfigError(
            f"{directory} has {_mib(size)} when it is packed; at most {_mib(limits.packed)} are "
            f"accepted; {_largest(directory, paths)}"
        )
    out.write(archive.getvalue())
    return Packed(manifest, len(paths), size)


def packed_paths(directory: Path, manifest: Manifest) -> Iterator[Path]:
    """Yield what of a directory is packed, as paths below it, each directory before what it has.

    That is what is copied to be built, or to play where nothing is built, without what Git ignores.
    What the manifest names as program or result is packed all the same.
    """
    left_out = is_no_source if manifest.build else is_never_copied
    named = () if manifest.build else tuple(map(Path, (*manifest.run[:1], *manifest.result)))
    ignored = _Ignored(directory)

    def below(here: Path) -> Iterator[Path]:
        for found in sorted((directory / here).iterdir()):
            path = here / found.name
            if left_out(path):
                continue
            is_directory = found.is_dir() and not found.is_symlink()
            if ignored(path, is_directory=is_directory) and not _is_named(path, named):
                continue
            yield path
            if is_directory:
                yield from below(path)

    try:
        yield from below(Path())
    except OSError as error:
        raise ConfigError(f"cannot read {error.filename}: {error.strerror}") from None


def _is_named(path: Path, named: Iterable[Path]) -> bool:
    """Return whether something is named, or leads to it, or is below it."""
    return any(path == each or path in each.parents or each in path.parents for each in named)


class _Ignored:
    """What Git ignores of a directory, by the files .gitignore in it and above it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory.resolve()
        self._specs: dict[Path, GitIgnoreSpec | None] = {}
        self._top = next(
            (each for each in (self._directory, *self._directory.parents) if _is_repository(each)),
            self._directory,
        )

    def __call__(self, path: Path, *, is_directory: bool) -> bool:
        whole, ignored = self._directory / path, False
        for above in reversed(whole.parents):
            if not above.is_relative_to(self._top):
                continue
            spec = self._spec(above)
            said = spec and spec.check_file(
                f"{whole.relative_to(above)}{'/' if is_directory else ''}"
            )
            if said and said.include is not None:
                ignored = said.include
        return ignored

    def _spec(self, directory: Path) -> GitIgnoreSpec | None:
        if directory not in self._specs:
            file = directory / IGNORED
            lines = file.read_text(errors="replace").splitlines() if file.is_file() else None
            self._specs[directory] = None if lines is None else GitIgnoreSpec.from_lines(lines)
        return self._specs[directory]


def _is_repository(directory: Path) -> bool:
    return (directory / ".git").exists()


def write_tar(directory: Path, paths: Iterable[Path], out: IO[bytes] | gzip.GzipFile) -> None:
    """Write a tar archive of some of a directory, without whose files they are, and of when."""
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in paths:
            archive.add(directory / path, str(path), recursive=False, filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def _refuse_too_large(directory: Path, paths: list[Path], limits: ArchiveLimits) -> None:
    if len(paths) > limits.files:
        tops = Counter(path.parts[0] for path in paths)
        ((top, count),) = tops.most_common(1)
        raise ConfigError(
            f"{directory} has {counted(len(paths), 'file')}; at most {limits.files} are accepted; "
            f"{count} of them are in {top!r}; leave out what does not play, as by {IGNORED}"
        )
    size = sum(_size(directory / path) for path in paths)
    if size > limits.unpacked:
        raise ConfigError(
            f"{directory} has {_mib(size)}; at most {_mib(limits.unpacked)} are accepted; "
            f"{_largest(directory, paths)}"
        )


def _largest(directory: Path, paths: list[Path]) -> str:
    """Return which files are the largest, and what to do."""
    largest = sorted(paths, key=lambda path: -_size(directory / path))[:_LARGEST_NAMED]
    named = ", ".join(f"{str(path)!r} ({_mib(_size(directory / path))})" for path in largest)
    return f"the largest are {named}; leave out what does not play, as by {IGNORED}"


def _size(path: Path) -> int:
    status = path.lstat()
    return 0 if path.is_dir() else status.st_size


def _mib(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB"
