"""Who plays the scenes: root, or an ordinary user."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.accounts import Account, Stage, ordinary, root

Play = Callable[..., Any]


@pytest.fixture(scope="session")
def accounts() -> Iterator[Callable[[str], Account]]:
    tree = Path(tempfile.mkdtemp(prefix="upcard-tests-"))
    made: dict[bool, Account] = {}

    def account(mode: str) -> Account:
        as_root = mode.startswith(("root", "unsafe"))
        if as_root not in made:
            made[as_root] = root() if as_root else ordinary(tree)
        return made[as_root]

    yield account
    shutil.rmtree(tree)


@pytest.fixture(params=["root", "subuid", "userns"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def stages(accounts: Callable[[str], Account]) -> Iterator[Callable[[str], Stage]]:
    with ExitStack() as closing:
        opened: dict[str, Stage] = {}

        def stage(mode: str) -> Stage:
            if mode not in opened:
                opened[mode] = Stage(accounts(mode), mode)
                closing.callback(opened[mode].close)
            return opened[mode]

        yield stage


@pytest.fixture
def play(mode: str, stages: Callable[[str], Stage]) -> Play:
    return stages(mode).play
