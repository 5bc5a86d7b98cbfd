"""The tables of a league, and who is in it, as programs are told them."""

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


def test_in_tables_the_names_of_strangers_are_harmless(read: Reader) -> None:
    table = read("a\x1b[2J", "bert").table
    assert {row["entrant"] for row in ratings(table)["table"]} == {"a?[2J", "bert"}
    assert {pair["opponent"] for pair in crosstable(table)["pairs"]} == {"a?[2J", "bert"}


def test_the_status_tells_who_runs_a_league_and_who_withdrew(read: Reader) -> None:
    told = status(read("ada", "bert", withdrawn=2).table, "ada@laptop")
    assert told["run_by"] == "ada@laptop"
    assert [each["withdrawn"] for each in told["entrants"]] == [None, "2026-05-01T12:00:00+00:00"]
