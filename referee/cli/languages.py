"""`upcard languages`: lists the languages with an SDK, and what each still needs here."""

import sys
from typing import Annotated, Final, NamedTuple

import typer

from referee.bots.build_environment import is_ready
from referee.bots.building import prepare_builds
from referee.bots.manifest import runtime_for
from referee.bots.sdks import Sdk, sdks
from referee.cli import arguments
from referee.cli.build_options import run_build, show_build
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.errors import ConfigError, UpcardError
from referee.sandbox.runtimes import HOW_TO_GET, find_runtimes
from referee.text import plain

FAILED: Final = 1


class _Row(NamedTuple):
    language: str
    runtime: str
    builds: str
    """Whether bots can be built in it now."""
    missing: str
    """What it still needs, and how to get that."""


def languages(
    prepare: Annotated[
        bool,
        typer.Option(
            "--prepare",
            help="Fetch now what builds need, so that they need no network later.",
        ),
    ] = False,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
) -> None:
    """List the languages with an SDK, and what this machine still needs for each.

    A bot in any other language can play too: protocol.md of the documentation says how.
    """
    one_format(json, csv)
    failed = prepare and not _prepare()
    rows = [_row(sdk) for sdk in sdks()]
    if json:
        print_json([row._asdict() for row in rows])
    elif csv:
        print_csv(_Row._fields, rows)
    else:
        print_table("Languages", _Row._fields, rows)
    if failed:
        raise typer.Exit(FAILED)


def _prepare() -> bool:
    """Prepare every SDK that can be; return whether all of that worked."""
    failed = False
    for sdk in sdks():
        if not sdk.prepare or sdk.missing:
            continue
        try:
            run_build(prepare_builds(sdk, show_build), f"prepare {sdk.language}")
        except ConfigError:
            raise
        except UpcardError as error:
            print(f"upcard: {plain(str(error))}", file=sys.stderr)
            failed = True
    return not failed


def _row(sdk: Sdk) -> _Row:
    runtime = runtime_for(sdk.language)
    missing = [sdk.missing] if sdk.missing else []
    if runtime not in find_runtimes():
        missing.append(HOW_TO_GET[runtime])
    return _Row(sdk.language, runtime, _builds(sdk), "; ".join(missing))


def _builds(sdk: Sdk) -> str:
    if not sdk.prepare:
        return "not needed"
    if sdk.missing:
        return "not here"
    return "ready" if is_ready(sdk) else "ready after the first"
