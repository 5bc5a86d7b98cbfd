"""`upcard login`: signs in to a host."""

import sys
from socket import gethostname
from typing import Annotated

import typer

from referee.errors import ConfigError
from referee.hosting.client import (
    HostClient,
    Login,
    forget_login,
    keep_login,
    refuse_unencrypted,
)
from referee.text import plain


def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="The host: https://cards.example.org.")],
    login: Annotated[
        str | None,
        typer.Option(
            "--login",
            metavar="LOGIN",
            help="Sign in by this login and its password, for a new token; else a token is asked "
            "for, which the settings of your account make.",
        ),
    ] = None,
) -> None:
    """Sign in to a host; 'upcard submit' and the like use it from then on.

    What is asked for is read from the terminal without showing it, or from the input.
    """
    where = url.rstrip("/")
    refuse_unencrypted(where)
    if login is None:
        token = _secret(f"Token (make one at {plain(where)}/account/settings)")
    else:
        password = _secret(f"Password of {plain(login)}")
        token = HostClient(Login(where, "")).sign_in(login, password, gethostname()[:60])
    own = Login(where, token)
    found = HostClient(own).me()
    keep_login(own)
    print(f"signed in to {plain(where)} as {plain(str(found.get('login')))}")


def logout(
    url: Annotated[
        str | None, typer.Argument(metavar="URL", help="The host; all of them without one.")
    ] = None,
) -> None:
    """Forget the tokens of hosts on this machine; the settings of your account revoke them."""
    gone = forget_login(url.rstrip("/") if url else None)
    print(f"forgot {', '.join(map(plain, gone))}" if gone else "you were signed in to none")


def _secret(what: str) -> str:
    if sys.stdin.isatty():
        return str(typer.prompt(what, hide_input=True)).strip()
    line = sys.stdin.readline().strip()
    if not line:
        raise ConfigError(f"{what}: nothing came on the input")
    return line
