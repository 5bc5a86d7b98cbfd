"""`upcard submissions`: what was handed in to a host, and what became of it."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from referee.cli import arguments
from referee.cli.called import command
from referee.cli.new_file import write_new_file
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.submission_text import print_submission, state_text
from referee.hosting.client import HostClient, current_login
from referee.text import counted, plain

submissions = typer.Typer(help="What you handed in to a host, and what became of it.")

_HEADER: Final = ("id", "ladder", "name", "version", "state", "since", "reason")
Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The number of the submission.")]


@submissions.callback(invoke_without_command=True)
def list_submissions(
    context: typer.Context, json: arguments.AsJson = False, csv: arguments.AsCsv = False
) -> None:
    """List what you handed in, the latest first."""
    if context.invoked_subcommand is not None:
        return
    one_format(json, csv)
    found = _client().submissions()
    if json:
        print_json(found)
        return
    rows = [[_cell(each, name) for name in _HEADER] for each in found]
    if csv:
        print_csv(_HEADER, rows)
    else:
        print_table(counted(len(rows), "submission"), _HEADER, rows)


def _cell(found: dict[str, Any], name: str) -> str:
    return plain(str(found.get(name) or ""))[:120]


@submissions.command()
def show(number: Number, json: arguments.AsJson = False) -> None:
    """Show what became of a submission, with its report card."""
    found = _client().submission(number)
    if json:
        print_json(found)
        return
    print_submission(found)
    for event in found["events"]:
        by = f" by {event['actor']}" if event.get("actor") else ""
        print(plain(f"{event['at']}  {event['state']}{by}  {event['reason']}").rstrip())


@submissions.command()
def choose(number: Number) -> None:
    """Choose an earlier version to play in place of the one that does."""
    _change(number, "choose")


@submissions.command()
def rest(number: Number) -> None:
    """Take a bot out of play; its duels count."""
    _change(number, "rest")


def _change(number: int, what: str) -> None:
    found = _client().change(number, what)
    print(f"submission {number}: {state_text(found)}")


def logs(
    number: Number,
    fault: Annotated[
        int | None,
        typer.Option(min=1, help="Save this fault bundle, which the report card names."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where it goes.")] = None,
) -> None:
    """Show what the build of a submission wrote, or save a fault bundle of its examination."""
    client = _client()
    if fault is None:
        print("\n".join(map(plain, client.build_log(number).splitlines())))
        return
    path = out or Path(f"submission-{number}-fault-{fault}.json")
    write_new_file(path, client.fault(number, fault), "name another file with --out")
    print(f"{path}; rerun it: {command('fault', 'rerun', path, '--bot', 'DIR')}")


def _client() -> HostClient:
    return HostClient(current_login())
