"""`upcard desk`: what an organiser does with submissions, announcements and settings."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.organiser import by_command
from referee.cli.output import print_rows
from referee.cli.store_options import Db
from referee.errors import ConfigError
from referee.hosting.invitations import written_login
from referee.hosting.organising import announcement_of, reason_of
from referee.hosting.settings import change_setting, host_settings
from referee.store import lifecycle
from referee.store.accounts import find_account
from referee.store.audit import announce as store_announcement
from referee.store.audit import announcements as all_announcements
from referee.store.audit import audit_log, withdraw_announcement
from referee.store.jobs import failed_jobs
from referee.store.jobs import queue as all_jobs
from referee.store.ladders import ladder as find_ladder
from referee.store.opening import DEFAULT, open_store
from referee.store.submissions import submission
from referee.store.submissions import submissions as all_submissions

desk = typer.Typer(
    help="Look after a host: submissions, queue, announcements, settings.", no_args_is_help=True
)

_SUBMISSIONS: Final = ("id", "login", "ladder", "name", "version", "state", "since", "reason")
_QUEUE: Final = ("what", "subject", "state", "created", "failures", "error")
_MOST_FAILED: Final = 20
"""Jobs that were given up, of which the latest are listed."""
_AUDIT: Final = ("id", "at", "actor", "action", "subject", "details")
Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The number of the submission.")]
Why = Annotated[str, typer.Option("--why", metavar="REASON", help="Its author is told.")]
Most = Annotated[int, typer.Option("--most", min=1, max=100_000, help="How many, at most.")]


@desk.command()
def submissions(
    ladder: Annotated[
        str | None, typer.Option(metavar="LADDER", help="Only those to this ladder.")
    ] = None,
    login: Annotated[
        str | None, typer.Option(metavar="LOGIN", help="Only those of this account.")
    ] = None,
    most: Most = 100,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """List who handed in what, the latest first."""
    with open_store(db) as store:
        on = None if ladder is None else find_ladder(store, ladder).id
        by = None if login is None else find_account(store, written_login(login)).id
        found = all_submissions(store, account=by, ladder=on, most=most)
    rows = [
        (
            *(each.id, each.login, each.ladder, each.name, each.version, each.state),
            *(_time(each.since), each.reason),
        )
        for each in found
    ]
    print_rows("submission", _SUBMISSIONS, rows, json=json, csv=csv)


@desk.command()
def queue(json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """List what is being done and what waits, in that order; then what was given up, and why."""
    with open_store(db) as store:
        rows = [
            (job.kind, job.subject, job.state, _time(job.created), job.attempts, job.error or "")
            for job in (*all_jobs(store), *failed_jobs(store, _MOST_FAILED))
        ]
    print_rows("job", _QUEUE, rows, json=json)


@desk.command()
def ban(number: Number, why: Why, db: Db = DEFAULT) -> None:
    """Ban a bot: it never plays again, and its duels count for nobody."""
    _change(db, number, "is banned", lifecycle.ban, reason_of(why))


@desk.command()
def suspend(number: Number, why: Why, db: Db = DEFAULT) -> None:
    """Suspend a bot: until that is lifted it does not play, and its duels count for nobody."""
    _change(db, number, "is suspended", lifecycle.suspend, reason_of(why))


@desk.command()
def lift(number: Number, db: Db = DEFAULT) -> None:
    """Lift a ban or a suspension: the bot rests, and its author may choose it again."""
    _change(db, number, "rests", lifecycle.lift)


@desk.command()
def examine(
    number: Annotated[
        int | None, typer.Argument(metavar="NUMBER", help="The number of the submission.")
    ] = None,
    latest: Annotated[
        str | None,
        typer.Option(metavar="LADDER", help="The last one of every author to this ladder."),
    ] = None,
    db: Db = DEFAULT,
) -> None:
    """Examine a submission again that was not accepted, or the last ones of everybody."""
    if (number is None) == (latest is None):
        raise ConfigError("name a submission, or the ladder with --latest LADDER")
    with open_store(db) as store:
        if number is not None:
            lifecycle.examine_once_more(store, submission(store, number), by_command())
            queued = [number]
        else:
            queued = lifecycle.examine_latest(store, find_ladder(store, latest or ""), by_command())
    print(f"queued: {', '.join(map(str, queued)) or 'none'}")


@desk.command()
def announce(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What everybody is told.")],
    db: Db = DEFAULT,
) -> None:
    """Show an announcement above every page."""
    with open_store(db) as store:
        number = store_announcement(store, announcement_of(text), None, by_command())
    print(f"announcement {number} is shown")


@desk.command()
def announcements(json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """List the announcements that are shown."""
    with open_store(db) as store:
        rows = [(each.id, _time(each.at), each.text) for each in all_announcements(store, _now())]
    print_rows("announcement", ("id", "at", "text"), rows, json=json)


@desk.command()
def withdraw(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Its number.")], db: Db = DEFAULT
) -> None:
    """Show an announcement no more."""
    with open_store(db) as store:
        withdraw_announcement(store, number, by_command())
    print(f"announcement {number} is withdrawn")


@desk.command()
def settings(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Which one to change.")] = None,
    value: Annotated[
        str | None, typer.Argument(metavar="VALUE", help="Its value; the default without one.")
    ] = None,
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Show the settings of the host, or change one."""
    with open_store(db, create=True) as store:
        if name is None:
            found = host_settings(store)
        else:
            found = change_setting(store, name, value or "", by_command())
    rows = [(name, value if json else _text(value)) for name, value in found._asdict().items()]
    print_rows("setting", ("name", "value"), rows, json=json)


@desk.command()
def audit(
    most: Most = 100,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """Show who did what, the latest first."""
    with open_store(db) as store:
        rows = [
            (
                *(number, _time(entry.at), entry.actor or "", entry.action, entry.subject),
                entry.details if json else " ".join(f"{k}={v}" for k, v in entry.details.items()),
            )
            for number, entry in audit_log(store, most)
        ]
    print_rows("event", _AUDIT, rows, json=json, csv=csv)


def _change(db: str, number: int, said: str, change: Callable[..., None], *reason: str) -> None:
    """Change the state of a submission, for a reason if one is needed."""
    with open_store(db) as store:
        found = submission(store, number)
        change(store, found, *reason, by_command())
    print(f"submission {number}, {found.name} {found.version}, {said}")


def _text(value: object) -> str:
    """Return the value of a setting as it is written."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def _time(at: datetime) -> str:
    return at.isoformat(sep=" ", timespec="seconds")


def _now() -> datetime:
    return datetime.now(UTC)
