"""A small SDK for tests: its bots are baked by a shell, of flour that has to be fetched first."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.bots.sdks import Sdk, sdks

FETCH = "echo flour > /workbench/flour"
BAKE = "cat /workbench/flour .upcard/recipe > my-bot"


def kitchen(place: Path, *, fetch: str = FETCH, bake: str = BAKE, more: str = "") -> Sdk:
    """Write the SDK down, and read it as it is read in a clone."""
    home = place / "dough"
    (home / "template").mkdir(parents=True)
    (home / "recipe").write_text("bake it\n")
    (home / "sdk.toml").write_text(
        'language = "dough"\nalso = ["batter"]\n'
        f'warm = [["sh", "-c", {json.dumps(fetch)}]]\n'
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


class Told:
    """What was told of what is being done."""

    def __init__(self) -> None:
        self.doing: list[str] = []

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        self.doing.append(what)
        yield
