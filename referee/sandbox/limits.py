"""How much of the machine one bot may use."""

from typing import Final, NamedTuple

MIB: Final = 1 << 20
KIB: Final = 1 << 10


class SandboxLimits(NamedTuple):
    """The limits of one sandbox."""

    memory_mib: int = 512
    """All memory of all its processes, scratch space and shared memory included."""
    processes: int = 64
    """Threads count."""
    open_files: int = 256
    """In each process."""
    scratch_mib: int = 64
    """Space below /tmp."""
    file_mib: int = 64
    """The longest file."""
    output_kib: int = 1024
    """How much of what it writes to stdout and stderr is kept from the beginning."""
    cpu_seconds: int = 86400
    """CPU time of all its processes together; a backstop, not a clock of the game."""
