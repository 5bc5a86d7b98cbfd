"""An author's own page: what she handed in, her tokens, her password, her data."""

from collections.abc import Iterator
from datetime import timedelta
from typing import IO, TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response, StreamingResponse

from referee.errors import ConfigError
from referee.hosting.credentials import TOKEN, new_credential
from referee.hosting.invitations import checked_mail, checked_name
from referee.hosting.own_data import delete_account, own_data
from referee.hosting.passwords import hashed
from referee.hosting.quotas import resets_at
from referee.hosting.roles import scope_of
from referee.hosting.signing_in import Try, is_password
from referee.store.accounts import add_token, change_account, revoke_token, tokens
from referee.store.assignments import assignments
from referee.store.hosting_models import Account, NewToken, Token
from referee.store.jobs import places
from referee.store.ladders import ladders
from referee.store.submissions import submissions, usage
from referee.web.host.asking import Asked, clear_cookie
from referee.web.host.forms import whole_number
from referee.web.host.routes import Route
from referee.web.host.signing import HOME, signed_in

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

_LONGEST_DAYS: Final = 400
_PART: Final = 1 << 16
"""Bytes of a file that are sent at once."""
_MOST_SHOWN: Final = 50
_MOST_TOKENS: Final = 20
"""Of an account that are good at a time."""


def account_page(host: "Host", asked: Asked) -> Response:
    """Show what somebody handed in, and the form to hand in more."""
    return _account_page(host, asked)


def _account_page(host: "Host", asked: Asked, status: int = 200, message: str = "") -> Response:
    me, quota = asked.account, host.settings().quota
    own = submissions(host.store, account=me.id, most=_MOST_SHOWN)
    used = {each.name: usage(host.store, me.id, each.id, asked.now) for each in ladders(host.store)}
    return host.page(
        asked,
        "account",
        status,
        submissions=own,
        places=places(host.store, "examine", [each.id for each in own]),
        ladders=[each for each in ladders(host.store) if each.state == "open"],
        quota=quota,
        used=used,
        resets={name: resets_at(quota, each) for name, each in used.items()},
        message=message,
        assignments=[each for each in assignments(host.store) if each.group in {None, me.group}],
        now=asked.now,
    )


def change_details(host: "Host", asked: Asked) -> Response:
    """Change the name and the email address."""
    told = {
        "name": checked_name(asked.form.get("name", "")),
        "mail": checked_mail(asked.form.get("mail", "").strip()),
    }
    changes = {name: value for name, value in told.items() if value != getattr(asked.account, name)}
    if changes:
        change_account(host.store, asked.account, changes, asked.by)
    return RedirectResponse("/account/settings", 303)


def settings_page(host: "Host", asked: Asked) -> Response:
    """Show what somebody may change of her account."""
    return host.page(asked, "settings", tokens=tokens(host.store, asked.account), token=None)


def change_password(host: "Host", asked: Asked) -> Response:
    """Change the password; all other browsers are signed out."""
    me, form = asked.account, asked.form
    tried = Try(me.login, form.get("old", ""), asked.address)
    if me.password is not None and not is_password(host.store, host.throttle, tried, me, asked.now):
        raise ConfigError("the password until now is another one")
    secret = hashed(form.get("password", ""), login=me.login)
    changed = change_account(host.store, me, {"password": secret}, asked.by)
    return signed_in(host, asked, changed, "/account/settings")


# Tokens


def make_token(host: "Host", asked: Asked) -> Response:
    """Make a token, and show it this once."""
    secret, _ = made_token(host, asked, asked.account)
    own = tokens(host.store, asked.account)
    return host.page(asked, "settings", tokens=own, token=secret)


def made_token(host: "Host", asked: Asked, account: Account) -> tuple[str, Token]:
    """Make a token of an account as a form asks for it, and return its text, too.

    Raises:
        ConfigError: it cannot be as it is asked for, or there are too many.
    """
    drawn = new_credential(TOKEN)
    new = _new_token(asked, drawn.digest)
    return drawn.secret, add_token(host.store, account, new, asked.now, _refuse_more_tokens)


def _refuse_more_tokens(good: int) -> None:
    if good >= _MOST_TOKENS:
        raise ConfigError(f"you have {_MOST_TOKENS} tokens; revoke one of them first")


def _new_token(asked: Asked, digest: str) -> NewToken:
    scopes = [scope_of(each) for each in asked.form.get("scopes", "submit").split()]
    days = whole_number(asked.form.get("days", "120"))
    if days is None or not 1 <= days <= _LONGEST_DAYS:
        raise ConfigError(f"a token is good for 1 to {_LONGEST_DAYS} days")
    # Who may hand in may read what came of it.
    every = tuple(dict.fromkeys(["read", *scopes]))
    name = checked_name(asked.form.get("name", "token"))
    return NewToken(name, digest, every, asked.now + timedelta(days=days))


def revoke(host: "Host", asked: Asked) -> Response:
    """Revoke a token."""
    revoke_token(host.store, asked.account, asked.number("number"), asked.now)
    return RedirectResponse("/account/settings", 303)


# Her data


def download(host: "Host", asked: Asked) -> Response:
    """Return all that is kept of somebody."""
    headers = {"Content-Disposition": f'attachment; filename="{asked.account.login}.zip"'}
    parts = _parts(own_data(host.store, asked.account))
    return StreamingResponse(parts, headers=headers, media_type="application/zip")


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(_PART):
            yield part


def delete(host: "Host", asked: Asked) -> Response:
    """Delete an account, whose owner has written its login to say so."""
    if asked.form.get("login", "").strip() != asked.account.login:
        raise ConfigError("write your login to say that you mean it")
    delete_account(host.store, asked.account, asked.by)
    answer = RedirectResponse("/", 303)
    clear_cookie(answer)
    return answer


ROUTES: Final = (
    Route("GET", HOME, account_page, "author"),
    Route("GET", "/account/settings", settings_page, "author"),
    Route("POST", "/account/details", change_details, "author", body="form"),
    Route("POST", "/account/password", change_password, "author", body="form"),
    Route("POST", "/account/tokens", make_token, "author", body="form"),
    Route("POST", "/account/tokens/{number:number}/revoke", revoke, "author", body="form"),
    Route("GET", "/account/data.zip", download, "author"),
    Route("POST", "/account/delete", delete, "author", body="form"),
)
