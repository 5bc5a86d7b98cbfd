"""Shards are played into files, whose duels together are those of the league."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.arena.fault import NEVER_READY
from referee.errors import ConfigError, FileError
from referee.league import running
from referee.league.channel import NeverStarted, News
from referee.league.importing import import_files
from referee.league.running import RunOptions
from referee.league.shard_files import shard_file
from referee.league.shards import ShardSummary, ShardTask, deal_league, play_shard
from referee.scheduling.keys import DuelKey
from referee.scheduling.shards import Shard
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.duels import stored_keys
from referee.store.epochs import OpeningChoices
from referee.store.leagues import create_league
from referee.store.models import StoredVoid
from referee.store.opening import open_store
from tests.cli.leagues import NOW, SEED
from tests.league.instant import InstantEngine, NoBots, Play
from tests.league.real import Watcher
from tests.league.shard_scenes import LATER, WHOLE, all_played, club, cup, keys_of, played, write
from tests.store.scenes import bot, bundle, plan
from tests.table import euchre


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with cup(tmp_path) as made:
        yield made


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LeagueBots", NoBots)


Shards = Callable[..., ShardSummary]


@pytest.fixture
def play(store: Store, tmp_path: Path) -> Shards:
    def play_one(
        shard: Shard = WHOLE,
        *,
        how: Play = lambda key: played(club(store), key),
        stops: Callable[[], int] = lambda: 0,
        watcher: Watcher | None = None,
        file: str = "shard.jsonl",
    ) -> ShardSummary:
        task = ShardTask("club", shard, tmp_path / file)
        options = RunOptions(sandboxed=False, engine=InstantEngine(how))
        return play_shard(store, task, options, watcher or Watcher(), stops)

    return play_one


def test_all_shards_together_are_the_league(store: Store, tmp_path: Path, play: Shards) -> None:
    names, keys = [f"{number}.jsonl" for number in (1, 2, 3)], {*keys_of(club(store))}
    for number, name in enumerate(names, start=1):
        assert play(Shard(number, 3), file=name)[:4] == (4, 4, 0, 4)
    assert stored_keys(store, "club") == set()
    files = import_files(store, [tmp_path / name for name in names], LATER)
    assert [file.refused for file in files] == [None, None, None]
    assert stored_keys(store, "club") == keys
    assert club(store).state == "complete"


def test_what_is_stored_is_not_played_again(store: Store, tmp_path: Path, play: Shards) -> None:
    early = write(tmp_path / "early.jsonl", club(store), all_played(club(store))[:9])
    import_files(store, [early], LATER)
    assert play() == ShardSummary(12, 12, 0, 3, 0, 0, ())
    assert play(how=lambda _: pytest.fail("it was played")).played == 12


@pytest.mark.slow
@pytest.mark.parametrize("torn", [0, 40])
def test_a_shard_that_was_killed_goes_on_with_what_is_missing(
    store: Store, tmp_path: Path, play: Shards, torn: int
) -> None:
    path = write(tmp_path / "shard.jsonl", club(store), all_played(club(store))[:5])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - torn])
    watcher = Watcher()
    assert play(watcher=watcher).in_file == 12
    assert len(watcher.duels) == 7 + (torn > 0)
    (file,) = import_files(store, [path], LATER)
    # The bots were isolated otherwise in the end, and so there is another header.
    assert (file.duels, file.stored) == (12, 12)


def test_a_shard_that_is_stopped_keeps_what_was_played(tmp_path: Path, play: Shards) -> None:
    watcher = Watcher()
    with pytest.raises(KeyboardInterrupt):
        play(watcher=watcher, stops=lambda: 2 * (len(watcher.duels) > 3))
    lines = (tmp_path / "shard.jsonl").read_text().splitlines()
    assert len(lines) == 1 + len(watcher.duels) < 13


def test_a_shard_gives_up_what_is_void_too_often(store: Store, play: Shards) -> None:
    def late(key: DuelKey) -> News:
        void = StoredVoid(key, "the referee was late", NOW)
        return void if key == (1, 2, 0) else played(club(store), key)

    assert play(how=late) == ShardSummary(12, 11, 1, 11, 3, 0, ())


def test_the_others_play_on_where_one_never_starts(store: Store, play: Shards) -> None:
    def silent(key: DuelKey) -> News:
        never = NeverStarted(3, NEVER_READY, "it was silent", None)
        return never if 3 in key[:2] else played(club(store), key)

    summary = play(how=silent)
    assert (summary.played, summary.never_started) == (4, (3,))
    assert play(how=lambda _: pytest.fail("it was played")) == summary


@pytest.mark.parametrize("change", ["another shard", "another league"])
def test_a_file_of_something_else_is_left_alone(
    store: Store, tmp_path: Path, play: Shards, change: str
) -> None:
    with cup(tmp_path / "other", duels=5) as other:
        found = club(other if change == "another league" else store)
        path = write(tmp_path / "shard.jsonl", found, (), Shard(2, 3))
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="name another file"):
        play()
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"{}\n", b"no shard\n", b"\xff\n"])
def test_a_file_that_is_no_shard_is_left_alone(tmp_path: Path, play: Shards, data: bytes) -> None:
    path = tmp_path / "shard.jsonl"
    path.write_bytes(data)
    with pytest.raises(FileError, match="line 1: "):
        play()
    assert path.read_bytes() == data


def test_a_file_is_written_by_one_process_at_a_time(tmp_path: Path, play: Shards) -> None:
    with (
        shard_file(tmp_path / "shard.jsonl", euchre()),
        pytest.raises(ConfigError, match="is being written by another process"),
    ):
        play()


def test_a_file_that_cannot_be_written_is_one_error(tmp_path: Path, play: Shards) -> None:
    with pytest.raises(FileError, match="cannot write"):
        play(file="no/shard.jsonl")
    (tmp_path / "directory").mkdir()
    with pytest.raises(FileError, match="cannot write"):
        play(file="directory")


def test_a_shard_is_not_played_before_the_deals_are_drawn(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        undealt(store, tmp_path)
        task = ShardTask("cup", Shard(1, 2), tmp_path / "shard.jsonl")
        with pytest.raises(ConfigError, match="first: upcard league deal cup"):
            play_shard(store, task, RunOptions(1, sandboxed=False), Watcher(), lambda: 0)
        assert not task.path.exists()


def undealt(store: Store, directory: Path) -> None:
    bots, files = [bot(number, f"bot-{number}") for number in (1, 2)], bundle(directory / "bundle")
    for each in bots:
        add_bot(store, each, files)
    create_league(store, "cup", plan(), [each.digest for each in bots], NOW)


def test_deals_are_drawn_once_without_playing(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        undealt(store, tmp_path)
        dealt = deal_league(store, "cup", OpeningChoices(None, SEED))
        assert [epoch.seed for epoch in dealt.epochs] == [SEED]
        assert deal_league(store, "cup", OpeningChoices(None)) == dealt
        assert deal_league(store, "cup", OpeningChoices(None, SEED)) == dealt
        with pytest.raises(ConfigError, match="is dealt from another seed"):
            deal_league(store, "cup", OpeningChoices(None, bytes(32)))
        assert stored_keys(store, "cup") == set()
