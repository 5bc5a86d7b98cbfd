"""Finds the account of an identity of OpenID Connect, or makes one where registration is open."""

import re
from collections.abc import Callable
from typing import Final

from referee.errors import ConfigError
from referee.hosting.invitations import checked_login, checked_mail, checked_name
from referee.hosting.openid import Identity, ProviderError
from referee.store.accounts import (
    account_of_identity,
    account_of_login,
    accounts_of_mail,
    add_account,
    change_account,
)
from referee.store.database import Store
from referee.store.hosting_models import Account, By, NewAccount

_OTHER: Final = re.compile(r"[^a-z0-9._-]+")
_LONGEST: Final = 36
_USUAL: Final = "player"


def account_by_identity(
    store: Store, identity: Identity, by: By, admit: Callable[[], None]
) -> Account:
    """Return the account of an identity.

    It is the one that was found by it before; else the one that was made for its verified email
    address, as by a roster, and was never used: who has a password goes on to sign in by that. It
    keeps the identity from then on.

    Args:
        store: the store.
        identity: who a provider says has signed in.
        by: who signs in, and when.
        admit: raises an error if no account may be made.

    Raises:
        ProviderError: it may not sign in.
    """
    found = account_of_identity(store, identity.issuer, identity.subject)
    if found is None:
        waiting = _waiting(store, identity)
        if waiting is not None:
            changes = {"issuer": identity.issuer, "subject": identity.subject}
            found = change_account(store, waiting, changes, by)
    if found is None:
        admit()
        found = _made(store, identity, by)
    if not found.is_active:
        raise ProviderError("this account is closed; ask the organiser")
    return found


def _waiting(store: Store, identity: Identity) -> Account | None:
    """Return the only account that was made for a mail and that nobody has used yet.

    Who uses an account chooses its mail, which may be that of somebody else.
    """
    if identity.mail is None:
        return None
    found = [each for each in accounts_of_mail(store, identity.mail) if each.is_active]
    unused = [each for each in found if each.is_unused]
    return unused[0] if len(unused) == 1 else None


def _made(store: Store, identity: Identity, by: By) -> Account:
    login = _free_login(store, identity)
    try:
        name = checked_name(identity.name)
    except ConfigError:
        name = login
    try:
        mail = checked_mail(identity.mail)
    except ConfigError:
        mail = None
    issuer, subject = identity.issuer, identity.subject
    return add_account(
        store, NewAccount(login, name, mail=mail, issuer=issuer, subject=subject), by
    )


def _free_login(store: Store, identity: Identity) -> str:
    """Return a login that nobody has, much like what somebody is called."""
    called = (identity.login or (identity.mail or "")).partition("@")[0].lower()
    try:
        wanted = checked_login(_OTHER.sub("-", called).strip("._-")[:_LONGEST])
    except ConfigError:
        wanted = _USUAL
    number, login = 1, wanted
    while account_of_login(store, login):
        number += 1
        login = f"{wanted}-{number}"
    return login
