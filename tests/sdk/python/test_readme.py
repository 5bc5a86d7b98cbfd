"""What the SDK's README shows works, and its table of names is complete."""

import doctest
import re
import tomllib
from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import upcard
from referee.engine.registry import preset
from tests.examples_bots.duels import duel
from upcard import EuchreView, RecycleView, WhistView
from upcard.recycle import read, seen
from upcard.testing import situation

README = (Path(upcard.__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL))
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


class TakesTricks(upcard.Bot):
    """Plays a card that takes the trick, if it has one."""

    def play(self, view: upcard.View, legal: Sequence[str]) -> str:
        """Return it, else the first."""
        return next(
            (f"play:{card}" for card in view.legal_cards if view.takes_trick(card)), legal[0]
        )


def shown(number: int, name: str) -> type[upcard.Bot]:
    names = {"__name__": "shown", "upcard": upcard}
    exec(PROGRAMS[number], names)  # noqa: S102 (the README's own)
    kind: type[upcard.Bot] = names[name]  # type: ignore[assignment]
    return kind


@pytest.mark.parametrize("game", ["euchre", "euchre-280", "whist"])
@pytest.mark.parametrize(("number", "name"), [(0, "MyBot"), (1, "ByKind")])
def test_the_bots_shown_play(game: str, number: int, name: str) -> None:
    kind = shown(number, name)
    assert sum(duel(preset(game).game(), (kind, kind), 0).matches) == 1


def test_the_search_shown_knows_the_better_option() -> None:
    names: dict[str, Any] = {"__name__": "shown"}
    exec(PROGRAMS[3], names)  # noqa: S102 (the README's own)
    take = "(inc ((current player) sto SCORE))"
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
    game = read(
        f"(game (setup (create players 2) {deck})"
        f" (choice ((turn pass) {take})) (scoring max ((current player) sto SCORE)))"
    )
    view = seen(game.start(names["Chance"](1)), 0)
    assert [names["average_score"](game, view, option, 3) for option in (0, 1)] == [0, 1]


def test_the_test_shown_passes_for_a_bot_that_takes_the_trick() -> None:
    exec(PROGRAMS[4], {"MyBot": TakesTricks})  # noqa: S102 (the README's own)


def test_the_table_of_situations_is_what_may_be_told() -> None:
    assert listed_under("Testing a bot") == {*signature(situation).parameters}


def test_the_manifest_shown_can_be_read() -> None:
    assert tomllib.loads(BLOCKS["toml"])["run"] == ["python", "bot.py"]


def test_the_games_shown_answer_so() -> None:
    shown_lines = doctest.DocTestParser().get_doctest(
        BLOCKS["pycon"], {"upcard": upcard}, "README", None, None
    )
    assert doctest.DocTestRunner().run(shown_lines) == (0, 3)


def test_the_table_of_names_is_that_of_a_view() -> None:
    kinds = (EuchreView, WhistView)
    names = {name for kind in kinds for name in dir(kind) if not name.startswith("_")}
    assert listed_under("The view") == names | {"legal", "rules"}


def test_the_table_of_names_is_that_of_a_view_of_any_game() -> None:
    names = {name for name in dir(RecycleView) if not name.startswith("_")}
    assert listed_under("Any other game") == names | {"legal", "rules"}


def listed_under(heading: str) -> set[str]:
    table = README.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    firsts = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    return {name for first in firsts for name in re.findall(r"`(\w+)", first)}
