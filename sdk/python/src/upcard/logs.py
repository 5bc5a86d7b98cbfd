"""Writes what a bot has to say to its author."""

import sys
from contextvars import ContextVar

from upcard.v1.referee_pb2 import Turn

deciding: ContextVar[Turn | None] = ContextVar("deciding", default=None)
"""The turn that is being decided."""


def log(*values: object) -> None:
    """Write values to stderr as `print` does, with the table and the turn they are about.

    `upcard try` shows the line, and it is kept with a fault.
    """
    turn = deciding.get()
    where = f"[table {turn.table_id}, turn {turn.turn_id}] " if turn else ""
    sys.stderr.write(f"{where}{' '.join(map(str, values))}\n")
    sys.stderr.flush()
