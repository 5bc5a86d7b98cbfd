"""Leagues of bots: they end by themselves, go on where they stopped, and lose nothing."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.arena.fault import NEVER_READY
from referee.errors import ConfigError
from referee.examination.fault_reading import read_bundle
from referee.league.channel import NeverStarted, Sent, VisitId
from referee.league.entries import add_entrant
from referee.league.table import league_table
from referee.league.worker_pool import WorkerPool
from referee.ratings.results import Result
from referee.ratings.standings import standings
from referee.sandbox.doctor import Guarantee
from referee.scheduling.keys import DuelKey, pairing
from referee.store.bots import bundle, find_bot
from referee.store.database import Store
from referee.store.duels import fault_bundle, faults, isolations, results, rooms
from referee.store.leagues import (
    league,
    reinstate,
    set_state,
    suspension_bundle,
    suspensions,
    withdraw,
)
from referee.store.leases import lease
from referee.store.log import entries
from referee.store.models import NEVER_STARTED, Plan
from referee.store.snapshots import snapshots
from tests.league.real import NOW, SEED, TERMS, Watcher, make, run, sound, store_of
from tests.table import whist

TWO = {"one": sound(0), "two": sound(1)}
THREE = {**TWO, "three": sound(2)}


def all_keys(entrants: int, duels: int) -> set[DuelKey]:
    pairs = [pairing(one, other) for one, other in combinations(range(1, entrants + 1), 2)]
    return {DuelKey(*pair, number) for pair in pairs for number in range(duels)}


def test_a_league_plays_every_duel_once_and_is_complete(tmp_path: Path) -> None:
    with store_of(tmp_path, THREE) as store:
        make(store, [*THREE], Plan(TERMS, 3, 128))
        watcher = run(store, processes=True)
        assert Counter(duel.key for duel in watcher.duels) == Counter(all_keys(3, 3))
        assert league(store, "spring").state == "complete"
        # Each duel was seen to be half over.
        assert sum(after > before for before, after in pairwise([0, *watcher.halves])) == 9
        assert watcher.halves[-1] == 0
        assert [(each.sandboxed, duels) for each, duels in isolations(store, "spring")] == [
            (True, 9)
        ]


def test_ratings_are_kept_after_each_round_of_visits(tmp_path: Path) -> None:
    with store_of(tmp_path, THREE) as store:
        make(store, [*THREE], Plan(TERMS, 6, 4))
        run(store)
        assert [snapshot.duels for snapshot in snapshots(store, "spring")] == [12, 18]


def test_visits_are_cut_by_how_long_the_first_ones_take(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], Plan(TERMS, 6, 0))
        watcher = run(store, jobs=1)
        assert Counter(duel.key for duel in watcher.duels) == Counter(all_keys(2, 6))
        # First four duels, and then, as these bots are fast, all in as few visits as possible.
        assert [snapshot.duels for snapshot in snapshots(store, "spring")] == [4, 6]
        assert any(left is not None for left in watcher.left)


def test_a_duel_is_played_from_the_decks_of_its_key(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], Plan(TERMS, 2, 128))
        run(store)
        found = league(store, "spring")
        opened, closed = rooms(store, found, DuelKey(1, 2, 1))
        assert opened.dealt == closed.dealt == (SEED, "spring/euchre/1-2/2")
        assert opened.first_dealer == closed.first_dealer == 1


IN_TWO = Plan(TERMS, 6, 3)
"""A league that is stopped after its first block."""


class Stopped(NamedTuple):
    early: Watcher
    late: Watcher
    results: Sequence[Result]
    log: list[str]
    """Of what kinds its entries are."""


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    """Play a league that is stopped at its first duel, and resumed."""
    with store_of(tmp_path_factory.mktemp("stopped"), TWO) as store:
        make(store, [*TWO], IN_TWO)
        early = Watcher()
        with pytest.raises(KeyboardInterrupt):
            run(store, early, jobs=1, stops=lambda: int(len(early.duels) > 0))
        late = run(store)
        log = [entry.kind for entry in entries(store, "spring")]
        return Stopped(early, late, results(store, "spring"), log)


def test_a_league_that_was_stopped_goes_on_where_it_was(stopped: Stopped) -> None:
    assert [len(stopped.early.duels), len(stopped.late.duels)] == [3, 3]
    assert {duel.key for duel in stopped.early.duels + stopped.late.duels} == all_keys(2, 6)


def test_a_league_plays_the_same_whether_it_was_stopped_or_not(
    stopped: Stopped, tmp_path: Path
) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], IN_TWO)
        run(store)
        assert results(store, "spring") == stopped.results


def test_a_run_is_in_the_log_from_its_start_to_its_stop_or_the_end(stopped: Stopped) -> None:
    duels = ["duel"] * 3
    assert stopped.log == [
        *("created", "opened", "epoch", "run", *duels, "stopped"),
        *("run", *duels, "complete"),
    ]


def test_asked_twice_a_league_stops_at_once(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], Plan(TERMS, 4, 4))
        with pytest.raises(KeyboardInterrupt):
            run(store, stops=iter((0, 0, 2)).__next__, processes=True)
        assert results(store, "spring") == []


def test_an_entrant_that_comes_while_it_runs_plays_everybody_from_another_seed(
    tmp_path: Path,
) -> None:
    with store_of(tmp_path, THREE) as store:
        make(store, ["one", "two"], Plan(TERMS, 4, 2))
        newcomers = ["three"]

        def enter_one() -> None:
            while newcomers:
                add_entrant(store, "spring", newcomers.pop())

        run(store, Watcher(enter_one))
        found = league(store, "spring")
        assert {result[:3] for result in results(store, "spring")} == all_keys(3, 4)
        assert [entry.epoch for entry in found.entries] == [1, 1, 2]
        assert found.dealt(DuelKey(*pairing(1, 3), 0)).seed == found.epochs[1].seed


def test_a_complete_league_is_open_again_while_a_newcomer_plays(tmp_path: Path) -> None:
    with store_of(tmp_path, THREE) as store:
        make(store, ["one", "two"], Plan(TERMS, 2, 128))
        run(store)
        add_entrant(store, "spring", "three", reopen=True)
        states = set()
        run(store, Watcher(lambda: states.add(league(store, "spring").state)))
        assert states == {"open"}
        assert league(store, "spring").state == "complete"


def test_who_withdrew_plays_no_more(tmp_path: Path) -> None:
    with store_of(tmp_path, THREE) as store:
        make(store, [*THREE], Plan(TERMS, 2, 128))
        withdraw(store, "spring", 3, NOW)
        run(store)
        assert {result[:2] for result in results(store, "spring")} == {pairing(1, 2)}


def test_a_league_of_one_cannot_be_run(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, ["one"], Plan(TERMS, 2, 128))
        with pytest.raises(ConfigError, match="nobody to play"):
            run(store)


def test_a_closed_league_cannot_be_run(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], Plan(TERMS, 2, 128))
        with lease(store, "spring") as ours:
            set_state(store, ours, "closed")
        with pytest.raises(ConfigError, match="is closed"):
            run(store)


def test_nothing_is_promised_or_dealt_where_a_guarantee_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lacking(*_: object) -> list[Guarantee]:
        return [Guarantee("network", "missing", "", "a trial got through", "none")]

    with store_of(tmp_path, TWO) as store:
        before = make(store, [*TWO], Plan(TERMS, 2, 128))
        monkeypatch.setattr("referee.examination.guarantees._examined", lacking)
        with pytest.raises(ConfigError, match=r"^the sandbox lacks guarantees: network"):
            run(store)
        assert league(store, "spring") == before


def test_a_league_that_somebody_runs_cannot_be_run(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], Plan(TERMS, 2, 128))
        with lease(store, "spring"), pytest.raises(ConfigError, match="is being run by process"):
            run(store)


def test_a_bot_whose_bundle_was_changed_does_not_play(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO) as store:
        make(store, [*TWO], Plan(TERMS, 2, 128))
        (bundle(store, find_bot(store, "one").digest) / "bot.py").write_text("")
        with pytest.raises(ConfigError, match="is not as it was added"):
            run(store)


def test_a_bot_that_does_not_play_the_game_is_not_entered(tmp_path: Path) -> None:
    terms = TERMS._replace(game=whist())
    with store_of(tmp_path, TWO) as store, pytest.raises(ConfigError, match="one does not play"):
        make(store, [*TWO], Plan(terms, 2, 128))


def test_a_fault_is_kept_with_all_that_its_author_needs(tmp_path: Path) -> None:
    with store_of(tmp_path, {**TWO, "crashes": "return 1 // len(view.tricks)"}) as store:
        make(store, ["one", "crashes"], Plan(TERMS, 1, 128))
        run(store, jobs=1, processes=True)
        kept = faults(store, "spring")
        file = tmp_path / "fault.json"
        file.write_bytes(zlib.decompress(fault_bundle(store, "spring", 1)))
    assert {(fault.entrant, fault.kind) for _, _, fault in kept} == {(2, "crashed")}
    bundle = read_bundle(file)
    assert (bundle.name, bundle.kind) == ("crashes", "crashed")
    assert "ZeroDivisionError" in bundle.output


def test_of_many_faults_alike_one_is_kept_with_its_bundle(tmp_path: Path) -> None:
    with store_of(tmp_path, {**TWO, "crashes": "return 1 // len(view.tricks)"}) as store:
        make(store, ["one", "crashes"], Plan(TERMS, 4, 128))
        run(store)
        assert len(faults(store, "spring")) > 1
        fault_bundle(store, "spring", 1)
        with pytest.raises(ConfigError, match="as there are many alike"):
            fault_bundle(store, "spring", 2)


SOUND = {f"sound{number}": sound(number) for number in range(2)}
FAULTY = {
    "crashes": "return 1 // 0",
    "garbles": "garbage",
    "cheats": "illegal",
}


def test_the_table_of_a_league_with_faulty_bots_is_that_of_the_sound_ones(tmp_path: Path) -> None:
    bots = SOUND | FAULTY
    with store_of(tmp_path, bots) as store:
        make(store, [*bots], Plan(TERMS, 3, 128))
        run(store)
        assert league(store, "spring").state == "complete"
        found = league_table(store, "spring").standings
        among_sound = [each for each in results(store, "spring") if max(each[:2]) <= len(SOUND)]
    assert [apart.entrant for apart in found.apart] == [3, 4, 5]
    assert found.rows == standings(range(1, 3), among_sound).rows
    assert len(among_sound) == 3


def crashes(store: Store, visit: int) -> tuple[Sequence[Result], dict[int, int]]:
    """Play a league in which a bot always crashes; return its results and who is suspended."""
    made = make(store, [*TWO, "crashes"], Plan(TERMS, 9, visit), f"in-{visit}")
    run(store, name=made.name)
    return results(store, made.name), {
        entrant: each.after for entrant, each in suspensions(store, made.name).items()
    }


def test_who_always_fails_is_suspended_after_the_same_duels_however_it_is_run(
    tmp_path: Path,
) -> None:
    with store_of(tmp_path, TWO | {"crashes": FAULTY["crashes"]}) as store:
        (few, suspended), (many, too) = crashes(store, 5), crashes(store, 128)
        assert suspended == too == {3: 4}
        keys = {pair: 5 + 4 * (3 not in pair) for pair in [(1, 2), pairing(1, 3), pairing(2, 3)]}
        for found in (few, many):
            assert Counter((each.first, each.second) for each in found) == keys
        assert league(store, "in-5").state == "complete"


def test_the_duels_of_one_that_is_suspended_are_not_handed_out(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO | {"crashes": FAULTY["crashes"]}) as store:
        make(store, [*TWO, "crashes"], Plan(TERMS, 15, 5))
        assert sum(3 in duel.key[:2] for duel in run(store, jobs=1).duels) == 10
        assert league_table(store, "spring").planned == 15


def test_who_never_starts_is_suspended_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store_of(tmp_path, THREE) as store:
        make(store, [*THREE], Plan(TERMS, 2, 128))
        news = [NeverStarted(3, NEVER_READY, "it was silent for 10 s", b"evidence")]

        def received(pool: WorkerPool, seconds: float) -> Iterator[Sent]:
            yield from (Sent(VisitId("any", 0), each) for each in news)
            news.clear()
            yield from receive(pool, seconds)

        receive = WorkerPool.receive
        monkeypatch.setattr(WorkerPool, "receive", received)
        run(store)
        assert {result[:2] for result in results(store, "spring")} == {(1, 2)}
        (suspension,) = suspensions(store, "spring").values()
        assert (suspension.entrant, suspension.after) == (3, NEVER_STARTED)
        assert suspension.reason == "it never started: it was silent for 10 s"
        assert suspension_bundle(store, "spring", 3) == b"evidence"
        assert league(store, "spring").state == "complete"


def test_a_league_in_which_all_but_one_are_suspended_ends_and_stays_open(tmp_path: Path) -> None:
    with store_of(tmp_path, TWO | {"crashes": FAULTY["crashes"]}) as store:
        make(store, ["one", "crashes"], Plan(TERMS, 30, 10))
        run(store)
        assert len(results(store, "spring")) == 10
        assert league(store, "spring").state == "open"
        reinstate(store, "spring", 2)
        run(store)
        assert len(results(store, "spring")) == 20


def test_sound_bots_play_the_same_whether_a_faulty_one_is_there_or_not(tmp_path: Path) -> None:
    played = []
    for bots in (TWO | {"crashes": FAULTY["crashes"]}, TWO):
        with store_of(tmp_path / str(len(bots)), bots) as store:
            make(store, [*bots], Plan(TERMS, 6, 128))
            run(store)
            table = league_table(store, "spring").standings
            assert [apart.entrant for apart in table.apart] == [3][: len(bots) - 2]
            played.append((table.rows, rooms(store, league(store, "spring"), DuelKey(1, 2, 5))))
    assert played[0] == played[1]
