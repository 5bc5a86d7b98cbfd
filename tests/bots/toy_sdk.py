"""A small SDK for tests: its bots are baked by a shell, of flour that has to be fetched first."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.bots.sdks import Sdk, sdks

FETCH = "echo flour > /build/flour"
BAKE = "cat /build/flour .upcard/recipe > my-bot"


def toy_sdk(place: Path, *, fetch: str = FETCH, bake: str = BAKE, more: str = "") -> Sdk:
    """Write the SDK down, and read it as it is read in a clone."""
    home = place / "dough"
    (home / "template").mkdir(parents=True)
    (home / "recipe").write_text("bake it\n")
    (home / "sdk.toml").write_text(
        'language = "dough"\naliases = ["batter"]\n'
        f'prepare = [["sh", "-c", {json.dumps(fetch)}]]\n'
        f'test = ["true"]\n{more}'
    )
    (home / "template" / "bot.toml").write_text(
        'name = "my-bot"\nversion = "1"\nauthor = "Me"\nlanguage = "dough"\n'
        f'build = ["sh", "-c", {json.dumps(bake)}]\n'
        'result = ["my-bot"]\nrun = ["my-bot"]\ngames = ["euchre"]\n'
    )
    (home / "template" / "notes.txt").write_text("module my_bot, bot my-bot\n")
    sdks.cache_clear()
    (sdk,) = sdks(place)
    return sdk


class RecordedProgress:
    """Records the steps that are reported."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        self.steps.append(what)
        yield
