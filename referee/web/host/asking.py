"""Who asks for something, by the cookie of a browser or the token of a program."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from referee.hosting.roles import Scope, may
from referee.hosting.signing_in import session_of, token_of
from referee.store.database import Store
from referee.store.hosting_models import Account, By, Role, Session
from referee.text import storable
from referee.web.connections import network_of

COOKIE: Final = "__Host-upcard"
"""The cookie of a session; by its prefix it is of this host alone, and never sent in clear."""
_BEARER: Final = "bearer "
_LONGEST: Final = 200


class Who(NamedTuple):
    """Who asks."""

    account: Account | None = None
    """None for somebody who is not signed in."""
    session: Session | None = None
    """That her browser is signed in, if she came by one."""
    scopes: tuple[str, ...] | None = None
    """What her token may be used for, if she came by a program."""

    def may(self, role: Role | None, scope: Scope | None) -> bool:
        """Return whether she may do what takes a role, and of a token a scope."""
        if role is None:
            return True
        if self.account is None or not may(self.account, role):
            return False
        return self.scopes is None or scope in self.scopes


@dataclass(frozen=True)
class Asked:
    """What was asked, and by whom."""

    request: Request
    who: Who
    now: datetime
    form: Mapping[str, str] = field(default_factory=dict)
    upload: Path | None = None
    """The file that came with it, in a directory that is removed afterwards."""

    @property
    def account(self) -> Account:
        """Return the account that asks, where the route is for those alone who are signed in."""
        assert self.who.account
        return self.who.account

    @property
    def by(self) -> By:
        """Return who does what was asked, and when."""
        return By(self.who.account and self.who.account.id, self.now)

    @property
    def address(self) -> str:
        """Return the network that it comes from."""
        return network_of(self.request.client.host if self.request.client else "")

    def path(self, name: str) -> str:
        """Return a part of the address."""
        return storable(str(self.request.path_params[name]))

    def number(self, name: str) -> int:
        """Return a part of the address that is a number."""
        return int(self.request.path_params[name])


def find_who(store: Store, request: Request, now: datetime, until: datetime) -> Who:
    """Return who asks: by the token that is shown, else by the cookie."""
    shown = request.headers.get("authorization", "")
    if shown.lower().startswith(_BEARER):
        found = token_of(store, shown[len(_BEARER) :].strip()[:_LONGEST], now)
        return Who(found[1], scopes=found[0].scopes) if found else Who()
    secret = request.cookies.get(COOKIE, "")[:_LONGEST]
    session = session_of(store, secret, now, until) if secret else None
    return Who(session.account, session) if session else Who()


def set_cookie(response: Response, secret: str, seconds: int) -> None:
    """Set the cookie of a session."""
    response.set_cookie(
        COOKIE, secret, max_age=seconds, path="/", secure=True, httponly=True, samesite="lax"
    )


def clear_cookie(response: Response) -> None:
    """Delete the cookie of a session."""
    response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
