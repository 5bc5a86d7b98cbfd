"""A host with a store of its own, and people on it."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from referee.hosting import passwords
from referee.store.accounts import add_account
from referee.store.database import Store
from referee.store.hosting_models import Account, By, NewAccount, Role
from referee.store.opening import open_store

NOW = datetime(2026, 9, 1, 8, tzinfo=UTC)
HOST = By(None, NOW)
MakeAccount = Callable[..., Account]


@pytest.fixture
def store(tmp_path: Path, empty: Path) -> Iterator[Store]:
    shutil.copy(empty, tmp_path / "upcard.db")
    with open_store(str(tmp_path / "upcard.db")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _cheap_hashes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords as fast as can be, where it is not about that."""
    passwords._nobodys.cache_clear()  # noqa: SLF001 (it was hashed as another test does)
    if "real_hashes" not in request.fixturenames:
        monkeypatch.setattr(passwords, "_HASHER", PasswordHasher(1, 8, 1))


@pytest.fixture
def real_hashes() -> None:
    """Hash passwords as a host does."""


@pytest.fixture
def account(store: Store) -> MakeAccount:
    """Return what makes an account."""

    def make(login: str = "ada", role: Role = "author", **fields: str) -> Account:
        return add_account(store, NewAccount(login, login.title(), role, **fields), HOST)

    return make
