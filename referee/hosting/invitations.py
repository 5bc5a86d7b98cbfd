"""Invites people: one by one, or all of a roster."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.hosting.credentials import Signer
from referee.hosting.passwords import hashed
from referee.hosting.roles import may, may_change
from referee.hosting.settings import HostSettings
from referee.store.accounts import (
    accept_invitation,
    account_of_id,
    account_of_login,
    add_account,
    add_invitation,
    change_account,
    find_invitation,
)
from referee.store.database import Store
from referee.store.hosting_models import (
    Account,
    By,
    Invitation,
    NewAccount,
    NewInvitation,
    Role,
)
from referee.text import plain

PATH: Final = "invitation"
"""Where invitations are used; the code follows after ``#``, which no server or log ever sees."""
_USE: Final = "invitation"
_LOGIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_MAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}")
_RESERVED: Final = re.compile(r"deleted-\d+")
_COLUMNS: Final = ("login", "name", "mail", "group")
_MOST_ROWS: Final = 10_000
_NAME: Final = 80


class Invited(NamedTuple):
    """An invitation, and the code that is sent to who is invited."""

    invitation: Invitation
    code: str
    account: Account | None

    @property
    def login(self) -> str:
        """Return the login of the account; an empty one if there is none yet."""
        return self.account.login if self.account else ""

    def link(self, url: str) -> str:
        """Return the link that is sent, to a host of some URL."""
        return f"{url.rstrip('/')}/{PATH}#{self.code}"


def written_login(text: str) -> str:
    """Return the login that somebody means, in any letters and with spaces around it."""
    return text.strip().lower()


def checked_login(text: str) -> str:
    """Return a login.

    Raises:
        ConfigError: it can be none.
    """
    if not _LOGIN.fullmatch(text) or _RESERVED.fullmatch(text):
        raise ConfigError(
            "a login is 1 to 40 small letters, digits, dots, dashes and underscores, the first a "
            f"letter or a digit; not {text[:60]!r}"
        )
    return text


def checked_name(text: str) -> str:
    """Return the name of an account, as everybody sees it.

    Raises:
        ConfigError: it can be none.
    """
    name = " ".join(text.split())
    if not 0 < len(name) <= _NAME or not name.isprintable():
        raise ConfigError(f"a name has 1 to {_NAME} printable characters; not {text[:60]!r}")
    return name


def checked_mail(text: str | None) -> str | None:
    """Return an email address, None if there is none.

    Raises:
        ConfigError: it is none.
    """
    if not text:
        return None
    if not _MAIL.fullmatch(text) or not text.isprintable():
        raise ConfigError(f"{text[:60]!r} is no email address")
    return text


def invite_account(
    store: Store, signer: Signer, account: Account, settings: HostSettings, by: By
) -> Invited:
    """Invite somebody to choose the password of an account, whether it has one or not."""
    new = NewInvitation(account.id, account.role, account.group, by.at + settings.invitation)
    made = add_invitation(store, new, account.login, by)
    return Invited(made, signer.signed(_USE, made.id), account)


def invite_new(  # noqa: PLR0913 (all that an invitation says)
    store: Store, signer: Signer, role: Role, group: str | None, settings: HostSettings, *, by: By
) -> Invited:
    """Invite somebody to make an account."""
    new = NewInvitation(None, role, group, by.at + settings.invitation)
    made = add_invitation(store, new, f"a new {role}", by)
    return Invited(made, signer.signed(_USE, made.id), None)


def invitation_of(store: Store, signer: Signer, code: str, by: By) -> Invited:
    """Return the invitation of a code.

    Raises:
        ConfigError: there is none, it was used, has expired, or was made by an account that may no
            longer invite.
    """
    number = signer.read(_USE, code.strip())
    found = find_invitation(store, number) if isinstance(number, int) else None
    if found is None or not found.is_valid(by.at):
        raise ConfigError(
            "this invitation is none, was used before, or has expired; ask the organiser for "
            "another one"
        )
    account = None if found.account is None else account_of_id(store, found.account)
    if not _is_allowed(store, found, account):
        raise ConfigError(
            "the organiser who made this invitation may not invite you any more; ask another one "
            "for a new invitation"
        )
    return Invited(found, code, account)


