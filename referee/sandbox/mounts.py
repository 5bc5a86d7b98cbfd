"""What is mounted in a sandbox besides the bot's own directory."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from referee.sandbox.limits import SandboxLimits

ALTERNATIVES: Final = "/etc/alternatives"
"""Where a distribution has links to one of several libraries."""


class Mount(NamedTuple):
    """A directory or file of the machine that is mounted inside."""

    host: Path
    inside: str
    hidden: tuple[str, ...] = ()
    """Directories below it that are mounted empty."""
    writable: bool = False
    has_libraries: bool = False
    """Whether it is a directory of libraries, of which a bot gets only copies of those it needs."""
    unneeded: tuple[str, ...] = ()
    """Patterns of the names of files and directories in it that no bot needs a copy of."""


class Runtime(NamedTuple):
    """What bots in one language need of the machine."""

    name: str
    mounts: tuple[Mount, ...]
    links: tuple[tuple[str, str], ...]
    """Symbolic links: the target and the path of each."""
    environment: Mapping[str, str]
    program: tuple[str, ...]
    """What the runtime's name stands for in `run`: a path inside and its first arguments, in which
    `{half}` is half the bot's memory in MiB. Empty if it has no interpreter."""
    version: str

    def interpreter(self, word: str, limits: SandboxLimits) -> tuple[str, ...]:
        """Return what a word of `run` stands for; empty if it is not the name of the runtime."""
        if word != self.name:
            return ()
        return tuple(each.format(half=limits.memory_mib // 2) for each in self.program)

    def host_path(self, inside: PurePosixPath) -> Path | None:
        """Return the path on this machine of a path inside; None if it is not mounted."""
        for target, place in self.links:
            if inside.is_relative_to(place):
                inside = PurePosixPath("/", target, inside.relative_to(place))
        mounts = (mount for mount in self.mounts if inside.is_relative_to(mount.inside))
        paths = (mount.host / inside.relative_to(mount.inside) for mount in mounts)
        return next((path for path in paths if path.exists()), None)
