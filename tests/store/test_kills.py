"""Processes that are killed at any moment lose nothing they said was kept."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from referee.engine.record import SeededDeal
from referee.store.bots import add_bot, bots, bundle
from referee.store.chain import START, chained
from referee.store.duels import stored_duels
from referee.store.leagues import leagues
from referee.store.log import entries, entry_as_json
from referee.store.opening import open_store
from referee.store.play import unpacked
from tests.store import scenes
from tests.store.processes import Process, heard, process, tell
from tests.store.writer import GROUP
from tests.table import euchre

KILLS = 4
DEALT = SeededDeal(scenes.SEED, "any")


def kill(run: Process, seconds: float) -> list[int]:
    """Kill a process so much later, at a moment as likely as any; give what it still said."""
    until = perf_counter() + seconds
    while perf_counter() < until:
        pass
    run.kill()
    return [int(word) for word in run.stdout.read().split() if word.isdigit()]


def test_killed_runs_lose_no_duel_double_none_and_leave_each_group_whole(
    place: str, tmp_path: Path
) -> None:
    with open_store(place, create=True) as store:
        scenes.cup(store, tmp_path)
    draw = Random(20)
    said: list[int] = []
    for _ in range(KILLS):
        with process("write", place) as run:
            for _ in range(draw.randrange(1, 8)):
                said += map(int, heard(run).split())
            said += kill(run, draw.random() / 500)
    with open_store(place) as store:
        duels = list(stored_duels(store, "cup"))
        log = list(entries(store, "cup"))
    heads = [START, *(entry.head for entry in log)]
    assert heads[1:] == [*map(chained, heads, (entry_as_json(*entry[:4]) for entry in log))]
    logged = [entry.body["duel"][2] for entry in log if entry.kind == "duel"]
    assert logged == list(range(len(duels)))
    assert [duel.key.number for duel in duels] == list(range(len(duels)))
    assert set(said) <= set(range(len(duels)))
    assert len(duels) <= len(said) + KILLS * GROUP
    assert len(duels) % GROUP == 0
    assert {len(duel.faults) for duel in duels} == {2}
    assert {len(unpacked(duel.play, DEALT, euchre())) for duel in duels} == {2}
    if store.in_file:
        with closing(sqlite3.connect(place)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_store_whose_making_was_killed_is_made_by_the_next(place: str) -> None:
    draw = Random(3)
    for _ in range(KILLS):
        with process("create", place) as maker:
            heard(maker)
            tell(maker)
            kill(maker, draw.random() / 3)
    with open_store(place, create=True) as store:
        assert leagues(store) == []


def test_bots_whose_adding_was_killed_are_there_with_their_bundles_or_not_at_all(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = scenes.bundle(tmp_path / "bundle")
    monkeypatch.setenv("BUNDLE", str(files))
    with open_store(place, create=True):
        pass
    draw = Random(8)
    said: list[int] = []
    for _ in range(KILLS):
        with process("add", place) as adder:
            said += [int(heard(adder)) for _ in range(draw.randrange(1, 5))]
            said += kill(adder, draw.random() / 100)
    with open_store(place) as store:
        added = [int(bot.digest, 16) for bot in bots(store)]
        for bot in bots(store):
            names = {path.name for path in bundle(store, bot.digest).iterdir()}
            assert names == {"again", "bot.toml", "run"}
        add_bot(store, scenes.bot(10**9), files)
        assert not list((store.files / "bots").glob(".*"))
    assert set(said) <= set(added) == set(range(1, len(added) + 1))
