"""Finds out which processes still run."""

from pathlib import Path


def runs(process: int) -> bool:
    """Return whether a process has not ended.

    One that has may still be listed until its parent has asked how, which for one that lost its
    parent is the first process of the machine.
    """
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
