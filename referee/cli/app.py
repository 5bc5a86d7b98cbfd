"""Puts the commands together, and turns every error into one line and an exit code."""

import os
import signal
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from referee.cli.check import check
from referee.cli.convert import convert
from referee.cli.deal import deal
from referee.cli.demo import demo
from referee.cli.doctor import doctor
from referee.cli.fault import fault
from referee.cli.output import plain
from referee.cli.replay import replay
from referee.cli.simulate import simulate
from referee.cli.try_bot import duel, try_bot
from referee.errors import ConfigError, UpcardError

FAILED, USAGE = 1, 2

app = typer.Typer(
    help="A referee for bot competitions in Euchre and Whist.",
    epilog="Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 a bot was at fault, 130 interrupted.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command()(demo)
app.command("try")(try_bot)
for command in (duel, check, doctor, simulate, replay, convert, deal):
    app.command()(command)
app.add_typer(fault, name="fault")


def _show_version(asked: bool) -> None:
    if asked:
        print(f"upcard {version('upcard-referee')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
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


def run() -> int:
    """Run the command line, and give its exit code; asked to stop, leave nothing half done."""
    for asked_to_stop in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(asked_to_stop, signal.default_int_handler)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        # Typer itself ends quietly when the reader of a pipe has had enough.
        code = app(prog_name="upcard", standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
    except TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "upcard"
        message = error.format_message().rstrip(".")
        return _say(f"{command}: {message}; see '{command} --help'", error.exit_code)
    except UpcardError as error:
        return _say(f"upcard: {error}", USAGE if isinstance(error, ConfigError) else FAILED)
    except OSError as error:
        # Everything but the output has been seen to. What is left of it goes nowhere, so that
        # Python does not stumble over it once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _say(f"upcard: cannot write the results: {error.strerror}", FAILED)
    return code or 0


def _say(message: str, code: int) -> int:
    print(plain(" ".join(message.split())), file=sys.stderr)
    return code
