"""Secrets of sessions and tokens, of which hashes are kept alone, and signed links."""

from hashlib import sha256
from secrets import token_urlsafe
from typing import Final, NamedTuple

from itsdangerous import BadData, URLSafeSerializer

from referee.store.audit import keep_secret
from referee.store.database import Store

TOKEN: Final = "upc_"  # noqa: S105 (how tokens begin, so that scanners of leaks know them)
_BYTES: Final = 32
_KEY: Final = "secret_key"
_LONGEST: Final = 200


class Credential(NamedTuple):
    """A secret that was drawn."""

    secret: str
    """Shown once, or in a cookie."""
    digest: str
    """What is kept of it."""


def new_credential(prefix: str = "") -> Credential:
    """Draw a secret."""
    secret = prefix + token_urlsafe(_BYTES)
    return Credential(secret, digest_of(secret))


def digest_of(secret: str) -> str:
    """Return what is kept of a secret, by which it is found again: it is too long to be guessed."""
    return sha256(secret.encode()).hexdigest()


class Signer:
    """Signs what is handed out and comes back: nobody else can make it, and each use is its own."""

    def __init__(self, key: str) -> None:
        """Take the secret key of the host."""
        self._key = key

    def signed(self, use: str, value: object) -> str:
        """Return a value as signed text for one use."""
        return URLSafeSerializer(self._key, salt=f"upcard-{use}").dumps(value)

    def read(self, use: str, text: str) -> object:
        """Return the value of a signed text; None if it was not signed here for this use."""
        if len(text) > _LONGEST:
            return None
        try:
            value: object = URLSafeSerializer(self._key, salt=f"upcard-{use}").loads(text)
        except BadData:
            return None
        return value


def signer_of(store: Store) -> Signer:
    """Return the signer of a host, whose key is drawn when it is first needed."""
    return Signer(keep_secret(store, _KEY, token_urlsafe(_BYTES)))
