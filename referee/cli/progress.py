"""Shows on a terminal what is going on, on stderr, so that output stays clean."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def counting(doing: str, count: int) -> Iterator[Callable[[], None]]:
    """Show how many of so many things are done; what is given is called after each."""
    side = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=side, disable=not side.is_terminal, transient=True) as progress:
        task = progress.add_task(doing, total=count)
        yield lambda: progress.advance(task)


@contextmanager
def waiting(doing: str) -> Iterator[None]:
    """Show that something is going on."""
    side = Console(stderr=True)
    if not side.is_terminal:
        yield
        return
    with side.status(doing):
        yield
