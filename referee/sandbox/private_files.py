"""Makes each bot a copy of its own, in memory, of every file of the machine that it can read.

Two bots that can map the same file have channels: the kernel shows whether another process has a
page of it mapped, wakes who waits on a word of it, keeps it in the page cache once it was read,
and the processor's caches hold what was used last. So no two sandboxes have a file in common.
Copies are on a tmpfs, where no page has to be read from a disk first. Bots cannot write to a copy
of a runtime, so when one has ended the next may use it; a bot's own directory is copied at each
start.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from errno import ENOMEM, ENOSPC
from fnmatch import fnmatch
from itertools import count
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISLNK, S_ISREG
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.files.own_directory import directory_beside, remove, sweep
from referee.sandbox.command import Launch
from referee.sandbox.libraries import libraries_for, needed
from referee.sandbox.limits import KIB, MIB
from referee.sandbox.mounts import ALTERNATIVES, Mount, Runtime

NAME: Final = "private-files"
"""The guarantee that no two bots have a file in common."""
REMEDY: Final = "mount a larger tmpfs at /dev/shm (mount -o remount,exec,size=8G /dev/shm)"
_PREFIX: Final = "upcard-memory-"
_ETC: Final = "/etc"
_MOST_LIBRARIES: Final = 256 * MIB
_MOST_NAMES: Final = 10_000
_NO_NAMES: Final = frozenset[str]()
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class NoRoomError(ConfigError):
    """Each bot cannot have its own copy of its files."""

    def __init__(self, reason: str) -> None:
        """Store the reason."""
        super().__init__(f"{reason}; {REMEDY}, or let bots share their files: --accept-weak {NAME}")
        self.reason = reason


@contextmanager
def private_files() -> Iterator["PrivateFiles"]:
    """Make a directory for copies, and remove it at the end.

    Raises:
        NoRoomError: no usable tmpfs is mounted.
    """
    directories = [*filter(_is_usable, _candidates())]
    if not directories:
        raise NoRoomError("there is no writable tmpfs whose programs may be run for bots' files")
    with ExitStack() as closing:
        largest = max(directories, key=_free)
        try:
            directory = closing.enter_context(directory_beside(largest, _PREFIX))
        except OSError as error:
            raise NoRoomError(f"no directory can be made in {largest}: {error.strerror}") from None
        yield PrivateFiles(directory)


def sweep_private_files() -> None:
    """Remove the copies of processes that were killed."""
    for directory in _candidates():
        sweep(directory, _PREFIX)


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
    """Return how many bytes fit, in the file system and in the memory of the machine."""
    found = os.statvfs(directory)
    lines = Path("/proc/meminfo").read_text().splitlines()
    available = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    return min(found.f_bavail * found.f_frsize, available * KIB)


class PrivateFiles:
    """Copies of runtimes and of bots, each used by one sandbox at a time."""

    def __init__(self, directory: Path) -> None:
        """Make copies in a directory, which must be on a tmpfs."""
        self.directory = directory
        """The directory of all copies."""
        self._numbers = count()
        self._trees: dict[_Key, _Tree] = {}
        self._mount_points: dict[_Key, tuple[str, ...]] = {}
        self._unused: dict[_Key, list[Path]] = defaultdict(list)

    async def copy(self, launch: Launch, tools: Mapping[str, Path], closing: ExitStack) -> Launch:
        """Return a launch of copies, which no other has until the stack is closed.

        Args:
            launch: what to start.
            tools: the programs that are run inside before the bot.
            closing: closed when the bot has ended.

        Raises:
            NoRoomError: the copies do not fit.
            ConfigError: the bot's programs need more libraries than they may.
            OSError: a file cannot be copied.
        """
        # A bundle may have many files, and other bots may be playing.
        bundle, names = await asyncio.to_thread(_bundle, launch.bundle)
        key, tree = self._runtime(launch.runtime, tools, names)
        used = self._unused[key].pop() if self._unused[key] else await self._write(tree)
        closing.callback(self._unused[key].append, used)
        own = await self._write(bundle)
        closing.callback(remove, own)
        if key not in self._mount_points:
            self._mount_points[key] = tuple(_mount_points(tree))
        mounts = tuple(Mount(Path(f"{used}{place}"), place) for place in self._mount_points[key])
        links = tuple(filter(_is_below_root, launch.runtime.links))
        runtime = launch.runtime._replace(mounts=mounts, links=links)
        return launch._replace(runtime=runtime, bundle=own)

    def size(self, runtime: Runtime) -> int:
        """Return how many bytes a copy of a runtime takes."""
        return self._runtime(runtime, {}, _NO_NAMES)[1].size

    def refuse_too_large(self, size: int) -> None:
        """Refuse copies that do not fit.

        Raises:
            NoRoomError: so many bytes are not free.
        """
        free = _free(self.directory)
        if size > free:
            sizes = f"{size // MIB + 1} MiB are needed, and {free // MIB} MiB are free"
            where = self.directory.parent
            raise NoRoomError(f"bots' own copies of their files do not fit into {where}: {sizes}")

    def _runtime(
        self, runtime: Runtime, tools: Mapping[str, Path], names: frozenset[str]
    ) -> tuple["_Key", "_Tree"]:
        key = (runtime.mounts, tuple(tools.items()), names)
        if key not in self._trees:
            tree = _tree_of(runtime, tools, names)
            if names:
                _refuse_many_libraries(tree.size - self._runtime(runtime, tools, _NO_NAMES)[1].size)
            self._trees[key] = tree
        return key, self._trees[key]

    async def _write(self, tree: "_Tree") -> Path:
        if tree.size > _free(self.directory):
            self._remove_unused()
        self.refuse_too_large(tree.size)
        copy = self.directory / str(next(self._numbers))
        writing = asyncio.ensure_future(asyncio.to_thread(_write, tree, copy))
        try:
            await asyncio.shield(writing)
        except BaseException as error:
            await asyncio.wait([writing])  # if we are cancelled, the thread still writes
            remove(copy)
            if isinstance(error, OSError) and error.errno in (ENOSPC, ENOMEM):
                self.refuse_too_large(tree.size)
            raise
        return copy

    def _remove_unused(self) -> None:
        for copies in self._unused.values():
            while copies:
                remove(copies.pop())


def _refuse_many_libraries(size: int) -> None:
    if size > _MOST_LIBRARIES:
        raise ConfigError(
            f"programs in the bot's directory need {size // MIB} MiB of this machine's libraries, "
            f"and may need {_MOST_LIBRARIES // MIB} MiB; link them with fewer"
        )


class _File(NamedTuple):
    source: str
    size: int
    mode: int
    modified_ns: int


_Key = tuple[tuple[Mount, ...], tuple[tuple[str, Path], ...], frozenset[str]]
"""The mounts of a runtime, the tools, and the libraries that a bot's own programs need."""


