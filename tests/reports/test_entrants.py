"""What is told of one entrant: its habits, its slowest decisions, its opponents, its faults."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.arena.duel import Timing
from referee.engine.game import Figure
from referee.league.table import league_table
from referee.reports.entrants import EntrantReport, entrant, habits, slowest
from referee.reports.faults import ADVICE
from referee.scheduling.keys import DuelKey
from referee.store.duels import faults
from referee.store.leagues import withdraw
from referee.store.models import Side
from referee.store.opening import open_store
from tests.cli.leagues import NOW, write_league
from tests.table import euchre

MARCHES = Figure("marches, of hands made", "march", "made", is_share=True)
DEFENDS = Figure("points a hand defending", "defended", "made", is_share=False, over_theirs=True)


def side(seconds: float | None = None, **tallies: int) -> Side:
    timing = None if seconds is None else Timing(seconds, 1, 4, 2, "trick 3")
    return Side(tallies, timing)


def test_a_figure_is_what_it_did_over_what_it_did() -> None:
    played = [
        (DuelKey(1, 2, 0), (side(march=1, made=4), side(march=9, made=9))),
        (DuelKey(1, 3, 0), (side(march=2, made=8), side(made=1))),
    ]
    assert habits([MARCHES], played, 1) == [
        {"what": MARCHES.words, "value": 3 / 12, "is_share": True, "of": 12}
    ]


def test_a_figure_can_be_over_what_its_opponents_did() -> None:
    played = [
        (DuelKey(1, 2, 0), (side(defended=-3, made=50), side(made=4))),
        (DuelKey(1, 3, 0), (side(defended=1, made=50), side(made=6))),
    ]
    (habit,) = habits([DEFENDS], played, 1)
    assert (habit["value"], habit["of"], habit["is_share"]) == (-2 / 10, 10, False)


def test_the_second_of_a_duel_is_told_by_its_own_side() -> None:
    played = [(DuelKey(1, 2, 0), (side(march=1, made=4), side(march=5, made=5)))]
    (habit,) = habits([MARCHES], played, 2)
    assert (habit["value"], habit["of"]) == (1.0, 5)


def test_what_never_came_up_has_no_value() -> None:
    played = [(DuelKey(1, 2, 0), (side(hands=9), side(made=9)))]
    (habit,) = habits([MARCHES], played, 1)
    assert (habit["value"], habit["of"]) == (None, 0)


def test_who_has_not_played_has_habits_without_values() -> None:
    assert [habit["value"] for habit in habits([MARCHES, DEFENDS], [], 1)] == [None, None]


def test_the_slowest_decisions_are_the_slowest_of_each_duel_in_order() -> None:
    seconds = [0.3, 0.1, 0.9, 0.2, 0.8, 0.5, 0.4, 0.7, 0.6, 1.0, 0.05, 1.1]
    played = [(DuelKey(1, 2, number), (side(each), side(5))) for number, each in enumerate(seconds)]
    found = slowest(euchre(), played, 1)
    assert [each["seconds"] for each in found] == sorted(seconds, reverse=True)[:10]
    assert [each["duel"] for each in found[:2]] == ["1-2/12", "1-2/10"]


def test_the_slowest_decisions_are_its_own() -> None:
    played = [(DuelKey(1, 2, 0), (side(0.25), side(5.0))), (DuelKey(2, 3, 0), (side(0.5), side(9)))]
    assert [each["seconds"] for each in slowest(euchre(), played, 2)] == [5.0, 0.5]


def test_a_duel_without_timings_has_no_slowest() -> None:
    assert slowest(euchre(), [(DuelKey(1, 2, 0), (side(), side(5)))], 1) == []


def test_a_slow_decision_has_its_place() -> None:
    assert slowest(euchre(), [(DuelKey(1, 2, 0), (side(0.25), side()))], 1) == [
        {
            "duel": "1-2/1",
            "seconds": 0.25,
            "room": "closed",
            "hand": 5,
            "seat": "South",
            "decision": "trick 3",
        }
    ]


Told = Callable[[int], EntrantReport]


@contextmanager
def league(place: Path, *entrants: tuple[str, str], withdrawn: int = 0) -> Iterator[Told]:
    """Write a league in which the second is at fault in every duel, and give what tells of it."""
    write_league(place, entrants, duels=4, faulty={2})
    with open_store(str(place)) as store:
        if withdrawn:
            withdraw(store, "club", withdrawn, NOW)
        table = league_table(store, "club")
        yield lambda number: entrant(store, table, number)


THREE = ("ada", "1"), ("bert", "1"), ("carl", "1")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    with league(tmp_path_factory.mktemp("three") / "upcard.db", *THREE) as told:
        yield told


@pytest.mark.slow
def test_opponents_come_in_the_order_of_the_table(tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db", THREE, duels=4, faulty={2})
    with open_store(str(tmp_path / "upcard.db")) as store:
        table = league_table(store, "club")
        order = [row.entrant for row in table.standings.rows]
        for number in order:
            met = [each["number"] for each in entrant(store, table, number)["opponents"]]
            assert met == [other for other in order if other != number]


def test_what_two_did_against_each_other_is_told_of_each_from_its_side(three: Told) -> None:
    (one,) = (each for each in three(1)["opponents"] if each["number"] == 2)
    (other,) = (each for each in three(2)["opponents"] if each["number"] == 1)
    assert (one["won"], one["drawn"], one["lost"]) == (other["lost"], other["drawn"], other["won"])
    assert one["points_per_hand"]["mean"] == -(other["points_per_hand"]["mean"] or 0)
    assert one["better"] + other["better"] == pytest.approx(1)


def test_who_withdrew_has_no_rank_and_no_opponents(tmp_path: Path) -> None:
    with league(tmp_path / "upcard.db", *THREE, withdrawn=3) as told:
        gone = told(3)
        assert (gone["best_rank"], gone["apart"], gone["opponents"]) == (None, "withdrawn", [])
        assert [each["number"] for each in told(1)["opponents"]] == [2]


@pytest.mark.slow
def test_a_bot_is_told_with_its_other_versions(tmp_path: Path) -> None:
    with league(tmp_path / "upcard.db", ("ada", "1"), ("bert", "1"), ("ada", "2")) as told:
        both = [(each["number"], each["version"]) for each in told(3)["versions"]]
        assert both == [(1, "1"), (3, "2")]
        assert [each["number"] for each in told(2)["versions"]] == [2]


@pytest.mark.slow
def test_faults_have_the_numbers_that_they_have_in_the_league(tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, THREE, duels=3, faulty={1, 3})
    with open_store(str(place)) as store:
        table = league_table(store, "club")
        whose = {
            fault["number"]: number
            for number in (1, 2, 3)
            for fault in entrant(store, table, number)["faults"]
        }
        stored = [fault.entrant for _, _, fault in faults(store, "club")]
    assert [whose[number] for number in sorted(whose)] == stored
    assert sorted(whose) == [*range(1, len(stored) + 1)]
    assert {*stored} == {1, 3}


def test_a_fault_is_told_with_its_duel_and_what_its_author_can_do(three: Told) -> None:
    for fault in three(2)["faults"]:
        one, other = map(int, fault["duel"].partition("/")[0].split("-"))
        assert 2 in {one, other}
        assert fault["advice"] == ADVICE[fault["kind"]]


def test_who_did_nothing_wrong_has_no_faults(three: Told) -> None:
    assert three(1)["faults"] == []
