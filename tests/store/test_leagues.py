from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import delete, event, update

from referee.engine.dealing import commitment
from referee.engine.game import Game
from referee.errors import ConfigError, FileError, UpcardError
from referee.store.database import Store, writing
from referee.store.leagues import (
    begin_epoch,
    create_league,
    enter,
    league,
    leagues,
    reinstate,
    set_state,
    suspend,
    suspension_bundle,
    suspensions,
    withdraw,
)
from referee.store.leases import lease
from referee.store.log import append_export, entries
from referee.store.models import Epoch, Suspension
from referee.store.rows import LEAGUE, LEASE
from tests.store import scenes
from tests.store.scenes import NOW, SEED
from tests.table import euchre, whist


@pytest.mark.parametrize("game", [euchre(alone=False, target=3), whist()])
def test_a_plan_comes_back_as_it_was_made(store: Store, game: Game) -> None:
    create_league(store, "cup", scenes.plan(game), [], NOW)
    assert league(store, "cup").plan == scenes.plan(game)


def test_a_plan_without_an_early_end_comes_back_without(store: Store) -> None:
    create_league(store, "cup", scenes.plan()._replace(until=None), [], NOW)
    assert league(store, "cup").plan.until is None


def test_a_league_is_told_as_it_was_made(store: Store, tmp_path: Path) -> None:
    made = scenes.cup(store, tmp_path)
    assert league(store, "cup") == made


def test_entrants_have_the_order_in_which_they_were_named(store: Store, tmp_path: Path) -> None:
    entries = scenes.cup(store, tmp_path).entries
    assert [(one.number, one.bot.name) for one in entries] == [
        (1, "bot-1"),
        (2, "bot-2"),
        (3, "bot-3"),
    ]


def test_a_time_comes_back_in_utc(store: Store) -> None:
    create_league(store, "cup", scenes.plan(), [], NOW.astimezone(timezone(timedelta(hours=9))))
    assert league(store, "cup").created.isoformat() == NOW.isoformat()


