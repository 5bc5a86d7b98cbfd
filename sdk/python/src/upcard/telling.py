"""A word from a bot to its author."""

import sys
from contextvars import ContextVar

from upcard.v1.referee_pb2 import Turn

deciding: ContextVar[Turn | None] = ContextVar("deciding", default=None)
"""The turn that is being decided."""


def log(message: object) -> None:
    """Write a line to stderr, with the table and the turn that it is about.

    `upcard try` shows it, and it is kept with a fault.
    """
    turn = deciding.get()
    where = f"[table {turn.table_id}, turn {turn.turn_id}] " if turn else ""
    sys.stderr.write(f"{where}{message}\n")
    sys.stderr.flush()
