"""The crosstable as a grid: what its cells tell, how strong they look, and where they lead."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from posixpath import join, normpath
from typing import Final, NamedTuple

import pytest
from starlette.testclient import TestClient

from referee.league.table import LeagueTable, league_table
from referee.ratings.results import Result
from referee.ratings.standings import standings
from referee.reports.crosstable import order
from referee.store.opening import open_store
from referee.web.charts import heat
from referee.web.crosstable import ROOMY, CrosstableRow, grid
from tests.cli.leagues import bots, write_league
from tests.web import scenes
from tests.web.scenes import CLUB, links

HERE: Final = "/leagues/club/pairings/"


class Cell(NamedTuple):
    """A cell as it is written."""

    kind: str
    link: str
    words: str


def cells(row: CrosstableRow) -> list[Cell]:
    """Read the cells of a row."""
    found = re.findall(r"<td(?: class=(\w+))?>(?:<a href=([^>]+)>(.*?)</a>)?", row.cells)
    return [Cell(*each) for each in found]


@pytest.fixture(scope="module")
def table(open_place: Path) -> LeagueTable:
    with open_store(str(open_place)) as store:
        return league_table(store, CLUB.name)


def of(table: LeagueTable, entrants: int, results: list[Result]) -> LeagueTable:
    """Return a table of so many entrants in place of those of a real one."""
    entry = table.league.entries[0]
    numbers = range(1, entrants + 1)
    league = table.league._replace(
        entries=tuple(entry._replace(number=number) for number in numbers)
    )
    names = {number: f"bot-{number}" for number in numbers}
    return replace(
        table,
        league=league,
        names=names,
        results=results,
        standings=standings(numbers, results),
        identical={},
    )


def everybody_met(entrants: int) -> list[Result]:
    return [
        Result(one, other, 0, 1, float(one - other), 10, (0, 0))
        for one in range(1, entrants + 1)
        for other in range(one + 1, entrants + 1)
    ]


def by_numbers(table: LeagueTable) -> Mapping[tuple[int, int], Cell]:
    """Return the cells by who is in the row and who in the column."""
    numbers = order(table)
    return {
        (row.number, other): cell
        for row in grid(table).rows
        for other, cell in zip(numbers, cells(row), strict=True)
    }


@pytest.mark.parametrize(("entrants", "roomy"), [(2, True), (24, True), (25, False)])
def test_it_is_roomy_up_to_so_many(table: LeagueTable, entrants: int, roomy: bool) -> None:
    assert ROOMY == 24
    assert grid(of(table, entrants, everybody_met(entrants))).roomy == roomy


@pytest.mark.parametrize("entrants", [3, 25])
def test_rows_and_columns_are_in_the_order_of_the_table(table: LeagueTable, entrants: int) -> None:
    made = of(table, entrants, everybody_met(entrants))
    rows = grid(made).rows
    assert [row.number for row in rows] == order(made)
    assert [row.position for row in rows] == [*range(1, entrants + 1)]
    for place, row in enumerate(rows):
        assert [cell.kind == "self" for cell in cells(row)] == [
            other == place for other in range(entrants)
        ]


@pytest.mark.parametrize("entrants", [3, 25])
def test_a_cell_is_as_strong_as_its_points(table: LeagueTable, entrants: int) -> None:
    made = of(table, entrants, everybody_met(entrants))
    for pair, cell in by_numbers(made).items():
        if pair[0] != pair[1]:
            step = heat(made.standings.cells[pair].points.mean)
            assert cell.kind == f"heat{step}"


@pytest.mark.parametrize("entrants", [3, 25])
def test_a_cell_and_its_mirror_lead_to_the_same_pairing(table: LeagueTable, entrants: int) -> None:
    found = by_numbers(of(table, entrants, everybody_met(entrants)))
    for one, other in found:
        assert found[one, other].link == found[other, one].link


def test_a_roomy_cell_tells_duels_points_how_alike_and_who_is_better(table: LeagueTable) -> None:
    results = [Result(1, 2, number, wins, 4.0, 16, (0, 0)) for number, wins in enumerate((2, 2, 1))]
    counted = replace(of(table, 2, results), identical={(1, 2): (12, 48)})
    cell = by_numbers(counted)[1, 2]
    duels, points, alike, better = cell.words.split("<br>")
    assert duels == "2–1–0"
    assert alike == "25.0 % alike"
    assert points == "<b>+0.25 ± 0.09</b>"
    assert re.fullmatch(r"\d\d\.\d %", better)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("won", "written"),
    [(4.0, "+.25"), (-4.0, "−.25"), (24.0, "+1.50"), (0.0, "+.00"), (161.0, "+10.06")],
)
def test_a_dense_cell_tells_points_alone(table: LeagueTable, won: float, written: str) -> None:
    cell = by_numbers(of(table, 25, [Result(1, 2, 0, 1, won, 16, (0, 0))]))[1, 2]
    assert cell.words == written


@pytest.mark.parametrize("entrants", [3, 25])
def test_who_has_not_met_has_an_empty_cell(table: LeagueTable, entrants: int) -> None:
    found = by_numbers(of(table, entrants, [Result(1, 2, 0, 1, 4.0, 16, (0, 0))]))
    assert found[1, 3] == Cell("", "", "")


def test_hands_that_do_not_count_have_no_heat(table: LeagueTable) -> None:
    cell = by_numbers(of(table, 2, [Result(1, 2, 0, 1, 0.0, 0, (0, 1))]))[1, 2]
    assert (cell.kind, "<b>–</b>" in cell.words) == ("", True)


def test_a_chance_beyond_telling_is_escaped(table: LeagueTable) -> None:
    results = [Result(1, 2, number, 2, 40.0, 16, (0, 0)) for number in range(400)]
    found = by_numbers(of(table, 2, results))
    assert found[1, 2].words.endswith("&gt;99.9 %")
    assert found[2, 1].words.endswith("&lt;0.1 %")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Serve a league of so many that cells are dense; each met each once, in a few hands."""
    place = tmp_path_factory.mktemp("crowd") / "upcard.db"
    names = [f"bot-{number}" for number in range(1, ROOMY + 2)]
    everybody = {*range(1, len(names) + 1)}
    # Who is at fault gives the match up early, which is quicker to play.
    write_league(place, bots(names), duels=1, faulty=everybody)
    with scenes.served(place) as asks:
        yield asks


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["roomy", "dense"])
def test_every_cell_leads_to_a_page(
    asks: TestClient, kind: str, request: pytest.FixtureRequest
) -> None:
    serves = asks if kind == "roomy" else request.getfixturevalue("crowd")
    page = serves.get(HERE).text
    assert ('class="cross dense"' in page) == (kind == "dense")
    pairings = {link for link in links(page) if re.fullmatch(r"\d+-\d+\.html", link)}
    entrants = len(re.findall("<abbr title", page)) - 1
    assert len(pairings) == entrants * (entrants - 1) / 2
    some = sorted(pairings)[:: 1 + len(pairings) // 20]
    assert {serves.get(normpath(join(HERE, link))).status_code for link in some} == {200}
