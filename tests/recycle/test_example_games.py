"""The example games play as their pages say."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from referee.bots.package_data import page
from tests.recycle.random_play import GAMES, game_files, random_hand
from upcard.recycle import Program, read

HANDS: Final = 30
FILES: Final = {file.stem: file for file in game_files()}
SUMS: Final = {"kuhn-poker": 0, "forehead-poker": 0, "german-whist": 13}
"""What all scores of a hand add up to, where that is always the same."""
RANGES: Final = {
    "black-lady": (0, 26),
    "collectors": (0, 150),
    "crazy-eights": (0, 4 * 50 + 300),
    "euchre": (0, 4),
    "forehead-poker": (-7, 28),
    "german-whist": (0, 13),
    "golf": (-24, 120),
    "goofspiel": (0, 91),
    "kuhn-poker": (-2, 2),
    "oh-hell": (0, 65),
    "rummy": (-340, 340),
    "scopa": (0, 40),
    "spades": (-130, 130),
    "whist": (0, 7),
}
"""The least and the most that anybody can score, at most."""
NAMED: Final = re.compile(r"\b(vloc|iloc|hloc|oloc|mem|sto|str|points) ([A-Z]+)\b")
LONGEST: Final = re.compile(r"A\s+hand\s+has\s+(?:at\s+most\s+)?(\d+)\s+decisions\.")


class Played(NamedTuple):
    """What came up in random hands of a game."""

    scores: Sequence[tuple[int, ...]]
    decisions: Sequence[int]
    """How many each hand had."""
    entries: frozenset[tuple[int, int]]
    """The entries that gave an option: the choice, and which of its entries."""
    parts: frozenset[int]
    names: frozenset[tuple[str, str]]
    """Kinds and names of all that was stored, and of all places."""
    is_conserved: bool
    """Whether every card was at exactly one place all the time."""


@cache
def program(name: str) -> Program:
    return read(FILES[name].read_text(encoding="utf-8"))


@cache
def played(name: str) -> Played:
    game = program(name)
    cards = list(range(len(game.cards)))
    scores, decisions, is_conserved = list[tuple[int, ...]](), list[int](), True
    entries, parts, names = set[tuple[int, int]](), set[int](), set[tuple[str, str]]()
    for number in range(HANDS):
        count = 0
        for position in random_hand(game, number):
            count += position.actor is not None
            entries |= {(position.choice, entry) for entry in position.entries}
            places = position.places()
            lying = (there for place, there in places.items() if place.kind != "mem")
            is_conserved &= sorted(card for there in lying for card in there) == cards
            names |= {(place.kind, place.name) for place in places}
            names |= {("sto", key[1]) for key in position.numbers}
            names |= {("str", key[1]) for key in position.texts}
            names |= {("points", key[1]) for key in position.maps}
        parts |= position.reached
        assert position.scores is not None
        scores.append(position.scores)
        decisions.append(count)
    return Played(
        scores, decisions, frozenset(entries), frozenset(parts), frozenset(names), is_conserved
    )


def words(name: str) -> str:
    """Return the page of a game."""
    return page(f"games/{name}.md").read_text(encoding="utf-8")


@pytest.fixture(params=FILES)
def name(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param


def test_there_are_ten_games_and_those_that_are_built_in() -> None:
    assert len(FILES) >= 10
    assert {"euchre", "whist"} <= FILES.keys()


def test_it_is_read_without_a_warning(name: str) -> None:
    assert program(name).warnings == ()


@pytest.mark.slow
def test_it_ends_within_the_decisions_that_its_page_says(name: str) -> None:
    (most,) = LONGEST.findall(words(name))
    assert 0 < max(played(name).decisions) <= int(most)


def test_every_card_is_in_one_place_all_the_time(name: str) -> None:
    assert played(name).is_conserved


def test_every_entry_of_every_choice_gives_an_option(name: str) -> None:
    choices = enumerate(program(name).choices)
    listed = {(at, entry) for at, choice in choices for entry in range(len(choice.entries))}
    assert played(name).entries == listed


def test_every_part_of_the_program_is_run(name: str) -> None:
    assert played(name).parts == frozenset(range(len(program(name).parts)))


def test_its_scores_are_possible(name: str) -> None:
    least, most = RANGES[name]
    everybody = [score for scores in played(name).scores for score in scores]
    assert least <= min(everybody) < max(everybody) <= most
    if name in SUMS:
        assert {sum(scores) for scores in played(name).scores} == {SUMS[name]}


def test_team_mates_score_the_same(name: str) -> None:
    sides = program(name).sides
    for scores in played(name).scores:
        assert len(set(zip(sides, scores, strict=True))) == len(set(sides))


def test_its_page_has_its_title_and_is_listed(name: str) -> None:
    game = program(name)
    title = game.title
    assert words(name).startswith(f"# {title}\n")
    seats = f"{game.players} in two teams" if game.teams else str(game.players)
    listed = f"| [{title}]({name}.md) | {seats} |"
    assert listed in page("games/README.md").read_text(encoding="utf-8")
    assert f"(../../examples_games/{name}.rcy)" in words(name)


def test_its_page_explains_all_names_that_a_view_shows(name: str) -> None:
    assert set(NAMED.findall(words(name))) == played(name).names


def test_the_same_seed_is_the_same_hand(name: str) -> None:
    ends = [list(random_hand(program(name), 1))[-1] for _ in range(2)]
    assert ends[0].scores == ends[1].scores
    assert ends[0].places() == ends[1].places()


def test_the_games_are_named_for_the_wheel() -> None:
    names = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '    "examples_games",\n' in names
    assert 'examples_games = "referee/data/examples_games"\n' in names
    assert GAMES.is_dir()