def _is_allowed(store: Store, found: Invitation, account: Account | None) -> bool:
    """Return whether who made an invitation may do so now: somebody may have changed her role."""
    if found.inviter is None:
        return True
    inviter = account_of_id(store, found.inviter)
    if account is not None:
        return may_change(inviter, account)
    return may(inviter, "organiser") and may(inviter, found.role)


def accept(store: Store, invited: Invited, chosen: NewAccount, password: str, by: By) -> Account:
    """Use an invitation up, and return the account.

    Args:
        store: the store.
        invited: the invitation.
        chosen: the login and the name of a new account; those of one that is there stay.
        password: what is signed in by from then on.
        by: who does it, and when.

    Raises:
        ConfigError: the login or the password cannot be chosen, or the invitation was used.
    """
    account, invitation = invited.account, invited.invitation
    if account is not None:
        secret = hashed(password, login=account.login)
        return accept_invitation(store, invitation, account, secret, by.at)
    new = checked_account(chosen._replace(role=invitation.role, group=invitation.group))
    secret = hashed(password, login=new.login)
    return add_account(store, new._replace(password=secret), by, invitation=invitation)


def checked_account(new: NewAccount) -> NewAccount:
    """Return what an account begins with.

    Raises:
        ConfigError: something in it cannot be.
    """
    return new._replace(
        login=checked_login(new.login),
        name=checked_name(new.name),
        mail=checked_mail(new.mail),
        group=checked_name(new.group) if new.group else None,
    )


# Rosters


def read_roster(text: str) -> list[NewAccount]:
    """Read a roster: CSV, the first line of which names the columns.

    Raises:
        ConfigError: a line is wrong; it is named.
    """
    lines = csv.DictReader(StringIO(text.removeprefix("\ufeff")), restkey="more")
    try:
        columns = [(name or "").strip().lower() for name in lines.fieldnames or ()]
        if "login" not in columns or not {*columns} <= {*_COLUMNS}:
            raise ConfigError(
                f"line 1: the columns of a roster are {', '.join(_COLUMNS)}, and only login is "
                f"needed; not {plain(', '.join(columns))[:80]!r}"
            )
        lines.fieldnames = columns
        return [*_roster(lines)]
    except csv.Error as error:
        raise ConfigError(f"line {lines.line_num}: {error}") from None


def _roster(lines: "csv.DictReader[str]") -> Iterator[NewAccount]:
    seen: set[str] = set()
    for row in lines:
        where = f"line {lines.line_num}"
        if len(seen) >= _MOST_ROWS:
            raise ConfigError(f"{where}: a roster has at most {_MOST_ROWS} lines")
        if "more" in row or None in row.values():
            raise ConfigError(f"{where}: has another number of columns than line 1")
        told = {name: value.strip() for name, value in row.items()}
        login = written_login(told["login"])
        new = NewAccount(
            login,
            told.get("name") or login,
            mail=told.get("mail") or None,
            group=told.get("group") or None,
        )
        if login in seen:
            raise ConfigError(f"{where}: {login!r} is there twice")
        seen.add(login)
        try:
            yield checked_account(new)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None


def invite_roster(
    store: Store,
    signer: Signer,
    roster: Iterable[NewAccount],
    settings: HostSettings,
    *,
    by: By,
) -> list[Invited]:
    """Make the accounts of a roster, and invite those by which nobody has signed in yet."""
    made = import_roster(store, roster, by)
    return [
        invite_account(store, signer, account, settings, by)
        for account in made
        if account.is_unused
    ]


def import_roster(store: Store, roster: Iterable[NewAccount], by: By) -> list[Account]:
    """Make the accounts of a roster; of those that are there, what it says is changed."""
    return [_imported(store, new, by) for new in roster]


def _imported(store: Store, new: NewAccount, by: By) -> Account:
    account = account_of_login(store, new.login)
    if account is None:
        return add_account(store, new, by)
    told = {"name": new.name, "mail": new.mail, "group": new.group}
    changes = {name: value for name, value in told.items() if value != getattr(account, name)}
    return change_account(store, account, changes, by) if changes else account
