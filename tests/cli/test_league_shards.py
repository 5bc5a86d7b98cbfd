"""`upcard league deal`, `play` and `import`, as an organiser with a cluster would."""

import json
from pathlib import Path

import pytest

from referee.cli import league_shards
from referee.league.shards import ShardSummary
from referee.store.leagues import league
from referee.store.opening import open_store
from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league
from tests.league.shard_scenes import all_played, club, cup, forged, write

SEED = "5a" * 32
pytestmark = pytest.mark.usefixtures("place")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with a store, and a file of all that its league plays."""
    monkeypatch.chdir(tmp_path)
    with cup(tmp_path) as store:
        write(tmp_path / "shard.jsonl", club(store), all_played(club(store), faulty=3))
    return tmp_path


def test_what_was_played_is_imported_once(upcard: Upcard) -> None:
    first, again = (upcard("league", "import", "shard.jsonl") for _ in range(2))
    assert (first.code, again.code) == (0, 0)
    assert first.out == (
        "shard.jsonl: 12 duels imported\nclub: 12 of 12 duels played; it is complete\n"
    )
    assert again.out.startswith("shard.jsonl: 0 duels imported, 12 there already\n")
    assert "shard" in upcard("league", "log", "club").out


def test_what_was_imported_is_said_as_json(upcard: Upcard) -> None:
    told = json.loads(upcard("league", "import", "shard.jsonl", "--json").out)
    (file,) = told["files"]
    assert (file["file"], file["imported"], file["refused"]) == ("shard.jsonl", 12, None)
    expected = {"league": "club", "state": "complete", "played": 12, "planned": 12}
    assert told["leagues"] == [expected]


def test_of_files_that_are_refused_each_is_said_why(upcard: Upcard, place: Path) -> None:
    forged(place / "shard.jsonl", 5, lambda form: form.update(digest="0" * 64))
    (place / "empty.jsonl").touch()
    said = upcard("league", "import", "shard.jsonl", "none.jsonl", "upcard.db", "empty.jsonl")
    assert said.code == 1
    assert said.out == "empty.jsonl: 0 duels imported\n"
    first, second, third = said.err.splitlines()
    assert first.startswith("upcard: shard.jsonl, line 5: digest: is ")
    assert first.endswith("nothing of this file is imported")
    assert second == "upcard: cannot read none.jsonl: No such file or directory"
    assert third.startswith("upcard: upcard.db, line 1: ")


def test_a_league_that_is_not_here_is_named(upcard: Upcard, place: Path) -> None:
    write_league(place / "other.db", name="autumn")
    said = upcard("league", "import", "shard.jsonl", "--db", "other.db")
    assert said.code == 1
    assert "league: is 'club', which is not in this store" in said.err


@pytest.mark.parametrize("shard", ["0/2", "3/2", "2", "a/b"])
def test_what_is_no_shard_is_refused(upcard: Upcard, place: Path, shard: str) -> None:
    said = upcard("league", "play", "club", "--shard", shard, "--out", "new.jsonl")
    assert (said.code, "is no shard; write I/N" in said.err) == (2, True)
    assert not (place / "new.jsonl").exists()


def test_a_shard_needs_its_number_and_its_file(upcard: Upcard) -> None:
    assert upcard("league", "play", "club", "--out", "new.jsonl").code == 2
    assert upcard("league", "play", "club", "--shard", "1/2").code == 2
    assert upcard("league", "import").code == 2


@pytest.mark.parametrize(
    ("summary", "strict", "code"),
    [
        (ShardSummary(4, 4, 0, 4, 0, 0, ()), [], 0),
        (ShardSummary(4, 4, 0, 4, 0, 2, ()), [], 0),
        (ShardSummary(4, 4, 0, 4, 0, 2, ()), ["--strict-exit"], 3),
        (ShardSummary(4, 3, 1, 3, 3, 0, ()), [], 1),
        (ShardSummary(4, 3, 0, 3, 0, 0, (2,)), [], 1),
    ],
)
def test_the_exit_code_says_what_came_of_a_shard(
    upcard: Upcard,
    monkeypatch: pytest.MonkeyPatch,
    summary: ShardSummary,
    strict: list[str],
    code: int,
) -> None:
    monkeypatch.setattr(league_shards, "play_part", lambda *_: summary)
    said = upcard("league", "play", "--shard", "1/3", "--out", "new.jsonl", *strict)
    assert said.code == code
    assert said.out.splitlines()[-1] == "upcard league import new.jsonl"
    told = json.loads(
        upcard("league", "play", "--shard", "1/3", "--out", "new.jsonl", "--json").out
    )
    assert (told["league"], told["shard"], told["played"]) == ("club", "1/3", summary.played)


def test_deals_are_drawn_without_playing(upcard: Upcard) -> None:
    with open_store("upcard.db") as store:
        names = [entry.bot.digest[:12] for entry in club(store).entries]
    upcard("league", "create", "spring", *(word for name in names for word in ("--bot", name)))
    assert upcard("league", "deal", "spring", "--seed", SEED).code == 0
    with open_store("upcard.db") as store:
        assert league(store, "spring").epochs[0].seed.hex() == SEED
    again = upcard("league", "deal", "spring")
    assert again.out.startswith("epoch 1: opening statement ")
    other = upcard("league", "deal", "spring", "--seed", "00" * 32)
    assert (other.code, "is dealt from another seed" in other.err) == (2, True)
