"""Copies what bots run into memory, so that they cannot communicate through the page cache.

A page of a file on disk is in the page cache or not, and reading it brings it there: two bots that
see the same file have a channel. A file on a tmpfs has no such state.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.sandbox.command import Launch
from referee.sandbox.limits import MIB
from referee.sandbox.modes import CLEAN_ENVIRONMENT
from referee.sandbox.mounts import Mount, Runtime

_PREFIX: Final = "upcard-memory-"
_NEVER_RUN: Final = ("test", "tests", "idlelib", "ensurepip", "config-*", "*.a")
"""Parts of an interpreter that bots do not need."""
_LOADED_AT_RUN_TIME: Final = ("libgcc_s.so.1",)
"""Libraries that `ldd` does not list and some programs load."""


@contextmanager
def memory_directory() -> Iterator[Path]:
    """Make a directory on a tmpfs, and remove it at the end.

    Raises:
        ConfigError: no usable tmpfs is mounted.
    """
    largest = max(filter(_is_usable, _candidates()), key=_free, default=None)
    if largest is None:
        raise ConfigError(
            "no writable tmpfs whose programs may be run is mounted, which --strict needs; "
            "run mount -o remount,exec /dev/shm"
        )
    with own_directory(largest, _PREFIX) as directory:
        yield directory


def _candidates() -> Iterator[Path]:
    for path in ("/dev/shm", os.environ.get("XDG_RUNTIME_DIR"), "/run"):  # noqa: S108 (a directory of our own is made there)
        if path and os.access(path, os.W_OK):
            yield Path(path).resolve()


def _is_usable(directory: Path) -> bool:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    systems = {line.split()[4]: line.partition(" - ")[2].split()[0] for line in lines}
    mount = next(each for each in (directory, *directory.parents) if str(each) in systems)
    return systems[str(mount)] == "tmpfs" and not os.statvfs(directory).f_flag & os.ST_NOEXEC


def _free(directory: Path) -> int:
    found = os.statvfs(directory)
    return found.f_bavail * found.f_frsize


def stage(launch: Launch, directory: Path) -> Launch:
    """Copy what a bot runs, unless it is copied already, and return a launch of the copies.

    Raises:
        ConfigError: it does not fit.
    """
    bundle = directory / sha256(bytes(launch.bundle)).hexdigest()
    if not bundle.exists():
        _copy_all([_Copy(launch.bundle, bundle)], directory)
    return launch._replace(runtime=_staged_runtime(launch.runtime, directory), bundle=bundle)


def stage_tools(tools: Mapping[str, Path], directory: Path) -> Mapping[str, Path]:
    """Copy the programs that are run inside before the bot."""
    copies = {name: directory / name for name in tools}
    _copy_all([_Copy(tools[name], copies[name]) for name in tools], directory)
    return copies


def _staged_runtime(runtime: Runtime, directory: Path) -> Runtime:
    home = directory / f"runtime-{runtime.name}"
    mounts = tuple(
        Mount(home / str(number), mount.inside) for number, mount in enumerate(runtime.mounts)
    )
    if not home.exists():
        copies = [
            _Copy(mount.host, copy.host, mount.hidden)
            for mount, copy in zip(runtime.mounts, mounts, strict=True)
        ]
        libraries = copies[0]  # as in every runtime
        if not runtime.any_library:
            # An interpreter needs few of these; which ones a compiled bot needs is not known.
            wanted = _libraries([*copies[1:], *_tools_in(directory)], libraries.source)
            copies[0] = libraries._replace(only=wanted)
        home.mkdir()
        _copy_all(copies, directory)
    return runtime._replace(mounts=mounts)


def _is_program(file: Path) -> bool:
    return file.is_file() and os.access(file, os.X_OK)


def _tools_in(directory: Path) -> Iterator["_Copy"]:
    yield from (_Copy(file, file) for file in directory.iterdir() if file.is_file())


class _Copy(NamedTuple):
    source: Path
    target: Path
    hidden: tuple[str, ...] = ()
    only: frozenset[str] | None = None

    def files(self) -> Iterator[Path]:
        """Yield the paths to copy, relative to the source, directories first."""
        if not self.source.is_dir():
            yield Path()
            return
        for directory, below, names in os.walk(self.source):
            here = Path(directory).relative_to(self.source)
            links = [name for name in below if Path(directory, name).is_symlink()]
            below[:] = [name for name in below if name not in links and self._includes(here / name)]
            yield here
            yield from (here / name for name in (*names, *links) if self._includes(here / name))

    def _includes(self, relative: Path) -> bool:
        if self.only is not None:
            return str(relative) in self.only
        unneeded = self.hidden and any(fnmatch(relative.name, each) for each in _NEVER_RUN)
        return str(relative) not in self.hidden and not unneeded


def _copy_all(copies: Iterable[_Copy], directory: Path) -> None:
    plan = [(copy, file) for copy in copies for file in copy.files()]
    needed = sum((copy.source / file).lstat().st_size for copy, file in plan)
    if needed > _free(directory):
        sizes = f"{needed // MIB + 1} MiB, and {_free(directory) // MIB} MiB are free"
        raise ConfigError(f"bots do not fit into {directory.parent}: they need {sizes}; enlarge it")
    for copy, file in plan:
        _copy(copy.source / file, copy.target / file)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir() and not source.is_symlink():
        target.mkdir()
        shutil.copystat(source, target)
    else:
        shutil.copy2(source, target, follow_symlinks=False)


def _libraries(copies: Iterable[_Copy], directory: Path) -> frozenset[str]:
    """Return the names of the libraries in a directory that copied programs and modules load."""
    programs = [
        copy.source / file
        for copy in copies
        for file in copy.files()
        if ".so" in file.suffixes or _is_program(copy.source / file)
    ]
    command = ("ldd", *map(str, programs))
    output = subprocess.run(  # noqa: S603 (files of the runtime, which is trusted)
        command, env=CLEAN_ENVIRONMENT, capture_output=True, text=True, check=False
    ).stdout
    named = [Path(word) for word in output.split() if word.startswith("/") and ".so" in word]
    named += [directory / name for name in _LOADED_AT_RUN_TIME]
    found = [path for path in named if path.parent.resolve() == directory.resolve()]
    links = {path.name for path in found}
    return frozenset(links | {path.resolve().name for path in found})
