"""Signs people in by their passwords, and programs by their tokens."""

from datetime import datetime
from typing import Final, NamedTuple

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from referee.errors import UpcardError
from referee.hosting.credentials import Credential, digest_of, new_credential
from referee.hosting.passwords import is_outdated, rehashed, verify
from referee.store.accounts import (
    account_of_login,
    change_account,
    find_session,
    find_token,
    open_session,
)
from referee.store.audit import append_audit
from referee.store.database import Store, writing
from referee.store.hosting_models import Account, By, Session, Token

_MINUTES: Final = 15
_OF_LOGIN: Final = RateLimitItemPerMinute(10, _MINUTES, namespace="login")
"""Wrong passwords for one login."""
_OF_ADDRESS: Final = RateLimitItemPerMinute(60, _MINUTES, namespace="address")
"""Wrong passwords from one address: a whole course may sit behind it."""


_NEW_ACCOUNTS: Final = RateLimitItemPerMinute(60, _MINUTES, namespace="new accounts")
"""Accounts that are made from one address."""
_LOGGED: Final = RateLimitItemPerMinute(100, _MINUTES, namespace="logged")
"""Failures of anybody that are written to the audit log."""
_CHANGES: Final = RateLimitItemPerMinute(300, _MINUTES, namespace="changes")
"""What an account changes, sessions and tokens that it begins among it: each leaves rows behind."""
_TOO_MANY: Final = f"too many tries; try again in {_MINUTES} minutes"


class SignInError(UpcardError):
    """Somebody cannot be signed in; it does not say what of it is wrong."""


class TooManyTriesError(SignInError):
    """Somebody has to wait before she tries once more."""


class Try(NamedTuple):
    """What somebody signs in by."""

    login: str
    password: str
    address: str
    """Of the network that it comes from."""


class Throttle:
    """How often passwords and codes may be tried, accounts made, and things changed."""

    def __init__(self) -> None:
        """Start with no failure."""
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def refuse(self, login: str | None, address: str) -> None:
        """Refuse one more try after too many failures: of a login, if it is about one.

        Raises:
            TooManyTriesError: there were too many.
        """
        if not all(self._limiter.test(item, key) for item, key in _counts(login, address)):
            raise TooManyTriesError(_TOO_MANY)

    def failed(self, login: str | None, address: str) -> None:
        """Count a failure: of a login, if it is about one."""
        for item, key in _counts(login, address):
            self._limiter.hit(item, key)

    def is_logged(self) -> bool:
        """Return whether one more failure is logged: strangers cannot fill the log with them."""
        return self._limiter.hit(_LOGGED)

    def count_account(self, address: str) -> None:
        """Count an account that is made.

        Raises:
            TooManyTriesError: too many were made from one address.
        """
        if not self._limiter.hit(_NEW_ACCOUNTS, address):
            raise TooManyTriesError(_TOO_MANY)

    def count_change(self, account: int) -> None:
        """Count something that an account changes.

        Raises:
            TooManyTriesError: it changed too much.
        """
        if not self._limiter.hit(_CHANGES, str(account)):
            raise TooManyTriesError(_TOO_MANY)


def _counts(login: str | None, address: str) -> list[tuple[RateLimitItem, str]]:
    """Return what a failure is counted by."""
    of_login = [] if login is None else [(_OF_LOGIN, login)]
    return [*of_login, (_OF_ADDRESS, address)]


def account_by_password(store: Store, throttle: Throttle, tried: Try, now: datetime) -> Account:
    """Return the account of a login and its password.

    Raises:
        SignInError: they do not belong together, or were tried too often.
    """
    account = account_of_login(store, tried.login)
    if not is_password(store, throttle, tried, account, now):
        raise SignInError("this login and this password do not belong together")
    assert account
    if account.password and is_outdated(account.password):
        by = By(account.id, now)
        return change_account(store, account, {"password": rehashed(tried.password)}, by)
    return account


def is_password(
    store: Store, throttle: Throttle, tried: Try, account: Account | None, now: datetime
) -> bool:
    """Return whether a password is that of an account; if not, it is counted and logged.

    Raises:
        TooManyTriesError: too many were tried.
    """
    throttle.refuse(tried.login, tried.address)
    stored = account.password if account and account.is_active else None
    if verify(stored, tried.password):
        return True
    throttle.failed(tried.login, tried.address)
    # A login that is nobody's may be a password, in the wrong field.
    subject = account.login if account else "no account"
    log_failure(store, throttle, subject, tried.address, now)
    return False


def log_failure(
    store: Store, throttle: Throttle, subject: str, address: str, now: datetime
) -> None:
    """Log that somebody was not signed in, unless there were too many already."""
    if throttle.is_logged():
        with writing(store, durable=False) as connection:
            details = {"from": address}
            append_audit(connection, By(None, now), "sign in failed", subject, details)


def begin_session(store: Store, account: Account, now: datetime, until: datetime) -> Credential:
    """Sign a browser in, and return what its cookie is to hold."""
    drawn = new_credential()
    open_session(store, account, drawn.digest, now, until)
    return drawn


def session_of(store: Store, secret: str, now: datetime, until: datetime) -> Session | None:
    """Return the session of a cookie, if there is one; it goes on for as long again."""
    return find_session(store, digest_of(secret), now, until)


def token_of(store: Store, secret: str, now: datetime) -> tuple[Token, Account] | None:
    """Return the token that a program shows, and whose it is, if it may be used."""
    return find_token(store, digest_of(secret), now)
