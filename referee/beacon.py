"""Public randomness: the rounds of drand's networks, and whether a signature is a round's.

Nothing is fetched. A round is due at a moment that follows from its number; what came out then is
brought by hand or in a file, and checked against the public key of the network (`docs/deals.md`).
"""

import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from importlib.util import find_spec
from typing import Final, NamedTuple

from referee import json_fields
from referee.errors import ConfigError, RecordError
from referee.timespan import timespan

_G1_LENGTH: Final = 48
_G2_LENGTH: Final = 96
_DOMAIN: Final = "BLS_SIG_BLS12381G{}_XMD:SHA-256_SSWU_RO_NUL_"
_CHOICE: Final = re.compile(r"([a-z]+):(?:([1-9]\d{0,8})|in=([1-9]\d{0,3}[smhd]))", re.ASCII)
MOST_ROUNDS: Final = 999_999_999
"""Of a network: a round beyond that is not due in this century."""
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")


class Network(NamedTuple):
    """A network of drand, which signs a round every few seconds."""

    public_key: bytes
    genesis: datetime
    """When its first round was due."""
    period: int
    """Seconds from round to round."""
    chained: bool
    """Whether a round signs the signature of the round before it, too."""

    @property
    def signature_length(self) -> int:
        """Return how many bytes a signature has: keys and signatures are in different groups."""
        return _G1_LENGTH if len(self.public_key) == _G2_LENGTH else _G2_LENGTH

    def due(self, number: int) -> datetime:
        """Return when a round is due, counted from 1."""
        return self.genesis + timedelta(seconds=(number - 1) * self.period)

    def first_round(self, moment: datetime) -> int:
        """Return the first round that is not due before a moment."""
        return max(1, 1 - (self.genesis - moment) // timedelta(seconds=self.period))


NETWORKS: Final[Mapping[str, Network]] = {
    "quicknet": Network(
        bytes.fromhex(
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
            "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
            "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
        ),
        datetime.fromtimestamp(1692803367, UTC),
        period=3,
        chained=False,
    ),
    "default": Network(
        bytes.fromhex(
            "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5c"
            "ce96366b5d7a569937c529eeda66c7293784a9402801af31"
        ),
        datetime.fromtimestamp(1595431050, UTC),
        period=30,
        chained=True,
    ),
}
"""Those of the League of Entropy, by the names that drand has for them."""


class Round(NamedTuple):
    """A round of a network."""

    network: str
    number: int
    """From 1."""

    @property
    def due(self) -> datetime:
        """Return when it is due."""
        return NETWORKS[self.network].due(self.number)

    def __str__(self) -> str:
        return f"{self.network} round {self.number}"


class Signed(NamedTuple):
    """What came out of a round."""

    signature: bytes
    previous: bytes = b""
    """The signature of the round before, where the network is chained."""

    @property
    def randomness(self) -> bytes:
        """Return the random bytes that follow from it."""
        return sha256(self.signature).digest()


def choose_round(text: str, now: datetime) -> Round:
    """Read which round is meant: ``quicknet:1234``, or ``quicknet:in=2h`` for the first after that.

    Raises:
        ConfigError: it is none, or was due already.
    """
    found = _CHOICE.fullmatch(text)
    if found is None or found[1] not in NETWORKS:
        raise ConfigError(
            "a round of a beacon is NETWORK:ROUND or NETWORK:in=TIME, as in quicknet:in=2h, with a "
            f"network of {', '.join(NETWORKS)} and a time in s, m, h or d; not {text[:80]!r}"
        )
    network, number, time = found.groups()
    if number:
        chosen = Round(network, int(number))
    else:
        later = timespan(time)
        assert later
        chosen = Round(network, NETWORKS[network].first_round(now + later))
    refuse_due(chosen, now)
    return chosen


def refuse_due(chosen: Round, now: datetime) -> None:
    """Refuse a round whose randomness somebody may know by now.

    Raises:
        ConfigError: it was due already.
    """
    if chosen.due <= now:
        raise ConfigError(
            f"{chosen} was out at {chosen.due:%Y-%m-%d %H:%M:%S} UTC, so its randomness may be "
            f"known; choose a later one, as in {chosen.network}:in=2h"
        )


def read_signed(text: str, chosen: Round) -> Signed:
    """Read what came out of a round: a signature in hexadecimal, or drand's JSON.

    Raises:
        RecordError: it is neither, or says that it is of another round.
    """
    words = text.strip()
    if not words.startswith("{"):
        return Signed(_bytes(words, "signature"))
    if not words.isascii():
        raise RecordError("signature", "must be hexadecimal digits, or JSON in ASCII")
    read = json_fields.parsed(words.encode())
    assert isinstance(read, dict)  # it begins with a brace
    json_fields.expect("round", read.get("round"), chosen.number)
    # Unchained networks have none, and some servers write it empty.
    previous = read.get("previous_signature") or None
    signed = Signed(
        _bytes(read.get("signature"), "signature"),
        b"" if previous is None else _bytes(previous, "previous_signature"),
    )
    if "randomness" in read:
        json_fields.expect("randomness", read["randomness"], signed.randomness.hex())
    return signed


def _bytes(read: object, field: str) -> bytes:
    if not (isinstance(read, str) and len(read) <= 2 * _G2_LENGTH and _HEX.fullmatch(read)):
        raise RecordError(field, "must be hexadecimal digits in lower case, two for each byte")
    return bytes.fromhex(read)


def can_check() -> bool:
    """Return whether there is what checks signatures, which the extra ``beacon`` installs."""
    return find_spec("py_ecc") is not None


def check_signed(chosen: Round, signed: Signed) -> bool:
    """Refuse what is not the signature of a round; return whether that could be found out.

    Raises:
        RecordError: it is not.
    """
    network = NETWORKS[chosen.network]
    if len(signed.signature) != network.signature_length:
        reason = f"has {len(signed.signature)} bytes, not the {network.signature_length} of "
        raise RecordError("signature", f"{reason}{chosen.network}")
    if network.chained and not signed.previous:
        reason = f"is missing, and {chosen.network} signs it, too; use the JSON that drand serves"
        raise RecordError("previous_signature", reason)
    if signed.previous and not network.chained:
        raise RecordError("previous_signature", f"is nothing that {chosen.network} signs")
    if not can_check():
        return False
    message = sha256(signed.previous + chosen.number.to_bytes(8)).digest()
    try:
        genuine = is_signature(network.public_key, message, signed.signature)
    except ValueError:  # these bytes are no point of the curve
        genuine = False
    if not genuine:
        raise RecordError("signature", f"is not that of {chosen}")
    return True


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Verify a signature of BLS12-381, with the key in either group and the signature in the other.

    Raises:
        ValueError: it is no point of the curve.
    """
    limit = sys.getrecursionlimit()
    # It is optional, and takes half a second to import.
    from py_ecc.bls import g2_primitives as points  # noqa: PLC0415
    from py_ecc.bls.hash_to_curve import hash_to_G1, hash_to_G2  # noqa: PLC0415
    from py_ecc.optimized_bls12_381 import (  # noqa: PLC0415
        FQ12,
        G1,
        G2,
        final_exponentiate,
        is_inf,
        neg,
        pairing,
    )

    # The import raises it so far that JSON of a stranger, deep enough, would overflow the stack.
    sys.setrecursionlimit(limit)
    on_g1 = len(signature) == _G1_LENGTH
    point = (points.pubkey_to_G1 if on_g1 else points.signature_to_G2)(signature)
    written = (points.G1_to_pubkey if on_g1 else points.G2_to_signature)(point)
    # Randomness is the hash of these bytes, so a point counts as it is written in one way only.
    if bytes(written) != signature or is_inf(point) or not points.subgroup_check(point):
        return False
    domain = _DOMAIN.format(1 if on_g1 else 2).encode()
    if on_g1:
        hashed = hash_to_G1(message, domain, sha256)
        two = (G2, point), (points.signature_to_G2(key), neg(hashed))
    else:
        hashed = hash_to_G2(message, domain, sha256)
        two = (point, G1), (hashed, neg(points.pubkey_to_G1(key)))
    # Two pairings are equal if the one and the inverse of the other make one. Most of a pairing is
    # its last power, which is raised once, of both.
    product = FQ12.one()
    for each in two:
        product *= pairing(*each, final_exponentiate=False)
    return bool(final_exponentiate(product) == FQ12.one())
