"""Accounts, and what they sign in by: sessions, tokens, invitations."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Update, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee.errors import ConfigError
from referee.store.audit import append_audit, forget_in_audit
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import (
    Account,
    By,
    Invitation,
    NewAccount,
    NewInvitation,
    NewToken,
    Session,
    Token,
)
from referee.store.hosting_rows import ACCOUNT, INVITATION, SESSION, TOKEN
from referee.text import close_names

_ACCOUNT: Final = [ACCOUNT.c[field] for field in Account._fields]
_TOKEN: Final = [TOKEN.c[field] for field in Token._fields]
_INVITATION: Final = [INVITATION.c[field] for field in Invitation._fields]
_SEEN_EVERY: Final = timedelta(minutes=1)
"""When a session or a token was last used is written down no more often."""
ACCOUNT_DELETED: Final = "the account was deleted"
"""Why what an account had queued is not done."""


# Accounts


def add_account(
    store: Store, new: NewAccount, by: By, *, invitation: Invitation | None = None
) -> Account:
    """Add an account, and return it.

    Args:
        store: the store.
        new: what it begins with.
        by: who adds it.
        invitation: what is used up by that.

    Raises:
        ConfigError: there is an account of that login or identity, or the invitation was used.
    """
    try:
        with writing(store) as connection:
            row = {**new._asdict(), "created": by.at}
            inserted = connection.execute(insert(ACCOUNT), row).inserted_primary_key
            assert inserted
            if invitation is not None:
                _use(connection, invitation, by)
            append_audit(connection, by, "add account", new.login, {"role": new.role})
            return _account(connection, ACCOUNT.c.id == inserted[0], new.login)
    except IntegrityError:
        login = new.login
        raise ConfigError(f"there is an account {login} already; choose another login") from None


def accounts(store: Store) -> list[Account]:
    """Return all accounts, in the order of their logins."""
    with reading(store) as connection:
        found = connection.execute(select(*_ACCOUNT).order_by(ACCOUNT.c.login))
        return [exact(Account, row) for row in found]


def find_account(store: Store, login: str) -> Account:
    """Return the account of a login.

    Raises:
        ConfigError: there is none.
    """
    with reading(store) as connection:
        return _account(connection, ACCOUNT.c.login == login, login)


def account_of_login(store: Store, login: str) -> Account | None:
    """Return the account of a login, if there is one."""
    with reading(store) as connection:
        found = connection.execute(select(*_ACCOUNT).where(ACCOUNT.c.login == login)).one_or_none()
    return None if found is None else exact(Account, found)


def accounts_of_mail(store: Store, mail: str) -> list[Account]:
    """Return the accounts with an email address, however its letters are written."""
    this = func.lower(ACCOUNT.c.mail) == mail.lower()
    with reading(store) as connection:
        found = connection.execute(select(*_ACCOUNT).where(this).order_by(ACCOUNT.c.id))
        return [exact(Account, row) for row in found]


def account_of_identity(store: Store, issuer: str, subject: str) -> Account | None:
    """Return the account of an identity of OpenID Connect, if there is one."""
    this = (ACCOUNT.c.issuer == issuer) & (ACCOUNT.c.subject == subject)
    with reading(store) as connection:
        found = connection.execute(select(*_ACCOUNT).where(this)).one_or_none()
    return None if found is None else exact(Account, found)


def account_of_id(store: Store, number: int) -> Account:
    """Return an account by its id, which is there."""
    with reading(store) as connection:
        return _account(connection, ACCOUNT.c.id == number, f"number {number}")


def change_account(
    store: Store,
    account: Account,
    changes: Mapping[str, object],
    by: By,
) -> Account:
    """Change fields of an account, and return it; who may not sign in any more is signed out.

    Args:
        store: the store.
        account: the account.
        changes: new values by the names of fields.
        by: who changes it.
    """
    shown = {name: value for name, value in changes.items() if name not in _SECRET}
    said = {**shown, **{name: "changed" for name in changes if name in _SECRET}}
    details = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in said.items()
    }
    this = ACCOUNT.c.id == account.id
    with writing(store) as connection:
        connection.execute(update(ACCOUNT).where(this).values(dict(changes)))
        append_audit(connection, by, "change account", account.login, details)
        changed = _account(connection, this, account.login)
        if not changed.is_active or "password" in changes:
            connection.execute(delete(SESSION).where(SESSION.c.account == account.id))
        if not _SIGNS_IN_BY.isdisjoint(changes):
            connection.execute(_unused(by).where(INVITATION.c.account == account.id))
        if not changed.is_active:
            _revoke(connection, TOKEN.c.account == account.id, by)
        return changed


_SIGNS_IN_BY: Final = frozenset({"password", "subject"})
"""What a link would replace that was sent before it was chosen."""
_SECRET: Final = frozenset({"password", "mail", "issuer", "subject"})
"""What the audit log does not repeat."""


def forget_account(connection: Connection, account: Account, now: datetime) -> None:
    """Leave nothing of an account that tells who it was; what it did stays."""
    login = f"deleted-{account.id}"
    values = {
        "login": login,
        "name": f"deleted {account.id}",
        **dict.fromkeys(("mail", "group", "password", "issuer", "subject")),
        "deleted": now,
    }
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account.id).values(values))
    for table in (SESSION, TOKEN, INVITATION):
        connection.execute(delete(table).where(table.c.account == account.id))
    forget_in_audit(connection, account.login, login, _ABOUT_ACCOUNTS)


_ABOUT_ACCOUNTS: Final = (
    *("add account", "change account", "invite", "choose password"),
    *("sign in", "sign in failed", "sign out"),
)
"""What the audit log says of an account by its login."""


def lock_account(connection: Connection, number: int) -> None:
    """Wait until no other transaction counts what is an account's: quotas hold on a server, too."""
    connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.id == number).with_for_update())


