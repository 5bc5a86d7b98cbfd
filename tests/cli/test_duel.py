"""`upcard duel` with real bots in the real sandbox."""

import csv
from pathlib import Path

import pytest

from referee.record_file import read_records
from tests.cli.bots import CRASHES, SEED, Ran, run, write_bot
from tests.cli.command import LIMITS
from tests.cli.conftest import Upcard


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Play a bot that crashes against one that does not, with the result as JSON."""
    directory = tmp_path_factory.mktemp("ran")
    write_bot(directory / "mine", CRASHES)
    words = ("--duels", 2, "--seed", SEED, "--tables", 1, "--policy", "substitute:2", "--json")
    return run(directory, "duel", "random", "mine", *words)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Play a bot against itself at whist."""
    words = ("--game", "whist", "--duels", 2, "--csv", "--logs", "logs", "--seed", SEED)
    return run(tmp_path_factory.mktemp("twins"), "duel", "random", "random", *words)


def test_json_tells_who_won(ran: Ran) -> None:
    first, second = ran.json()["bots"]
    assert (ran.code, first["name"], first["won"]) == (3, "random", 2)
    assert (second["name"], second["lost"], second["matches_won"]) == ("mine", 2, 0)


def test_json_tells_what_was_played(ran: Ran) -> None:
    said = ran.json()
    assert (said["game"], said["epochs"][0]["seed"]) == ("euchre", SEED)
    assert said["sandboxed"]
    assert (said["limits"]["decision"], said["forfeit_at"]) == (LIMITS[0], 2)


def test_json_tells_which_faults_cost_a_match(ran: Ran) -> None:
    faults = ran.json()["faults"]
    assert {fault["kind"] for fault in faults} == {"crashed"}
    assert {fault["forfeits"] for fault in faults} == {False, True}


def test_json_tells_where_a_fault_is_kept(ran: Ran) -> None:
    for fault in ran.json()["faults"]:
        assert (ran.directory / fault["bundle"]).exists()


def test_the_open_room_is_kept_before_the_closed_one(ran: Ran) -> None:
    """The second of the two sits East-West in the open room, and forfeits there."""
    records = list(read_records(ran.logs("random-vs-mine", "duels.jsonl")))
    assert [record.forfeit and record.forfeit.seat % 2 for record in records] == [1, 0, 1, 0]


def test_csv_has_a_row_for_each_duel(twins: Ran) -> None:
    rows = list(csv.DictReader(twins.out.splitlines()))
    assert (twins.code, twins.err) == (0, "")
    assert [row["duel"] for row in rows] == ["1-2/1", "1-2/2"]
    assert {row["sandboxed"] for row in rows} == {"yes"}


def test_a_bot_that_plays_itself_draws_every_duel_with_the_same_score(twins: Ran) -> None:
    """Its random numbers are those of the seat, so both rooms see the same match."""
    for row in csv.DictReader(twins.out.splitlines()):
        open_room = row["open_north_south"], row["open_east_west"]
        assert (row["result"], open_room) == (
            "drawn",
            (row["closed_north_south"], row["closed_east_west"]),
        )


def test_two_of_one_name_are_told_apart(twins: Ran) -> None:
    names = {path.name for path in (twins.directory / "logs" / "output").iterdir()}
    assert {"random-A-north.log", "random-B-north.log"} <= names


def test_a_duel_needs_two(upcard: Upcard, tmp_path: Path) -> None:
    said = upcard("duel", "steady", "--logs", tmp_path)
    message = "upcard duel: Missing argument 'OTHER'; see 'upcard duel --help'\n"
    assert (said.code, said.err) == (2, message)
