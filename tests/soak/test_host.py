"""What is not as it should be on a host that was killed is noticed."""

import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from referee.arena.limits import Terms
from referee.store.database import Store, writing
from referee.store.hosting_rows import SUBMISSION, SUBMISSION_EVENT
from referee.store.leagues import create_league
from referee.store.leases import lease
from referee.store.models import Plan
from referee.store.opening import open_store
from referee.store.rounds import pair_round
from referee.store.sources import source_file
from tests.soak.host_checks import duel_faults, submission_faults
from tests.store import hosting_scenes
from tests.store.hosting_scenes import NOW
from tests.table import euchre

Spoil = Callable[[Store, int], object]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "upcard.db"), create=True) as opened:
        yield opened


def changed(store: Store, number: int, **values: object) -> None:
    with writing(store) as connection:
        connection.execute(update(SUBMISSION).where(SUBMISSION.c.id == number).values(values))


def forgotten(store: Store, number: int) -> None:
    with writing(store) as connection:
        connection.execute(delete(SUBMISSION_EVENT))
        connection.execute(delete(SUBMISSION).where(SUBMISSION.c.id == number))


def without_archive(store: Store, number: int) -> None:
    del number
    shutil.rmtree(source_file(store.files, "").parent)


def accepted_twice(store: Store, number: int) -> None:
    row = {"submission": number, "at": NOW, "state": "accepted", "reason": ""}
    with writing(store) as connection:
        connection.execute(SUBMISSION_EVENT.insert(), row)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(forgotten, "was told of submissions", id="lost"),
        pytest.param(without_archive, "the archive of submission 1 is lost", id="without archive"),
        pytest.param(accepted_twice, "was accepted 2 times", id="accepted twice"),
        pytest.param(
            lambda store, number: changed(store, number, state="building"),
            "is building, not active",
            id="not examined",
        ),
    ],
)
def test_a_submission_that_is_not_as_its_author_was_told_is_noticed(
    store: Store, tmp_path: Path, spoil: Spoil, told: str
) -> None:
    ada, spring = hosting_scenes.account(store), hosting_scenes.ladder(store)
    found = hosting_scenes.accepted(store, tmp_path, ada, spring)
    hosting_scenes.archive(store, found)
    assert [*submission_faults(store, {"ada": [found.id]})] == []
    spoil(store, found.id)
    assert told in " ".join(submission_faults(store, {"ada": [found.id]}))


def test_duels_of_a_round_that_were_not_played_are_noticed(store: Store, tmp_path: Path) -> None:
    bots = [hosting_scenes.bot(store, tmp_path, number) for number in (1, 2)]
    plan = Plan(Terms(euchre()), 4096, 0, round_duels=4)
    create_league(store, "epoch", plan, [bot.digest for bot in bots], NOW)
    with lease(store, "epoch") as own:
        pair_round(own, [(1, 2)], NOW + timedelta(minutes=1))
    assert [*duel_faults(store, "epoch")] == ["4 duels are missing, 0 too many"]
