"""Signs people in by an OpenID Connect provider.

A browser is sent to the provider, and comes back with a code, which is exchanged for a token that
the provider has signed. All that binds the answer to the browser that was sent is drawn from one
secret, which that browser alone keeps in a cookie: the state of the request, the nonce of the token
and the verifier of the code (PKCE). So a code or a token of somebody else is of no use.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar

import httpx2

from referee.errors import ConfigError, UpcardError
from referee.hosting.client import refuse_unencrypted

SCOPE: Final = "openid profile email"
_ALGORITHMS: Final = frozenset({"RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"})
"""Those that only the provider can sign by."""
_KNOWN_FOR: Final = 600.0
"""Seconds for which what a provider says of itself is not asked again."""
_TIMEOUT: Final = 10.0
_LEEWAY: Final = 60
"""Seconds by which the clocks of two machines may differ."""
_LONGEST: Final = 2000
Result = TypeVar("Result")


class ProviderError(UpcardError):
    """A provider does not vouch for somebody, or cannot be asked."""


class ProviderSettings(NamedTuple):
    """How a provider is reached, and what the host is called there."""

    issuer: str
    client_id: str
    client_secret: str
    name: str
    """As people read it."""


class Identity(NamedTuple):
    """Who somebody is, as a provider says."""

    issuer: str
    subject: str
    """What the provider calls her, for good."""
    mail: str | None
    """None unless the provider has verified that it is hers."""
    login: str
    """What she would like to be called; it may be empty, as the name."""
    name: str


class Provider:
    """One provider."""

    def __init__(
        self,
        settings: ProviderSettings,
        redirect: str,
        transport: httpx2.BaseTransport | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Take how it is reached; nothing is asked yet.

        Args:
            settings: how it is reached.
            redirect: where browsers come back to.
            transport: what carries requests, if not the network.
            clock: returns the time.

        Raises:
            ConfigError: what it needs is not installed, or secrets would be sent in the clear.
        """
        refuse_unencrypted(settings.issuer)
        try:
            from authlib.integrations.httpx_client import OAuth2Client  # noqa: PLC0415 (an extra)
        except ModuleNotFoundError:
            install = "pip install 'upcard-referee[oidc]'"
            message = f"OpenID Connect needs the package authlib; install it: {install}"
            raise ConfigError(message) from None
        self.name = settings.name
        self._settings = settings
        self._redirect = redirect
        self._transport = transport
        self._clock = clock
        self._make: Callable[..., Any] = OAuth2Client
        self._known: tuple[Mapping[str, Any], float] | None = None

    def address(self, secret: str) -> str:
        """Return where a browser is sent that keeps a secret.

        Raises:
            ProviderError: the provider cannot be asked.
        """
        return self._asked(self._address, secret)

    def identity(self, secret: str, answer: Mapping[str, str]) -> Identity:
        """Return who has signed in at the provider, by what a browser came back with.

        Raises:
            ProviderError: the provider does not vouch for anybody, or not to this browser.
        """
        # What is drawn from no secret is known to everybody.
        if not secret or answer.get("state") != _drawn("state", secret):
            raise ProviderError("this answer is too old, or for another browser; begin again")
        if "code" not in answer:
            reason = answer.get("error_description") or answer.get("error") or "no reason"
            raise ProviderError(f"{self.name} did not sign you in: {reason[:200]}")
        return self._asked(self._identity, secret, answer)

    def _asked(self, ask: Callable[..., Result], *words: object) -> Result:
        from authlib.common.errors import AuthlibBaseError  # noqa: PLC0415 (an extra)
        from joserfc.errors import JoseError  # noqa: PLC0415 (likewise)

        try:
            with self._client() as client:
                return ask(client, *words)
        except httpx2.HTTPError as error:
            raise ProviderError(f"{self.name} cannot be reached: {error}") from None
        except (AuthlibBaseError, JoseError, KeyError, ValueError) as error:
            raise ProviderError(f"{self.name} gave no answer that can be used: {error}") from None

    def _client(self) -> Any:  # noqa: ANN401 (it has no types)
        return self._make(
            self._settings.client_id,
            self._settings.client_secret,
            scope=SCOPE,
            redirect_uri=self._redirect,
            code_challenge_method="S256",
            timeout=_TIMEOUT,
            transport=self._transport,
        )

    def _address(self, client: Any, secret: str) -> str:  # noqa: ANN401 (likewise)
        address, _ = client.create_authorization_url(
            self._metadata(client)["authorization_endpoint"],
            state=_drawn("state", secret),
            nonce=_drawn("nonce", secret),
            code_verifier=_drawn("verifier", secret),
        )
        return str(address)

    def _identity(
        self,
        client: Any,  # noqa: ANN401 (likewise)
        secret: str,
        answer: Mapping[str, str],
    ) -> Identity:
        metadata, code = self._metadata(client), answer["code"][:_LONGEST]
        names_issuer = metadata.get("authorization_response_iss_parameter_supported") is True
        if (names_issuer or "iss" in answer) and answer.get("iss") != self._settings.issuer:
            raise ProviderError("this answer is of another provider")
        ways = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if "client_secret_basic" not in ways:
            client.token_endpoint_auth_method = "client_secret_post"  # noqa: S105 (a way, no secret)
        verifier = _drawn("verifier", secret)
        token = client.fetch_token(metadata["token_endpoint"], code=code, code_verifier=verifier)
        keys = _answer(client.request("GET", metadata["jwks_uri"], withhold_token=True))
        claims = self._claims(token, keys, _drawn("nonce", secret))
        told = dict(claims)
        if "userinfo_endpoint" in metadata:
            more = _answer(client.get(metadata["userinfo_endpoint"]))
            if more["sub"] != claims["sub"]:
                raise ProviderError(f"{self.name} answers about somebody else")
            told |= more
        return _identity_of(self._settings.issuer, told)

    def _claims(
        self, token: Mapping[str, Any], keys: Mapping[str, Any], nonce: str
    ) -> Mapping[str, Any]:
        """Return what a signed token says, having checked all of it."""
        from authlib.oidc.core import CodeIDToken  # noqa: PLC0415 (an extra)
        from joserfc import jwt  # noqa: PLC0415 (likewise)
        from joserfc.jwk import KeySet  # noqa: PLC0415 (likewise)

        key_set = KeySet.import_key_set({"keys": keys["keys"]})
        read = jwt.decode(token["id_token"], key_set, algorithms=[*_ALGORITHMS])
        issuer, client_id = self._settings.issuer, self._settings.client_id
        wanted = {
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": client_id},
            "nonce": {"essential": True, "value": nonce},
        }
        shown = {"nonce": nonce, "client_id": client_id, "access_token": token["access_token"]}
        claims = CodeIDToken(read.claims, read.header, wanted, shown)
        claims.validate(leeway=_LEEWAY)
        return dict(claims)

    def _metadata(self, client: Any) -> Mapping[str, Any]:  # noqa: ANN401 (it has no types)
        """Return what the provider says of itself."""
        if self._known and self._clock() < self._known[1]:
            return self._known[0]
        place = f"{self._settings.issuer.rstrip('/')}/.well-known/openid-configuration"
        found = _answer(client.request("GET", place, withhold_token=True))
        if found["issuer"] != self._settings.issuer:
            raise ProviderError(f"{self.name} is the issuer {found['issuer']!r}; name it so")
        self._known = found, self._clock() + _KNOWN_FOR
        return found


def _answer(answer: httpx2.Response) -> dict[str, Any]:
    found = answer.raise_for_status().json()
    if not isinstance(found, dict):
        raise ProviderError("the provider gave no answer that can be used")
    return found


def _drawn(use: str, secret: str) -> str:
    """Return what is drawn from the secret of a browser for one use."""
    return sha256(f"upcard-openid-{use}:{secret}".encode()).hexdigest()


def _identity_of(issuer: str, told: Mapping[str, Any]) -> Identity:
    mail = told.get("email") if told.get("email_verified") is True else None
    login, name = (str(told.get(each) or "") for each in ("preferred_username", "name"))
    if not isinstance(told["sub"], str) or not 0 < len(told["sub"]) <= 255:
        raise ValueError("it has no subject")
    return Identity(issuer, told["sub"], mail and str(mail), login, name)
