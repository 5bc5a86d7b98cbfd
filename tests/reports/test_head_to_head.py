"""What is reported of two bots that played only each other."""

from pathlib import Path

import pytest

from referee.league.table import league_table
from referee.reports.head_to_head import HeadToHead, head_to_head
from referee.store.duels import rooms, stored_duels
from referee.store.opening import open_store
from tests.breaking import breaking
from tests.cli.leagues import write_league

DUELS = 10


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> HeadToHead:
    """Report a duel in which one bot is at fault so often that it is suspended."""
    place = tmp_path_factory.mktemp("faulty") / "upcard.db"
    write_league(place, duels=DUELS, faulty={1})
    with open_store(str(place)) as store:
        table = league_table(store, "club")
        assert [apart.why for apart in table.standings.apart] == ["suspended"]
        return head_to_head(store, table)


def test_every_duel_counts_whatever_the_faults(faulty: HeadToHead) -> None:
    first, second = faulty["bots"]
    assert first["won"] + first["drawn"] + first["lost"] == DUELS
    assert (first["won"], first["lost"]) == (second["lost"], second["won"])
    assert first["matches_won"] + second["matches_won"] == 2 * DUELS


def test_it_has_the_share_of_hands_that_were_played_alike(faulty: HeadToHead) -> None:
    assert faulty["identical"] == 0  # the two play at random, so no hand is


def test_points_are_those_of_each_side(faulty: HeadToHead) -> None:
    first, second = (side["points_per_hand"]["mean"] for side in faulty["bots"])
    assert first is not None
    assert second == -first


def test_the_slowest_decisions_are_each_of_another_duel(faulty: HeadToHead) -> None:
    slowest = [slow["duel"] for side in faulty["bots"] for slow in side["slowest"]]
    assert len(set(slowest)) == 3


def test_faults_are_in_the_order_they_were_stored_in(faulty: HeadToHead) -> None:
    assert [fault["number"] for fault in faulty["faults"]] == list(range(1, DUELS + 1))


def test_hands_that_could_not_go_on_are_counted_once(tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, game=breaking(), duels=DUELS)
    with open_store(str(place)) as store:
        table = league_table(store, "club")
        report = head_to_head(store, table)
        played = [rooms(store, table.league, duel.key) for duel in stored_duels(store, "club")]
    results = [hand.result for duel in played for room in duel for hand in room.hands]
    assert report["hands_stopped"] == sum("stopped" in result.notes for result in results) > 0
