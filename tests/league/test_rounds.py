"""Leagues whose pairs are chosen round by round: what is played, and what an export shows of it."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.arena.limits import Terms
from referee.errors import ConfigError
from referee.league import forecast as forecasting
from referee.league import running
from referee.league.forecast import forecast
from referee.league.rounds import league_progress
from referee.league.running import RunOptions, run_league
from referee.league.shards import ShardTask, play_shard
from referee.league.table import league_table
from referee.publication.collecting import collect
from referee.publication.export import export
from referee.publication.verification import Report, VerificationRequest, verify
from referee.reports.facts import facts
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.duels import stored_keys
from referee.store.leagues import create_league, enter, league, set_state, withdraw
from referee.store.leases import lease
from referee.store.models import Plan
from referee.store.opening import open_store
from referee.store.rounds import pair_round, rounds
from referee.store.snapshots import snapshots
from tests.league.instant import InstantEngine, NoBots
from tests.league.real import Watcher
from tests.league.shard_scenes import WHOLE, club, played
from tests.publication.exports import forged_log, place
from tests.store.scenes import bot, bundle
from tests.table import euchre

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = timedelta(days=36500)
PLAN = Plan(Terms(euchre(target=3)), duels=64, block=0, round_duels=2)
Pairs = Sequence[tuple[int, int]]
Play = Callable[..., set[DuelKey]]


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LeagueBots", NoBots)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        files = bundle(tmp_path / "bundle")
        bots = [bot(number, f"bot-{number}") for number in range(1, 6)]
        for each in bots:
            add_bot(store, each, files)
        create_league(store, "club", PLAN, [each.digest for each in bots[:4]], NOW)
        yield store


def pair(store: Store, *paired: Pairs) -> None:
    with lease(store, "club") as own:
        for pairs in paired:
            pair_round(own, pairs, NOW)


@pytest.fixture
def play(store: Store) -> Play:
    """Return what plays all that is missing, and returns what was played of it."""

    def run(faulty: int | None = None) -> set[DuelKey]:
        before = stored_keys(store, "club")
        engine = InstantEngine(lambda key: played(club(store), key, faulty=faulty))
        options = RunOptions(sandboxed=False, engine=engine)
        run_league(store, "club", options, Watcher(), lambda: 0)
        return stored_keys(store, "club") - before

    return run


def keys(first: int, second: int, *numbers: int) -> set[DuelKey]:
    return {DuelKey(first, second, number) for number in numbers}


def test_nothing_is_played_before_a_round_is_paired(play: Play) -> None:
    assert play() == set()


def test_the_pairs_of_each_round_play_the_duels_of_its_numbers(store: Store, play: Play) -> None:
    pair(store, [(1, 2), (3, 4)], [(3, 2)])
    assert play() == keys(1, 2, 0, 1) | keys(3, 4, 0, 1) | keys(2, 3, 2, 3)


def test_it_stays_open_for_another_round(store: Store, play: Play) -> None:
    pair(store, [(1, 2)])
    play()
    assert club(store).state == "open"
    pair(store, [(1, 2)])
    assert play() == keys(1, 2, 2, 3)


def test_rounds_are_read_as_they_were_paired(store: Store) -> None:
    pair(store, [(1, 2), (3, 4)], [(3, 2)])
    assert [each.pairs for each in rounds(store, "club")] == [((1, 2), (3, 4)), ((2, 3),)]


def test_nobody_plays_who_withdrew(store: Store, play: Play) -> None:
    pair(store, [(1, 2), (3, 4)])
    withdraw(store, "club", 2, NOW)
    assert play() == keys(3, 4, 0, 1)


def test_who_comes_later_plays_from_a_seed_of_its_own(store: Store, play: Play) -> None:
    pair(store, [(1, 2)])
    play()
    enter(store, "club", bot(5).digest)
    pair(store, [(5, 2)])
    assert play() == keys(2, 5, 2, 3)
    assert [entry.epoch for entry in club(store).entries] == [1, 1, 1, 1, 2]


def test_who_is_at_fault_in_most_duels_is_suspended_after_a_round(store: Store, play: Play) -> None:
    pair(store, *([(1, 2), (3, 4)] for _ in range(7)))
    play(faulty=3)
    # After the tenth duel, in the middle of the fifth round.
    assert club(store).entry(3).suspended == 9
    assert {key.number for key in stored_keys(store, "club") if key.first == 1} == {*range(14)}
    pair(store, [(1, 4), (3, 2)])
    assert play() == keys(1, 4, 14, 15)


def test_what_is_planned_is_what_was_paired_for_those_in_the_league(store: Store) -> None:
    pair(store, [(1, 2), (3, 4)], [(3, 2)])
    withdraw(store, "club", 4, NOW)
    assert league_table(store, "club").planned == 4


def test_a_report_says_how_many_rounds_were_paired(store: Store) -> None:
    pair(store, [(1, 2)], [(3, 2)])
    assert facts(league_table(store, "club"))["rounds"] == {"paired": 2, "duels": 2}


def test_the_ratings_after_each_round_are_kept(store: Store, play: Play) -> None:
    pair(store, [(1, 2)], [(3, 4)])
    play()
    assert [each.duels for each in snapshots(store, "club")] == [2, 4]


def test_only_a_duel_of_a_round_may_be_stored(store: Store) -> None:
    pair(store, [(1, 2)])
    with lease(store, "club") as own:
        progress = league_progress(own)
        progress.reload()
        assert [progress.takes(DuelKey(1, 2, number)) for number in (1, 2)] == [True, False]
        assert not progress.takes(DuelKey(3, 4, 0))


def test_it_has_no_shards(store: Store, tmp_path: Path) -> None:
    task = ShardTask("club", WHOLE, tmp_path / "shard.jsonl")
    with pytest.raises(ConfigError, match="has no shards"):
        play_shard(store, task, RunOptions(), Watcher(), lambda: 0)


# What an export shows of it


@pytest.fixture
def out(store: Store, play: Play, tmp_path: Path) -> Path:
    """Write an export of a league that was ended after two rounds, with a void duel in neither."""
    pair(store, [(1, 2), (3, 4)], [(3, 2), (1, 4)])
    play()
    with lease(store, "club") as own:
        set_state(store, own, "complete")
    export(tmp_path / "out", collect(store, "club"))
    return tmp_path / "out"


def checked(directory: Path) -> Report:
    return verify(
        directory, VerificationRequest(), lambda lines, _: lines, datetime.now(UTC) + LATER
    )


def wrong(directory: Path) -> str:
    return str(checked(directory).failures[0])


def test_what_was_played_in_rounds_is_verified(out: Path) -> None:
    report = checked(out)
    assert (report.failures, report.outcome, report.completeness.missing) == ([], "consistent", 0)


def test_a_duel_that_was_not_paired_before_it_was_played_is_found(out: Path) -> None:
    def move(entries: list[dict[str, object]]) -> None:
        entries.append(entries.pop(place(entries, "round", 1)))

    assert "2-3/3 is of no round that was paired before it" in wrong(forged_log(out, move))


def test_a_round_that_was_not_paired_is_found(out: Path) -> None:
    def add(entries: list[dict[str, object]]) -> None:
        last = entries[place(entries, "round", 1)]
        entries.insert(-1, {**last, "at": entries[-1]["at"], "round": 3, "pairs": [[1, 2]]})

    assert "the duel 1-2/5 is missing, though the league is complete" in wrong(forged_log(out, add))


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([[2, 1], [3, 4]], "must be A's number and B's"),
        ([[1, 2], [2, 3]], "have an entrant twice"),
        ([], "have an entrant twice, or nobody"),
        ([[1, 2], [3, 10]], "have 3-10"),
        ([[1, 2], [3]], "must be A's number and B's"),
        ("all", "must be"),
    ],
)
def test_a_round_that_cannot_be_is_found(out: Path, pairs: object, says: str) -> None:
    def change(entries: list[dict[str, object]]) -> None:
        entries[place(entries, "round")]["pairs"] = pairs

    assert says in wrong(forged_log(out, change))


def test_a_suspension_that_does_not_follow_from_the_rounds_is_found(
    store: Store, play: Play, tmp_path: Path
) -> None:
    pair(store, *([(1, 2), (3, 4)] for _ in range(6)))
    play(faulty=3)
    export(tmp_path / "out", collect(store, "club"))
    assert checked(tmp_path / "out").failures == []

    def clear(entries: list[dict[str, object]]) -> None:
        del entries[place(entries, "suspended")]

    found = wrong(forged_log(tmp_path / "out", clear))
    assert "suspended" in found


def test_a_dry_run_shows_what_was_paired(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasting, "LeagueBots", NoBots)
    pair(store, [(1, 2), (3, 4)], [(3, 2)])
    found = forecast(store, "club", jobs=1)
    assert (found.pairings, found.duels, found.sessions) == (3, 6, 3)


def test_the_plan_is_read_back(store: Store) -> None:
    assert league(store, "club").plan == PLAN
