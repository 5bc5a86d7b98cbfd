"""The app of all commands; every error becomes one line and an exit code."""

import gc
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated, Final

import typer
from typer.exceptions import TyperException

from referee.cli.called import as_called, called
from referee.cli.messages import use_format, write_error
from referee.errors import ConfigError, UpcardError
from referee.text import plain

FAILED, USAGE = 1, 2

_MODULES: Final[Mapping[str, tuple[str, str]]] = {
    "demo": ("demo", "demo"),
    "new": ("new", "new"),
    "try": ("try_", "try_"),
    "duel": ("duel", "duel"),
    "compare": ("compare", "compare"),
    "check": ("check", "check"),
    "pack": ("pack", "pack"),
    "login": ("login", "login"),
    "logout": ("login", "logout"),
    "submit": ("submit", "submit"),
    "submissions": ("submissions", "submissions"),
    "logs": ("submissions", "logs"),
    "bots": ("bots", "bots"),
    "league": ("league", "league"),
    "ratings": ("ratings", "ratings"),
    "crosstable": ("crosstable", "crosstable"),
    "clones": ("clones", "clones"),
    "duels": ("duels", "duels"),
    "replay": ("replay", "replay"),
    "serve": ("serve", "serve"),
    "host": ("host", "host"),
    "queue": ("queue", "queue"),
    "desk": ("desk", "desk"),
    "accounts": ("accounts", "accounts"),
    "ladder": ("ladder", "ladder"),
    "assignments": ("assignments", "assignments"),
    "grades": ("grades", "grades"),
    "scheduler": ("scheduler", "scheduler"),
    "worker": ("worker", "worker"),
    "fault": ("fault", "fault"),
    "store": ("store", "store"),
    "verify": ("verify", "verify"),
    "convert": ("convert", "convert"),
    "dataset": ("dataset", "dataset"),
    "games": ("games", "games"),
    "simulate": ("simulate", "simulate"),
    "deal": ("deal", "deal"),
    "doctor": ("doctor", "doctor"),
    "languages": ("languages", "languages"),
}
"""The module of each command and its name there, in the order of the help."""


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"upcard {version('upcard-referee')}")
        raise typer.Exit


def upcard(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Show the help when no command is named."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def build_app(words: Sequence[str]) -> typer.Typer:
    """Return the app for a command line; only the command that it names is imported.

    To import them all takes far longer than most commands.
    """
    app = typer.Typer(
        help="A referee for bot competitions in Euchre, Whist, and any card game described in "
        "RECYCLE.",
        epilog="Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 a bot was at fault, "
        "130 interrupted.",
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(upcard)
    named = [word for word in words[:1] if word in _MODULES]
    for name in named or ([] if "--version" in words else _MODULES):
        module, attribute = _MODULES[name]
        command = getattr(import_module(f"referee.cli.{module}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def run() -> int:
    """Run the command line and return its exit code; a signal to stop is an interrupt."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        # A signal that our parent ignores, as nohup does, stays ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        use_format()
        # Typer itself ends quietly when the reader of a pipe has had enough.
        app = build_app(sys.argv[1:])
        _freeze()
        gc.enable()
        code = app(prog_name=called(), standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
    except TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "upcard"
        message = error.format_message().rstrip(".")
        return _print_error(f"{command}: {message}; see '{command} --help'", error.exit_code)
    except typer.Abort:
        return _print_error("upcard: stopped at a question; nothing was changed", FAILED)
    except UpcardError as error:
        return _print_error(f"upcard: {error}", USAGE if isinstance(error, ConfigError) else FAILED)
    except OSError as error:
        # Only the output can fail here. The rest of it is dropped, or Python would fail once more
        # when it flushes on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _print_error(f"upcard: cannot write the results: {error.strerror}", FAILED)
    return code or 0


@cache
def _freeze() -> None:
    """Look for garbage no more among what is imported; once, where many commands run."""
    gc.freeze()


def _print_error(message: str, code: int) -> int:
    write_error(plain(as_called(" ".join(message.split()), _MODULES)))
    return code
