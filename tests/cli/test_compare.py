"""`upcard compare` with real bots in the real sandbox, and what it shows and says."""

from pathlib import Path

import pytest

from referee.arena.limits import MOST_VOIDS
from referee.cli.compare import ComparisonDisplay, answer_text
from referee.league.table import league_table
from referee.ratings.comparison import Comparison, Question, score
from referee.ratings.results import DRAWN, LOST, WON, Result
from referee.reports.comparison import comparison_report
from referee.scheduling.keys import DuelKey
from referee.store.duels import stored_duels
from referee.store.models import StoredVoid
from referee.store.opening import open_store
from tests.cli.bots import SEED, Ran, run
from tests.cli.conftest import Upcard
from tests.cli.leagues import NOW, write_league

ASKED = Question()


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Compare with random what is far better."""
    words = ("--most", 200, "--seed", SEED, "--json")
    return run(tmp_path_factory.mktemp("compared"), "compare", "random", "steady", *words)


@pytest.fixture(scope="module")
def unknown(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Compare a bot with itself, in too few duels to know anything."""
    words = ("--game", "whist", "--most", 2, "--seed", SEED)
    return run(tmp_path_factory.mktemp("unknown"), "compare", "random", "random", *words)


def test_a_far_better_bot_is_found_to_be_better(compared: Ran) -> None:
    found = compared.json()["comparison"]
    assert (compared.code, found["answer"]) == (0, "better")
    assert (found["old"], found["new"]) == ("random", "steady")


def test_it_is_found_long_before_all_duels_are_played(compared: Ran) -> None:
    assert len(compared.json()["duels"]) < 100


def test_the_answer_follows_from_the_duels_in_their_order(compared: Ran) -> None:
    """However many workers there were, and whatever was played after it was known."""
    said = compared.json()
    comparison = Comparison(ASKED)
    for duel in said["duels"]:
        number = int(duel["duel"].split("/")[1]) - 1
        wins = {"won": WON, "drawn": DRAWN, "lost": LOST}[duel["result"]]
        result = Result(1, 2, number, wins, duel["margin"], duel["hands"], (0, 0))
        comparison.add(number, -score(result))
    assert said["comparison"] == comparison_report(comparison, "random", "steady")


def test_without_an_answer_it_says_what_to_do(unknown: Ran) -> None:
    *_, said, duels, _, advice = unknown.out.splitlines()
    assert unknown.code == 1
    assert said == "It is not known whether random-new is better than random-old"
    assert advice.startswith("To play the same duels and more, give the --seed above")
    assert duels == "In 2 duels random-new did better in 0 and worse in 0; 2 were level"


def test_while_it_plays_it_says_where_the_difference_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first duel is void so often that it is passed over; the others come in backwards."""
    write_league(tmp_path / "upcard.db", duels=4)
    now = 0.0
    comparison = Comparison(ASKED)
    with (
        open_store(str(tmp_path / "upcard.db")) as store,
        ComparisonDisplay(comparison, lambda: now) as display,
    ):
        display.planned(league_table(store, "club").league, 0, 1000)
        *later, _ = reversed([*stored_duels(store, "club")])
        for duel in later:
            display.played(duel)
        for _ in range(MOST_VOIDS):
            assert comparison.tally.duels == 0
            display.voided(StoredVoid(DuelKey(1, 2, 0), "the referee was late", NOW))
        now = 10.0
        display.estimated(None)
    assert comparison.tally.duels == len(later)
    low, high = comparison.interval
    said = f"the new one is ahead by {low * 100:+.1f} to {high * 100:+.1f} in 100 duels"
    assert capsys.readouterr().err == f"3 of 1000 duels played; 3 voids, {said}\n"


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        pytest.param([1] * 20, "mine is better than theirs", id="better"),
        pytest.param([-1] * 20, "mine is worse than theirs", id="worse"),
        pytest.param(
            [0] * 200, "mine and theirs differ by no more than 10 of 100 duels", id="none"
        ),
    ],
)
def test_the_answer_is_said_in_words(scores: list[int], words: str) -> None:
    comparison = Comparison(ASKED)
    for number, scored in enumerate(scores):
        comparison.add(number, scored)
    assert answer_text(comparison_report(comparison, "theirs", "mine")).startswith(f"{words}\n")


def test_a_difference_that_nobody_can_find_is_refused(upcard: Upcard) -> None:
    said = upcard("compare", "random", "steady", "--difference", "0")
    assert said.code == 2
    assert "--difference" in said.err
