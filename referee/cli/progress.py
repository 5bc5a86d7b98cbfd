"""What is going on, shown on stderr if that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def waiting(doing: str) -> Iterator[Callable[[str], None]]:
    """Show that something is being done, until the context ends; what is shown can be changed."""
    side = Console(stderr=True)
    if not side.is_terminal:
        yield lambda _: None
        return
    with side.status(doing) as status:
        yield status.update
