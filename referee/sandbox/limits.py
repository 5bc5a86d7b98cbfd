"""The limits of one sandbox."""

from typing import Final, NamedTuple

MIB: Final = 1 << 20
KIB: Final = 1 << 10


class SandboxLimits(NamedTuple):
    """How much of the machine one bot may use."""

    memory_mib: int = 512
    """Memory of all its processes, scratch space and shared memory included."""
    processes: int = 64
    """Processes and threads."""
    open_files: int = 256
    """Open files of each process."""
    scratch_mib: int = 64
    """Size of /tmp."""
    file_mib: int = 64
    """Size of a file."""
    output_kib: int = 1024
    """How much of its output is kept from the beginning."""
    cpu_seconds: float = 86400
    """CPU time of all its processes together; the clocks of the game are separate."""
