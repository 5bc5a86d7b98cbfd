"""What is going on, shown on stderr if that is a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def waiting(doing: str) -> Iterator[None]:
    """Show that something is being done, until the context ends."""
    side = Console(stderr=True)
    if not side.is_terminal:
        yield
        return
    with side.status(doing):
        yield
