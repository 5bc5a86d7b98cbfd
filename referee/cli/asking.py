"""Asks before a command does what cannot simply be taken back."""

import sys

import typer

from referee.errors import ConfigError


def ask(question: str) -> None:
    """Ask whether to go on, unless somebody said so with `--yes`.

    Raises:
        ConfigError: nobody is there to answer.
        typer.Abort: the answer was no, or there was none.
    """
    if not sys.stdin.isatty():
        raise ConfigError("this asks first, and nobody is there to answer; add --yes")
    typer.confirm(question, abort=True)
