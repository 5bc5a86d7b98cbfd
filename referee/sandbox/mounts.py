"""What is mounted in a sandbox beside a bot's own directory: read-only trees at neutral places."""

from collections.abc import Mapping
from pathlib import Path
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
    trees: tuple[Mount, ...]
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
