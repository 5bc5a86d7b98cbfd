"""Pages to sign in and out, to register, and to use an invitation."""

from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

from referee.errors import ConfigError
from referee.hosting.invitations import (
    accept,
    checked_account,
    invitation_of,
    written_login,
)
from referee.hosting.passwords import hashed
from referee.hosting.signing_in import SignInError, Try, account_by_password, begin_session
from referee.store.accounts import add_account, close_session
from referee.store.hosting_models import Account, NewAccount
from referee.web.formatting import capitalised
from referee.web.host.asking import Asked, clear_cookie, set_cookie
from referee.web.host.routes import SIGN_IN, Route, status_of

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

HOME: Final = "/account/"
_LONGEST: Final = 200


def sign_in_page(host: "Host", asked: Asked) -> Response:
    """Show the form to sign in."""
    return _sign_in_page(host, asked, to=own_page(asked.request.query_params.get("to", "")))


def _sign_in_page(  # noqa: PLR0913 (all that the form shows)
    host: "Host",
    asked: Asked,
    status: int = 200,
    *,
    to: str = HOME,
    login: str = "",
    message: str = "",
) -> Response:
    provider = host.provider and host.provider.name
    shown = {"to_page": to, "login": login, "message": message, "provider": provider}
    return host.page(asked, "sign_in", status, **shown)


def show_sign_in(host: "Host", asked: Asked, message: str, status: int) -> Response:
    """Show the form to sign in, and why nobody is signed in yet."""
    return _sign_in_page(host, asked, status, message=f"{capitalised(message)}.")


def sign_in(host: "Host", asked: Asked) -> Response:
    """Sign a browser in."""
    to, tried = own_page(asked.form.get("to", "")), written_try(asked)
    try:
        account = account_by_password(host.store, host.throttle, tried, asked.now)
    except SignInError as error:
        shown = {"to": to, "login": tried.login, "message": f"{capitalised(str(error))}."}
        return _sign_in_page(host, asked, status_of(error), **shown)
    return signed_in(host, asked, account, to)


def written_try(asked: Asked) -> Try:
    """Return the login and the password of a form, no longer than there are any."""
    form = asked.form
    login = written_login(form.get("login", ""))[:_LONGEST]
    return Try(login, form.get("password", "")[: _LONGEST + 1], asked.address)


def signed_in(host: "Host", asked: Asked, account: Account, to: str = HOME) -> Response:
    """Return the answer that signs a browser in; it is never the session of before."""
    host.throttle.count_change(account.id)
    if asked.who.session:
        close_session(host.store, asked.who.session, asked.now)
    lasts = host.settings().session
    secret = begin_session(host.store, account, asked.now, asked.now + lasts).secret
    answer = RedirectResponse(to, 303)
    set_cookie(answer, secret, int(lasts.total_seconds()))
    return answer


def sign_out(host: "Host", asked: Asked) -> Response:
    """Sign a browser out."""
    if asked.who.session:
        close_session(host.store, asked.who.session, asked.now)
    answer = RedirectResponse("/", 303)
    clear_cookie(answer)
    return answer


def own_page(to: str) -> str:
    """Return an address of this host to go on to: nobody is led elsewhere by a link."""
    plain = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable()
    # A cookie may hold it.
    return to if plain and to.isascii() and len(to) <= _LONGEST else HOME


# Registering


def register_page(host: "Host", asked: Asked) -> Response:
    """Show the form to make an account, where everybody may."""
    return host.page(asked, "register", form={}, message="")


def register(host: "Host", asked: Asked) -> Response:
    """Make an account, where everybody may."""
    if not host.settings().open_registration:
        raise ConfigError("accounts are made by invitation here; ask the organiser for one")
    host.throttle.count_account(asked.address)
    form = asked.form
    try:
        new = checked_account(
            NewAccount(
                written_login(form.get("login", "")),
                form.get("name", ""),
                mail=form.get("mail", "").strip() or None,
            )
        )
        secret = hashed(form.get("password", ""), login=new.login)
        account = add_account(host.store, new._replace(password=secret), asked.by)
    except ConfigError as error:
        return host.page(asked, "register", 422, form=form, message=f"{capitalised(str(error))}.")
    return signed_in(host, asked, account)


# Invitations


def invitation_page(host: "Host", asked: Asked) -> Response:
    """Show the form to use an invitation; the code is behind the address, and sent by the form."""
    return _invitation(host, asked)


def _invitation(host: "Host", asked: Asked, status: int = 200, **shown: object) -> Response:
    usual: dict[str, object] = {"invited": None, "code": "", "form": {}, "message": ""}
    return host.page(asked, "invitation", status, **(usual | shown))


def use_invitation(host: "Host", asked: Asked) -> Response:
    """Look an invitation up, or use it where a password came with it."""
    form = asked.form
    code = form.get("code", "").strip()[:_LONGEST]
    host.throttle.refuse(None, asked.address)
    try:
        invited = invitation_of(host.store, host.signer, code, asked.by)
    except ConfigError as error:
        host.throttle.failed(None, asked.address)
        message = f"{capitalised(str(error))}."
        return _invitation(host, asked, 422, code=code, form=form, message=message)
    message = ""
    if "password" in form:
        chosen = NewAccount(written_login(form.get("login", "")), form.get("name", ""))
        try:
            account = accept(host.store, invited, chosen, form["password"], asked.by)
        except ConfigError as error:
            message = f"{capitalised(str(error))}."
        else:
            return signed_in(host, asked, account)
    status = 422 if message else 200
    return _invitation(host, asked, status, invited=invited, code=code, form=form, message=message)


ROUTES: Final = (
    Route("GET", SIGN_IN, sign_in_page, None),
    Route("POST", SIGN_IN, sign_in, None, body="form"),
    Route("POST", "/sign-out", sign_out, None, body="form"),
    Route("GET", "/register", register_page, None),
    Route("POST", "/register", register, None, body="form"),
    Route("GET", "/invitation", invitation_page, None),
    Route("POST", "/invitation", use_invitation, None, body="form"),
)
