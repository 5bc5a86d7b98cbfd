"""The duels of a league, as programs are told them."""

import pytest

from referee.reports.duels import duel, duels, where
from referee.scheduling.keys import DuelKey
from tests.reports.conftest import Reader


@pytest.mark.slow
def test_the_result_is_that_of_the_first_entrant(read: Reader) -> None:
    for told in map(duel, read("ada", "bert", duels=12).lines):
        (ours, theirs), (others, own) = told["scores"]["open"], told["scores"]["closed"]
        won = (ours > theirs) + (own > others)
        assert (told["matches_won"], told["result"]) == (won, ("lost", "drawn", "won")[won])


@pytest.mark.slow
def test_the_slowest_decision_of_each_has_its_place(read: Reader) -> None:
    (line,) = read("ada", "bert", duels=1).lines
    slowest, none = duel(line)["slowest"]
    assert (slowest, none) == (
        {"seconds": 0.0125, "room": "open", "hand": 2, "seat": "North", "decision": "trick 3"},
        None,
    )


def test_a_fault_is_told_with_its_place_and_whose_it_was(read: Reader) -> None:
    (line,) = read("ada", "bert", duels=1, faulty={2}).lines
    (fault,) = duel(line)["faults"]
    place = fault["entrant"], fault["room"], fault["hand"], fault["seat"]
    assert place == ("bert", "open", 2, "East")
    assert where(line.game, line.duel.faults[0]) == "open room, hand 2, East"


def test_only_the_duels_and_voids_that_were_asked_for_are_told(read: Reader) -> None:
    found = read("ada", "bert", voids=[DuelKey(1, 2, 0), DuelKey(1, 2, 1)])
    told = duels(found.table, found.lines[:1], found.table.voids[1:])
    assert [each["duel"] for each in told["duels"]] == ["1-2/3"]
    assert [each["duel"] for each in told["voids"]] == ["1-2/2"]
