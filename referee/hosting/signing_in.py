"""Signs people in by their passwords, and programs by their tokens."""

from datetime import datetime
from typing import Final, NamedTuple

from limits import RateLimitItemPerMinute
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
from referee.store.database import Store
from referee.store.hosting_models import Account, By, Session, Token

_MINUTES: Final = 15
_OF_LOGIN: Final = RateLimitItemPerMinute(10, _MINUTES, namespace="login")
"""Wrong passwords for one login."""
_OF_ADDRESS: Final = RateLimitItemPerMinute(60, _MINUTES, namespace="address")
"""Wrong passwords from one address: a whole course may sit behind it."""


class SignInError(UpcardError):
    """Somebody cannot be signed in; it does not say what of it is wrong."""


class Try(NamedTuple):
    """What somebody signs in by."""

    login: str
    password: str
    address: str
    """Of the network that it comes from."""


class Throttle:
    """How often passwords may be tried."""

    def __init__(self) -> None:
        """Start with no failure."""
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def refuse(self, login: str, address: str) -> None:
        """Refuse one more try after too many failures.

        Raises:
            SignInError: there were too many.
        """
        for item, key in ((_OF_LOGIN, login), (_OF_ADDRESS, address)):
            if not self._limiter.test(item, key):
                raise SignInError(f"too many tries; try again in {_MINUTES} minutes")

    def failed(self, login: str, address: str) -> None:
        """Count a failure."""
        self._limiter.hit(_OF_LOGIN, login)
        self._limiter.hit(_OF_ADDRESS, address)


def account_by_password(store: Store, throttle: Throttle, tried: Try, now: datetime) -> Account:
    """Return the account of a login and its password.

    Raises:
        SignInError: they do not belong together, or were tried too often.
    """
    login, password, address = tried
    throttle.refuse(login, address)
    account = account_of_login(store, login)
    stored = account.password if account and account.is_active else None
    if not verify(stored, password):
        throttle.failed(login, address)
        raise SignInError("this login and this password do not belong together")
    assert account
    assert stored
    if is_outdated(stored):
        by = By(account.id, now)
        return change_account(store, account, {"password": rehashed(password)}, by)
    return account


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