def _account(connection: Connection, which: ColumnElement[bool], login: str) -> Account:
    found = connection.execute(select(*_ACCOUNT).where(which)).one_or_none()
    if found is None:
        known = connection.scalars(select(ACCOUNT.c.login).where(ACCOUNT.c.deleted.is_(None)))
        close = " or ".join(close_names(login[:80], [*known]))
        advice = f"did you mean {close}?" if close else "list them: upcard accounts list"
        raise ConfigError(f"there is no account {login[:80]!r}; {advice}")
    return exact(Account, found)


# Sessions


def open_session(
    store: Store, account: Account, digest: str, now: datetime, expires: datetime
) -> None:
    """Sign a browser in; sessions of anybody that have expired are removed."""
    row = {"digest": digest, "account": account.id, "created": now, "seen": now}
    with writing(store) as connection:
        connection.execute(delete(SESSION).where(SESSION.c.expires <= now))
        connection.execute(insert(SESSION), row | {"expires": expires})
        append_audit(connection, By(account.id, now), "sign in", account.login)


def find_session(store: Store, digest: str, now: datetime, expires: datetime) -> Session | None:
    """Return the session of a hash, if its account may sign in.

    Args:
        store: the store.
        digest: the hash of what the cookie holds.
        now: when it is used.
        expires: until when it goes on, as it is used now.
    """
    asked = (
        select(SESSION.c.digest, SESSION.c.seen, SESSION.c.expires, *_ACCOUNT)
        .join(ACCOUNT, ACCOUNT.c.id == SESSION.c.account)
        .where(SESSION.c.digest == digest, SESSION.c.expires > now)
    )
    with reading(store) as connection:
        found = connection.execute(asked).one_or_none()
    if found is None:
        return None
    _, seen, until, *columns = found
    account = exact(Account, columns)
    if not account.is_active:
        return None
    if now - seen >= _SEEN_EVERY:
        with writing(store, durable=False) as connection:
            this = update(SESSION).where(SESSION.c.digest == digest)
            connection.execute(this.values(seen=now, expires=expires))
        until = expires
    return Session(digest, account, seen, until)


def close_session(store: Store, session: Session, now: datetime) -> None:
    """Sign a browser out."""
    account = session.account
    with writing(store) as connection:
        if connection.execute(delete(SESSION).where(SESSION.c.digest == session.digest)).rowcount:
            append_audit(connection, By(account.id, now), "sign out", account.login)


# Tokens


def add_token(
    store: Store,
    account: Account,
    new: NewToken,
    now: datetime,
    admit: Callable[[int], None] = lambda _: None,
) -> Token:
    """Add a token, of which the store keeps the hash alone.

    Args:
        store: the store.
        account: whose it is.
        new: what it begins with.
        now: when that is.
        admit: is called in the transaction with how many of hers are good; raises an error if there
            may be no more.
    """
    row = {**new._asdict(), "scopes": [*new.scopes], "account": account.id, "created": now}
    with writing(store) as connection:
        lock_account(connection, account.id)
        own = _tokens(connection, TOKEN.c.account == account.id)
        admit(sum(each.is_valid(now) for each in own))
        inserted = connection.execute(insert(TOKEN), row).inserted_primary_key
        assert inserted
        append_audit(connection, By(account.id, now), "add token", f"token {inserted[0]}")
        (found,) = _tokens(connection, TOKEN.c.id == inserted[0])
        return found


