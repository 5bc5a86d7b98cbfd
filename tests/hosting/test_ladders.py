"""How a ladder goes on: its rounds and epochs, who plays and who is stopped, and kills."""

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.hosting.finals import make_final
from referee.hosting.ladder_history import LadderHistory, LadderPlay, ladder_names
from referee.store.bots import find_bot
from referee.store.database import Store
from referee.store.hosting_models import By, LadderState
from referee.store.ladders import ladder_entrants, ladder_epochs, ladder_snapshots, set_ladder_state
from referee.store.lifecycle import Examination, ban, choose_version, lift, rest
from referee.store.rounds import rounds
from referee.store.submissions import submission
from tests.hosting.conftest import MakeAccount
from tests.hosting.played_ladders import PLAN, PlayedLadder, play_at_once
from tests.store.hosting_scenes import HOST, NOW


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch) -> None:
    play_at_once(monkeypatch)


@pytest.fixture
def spring(store: Store, tmp_path: Path) -> PlayedLadder:
    """Return a ladder with four house bots."""
    made = PlayedLadder(store, tmp_path)
    made.house(1, 2, 3, 4)
    return made


def history(on: PlayedLadder) -> LadderPlay:
    return LadderHistory(on.store).play(on.ladder)


def duels(on: PlayedLadder) -> int:
    return len(history(on).results)


def played_by(on: PlayedLadder, number: int) -> int:
    """Return how many duels an entrant of the ladder has played."""
    return sum(number in result[:2] for result in history(on).results)


# Rounds


def test_newcomers_catch_up_at_once(spring: PlayedLadder) -> None:
    spring.turns()
    assert set(history(spring).rounds_of_each.values()) == {PLAN.catch_up}


def test_a_round_is_played_when_it_is_due_and_not_before(spring: PlayedLadder) -> None:
    spring.turns()
    assert spring.later(minutes=9) == 0
    assert spring.later(minutes=1) == 1
    assert set(history(spring).rounds_of_each.values()) == {PLAN.catch_up + 1}


def test_fewer_than_two_play_nothing(store: Store, tmp_path: Path) -> None:
    alone = PlayedLadder(store, tmp_path)
    alone.house(1)
    assert alone.turns() == 0
    assert ladder_epochs(store, alone.ladder) == []


def test_bots_of_one_owner_never_meet(spring: PlayedLadder, account: MakeAccount) -> None:
    ada = account()
    spring.accepted(ada, 5, "one")
    spring.accepted(ada, 6, "other")
    spring.turns()
    spring.later(hours=1)
    met = history(spring).met
    assert met[frozenset({5, 6})] == 0
    assert met[frozenset({1, 5})] > 0


# Epochs


def test_an_epoch_ends_after_its_time_and_the_next_one_begins(spring: PlayedLadder) -> None:
    spring.turns()
    spring.later(hours=23)
    assert [each.state for each in spring.epochs] == ["open"]
    spring.later(hours=1)
    assert [(each.name, each.state) for each in spring.epochs] == [
        ("spring-1", "complete"),
        ("spring-2", "open"),
    ]


def test_the_table_is_that_of_all_epochs(spring: PlayedLadder) -> None:
    spring.turns()
    before = duels(spring)
    spring.later(days=1)
    assert duels(spring) > before
    assert sum(row.duels for row in history(spring).standings().rows) == 2 * duels(spring)


