"""`upcard accounts`: invites people to a host, and lists them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.asking import ask
from referee.cli.organiser import by_command
from referee.cli.output import print_csv, print_json, print_rows
from referee.cli.store_options import Db
from referee.errors import ConfigError
from referee.hosting.client import host_name
from referee.hosting.credentials import signer_of
from referee.hosting.invitations import (
    Invited,
    checked_account,
    invite_account,
    invite_new,
    invite_roster,
    read_roster,
    written_login,
)
from referee.hosting.own_data import delete_account
from referee.hosting.roles import role_of
from referee.hosting.settings import host_settings
from referee.store.accounts import (
    account_of_login,
    add_account,
    change_account,
    find_account,
)
from referee.store.accounts import accounts as all_accounts
from referee.store.hosting_models import Account, NewAccount
from referee.store.opening import DEFAULT, open_store

accounts = typer.Typer(help="Invite people to a host, and list them.", no_args_is_help=True)

_URL: Final = "http://127.0.0.1:8000"
_HEADER: Final = ("login", "name", "mail", "role", "group", "state", "created")


def _checked_url(url: str) -> str:
    host_name(url)
    return url


Url = Annotated[
    str,
    typer.Option(
        metavar="URL", callback=_checked_url, help="How people reach the host; links begin with it."
    ),
]
Login = Annotated[str, typer.Argument(metavar="LOGIN", help="The login of the account.")]


@accounts.command()
def invite(
    login: Annotated[
        str | None,
        typer.Argument(
            metavar="LOGIN", help="Whom; without one, who is invited chooses a login herself."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="As everybody sees it, else the login.")] = None,
    mail: Annotated[
        str | None, typer.Option(help="Her email address, by which a provider may know her.")
    ] = None,
    group: Annotated[str | None, typer.Option(help="Of a course.")] = None,
    role: Annotated[
        str | None, typer.Option(help="author, organiser or admin; author if not given.")
    ] = None,
    url: Url = _URL,
    db: Db = DEFAULT,
) -> None:
    """Invite somebody, and print the link that she chooses her password by.

    For a login that has an account, it is a link to choose another password.
    """
    with open_store(db, create=True) as store:
        by = by_command()
        signer, settings = signer_of(store), host_settings(store)
        chosen = role_of(role or "author")
        if login is None:
            made = invite_new(store, signer, chosen, group, settings, by=by)
        else:
            own = written_login(login)
            account = account_of_login(store, own)
            if account is None:
                new = checked_account(NewAccount(own, name or login, chosen, mail, group))
                account = add_account(store, new, by)
            else:
                told = {"name": name, "mail": mail, "group": group, "role": role}
                _refuse_changes(account, told)
            made = invite_account(store, signer, account, settings, by)
        _print_link(made, url)


def _refuse_changes(account: Account, told: Mapping[str, str | None]) -> None:
    """Refuse to invite the owner of an account as if it were another one."""
    for field, value in told.items():
        if value is not None and value != getattr(account, field):
            raise ConfigError(
                f"{account.login} has an account already, with another {field}; to change a role: "
                "upcard accounts role, all else: upcard accounts import"
            )


@accounts.command("import")
def import_(
    roster: Annotated[
        Path,
        typer.Argument(
            metavar="ROSTER",
            help="A CSV file, the first line of which names the columns: login, name, mail, group.",
        ),
    ],
    url: Url = _URL,
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Create the accounts of a roster, and print a link for each that nobody has used yet.

    Accounts that are there get the name, the address and the group of the roster.
    """
    try:
        text = roster.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"cannot read {roster}: {why}") from None
    try:
        new = read_roster(text)
    except ConfigError as error:
        raise ConfigError(f"{roster}: {error}") from None
    with open_store(db, create=True) as store:
        by = by_command()
        signer, settings = signer_of(store), host_settings(store)
        invited = invite_roster(store, signer, new, settings, by=by)
    links = [(made.login, made.link(url)) for made in invited]
    if json:
        print_json([{"login": login, "link": link} for login, link in links])
    else:
        print_csv(("login", "link"), links)


@accounts.command("list")
def list_accounts(
    json: arguments.AsJson = False, csv: arguments.AsCsv = False, db: Db = DEFAULT
) -> None:
    """List the accounts."""
    with open_store(db) as store:
        rows = [_row(each) for each in all_accounts(store)]
    print_rows("account", _HEADER, rows, json=json, csv=csv)


@accounts.command()
def disable(login: Login, db: Db = DEFAULT) -> None:
    """Disable an account: its owner cannot sign in; her bots play on."""
    _change(db, login, {"disabled": datetime.now(UTC)}, "is disabled")


@accounts.command()
def enable(login: Login, db: Db = DEFAULT) -> None:
    """Enable an account again."""
    _change(db, login, {"disabled": None}, "is enabled")


@accounts.command()
def role(
    login: Login,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="author, organiser or admin.")],
    db: Db = DEFAULT,
) -> None:
    """Change what somebody may do."""
    _change(db, login, {"role": role_of(role)}, f"is {role} from now on")


@accounts.command()
def delete(
    login: Login,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    db: Db = DEFAULT,
) -> None:
    """Delete an account: its name, what it handed in and its logs go, results stay."""
    with open_store(db) as store:
        account = find_account(store, written_login(login))
        if not yes:
            ask(f"Delete {account.login} for good?")
        delete_account(store, account, by_command())
    print(f"{account.login} is deleted")


def _change(db: str, login: str, changes: dict[str, object], said: str) -> None:
    with open_store(db) as store:
        account = find_account(store, written_login(login))
        change_account(store, account, changes, by_command())
    print(f"{account.login} {said}")


def _print_link(made: Invited, url: str) -> None:
    print(made.link(url))


def _row(account: Account) -> tuple[str, ...]:
    state = "invited" if account.is_unused else "active"
    if account.disabled:
        state = "disabled"
    if account.deleted:
        state = "deleted"
    return (
        account.login,
        account.name,
        account.mail or "",
        account.role,
        account.group or "",
        state,
        account.created.strftime("%Y-%m-%d %H:%M"),
    )
