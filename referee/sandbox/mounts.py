"""What is mounted in a sandbox beside a bot's own directory: read-only trees at neutral places."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from referee.sandbox.limits import SandboxLimits


class Mount(NamedTuple):
    """A directory or file of the machine that is shown inside."""

    host: Path
    inside: str
    hidden: tuple[str, ...] = ()
    """Directories in it that are shown empty."""
    writable: bool = False


class Runtime(NamedTuple):
    """What bots of one kind need of the machine."""

    name: str
    mounts: tuple[Mount, ...]
    links: tuple[tuple[str, str], ...]
    """Symbolic links: where each leads, and where it stands."""
    environment: Mapping[str, str]
    program: tuple[str, ...]
    """What the runtime's name means in a bot's `run`: a path inside, and the arguments that come
    first, in which `{half}` is half the bot's memory in MiB. Empty if there is no such word."""
    version: str
    any_library: bool = False
    """Whether its bots may load any library of the machine; else those that its trees name."""

    def interpreter(self, word: str, limits: SandboxLimits) -> tuple[str, ...]:
        """Return what a word of a bot's `run` stands for; () if it names no interpreter."""
        if word != self.name:
            return ()
        return tuple(each.format(half=limits.memory_mib // 2) for each in self.program)

    def host_path(self, inside: PurePosixPath) -> Path | None:
        """Return what a path in the sandbox leads to on this machine; None if it is not mounted."""
        for target, place in self.links:
            if inside.is_relative_to(place):
                inside = PurePosixPath("/", target, inside.relative_to(place))
        mounts = (mount for mount in self.mounts if inside.is_relative_to(mount.inside))
        paths = (mount.host / inside.relative_to(mount.inside) for mount in mounts)
        return next((path for path in paths if path.exists()), None)