class _Tree(NamedTuple):
    """What to copy, by the place of each inside."""

    directories: Mapping[str, int] = MappingProxyType({})
    """The permissions of each, parents first."""
    files: Mapping[str, _File] = MappingProxyType({})
    links: Mapping[str, str] = MappingProxyType({})

    @property
    def size(self) -> int:
        """The bytes that it takes, in whole pages and with one for what describes each file."""
        pages = sum(-(-each.size // _PAGE) for each in self.files.values())
        return (pages + len(self.files) + len(self.directories)) * _PAGE

    def programs(self) -> Iterator[Path]:
        """Yield the files that may need libraries."""
        for place, file in self.files.items():
            if file.mode & 0o111 or ".so" in place:
                yield Path(file.source)


def _bundle(directory: Path) -> tuple[_Tree, frozenset[str]]:
    """Return the files of a bot, and the names of the libraries that they need."""
    tree = _tree_below(Mount(directory, ""))
    names: list[str] = []
    for path in tree.programs():
        names += needed(path)
        if len(names) > _MOST_NAMES:
            raise ConfigError(
                f"programs in the bot's directory name more than {_MOST_NAMES} libraries; "
                "link them with fewer"
            )
    return tree, frozenset(names)


def _tree_of(runtime: Runtime, tools: Mapping[str, Path], names: frozenset[str]) -> _Tree:
    """Return all that a runtime mounts; of libraries, only those that its programs need."""
    libraries = [mount for mount in runtime.mounts if mount.has_libraries]
    others = [mount for mount in runtime.mounts if mount not in libraries]
    others += [Mount(path, f"/usr/bin/{name}") for name, path in tools.items()]
    # Links to libraries; each library is copied under the name by which it is needed.
    parts = [_tree_below(mount) for mount in others if mount.inside != ALTERNATIVES]
    programs = [path for part in parts for path in part.programs()]
    places = {mount.host: mount.inside for mount in libraries}
    parts += [
        _tree_below(Mount(path, f"{places[path.parent]}/{path.name}"))
        for path in libraries_for(programs, names, [*places])
    ]
    files = {place: file for part in parts for place, file in part.files.items()}
    links = {place: target for part in parts for place, target in part.links.items()}
    links |= {
        place: target for target, place in runtime.links if not _is_below_root((target, place))
    }
    known = {place: mode for part in parts for place, mode in part.directories.items()}
    parents = {
        str(path) for place in (*files, *links, *known) for path in PurePosixPath(place).parents
    }
    directories = {place: known.get(place, 0o755) for place in sorted({*parents, *known} - {"/"})}
    return _Tree({"": 0o755, **directories}, files, links)


def _is_below_root(link: tuple[str, str]) -> bool:
    return PurePosixPath(link[1]).parent == PurePosixPath("/")


def _mount_points(tree: _Tree) -> Iterator[str]:
    for place in (*tree.directories, *tree.files):
        # Other files of a sandbox are in /etc, which therefore is no mount of its own.
        below = place.removeprefix(_ETC)
        if below.count("/") == 1:
            yield place


def _tree_below(mount: Mount) -> _Tree:
    """Return a file, or a directory with what is in it; links are not followed."""
    if not mount.host.is_dir():
        resolved = mount.host.resolve()
        return _Tree(files={mount.inside: _file(str(resolved), resolved.stat())})
    directories = {mount.inside: _mode(mount.host.stat())}
    files: dict[str, _File] = {}
    links: dict[str, str] = {}
    unwanted = {f"{mount.inside}/{name}" for name in mount.hidden}
    waiting = [(str(mount.host), mount.inside)]
    for source, inside in waiting:
        with os.scandir(source) as entries:
            for entry in entries:
                place = f"{inside}/{entry.name}"
                if place in unwanted or any(fnmatch(entry.name, each) for each in mount.unneeded):
                    continue
                found = entry.stat(follow_symlinks=False)
                if S_ISLNK(found.st_mode):
                    links[place] = str(Path(entry.path).readlink())
                elif S_ISDIR(found.st_mode):
                    directories[place] = _mode(found)
                    waiting.append((entry.path, place))
                elif S_ISREG(found.st_mode):
                    files[place] = _file(entry.path, found)
    return _Tree(directories, files, links)


def _file(source: str, found: os.stat_result) -> _File:
    return _File(source, found.st_size, _mode(found), found.st_mtime_ns)


def _mode(found: os.stat_result) -> int:
    return found.st_mode & 0o777


def _write(tree: _Tree, copy: Path) -> None:
    for place in tree.directories:
        Path(f"{copy}{place}").mkdir(mode=0o700)
    for place, file in tree.files.items():
        _copy(file, f"{copy}{place}")
    for place, target in tree.links.items():
        Path(f"{copy}{place}").symlink_to(target)
    for place, mode in tree.directories.items():
        Path(f"{copy}{place}").chmod(mode)


def _copy(file: _File, target: str) -> None:
    source = os.open(file.source, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        copy = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            offset = 0
            while offset < file.size and (sent := os.sendfile(copy, source, offset, file.size)):
                offset += sent
            os.fchmod(copy, file.mode)
            # A module is compiled again if its time is another; nobody learns who read it when.
            os.utime(copy, ns=(0, file.modified_ns))
        finally:
            os.close(copy)
    finally:
        os.close(source)