def test_an_epoch_whose_numbers_are_used_up_is_over(
    spring: PlayedLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.hosting.ladders.MOST_NUMBERS", 2 * PLAN.round_duels)
    spring.turns()
    assert {len(rounds(spring.store, each.name)) for each in spring.epochs} <= {1, 2}
    assert len(spring.epochs) > 1


def test_a_ladder_that_ended_reveals_its_last_seeds(spring: PlayedLadder) -> None:
    spring.turns()
    set_ladder_state(spring.store, spring.ladder, "ended", HOST)
    assert spring.turns() == 0
    assert [each.state for each in spring.epochs] == ["complete"]
    (epoch,) = ladder_epochs(spring.store, spring.ladder)
    assert epoch.ended == spring.now


# Kills


class Killed(Exception):
    """The process was killed."""


def _kill(*_: object) -> None:
    raise Killed


@pytest.mark.parametrize(("after", "state"), [(1, "open"), (5, "open"), (1, "ended")])
def test_who_goes_on_after_a_kill_plays_what_was_missing_and_nothing_twice(
    spring: PlayedLadder, after: int, state: LadderState
) -> None:
    left = iter(range(after))

    def die_in_time() -> None:
        if next(left, None) is None:
            raise Killed

    spring.before_each = die_in_time
    with pytest.raises(Killed):
        spring.turns()
    spring.before_each = lambda: None
    set_ladder_state(spring.store, spring.ladder, state, HOST)
    spring.begin()
    spring.turns()
    paired = sum(len(each.pairs) for each in rounds(spring.store, "spring-1"))
    assert duels(spring) == paired * PLAN.round_duels


def test_an_epoch_that_was_made_before_a_kill_is_begun_once(
    spring: PlayedLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("referee.hosting.ladders.begin_ladder_epoch", _kill)
        with pytest.raises(Killed):
            spring.turns()
    spring.begin().turn()
    assert [each.name for each in spring.epochs] == ["spring-1"]


# Entrants


def test_who_comes_while_what_was_missing_is_played_is_in_the_round_after_it(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    spring.before_each = interrupt
    with pytest.raises(KeyboardInterrupt):
        spring.turns()
    ada = account()

    def enter() -> None:
        spring.before_each = lambda: None
        spring.accepted(ada, 5)

    spring.before_each = enter
    spring.turns()
    assert history(spring).rounds_of_each[5] >= PLAN.catch_up


def test_who_comes_later_enters_the_epoch_that_goes_on(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    spring.turns()
    spring.accepted(account(), 5)
    spring.turns()
    assert [len(each.entries) for each in spring.epochs] == [5]
    assert history(spring).rounds_of_each[5] == PLAN.catch_up


def test_a_new_version_plays_in_place_of_the_old_one(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    ada = account()
    spring.accepted(ada, 5)
    spring.turns()
    before = played_by(spring, 5)
    spring.accepted(ada, 6)
    spring.later(hours=1)
    assert played_by(spring, 5) == before
    assert played_by(spring, 6) > 0
    assert [row.entrant for row in history(spring).standings().rows if row.entrant > 4] == [6]
    assert ladder_names(history(spring))[6] == "mine"


def test_the_duels_of_a_version_that_rests_count(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    found = spring.accepted(account(), 5)
    spring.turns()
    before = duels(spring)
    rest(spring.store, found, HOST)
    rated = {row.entrant: row.duels for row in history(spring).standings().rows}
    assert sum(rated.values()) + played_by(spring, 5) == 2 * before


def test_who_is_at_fault_in_most_duels_is_suspended_until_that_is_lifted(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    ada = account()
    found = spring.accepted(ada, 5)
    spring.faulty = "mine"
    for _ in range(8):
        spring.later(minutes=10)
    assert ladder_entrants(spring.store, spring.ladder)[4].state == "suspended"
    found = submission(spring.store, found.id)
    assert found.state == "suspended"
    spring.faulty = None
    before = played_by(spring, 5)
    lift(spring.store, found, HOST)
    going = Examination(None, submission(spring.store, found.id), ada, spring.ladder)
    mine = find_bot(spring.store, found.bot or "")
    choose_version(spring.store, going, mine, lambda _: None, HOST)
    spring.later(minutes=10)
    assert played_by(spring, 5) > before


def test_a_banned_bot_is_withdrawn_and_its_duels_count_for_nobody(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    found = spring.accepted(account(), 5)
    spring.turns()
    ban(spring.store, found, "copied", HOST)
    spring.later(minutes=10)
    entry = spring.epochs[-1].entries[-1]
    assert (entry.bot.name, entry.withdrawn) == ("mine", spring.now)
    table = history(spring).standings()
    assert 5 not in {row.entrant for row in table.rows}
    assert sum(row.duels for row in table.rows) == 2 * (duels(spring) - played_by(spring, 5))


# What comes of it


def test_the_ratings_are_kept_no_more_than_once_in_half_an_hour(spring: PlayedLadder) -> None:
    for _ in range(5):
        spring.later(minutes=10)
    taken = ladder_snapshots(spring.store, spring.ladder, NOW)
    assert [each.at - NOW for each in taken] == [timedelta(minutes=m) for m in (10, 50)]
    assert {*taken[-1].ratings} == {1, 2, 3, 4}


def test_rounds_are_paired_by_the_ratings_of_the_table(
    spring: PlayedLadder, account: MakeAccount
) -> None:
    assert history(spring).ratings() == {}
    ada = account()
    found = [spring.accepted(ada, number, f"bot-{number}") for number in (5, 6, 7)]
    spring.turns()
    ban(spring.store, found[0], "copied", HOST)
    rest(spring.store, found[1], HOST)
    spring.house(8)
    play = history(spring)
    shown = {row.entrant: row.rating for row in play.standings().rows if row.duels}
    assert play.ratings() == shown
    assert {*shown} == {1, 2, 3, 4, 7}


def test_the_weakest_is_the_last_of_the_table(spring: PlayedLadder) -> None:
    spring.wild["house-2"] = 1.0
    for _ in range(5):
        spring.later(minutes=10)
    assert history(spring).standings().rows[-1].entrant == 2


def test_in_the_final_the_best_all_meet(spring: PlayedLadder, account: MakeAccount) -> None:
    for number, login in enumerate(("ada", "bert", "cleo"), 5):
        spring.accepted(account(login), number, login)
    spring.wild["bert"] = 1.0
    for _ in range(5):
        spring.later(minutes=10)
    with pytest.raises(ConfigError, match="upcard ladder freeze spring"):
        make_final(spring.store, spring.ladder, "final", 2, 4, house=False, now=spring.now)
    set_ladder_state(spring.store, spring.ladder, "frozen", By(None, spring.now))
    frozen = spring.runner.ladder._replace(state="frozen")
    final = make_final(spring.store, frozen, "final", 2, 4, house=False, now=spring.now)
    assert Counter(entry.bot.name for entry in final.entries) == Counter(["ada", "cleo"])
    assert final.plan.duels == 4


def test_a_final_of_fewer_than_two_is_refused(spring: PlayedLadder) -> None:
    frozen = spring.ladder._replace(state="frozen")
    with pytest.raises(ConfigError, match="fewer than two bots have played on spring"):
        make_final(spring.store, frozen, "final", 2, 4, house=False, now=NOW)


def test_times_between_rounds_are_those_of_the_plan(spring: PlayedLadder) -> None:
    spring.turns()
    (epoch,) = ladder_epochs(spring.store, spring.ladder)
    assert epoch.paired == NOW
    spring.later(minutes=25)
    (epoch,) = ladder_epochs(spring.store, spring.ladder)
    assert epoch.paired == NOW + timedelta(minutes=25)
