"""The digest that identifies a bot: SHA-256 over all that its directory holds.

It covers paths, kinds, execute permission, the targets of links, and all contents; not owners,
times or other permissions, which a copy need not preserve.
"""

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import ConfigError

MOST_FILES: Final = 10_000
MOST_BYTES: Final = 256 << 20
MOST_DEEP: Final = 64
"""Levels of directories."""
_LABEL: Final = b"upcard-bundle-v1"
_CHUNK: Final = 1 << 20


Excluded = Callable[[Path], bool]
"""Returns whether a path below the directory is no part of the bot."""
_KINDS: Final = {stat.S_IFREG: b"f", stat.S_IFDIR: b"d", stat.S_IFLNK: b"l"}
_PROGRAM: Final = b"x"
"""The kind of an executable file."""


class _Entry(NamedTuple):
    name: bytes
    """Its path below the bundle."""
    kind: bytes
    size: int


def bundle_digest(directory: Path) -> str:
    """Return the SHA-256 of a bundle, in hexadecimal.

    Raises:
        ConfigError: it cannot be read, is too large, or holds what a bundle must not.
    """
    digest = sha256(_LABEL)
    try:
        for entry in _entries(directory):
            content = _content(directory, entry)
            for part in (entry.kind, entry.name, content):
                digest.update(len(part).to_bytes(8) + part)
    except OSError as error:
        raise _unreadable(directory, error) from None
    return digest.hexdigest()


def refuse_unfit(directory: Path, excluded: Excluded = lambda _: False) -> None:
    """Check that a directory can be a bundle, without reading any file.

    Args:
        directory: the directory of the bot.
        excluded: what is no part of it.

    Raises:
        ConfigError: it cannot be listed, is too large, or holds what a bundle must not.
    """
    try:
        _entries(directory, excluded)
    except OSError as error:
        raise _unreadable(directory, error) from None


def _unreadable(directory: Path, error: OSError) -> ConfigError:
    return ConfigError(f"{directory}: the bundle cannot be read: {error.strerror}")


def _entries(directory: Path, excluded: Excluded = lambda _: False) -> list[_Entry]:
    """Return all entries, in the order of the paths' bytes."""
    entries: list[_Entry] = []
    size = 0
    for entry in _below(directory, excluded):
        entries.append(entry)
        size += entry.size
        if len(entries) > MOST_FILES:
            raise _too_large(directory, f"{MOST_FILES} files", entries, lambda _: 1)
        if size > MOST_BYTES:
            limit = f"{MOST_BYTES >> 20} MiB"
            raise _too_large(directory, limit, entries, lambda entry: entry.size)
    return sorted(entries)


def _too_large(
    directory: Path, limit: str, entries: list[_Entry], cost: Callable[[_Entry], int]
) -> ConfigError:
    """Return a refusal that names what takes the most of those that were counted so far."""
    costs = Counter[bytes]()
    for entry in entries:
        costs[entry.name.partition(b"/")[0]] += cost(entry)
    ((top, _),) = costs.most_common(1)
    most = f"most of it is in {os.fsdecode(top)!r}"
    largest = max(entries, key=lambda entry: entry.size)
    if largest.size > MOST_BYTES // 10:
        most += f"; {os.fsdecode(largest.name)!r} alone has {largest.size >> 20} MiB"
    return ConfigError(
        f"{directory}: a bundle holds at most {limit}; {most}; take out what does not play"
    )


def _below(directory: Path, excluded: Excluded) -> Iterator[_Entry]:
    pending = [Path()]
    while pending:
        parent = pending.pop()
        with os.scandir(directory / parent) as found:
            for one in found:
                path = parent / one.name
                if excluded(path):
                    continue
                status = one.stat(follow_symlinks=False)
                kind = _KINDS.get(stat.S_IFMT(status.st_mode))
                if len(path.parts) > MOST_DEEP:
                    raise _refused(directory, Path(*path.parts[:3]), f"is over {MOST_DEEP} deep")
                if kind is None:
                    raise _refused(directory, path, "is no file, directory or link")
                if kind == b"d":
                    pending.append(path)
                executable = kind == b"f" and status.st_mode & stat.S_IXUSR
                size = status.st_size if kind == b"f" else 0
                yield _Entry(os.fsencode(path), _PROGRAM if executable else kind, size)


def _content(directory: Path, entry: _Entry) -> bytes:
    """Return the digest of a file, the target of a link, or nothing for a directory."""
    path = Path(os.fsdecode(entry.name))
    if entry.kind == b"d":
        return b""
    if entry.kind == b"l":
        return _target(directory, path)
    # It may have changed since it was listed.
    with open(directory / path, "rb", opener=_open) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _refused(directory, path, "changed while it was read")
        content = sha256()
        left = entry.size
        while chunk := file.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                break
            content.update(chunk)
    if left:
        raise _refused(directory, path, "changed while it was read")
    return content.digest()


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


def _target(directory: Path, path: Path) -> bytes:
    """Return the target of a link, which must be relative and in the bundle."""
    target = (directory / path).readlink()
    try:
        end = (directory / path).resolve(strict=True)
    except (OSError, RuntimeError):
        raise _refused(directory, path, "is a link that leads nowhere") from None
    if target.is_absolute() or not end.is_relative_to(directory.resolve()):
        raise _refused(directory, path, "is a link that leads out of the bundle")
    return os.fsencode(target)


def _refused(directory: Path, path: Path, why: str) -> ConfigError:
    return ConfigError(f"{directory}: {str(path)!r} {why}; take it out")
