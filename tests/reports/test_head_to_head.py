"""What is reported of two bots that played only each other."""

from itertools import chain
from pathlib import Path

import pytest

from referee.engine.cards import Action, Seat
from referee.engine.record import HandRecord
from referee.league.duel_names import duel_number
from referee.league.table import league_table
from referee.ratings.points import hand_margins
from referee.reports.costly_deals import CostlyDeal, costly_deals
from referee.reports.duels import DuelLine, lines
from referee.reports.head_to_head import HeadToHead, head_to_head
from referee.store.duels import rooms, stored_duels
from referee.store.opening import open_store
from tests.breaking import breaking
from tests.cli.leagues import write_league

DUELS = 10
Acted = tuple[Seat, Action]


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


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[DuelLine]:
    """Read some duels of two that play at random."""
    place = tmp_path_factory.mktemp("played") / "upcard.db"
    write_league(place)
    with open_store(str(place)) as store:
        return list(lines(league_table(store, "club"), stored_duels(store, "club")))


def test_the_deals_that_cost_the_first_most_are_found(played: list[DuelLine]) -> None:
    margins = [hand_margins(line.rooms) for line in played]
    found = costly_deals(played)
    assert [deal["margin"] for deal in found] == sorted(chain.from_iterable(margins))[:5]
    for deal in found:
        assert margins[duel_number(deal["duel"]) - 1][deal["hand"] - 1] == deal["margin"]


def test_where_the_rooms_parted_in_them_is_found(played: list[DuelLine]) -> None:
    for deal in costly_deals(played):
        line = played[duel_number(deal["duel"]) - 1]
        opened, closed = (record.hands[deal["hand"] - 1] for record in line.rooms)
        one, other = _first_that_differ(opened, closed)
        assert _did(deal) == {
            # North and South are the first's in the open room, and the other's in the closed one.
            ("open", line.names[one[0] % 2], line.game.say(one[1])),
            ("closed", line.names[1 - one[0] % 2], line.game.say(other[1])),
        }
        assert deal["parted"]["seat"] == line.game.seat_names[one[0]]


def _first_that_differ(opened: HandRecord, closed: HandRecord) -> tuple[Acted, Acted]:
    both = zip(opened.actions, closed.actions, strict=False)
    return next((one, other) for one, other in both if one != other)


def _did(deal: CostlyDeal) -> set[tuple[str, str, str]]:
    choices = deal["parted"]["choices"]
    return {(choice["room"], choice["bot"], choice["says"]) for choice in choices}


@pytest.mark.slow
def test_hands_that_could_not_go_on_are_counted_once(tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, game=breaking(), duels=DUELS)
    with open_store(str(place)) as store:
        table = league_table(store, "club")
        report = head_to_head(store, table)
        played = [rooms(store, table.league, duel.key) for duel in stored_duels(store, "club")]
    results = [hand.result for duel in played for room in duel for hand in room.hands]
    assert report["hands_stopped"] == sum("stopped" in result.notes for result in results) > 0
