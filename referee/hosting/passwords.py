"""Hashes of passwords, by Argon2id, and which passwords are too weak."""

from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from referee.errors import ConfigError

SHORTEST: Final = 10
LONGEST: Final = 200
_FEWEST: Final = 5
"""Different characters."""
_HASHER: Final = PasswordHasher(time_cost=3, memory_cost=48 * 1024, parallelism=1)
"""48 MiB and some 80 ms for each password that is tried."""


def hashed(password: str, *, login: str) -> str:
    """Return the hash of a password that somebody chooses.

    Raises:
        ConfigError: it is too weak.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise ConfigError(f"a password has {SHORTEST} to {LONGEST} characters")
    if len({*password}) < _FEWEST or login.casefold() in password.casefold():
        raise ConfigError("this password is easy to guess; choose one without your login in it")
    return _HASHER.hash(password)


def verify(stored: str | None, password: str) -> bool:
    """Return whether a password is the one of a hash; no hash takes as long as a wrong one."""
    try:
        return _HASHER.verify(stored or _nobodys(), password[: LONGEST + 1]) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(stored: str) -> bool:
    """Return whether a hash was made in a way that is weaker than today's."""
    return _HASHER.check_needs_rehash(stored)


def rehashed(password: str) -> str:
    """Return the hash of a password that was found to be right, in today's way."""
    return _HASHER.hash(password)


@cache
def _nobodys() -> str:
    return _HASHER.hash("the password of nobody")
