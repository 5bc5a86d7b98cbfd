"""Passwords are hashed by Argon2id, and weak ones are refused."""

import pytest

from referee.errors import ConfigError
from referee.hosting.passwords import hashed, is_outdated, rehashed, verify

GOOD = "five geese, no fox"
pytestmark = pytest.mark.usefixtures("real_hashes")


@pytest.mark.slow
def test_a_password_is_the_one_of_its_hash() -> None:
    stored = hashed(GOOD, login="ada")
    assert stored.startswith("$argon2id$")
    assert verify(stored, GOOD)
    assert not verify(stored, GOOD + "!")


@pytest.mark.slow
def test_two_hashes_of_one_password_differ() -> None:
    assert hashed(GOOD, login="ada") != hashed(GOOD, login="ada")


@pytest.mark.slow
def test_without_a_hash_no_password_is_right() -> None:
    assert not verify(None, GOOD)
    assert not verify(None, "the password of nobody")


def test_what_is_no_hash_fits_no_password() -> None:
    assert not verify("$argon2id$rubbish", GOOD)


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("short", "10 to 200 characters"),
        ("x" * 201, "10 to 200 characters"),
        ("aaaaaaaaaaaab", "easy to guess"),
        ("my Ada Lovelace", "easy to guess"),
    ],
)
def test_a_weak_password_is_refused(password: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        hashed(password, login="ada")


def test_a_hash_of_today_is_not_outdated() -> None:
    assert not is_outdated(rehashed(GOOD))


def test_a_cheaper_hash_is_outdated() -> None:
    assert is_outdated(
        "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$u+zNDbUGI3uYjhfpLkUOoVdl9u5f7PFPm1UpYBBQ0Ps"
    )
