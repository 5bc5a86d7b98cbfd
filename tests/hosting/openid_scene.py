"""A provider of OpenID Connect without a network, which may be made to lie."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from time import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from referee.hosting.openid import Provider, ProviderSettings

ISSUER = "https://id.example.org"
REDIRECT = "https://cards.example.org/sign-in/provider/answer"
KEY = RSAKey.generate_key(2048, {"kid": "1"})
OTHER_KEY = RSAKey.generate_key(2048, {"kid": "1"})
_JSON = {"content-type": "application/json"}
SETTINGS = ProviderSettings(ISSUER, "upcard", "secret", "the university")


@dataclass
class Fake:
    """Answers as a provider does, but for what a test changes."""

    claims: dict[str, Any] = field(default_factory=dict)
    """Of the signed token, in place of those that are right; None leaves one out."""
    userinfo: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for."""
    signs: RSAKey = field(default_factory=lambda: KEY)
    challenges: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Of each code the nonce that its request had, and the challenge."""

    def provider(self) -> Provider:
        return Provider(SETTINGS, REDIRECT, httpx2.MockTransport(self._answer))

    def sign_in(self, address: str) -> dict[str, str]:
        """Sign in as who was sent to an address; return what the browser comes back with."""
        query = {name: each[0] for name, each in parse_qs(urlsplit(address).query).items()}
        assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
        code = f"code-{len(self.challenges)}"
        self.challenges[code] = query["nonce"], query["code_challenge"]
        return {"code": code, "state": query["state"], "iss": ISSUER}

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        self.asked.append(path)
        if path == "/.well-known/openid-configuration":
            return httpx2.Response(200, json=self._metadata())
        if path == "/keys":
            return httpx2.Response(200, json=KeySet([KEY]).as_dict(private=False))
        if path == "/token":
            return self._token(parse_qs(request.content.decode()))
        if request.headers.get("authorization") != "Bearer access":
            return httpx2.Response(401)
        return httpx2.Response(200, json={"sub": "1", **self.userinfo})

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/auth",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
            "userinfo_endpoint": f"{ISSUER}/me",
            **self.metadata,
        }

    def _token(self, form: dict[str, list[str]]) -> httpx2.Response:
        nonce, challenge = self.challenges.pop(form["code"][0])
        hashed = sha256(form["code_verifier"][0].encode()).digest()
        if urlsafe_b64encode(hashed).rstrip(b"=").decode() != challenge:
            return httpx2.Response(400, json={"error": "invalid_grant"})
        now = int(time())
        usual = {"iss": ISSUER, "aud": "upcard", "sub": "1", "nonce": nonce}
        claims = usual | {"iat": now, "exp": now + 300} | self.claims
        told = {name: value for name, value in claims.items() if value is not None}
        signed = jwt.encode({"alg": "RS256", "kid": KEY.kid}, told, self.signs)
        body = {"access_token": "access", "token_type": "Bearer", "id_token": signed}
        return httpx2.Response(200, content=json.dumps(body), headers=_JSON)