def tokens(store: Store, account: Account) -> list[Token]:
    """Return the tokens of an account, the latest first."""
    with reading(store) as connection:
        return _tokens(connection, TOKEN.c.account == account.id)


def find_token(store: Store, digest: str, now: datetime) -> tuple[Token, Account] | None:
    """Return the token of a hash, and whose it is, if it may be used."""
    with reading(store) as connection:
        found = _tokens(connection, TOKEN.c.digest == digest)
        if not found or not found[0].is_valid(now):
            return None
        token = found[0]
        account = _account(connection, ACCOUNT.c.id == token.account, "of a token")
    if not account.is_active:
        return None
    if token.used is None or now - token.used >= _SEEN_EVERY:
        with writing(store, durable=False) as connection:
            connection.execute(update(TOKEN).where(TOKEN.c.id == token.id).values(used=now))
    return token, account


def revoke_token(store: Store, account: Account, number: int, now: datetime) -> None:
    """Revoke a token of an account.

    Raises:
        ConfigError: it has none of that number, or that is revoked.
    """
    this = (TOKEN.c.id == number) & (TOKEN.c.account == account.id)
    with writing(store) as connection:
        by = By(account.id, now)
        if not _revoke(connection, this, by):
            raise ConfigError(f"there is no token {number} to revoke")
        append_audit(connection, by, "revoke token", f"token {number}")


def _revoke(connection: Connection, which: ColumnElement[bool], by: By) -> int:
    these = update(TOKEN).where(which, TOKEN.c.revoked.is_(None))
    return connection.execute(these.values(revoked=by.at)).rowcount


def _tokens(connection: Connection, which: ColumnElement[bool]) -> list[Token]:
    asked = select(*_TOKEN).where(which).order_by(TOKEN.c.id.desc())
    return [_token(row) for row in connection.execute(asked)]


def _token(row: Row[Any]) -> Token:
    scopes = tuple(map(str, row.scopes))
    return exact(Token, (*row[:3], scopes, *row[4:]))


# Invitations


def add_invitation(store: Store, new: NewInvitation, subject: str, by: By) -> Invitation:
    """Add an invitation: to choose a password for an account, or to make a new one.

    Args:
        store: the store.
        new: what it begins with.
        subject: whom it is for, as the audit log has it.
        by: who invites.
    """
    with writing(store) as connection:
        row = {**new._asdict(), "created": by.at, "inviter": by.account}
        inserted = connection.execute(insert(INVITATION), row).inserted_primary_key
        assert inserted
        append_audit(connection, by, "invite", subject)
        found = _invitation(connection, inserted[0])
        assert found
        return found


def find_invitation(store: Store, number: int) -> Invitation | None:
    """Return an invitation, if there is one of that number."""
    with reading(store) as connection:
        return _invitation(connection, number)


def accept_invitation(
    store: Store, invitation: Invitation, account: Account, password: str, now: datetime
) -> Account:
    """Choose the password of the account that was invited, by its hash.

    Raises:
        ConfigError: the invitation was used.
    """
    this = ACCOUNT.c.id == account.id
    by = By(account.id, now)
    with writing(store) as connection:
        _use(connection, invitation, by)
        connection.execute(update(ACCOUNT).where(this).values(password=password))
        connection.execute(delete(SESSION).where(SESSION.c.account == account.id))
        append_audit(connection, by, "choose password", account.login)
        return _account(connection, this, account.login)


def _invitation(connection: Connection, number: int) -> Invitation | None:
    asked = select(*_INVITATION).where(INVITATION.c.id == number)
    found = connection.execute(asked).one_or_none()
    return None if found is None else exact(Invitation, found)


def _unused(by: By) -> Update:
    return update(INVITATION).where(INVITATION.c.used.is_(None)).values(used=by.at)


def _use(connection: Connection, invitation: Invitation, by: By) -> None:
    """Use an invitation up, and all others of its account: older links are of no use then."""
    unused = _unused(by)
    if not connection.execute(unused.where(INVITATION.c.id == invitation.id)).rowcount:
        raise ConfigError("this invitation was used; ask the organiser for another one")
    if invitation.account is not None:
        connection.execute(unused.where(INVITATION.c.account == invitation.account))
