"""Decks from a seed, and seeds from what is mixed, so that anyone can deal them again.

`docs/deals.md` has the algorithms.

A deck is a Fisher-Yates shuffle driven by SHA-256 of (seed, duel key, hand number, counter), each
index drawn from one byte with rejection, so that every order is equally likely. Python's own
shuffle is no contract and is not used.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final

from referee.engine.cards import Card, Seat
from referee.errors import ConfigError

SEED_BYTES: Final = 32
_DECK: Final = b"upcard-deck-v1"
_HAND: Final = b"upcard-hand-v1"
_COMMITMENT: Final = b"upcard-seed-v1"
_NONCE: Final = b"upcard-nonce-v1"
_MIXED: Final = b"upcard-mixed-v1"
_TABLE: Final = b"upcard-table-v1"
_FAIR: Final = (0, 0, *(256 - 256 % left for left in range(2, 257)))
"""How many of the 256 values of a byte draw fairly from so many cards; of one, none is drawn."""


def seed_from_text(text: str) -> bytes:
    """Read a seed written as 64 hexadecimal digits."""
    if len(text) == 2 * SEED_BYTES and set(text) <= set("0123456789abcdef"):
        return bytes.fromhex(text)
    message = f"a seed is {2 * SEED_BYTES} lower-case hexadecimal digits, not {text[:80]!r}"
    raise ConfigError(message)


def duel_key(text: str) -> str:
    """Return a duel key if it is one: text that can be hashed."""
    try:
        text.encode()
    except UnicodeEncodeError:
        message = f"a duel key is text that can be written in UTF-8, not {text[:80]!r}"
        raise ConfigError(message) from None
    return text


def commitment(seed: bytes) -> str:
    """Return what is published before the first deal; it fixes the seed without showing it."""
    return sha256(_COMMITMENT + _whole(seed)).hexdigest()


def nonce_hash(nonce: str) -> str:
    """Return what is published of a nonce that is revealed later."""
    return sha256(_NONCE + nonce.encode()).hexdigest()


def mixed_seed(secret: bytes, nonces: Mapping[int, str], randomness: bytes = b"") -> bytes:
    """Return the seed that follows from a secret and from what its owner could not know.

    Args:
        secret: what was committed to. Where there is nothing to mix in, it is the seed.
        nonces: the nonces of entrants, by their numbers.
        randomness: of a public beacon; empty if there is none.
    """
    if not (nonces or randomness):
        return _whole(secret)
    texts = ((number, nonces[number].encode()) for number in sorted(nonces))
    parts = (number.to_bytes(4) + _measured(text) for number, text in texts)
    return sha256(
        _MIXED + _whole(secret) + len(nonces).to_bytes(4) + b"".join(parts) + _measured(randomness)
    ).digest()


def decks(pack: Sequence[Card], seed: bytes, duel: str) -> Callable[[int], tuple[Card, ...]]:
    """Return the decks of a duel, by hand number."""
    duel_label = _labelled(_DECK, seed, duel)

    def deck_of(hand: int) -> tuple[Card, ...]:
        deck = list(pack)
        left = len(deck)
        label = duel_label + hand.to_bytes(4)
        counter = 0
        while left > 1:
            for byte in sha256(label + counter.to_bytes(4)).digest():
                if byte < _FAIR[left]:
                    drawn = byte % left
                    left -= 1
                    deck[left], deck[drawn] = deck[drawn], deck[left]
            counter += 1
        return tuple(deck)

    return deck_of


def hand_seeds(seed: bytes, duel: str) -> Callable[[int], bytes]:
    """Return the seeds of the hands of a duel, by hand number, for games without one deck."""
    label = _labelled(_HAND, seed, duel)
    return lambda hand: sha256(label + hand.to_bytes(4)).digest()


def table_seed(seed: bytes, duel: str, seat: Seat) -> int:
    """Return the 64 random bits a bot in a seat may draw on, the same in all rooms of a duel."""
    return int.from_bytes(sha256(_labelled(_TABLE, seed, duel) + seat.to_bytes(4)).digest()[:8])


def _labelled(label: bytes, seed: bytes, duel: str) -> bytes:
    return label + _whole(seed) + _measured(duel_key(duel).encode())


def _measured(part: bytes) -> bytes:
    """Return bytes with their length before them, so that no two lists of parts are alike."""
    return len(part).to_bytes(4) + part


def _whole(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        message = f"a seed is {SEED_BYTES} bytes, not {len(seed)}"
        raise ConfigError(message)
    return seed
