"""`upcard languages`: in which languages bots can be written here, and what some still need."""

import sys
from typing import Annotated, Final, NamedTuple

import typer

from referee.bots.building import prepared
from referee.bots.manifest import runtime_for
from referee.bots.sdks import Sdk, sdks
from referee.bots.workbench import WorkFailed, is_ready
from referee.cli import arguments
from referee.cli.bundling import doing, show_log
from referee.cli.interrupts import run_until_stopped
from referee.cli.output import one_format, plain, print_csv, print_json, print_table
from referee.errors import ConfigError
from referee.sandbox.runtimes import HOW_TO_GET, find_runtimes

FAILED: Final = 1


class _Row(NamedTuple):
    language: str
    runtime: str
    builds: str
    """How far it is with building bots in it."""
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

    A bot in any other language can play too: docs/protocol.md tells how.
    """
    one_format(json, csv)
    if not sdks():
        raise ConfigError("the SDKs are in a clone of Upcard; run this from one")
    failed = prepare and not _prepared()
    rows = [_row(sdk) for sdk in sdks()]
    if json:
        print_json([row._asdict() for row in rows])
    elif csv:
        print_csv(_Row._fields, rows)
    else:
        print_table("Languages", _Row._fields, rows)
    if failed:
        raise typer.Exit(FAILED)


def _prepared() -> bool:
    """Make ready what can be; say whether all of that worked."""
    failed = False
    for sdk in sdks():
        if not sdk.warm or sdk.lacking:
            continue
        try:
            run_until_stopped(prepared(sdk, doing))
        except WorkFailed as error:
            show_log(error.log)
            failed = _tell(str(error))
        except OSError as error:
            failed = _tell(f"this machine could not prepare {sdk.language}: {error}")
    return not failed


def _tell(failure: str) -> bool:
    print(f"upcard: {plain(failure)}", file=sys.stderr)
    return True


def _row(sdk: Sdk) -> _Row:
    runtime = runtime_for(sdk.language)
    missing = [sdk.lacking] if sdk.lacking else []
    if runtime not in find_runtimes():
        missing.append(HOW_TO_GET[runtime])
    return _Row(sdk.language, runtime, _builds(sdk), "; ".join(missing))


def _builds(sdk: Sdk) -> str:
    if not sdk.warm:
        return "not needed"
    if sdk.lacking:
        return "not here"
    return "ready" if is_ready(sdk) else "ready after the first"
