"""Who plays the scenes: root, or an ordinary user."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.accounts import Account, ordinary, played, root

Play = Callable[..., Any]


@pytest.fixture(scope="session")
def accounts() -> Iterator[Callable[[str], Account]]:
    tree = Path(tempfile.mkdtemp(prefix="upcard-tests-"))
    made: dict[bool, Account] = {}

    def account(mode: str) -> Account:
        as_root = mode.startswith("root")
        if as_root not in made:
            made[as_root] = root() if as_root else ordinary(tree)
        return made[as_root]

    yield account
    shutil.rmtree(tree)


@pytest.fixture(params=["root", "subuid", "userns"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def play(mode: str, accounts: Callable[[str], Account]) -> Play:
    return partial(played, accounts(mode), mode)
