"""Programs of euchre and whist offer the same choices as the built-in games, and score the same."""

from pathlib import Path
from typing import Final

import pytest

from referee.engine.registry import preset
from tests.recycle.lockstep import DESCRIPTIONS, EXAMPLES, Disagreement, compare, compare_file
from tests.recycle.random_play import GAMES
from upcard.recycle import read

HANDS: Final = 300
CAME_UP: Final = {
    "euchre": {
        *("hands", "decisions", "ordered_up", "named", "stuck", "alone", "march", "euchred"),
        *("discards and sits out", "eldest sits out"),
    },
    "whist": {"hands", "decisions"},
}
"""What the hands have to come to, so that the comparison is not empty."""
BROKEN: Final = (
    ("euchre", "(< (game sto CALLS) 7)", "(< (game sto CALLS) 8)", "legal"),
    ("euchre", "(TWIN : (game str TRUMP)) 400)", "(TWIN : (game str TRUMP)) 200)", "to act"),
    ("euchre", "(set (game sto LEFT) 1)", "(set (game sto LEFT) 0)", "legal"),
    ("euchre", "(== (game sto PLAYERS) 3)", "(== (game sto PLAYERS) 4)", "scores"),
    ("whist", "(- ('T sto TRICKS) 6)", "(- ('T sto TRICKS) 5)", "scores"),
    ("whist", "(inc ((team 'W) sto TRICKS))", "(dec ((team 'W) sto TRICKS))", "tricks"),
)
"""Rules that are broken on purpose: the game, what is replaced, by what, and what then differs."""


@pytest.mark.slow
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_an_example_plays_as_the_built_in_game(file: Path) -> None:
    name = EXAMPLES[file]
    assert set(compare_file(file, name, HANDS)) >= CAME_UP[name]


@pytest.mark.slow
@pytest.mark.parametrize("file", DESCRIPTIONS, ids=lambda file: file.name)
def test_a_description_plays_as_the_built_in_game(file: Path) -> None:
    if not file.is_file():
        pytest.skip(f"{file.name} is not beside this clone")
    name = DESCRIPTIONS[file]
    assert set(compare_file(file, name, HANDS)) >= CAME_UP[name]


@pytest.mark.parametrize(("name", "rule", "broken", "differs"), BROKEN)
def test_a_broken_rule_is_noticed(name: str, rule: str, broken: str, differs: str) -> None:
    text = (GAMES / f"{name}.rcy").read_text(encoding="utf-8")
    assert rule in text
    with pytest.raises(Disagreement, match=differs):
        compare(read(text.replace(rule, broken)), preset(name).game(), HANDS)
