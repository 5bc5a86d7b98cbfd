"""The tables of a league, and who is in it, as programs are told them."""

import pytest

from referee.league.table import plays_on_text
from referee.ratings.stopping import Until
from referee.reports.crosstable import crosstable, order, pairs
from referee.reports.facts import status
from referee.reports.ratings import ratings
from tests.reports.conftest import Reader


def test_the_crosstable_goes_by_the_order_of_the_ratings(read: Reader) -> None:
    table = read("ada", "bert", "carl").table
    ranked = [row["number"] for row in ratings(table)["table"]]
    met = [pair["numbers"] for pair in crosstable(table)["pairs"]]
    assert order(table) == ranked
    assert met == [(one, other) for one in ranked for other in ranked if one != other]


def test_a_pair_that_has_not_met_is_not_told(read: Reader) -> None:
    table = read("ada", "bert", played=0).table
    assert (len([*pairs(table)]), crosstable(table)["pairs"]) == (2, [])


@pytest.mark.slow
def test_in_tables_the_names_of_strangers_are_harmless(read: Reader) -> None:
    table = read("a\x1b[2J", "bert").table
    assert {row["entrant"] for row in ratings(table)["table"]} == {"a?[2J", "bert"}
    assert {pair["opponent"] for pair in crosstable(table)["pairs"]} == {"a?[2J", "bert"}


ADAPTIVE = Until(0.5, "rating", adaptive=True)


@pytest.mark.slow
def test_before_the_first_look_nobody_is_told_to_play_on(read: Reader) -> None:
    table = read("ada", "bert", "carl", duels=9, played=7, until=ADAPTIVE).table
    assert (status(table, None)["plays_on"], plays_on_text(table)) == (None, None)


@pytest.mark.slow
def test_after_a_look_it_is_told_which_pairs_play_on(read: Reader) -> None:
    table = read("ada", "bert", "carl", duels=9, played=8, until=ADAPTIVE).table
    told = status(table, None)
    assert told["plays_on"] is not None
    assert told["plays_on"]["after"] == 8
    pairs = told["plays_on"]["pairs"]
    assert 0 < len(pairs) < 3
    assert told["planned"] == 3 * 8 + len(pairs)
    names = ", ".join(" – ".join(table.names[each] for each in pair) for pair in pairs)
    assert (plays_on_text(table) or "").endswith(f" on: {names}")


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
def test_when_all_is_sure_that_is_told(read: Reader, closed: bool) -> None:
    until = ADAPTIVE._replace(top=1)
    sure = read("ada", "bert", duels=9, played=8, faulty={2}, until=until, closed=closed).table
    assert plays_on_text(sure) == "adaptive rounds: after 8 duels, the first place is sure"


def test_the_status_tells_who_runs_a_league_and_who_withdrew(read: Reader) -> None:
    told = status(read("ada", "bert", withdrawn=2).table, "ada@laptop")
    assert told["run_by"] == "ada@laptop"
    assert [each["withdrawn"] for each in told["entrants"]] == [None, "2026-05-01T12:00:00+00:00"]
