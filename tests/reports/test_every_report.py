"""What holds for every report: the web checks each against its type, and tells it unchanged."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from pydantic import TypeAdapter

from referee.reports.crosstable import Crosstable, crosstable
from referee.reports.duels import DuelsReport, duels
from referee.reports.facts import Facts, Status, facts, status
from referee.reports.ratings import Ratings, ratings
from referee.scheduling.keys import DuelKey
from tests.cli.leagues import SEED
from tests.reports.conftest import Read, Reader

Report = Callable[[Read], Mapping[str, Any]]

REPORTS: Final[Mapping[type, Report]] = {
    Facts: lambda read: facts(read.table),
    Ratings: lambda read: ratings(read.table),
    Crosstable: lambda read: crosstable(read.table),
    DuelsReport: lambda read: duels(read.table, read.lines, read.table.voids),
    Status: lambda read: status(read.table, "ada@laptop"),
}
EVERY = pytest.mark.parametrize(
    ("kind", "report"), REPORTS.items(), ids=[kind.__name__ for kind in REPORTS]
)


@pytest.fixture(params=["played", "new"])
def league(read: Reader, request: pytest.FixtureRequest) -> Read:
    """Write a league in which all has happened, or nothing yet."""
    entrants = "ada", "bert", "carl", "dora"
    if request.param == "new":
        return read(*entrants, played=0)
    voids = [*[DuelKey(1, 2, 0)] * 3, DuelKey(1, 3, 1)]
    return read(*entrants, faulty={2}, voids=voids, given=True, withdrawn=4, closed=True)


@EVERY
def test_it_is_as_its_type_says_field_by_field(kind: type, report: Report, league: Read) -> None:
    told = report(league)
    checked: object = TypeAdapter(kind).validate_python(told, strict=True)
    assert json.dumps(checked) == json.dumps(told)


@EVERY
def test_its_schema_has_its_fields_in_their_order(kind: type, report: Report, league: Read) -> None:
    assert [*TypeAdapter(kind).json_schema()["properties"]] == [*report(league)]


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("closed", [False, True])
def test_it_tells_the_seed_only_once_the_league_is_over(
    kind: type, report: Report, read: Reader, closed: bool
) -> None:
    told = json.dumps(report(read("ada", "bert", closed=closed)))
    assert (SEED.hex() in told) == closed, kind