def test_leagues_are_listed_in_the_order_they_were_made(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    create_league(store, "a-cup", scenes.plan(), [], NOW)
    assert [one.name for one in leagues(store)] == ["cup", "a-cup"]


def test_two_leagues_cannot_have_one_name(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with pytest.raises(ConfigError, match="there is a league cup already"):
        create_league(store, "cup", scenes.plan(), [], NOW)


@pytest.mark.parametrize("name", ["", "a b", "../up", "-x", "a/b", "é", "x" * 65, "a\n"])
def test_an_odd_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ConfigError, match="a league's name is"):
        create_league(store, name, scenes.plan(), [], NOW)


def test_an_unknown_bot_is_refused_and_no_league_made(store: Store) -> None:
    with pytest.raises(ConfigError, match="there is no bot"):
        create_league(store, "cup", scenes.plan(), ["f" * 64], NOW)
    assert leagues(store) == []


def test_a_bot_is_entered_once(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with pytest.raises(ConfigError, match="entered already"):
        enter(store, "cup", scenes.bot(1).digest)


def test_an_unknown_league_names_those_there_are(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with pytest.raises(ConfigError, match="there is no league 'cap'; choose cup"):
        league(store, "cap")


def test_one_who_enters_later_has_the_next_number_and_no_epoch(
    store: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path, entrants=2)
    create_league(store, "other", scenes.plan(), [], NOW)
    with lease(store, "cup") as held:
        begin_epoch(store, held, SEED, seed_given=True, now=NOW)
    scenes.cup(store, tmp_path, name="third")
    entry = enter(store, "cup", scenes.bot(3).digest)
    assert (entry.number, entry.epoch, entry.bot.name) == (3, 0, "bot-3")


def test_an_epoch_comes_back_as_it_was_opened(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        begin_epoch(store, held, SEED, seed_given=True, now=NOW)
    assert league(store, "cup").epochs == (Epoch(1, SEED, True, NOW),)


def test_an_epoch_is_for_those_who_had_none(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path, entrants=2)
    with lease(store, "cup") as held:
        begin_epoch(store, held, SEED, seed_given=True, now=NOW)
        scenes.cup(store, tmp_path, name="third")
        enter(store, "cup", scenes.bot(3).digest)
        last = begin_epoch(store, held, bytes(32), seed_given=False, now=NOW)
    assert [entry.epoch for entry in last.entries] == [1, 1, 2]


def test_the_first_withdrawal_counts(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    withdraw(store, "cup", 2, NOW)
    withdraw(store, "cup", 2, NOW + timedelta(hours=1))
    assert [entry.withdrawn for entry in league(store, "cup").entries] == [None, NOW, None]


def test_nobody_can_be_withdrawn_who_is_not_entered(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with pytest.raises(ConfigError, match="league cup has no entrant 4"):
        withdraw(store, "cup", 4, NOW)


def test_a_withdrawal_is_taken_back(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    withdraw(store, "cup", 2, NOW)
    reinstate(store, "cup", 2)
    assert [entry.withdrawn for entry in league(store, "cup").entries] == [None, None, None]


CRASHES = Suspension(2, 4, "it crashed", NOW, b"evidence")


def test_a_suspended_entrant_comes_back_as_that(store: Store, tmp_path: Path) -> None:
    cup = scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        assert suspend(store, held, cup, [CRASHES])
    assert [entry.suspended for entry in league(store, "cup").entries] == [None, 4, None]
    assert suspensions(store, "cup") == {2: CRASHES._replace(bundle=None)}


def test_nobody_is_suspended_by_what_a_league_was_before_it_changed(
    store: Store, tmp_path: Path
) -> None:
    cup = scenes.cup(store, tmp_path)
    withdraw(store, "cup", 3, NOW)
    with lease(store, "cup") as held:
        assert not suspend(store, held, cup, [CRASHES])
    assert suspensions(store, "cup") == {}


def test_duels_before_a_suspension_that_was_taken_back_suspend_nobody_again(
    store: Store, tmp_path: Path
) -> None:
    cup = scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        suspend(store, held, cup, [CRASHES])
    reinstate(store, "cup", 2)
    entry = league(store, "cup").entry(2)
    assert (entry.suspended, entry.counted_from) == (None, 5)
    assert suspensions(store, "cup") == {}


def test_who_never_started_and_is_reinstated_is_counted_from_where_it_was(
    store: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path)
    for after in (4, -1):
        with lease(store, "cup") as held:
            suspend(store, held, league(store, "cup"), [CRASHES._replace(after=after)])
        reinstate(store, "cup", 2)
    assert league(store, "cup").entry(2).counted_from == 5


def test_the_bundle_of_a_suspension_is_kept(store: Store, tmp_path: Path) -> None:
    cup = scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        suspend(store, held, cup, [CRASHES])
    assert suspension_bundle(store, "cup", 2) == b"evidence"


def test_who_is_not_suspended_has_no_bundle(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with pytest.raises(ConfigError, match="entrant 2 of cup has no bundle"):
        suspension_bundle(store, "cup", 2)


CHANGES: dict[str, Callable[..., object]] = {
    "entering": lambda store, **how: enter(store, "cup", scenes.bot(3).digest, **how),
    "withdrawing": lambda store, **how: withdraw(store, "cup", 1, NOW, **how),
    "reinstating": lambda store, **how: reinstate(store, "cup", 1, **how),
}


@pytest.fixture(params=CHANGES)
def change(request: pytest.FixtureRequest, store: Store, tmp_path: Path) -> Callable[..., object]:
    """Change who is in a league of two."""
    scenes.cup(store, tmp_path, entrants=2)
    scenes.cup(store, tmp_path, name="third")
    return CHANGES[request.param]


def test_a_complete_league_is_not_changed(store: Store, change: Callable[..., object]) -> None:
    with lease(store, "cup") as own:
        set_state(store, own, "complete")
    before = league(store, "cup")
    with pytest.raises(ConfigError, match="--reopen"):
        change(store)
    assert league(store, "cup") == before


def test_a_complete_league_is_changed_by_opening_it_again(
    store: Store, change: Callable[..., object]
) -> None:
    with lease(store, "cup") as own:
        set_state(store, own, "complete")
    change(store, reopen=True)
    assert league(store, "cup").state == "open"


def test_a_closed_league_is_final(store: Store, change: Callable[..., object]) -> None:
    with lease(store, "cup") as own:
        set_state(store, own, "closed")
    with pytest.raises(ConfigError, match="is closed; what it has is final"):
        change(store, reopen=True)


def test_a_league_is_closed_once(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as own:
        set_state(store, own, "closed")
        with pytest.raises(ConfigError, match=r"^cup is closed already; what it has is final$"):
            set_state(store, own, "closed")
    assert [kind for kind, _ in logged(store)] == ["closed"]


def test_leagues_are_listed_by_as_many_queries_however_many_there_are(
    store: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path)
    few = queries(store)
    for number in range(5):
        scenes.cup(store, tmp_path, name=f"cup{number}")
    assert queries(store) == few


def queries(store: Store) -> int:
    """Count what listing the leagues asks of the database."""
    asked: list[object] = []

    def note(*details: object) -> None:
        asked.append(details)

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        every = leagues(store)
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
    assert every == [league(store, one.name) for one in every]
    return len(asked)


def test_a_league_that_is_over_has_its_seeds_out(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        begin_epoch(store, held, bytes(32), False, NOW)
        assert [epoch.revealed for epoch in league(store, "cup").epochs] == [False]
        set_state(store, held, "complete")
    assert league(store, "cup").state == "complete"
    assert [epoch.revealed for epoch in league(store, "cup").epochs] == [True]


def test_an_epoch_after_the_end_opens_a_league_again_and_is_secret(
    store: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        begin_epoch(store, held, bytes(32), False, NOW)
        set_state(store, held, "complete")
        found = begin_epoch(store, held, bytes([1] * 32), False, NOW)
    assert found.state == "open"
    assert [epoch.revealed for epoch in found.epochs] == [True, False]


def test_who_lost_the_league_to_another_cannot_end_it(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        with writing(store) as connection:
            connection.execute(delete(LEASE))
        with pytest.raises(UpcardError, match="was taken over"):
            set_state(store, held, "complete")
    assert league(store, "cup").state == "open"


@pytest.mark.parametrize(
    "damage",
    [
        {"rules": {"target": 10}},
        {"rules": {"alone": 7}},
        {"limits": {"decision": 1.0}},
        {"limits": [1.0]},
        {"limits": {"decision": "1.0", "ready": 10.0, "bank": 0.0, "increment": 0.0}},
        {"policy": {"forfeit_at": "often"}},
        {"until": {"confidence": 0.9, "by": "luck"}},
        {"game": "poker"},
    ],
)
def test_a_plan_that_was_changed_by_hand_is_refused(
    store: Store, damage: dict[str, object]
) -> None:
    create_league(store, "cup", scenes.plan(), [], NOW)
    with writing(store) as connection:
        connection.execute(update(LEAGUE).values(**damage))
    with pytest.raises(FileError, match="it is damaged; go back to a backup"):
        league(store, "cup")


def logged(store: Store) -> list[tuple[str, object]]:
    """Return what the log of a league says after it was created."""
    found = [*entries(store, "cup")]
    return [(entry.kind, entry.body) for entry in found[1:]]


def test_who_is_entered_is_in_the_log(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path, entrants=2)
    scenes.cup(store, tmp_path, name="third")
    enter(store, "cup", scenes.bot(3).digest)
    assert logged(store) == [("entered", {"entrant": 3, "digest": scenes.bot(3).digest})]


def test_a_withdrawal_is_in_the_log_once(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    withdraw(store, "cup", 2, NOW)
    withdraw(store, "cup", 2, NOW)
    assert logged(store) == [("withdrawn", {"entrant": 2})]


def test_a_suspension_and_its_end_are_in_the_log(store: Store, tmp_path: Path) -> None:
    cup = scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        suspend(store, held, cup, [CRASHES])
    reinstate(store, "cup", 2)
    reinstate(store, "cup", 2)
    assert logged(store) == [
        ("suspended", {"entrant": 2, "after": 4, "reason": "it crashed"}),
        ("reinstated", {"entrant": 2, "counted_from": 5}),
    ]


def test_an_epoch_is_in_the_log_with_its_commitment_and_its_entrants(
    store: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        begin_epoch(store, held, SEED, seed_given=True, now=NOW)
    epoch = {"epoch": 1, "commitment": commitment(SEED), "seed_given": True}
    opened = {"opened": "2026-05-04T12:30:15+00:00", "entrants": [1, 2, 3]}
    assert logged(store) == [("epoch", epoch | opened)]


def test_a_league_that_is_opened_again_says_so_in_the_log(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        set_state(store, held, "complete")
    withdraw(store, "cup", 2, NOW, reopen=True)
    assert [kind for kind, _ in logged(store)] == ["complete", "reopened", "withdrawn"]


def test_an_export_is_in_the_log_until_another_differs(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    for digest in ("a", "a", "b"):
        append_export(store, "cup", digest, NOW)
    assert logged(store) == [("exported", {"digest": "a"}), ("exported", {"digest": "b"})]
