"""`upcard submit`: hands a bot in to a host."""

import sys
import time
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from referee.bots.archives import ArchiveLimits
from referee.bots.examples import find_bot
from referee.bots.packing import pack
from referee.cli import arguments
from referee.cli.called import command
from referee.cli.output import print_json
from referee.cli.progress import waiting
from referee.cli.submission_text import print_submission, state_text
from referee.errors import FileError
from referee.hosting.client import HostClient, current_login
from referee.text import plain

FAILED: Final = 1
DECIDED: Final = frozenset(
    {"rejected", "failed", "active", "resting", "suspended", "banned", "accepted"}
)
"""The states of a submission that is examined."""
_REFUSED: Final = frozenset({"rejected", "failed", "banned"})
_EVERY: Final = 2.0


def submit(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The bot: the directory of its bot.toml, or an archive of 'upcard pack'.",
        ),
    ],
    ladder: Annotated[
        str | None,
        typer.Option(metavar="LADDER", help="What to hand it in to, if there are several."),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait", help="Wait until it is examined; the exit code is 1 if it is not accepted."
        ),
    ] = False,
    json: arguments.AsJson = False,
) -> None:
    """Hand a bot in to the host that you are signed in to.

    The same content is the same submission. A version that plays goes on until the new one is
    accepted.
    """
    archive = _archive(bot)
    client = HostClient(current_login())
    with waiting("Handing it in"):
        found = client.submit(archive, ladder)
    if not json:
        again = "" if found.get("is_new") else " (the same content was handed in before)"
        print(f"submission {found['id']}: {state_text(found)}{again}", flush=True)
    if wait:
        found = _wait(client, found, quiet=json)
    if json:
        print_json(found)
    elif wait:
        print_submission(found)
    else:
        page = plain(str(found.get("page")))
        print(f"follow it at {page}, or: {command('submissions', 'show', found['id'])}")
    if found["state"] in _REFUSED:
        raise typer.Exit(FAILED)


def _archive(name: str) -> bytes:
    path = Path(name)
    if path.is_file():
        try:
            return path.read_bytes()
        except OSError as error:
            raise FileError(f"cannot read {path}: {error.strerror}") from None
    out = BytesIO()
    pack(find_bot(name), out, ArchiveLimits())
    return out.getvalue()


def _wait(client: HostClient, found: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    """Ask until a submission is examined, and show each state that it comes into."""
    number, said = found["id"], ""
    found = client.submission(number)
    while found["state"] not in DECIDED:
        if not quiet and (text := state_text(found)) != said:
            said = text
            print(f"submission {number}: {text}", file=sys.stderr, flush=True)
        time.sleep(_EVERY)
        try:
            found = client.submission(number)
        except FileError as error:  # a host that is restarted
            print(f"upcard: {error}; trying again", file=sys.stderr, flush=True)
    return found
