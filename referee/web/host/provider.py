"""Signs people in by a provider of OpenID Connect: there and back."""

from functools import partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

from referee.errors import NotFoundError
from referee.hosting.identities import account_by_identity
from referee.hosting.openid import Provider, ProviderError
from referee.hosting.signing_in import log_failure
from referee.web.host.asking import Asked
from referee.web.host.routes import SIGN_IN, Route
from referee.web.host.signing import own_page, show_sign_in, signed_in

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

GO: Final = f"{SIGN_IN}/provider"
ANSWER: Final = f"{GO}/answer"
COOKIE: Final = "__Host-provider"
_SECONDS: Final = 900
"""For signing in there."""
_BYTES: Final = 32
_LONGEST: Final = 600


def _provider(host: "Host") -> Provider:
    if host.provider is None:
        raise NotFoundError("this host has no provider to sign in by")
    return host.provider


def go(host: "Host", asked: Asked) -> Response:
    """Send a browser to the provider, with a secret of its own."""
    secret, to = token_urlsafe(_BYTES), own_page(asked.request.query_params.get("to", ""))
    try:
        answer = RedirectResponse(_provider(host).address(secret), 303)
    except ProviderError as error:
        return show_sign_in(host, asked, str(error), 502)
    answer.set_cookie(
        *(COOKIE, f"{secret}:{to}", _SECONDS),
        path="/",
        secure=True,
        httponly=True,
        samesite="lax",
    )
    return answer


def come_back(host: "Host", asked: Asked) -> Response:
    """Sign a browser in that comes back from the provider."""
    provider = _provider(host)
    secret, _, to = asked.request.cookies.get(COOKIE, "")[:_LONGEST].partition(":")
    host.throttle.refuse(None, asked.address)
    try:
        identity = provider.identity(secret, asked.request.query_params)
        account = account_by_identity(host.store, identity, asked.by, partial(_admit, host, asked))
    except ProviderError as error:
        # Without the cookie, another site may have sent the browser here.
        if secret:
            host.throttle.failed(None, asked.address)
            log_failure(host.store, host.throttle, "by the provider", asked.address, asked.now)
        answer = show_sign_in(host, asked, str(error), 403)
    else:
        answer = signed_in(host, asked, account, own_page(to))
    # It is good for one answer.
    answer.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
    return answer


def _admit(host: "Host", asked: Asked) -> None:
    """Make an account, where registration is open."""
    if not host.settings().open_registration:
        raise ProviderError(
            "no account waits for you here; ask the organiser for one with your email address"
        )
    host.throttle.count_account(asked.address)


ROUTES: Final = (
    Route("GET", GO, go, None),
    Route("GET", ANSWER, come_back, None),
)
