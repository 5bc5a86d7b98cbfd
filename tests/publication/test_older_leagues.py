"""A league of an older store is exported and verified as what it was."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.league.progress import LeagueProgress
from referee.publication.collecting import collect
from referee.publication.export import export
from referee.publication.verification import Report
from referee.store.leagues import league, set_state, withdraw
from referee.store.leases import lease
from referee.store.log import append_export, entries
from referee.store.models import State
from referee.store.opening import open_store
from tests.cli.leagues import NOW, bots, make_older, write_league
from tests.publication.exports import checked

THREE = bots(["ada", "bert", "carl"])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Write a store of an older version, in whose league the second was always at fault."""
    place = tmp_path / "upcard.db"
    write_league(place, THREE, duels=5, faulty={2})
    make_older(place)
    return place


def end(db: Path, state: State) -> None:
    """End the league as the older version did, which had no log."""
    with open_store(str(db)) as store, lease(store, "club") as own:
        if state != "open":
            set_state(store, own, state)
    make_older(db)


def exported(db: Path, directory: Path) -> Report:
    with open_store(str(db)) as store:
        export(directory, collect(store, "club"))
    return checked(directory, now=datetime.now(UTC))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "outcome"),
    [("complete", "consistent"), ("closed", "consistent"), ("open", "incomplete")],
)
def test_it_is_verified_by_the_rule_that_it_was_played_by(
    db: Path, tmp_path: Path, state: State, outcome: str
) -> None:
    end(db, state)
    report = exported(db, tmp_path / "out")
    assert (report.failures, report.outcome) == ([], outcome)
    assert (tmp_path / "out" / "ratings.csv").read_text().splitlines()[-1].endswith(",faults")


def test_what_is_done_to_it_later_is_verified_too(db: Path, tmp_path: Path) -> None:
    end(db, "complete")
    with open_store(str(db)) as store:
        append_export(store, "club", "0" * 64, NOW)
        withdraw(store, "club", 3, NOW, reopen=True)
        kinds = [entry.kind for entry in entries(store, "club")]
    assert kinds == ["imported", "exported", "reopened", "withdrawn"]
    assert exported(db, tmp_path / "out").failures == []


def test_who_plays_on_in_it_is_suspended_as_in_any(db: Path, tmp_path: Path) -> None:
    with open_store(str(db)) as store, lease(store, "club") as own:
        LeagueProgress(own).reload()
        found = league(store, "club")
    assert (found.entry(2).suspended, found.suspends) == (4, True)
    assert exported(db, tmp_path / "out").failures == []


def test_what_was_played_is_judged_before_a_league_is_closed(db: Path, tmp_path: Path) -> None:
    with open_store(str(db)) as store, lease(store, "club") as own:
        LeagueProgress(own).close()
        kinds = [entry.kind for entry in entries(store, "club")]
    assert kinds == ["imported", "suspended", "closed"]
    assert exported(db, tmp_path / "out").failures == []


def test_nobody_is_suspended_in_one_that_is_over(db: Path) -> None:
    end(db, "complete")
    with open_store(str(db)) as store, lease(store, "club") as own:
        LeagueProgress(own).reload()
        found = league(store, "club")
    assert (found.entry(2).suspended, found.suspends) == (None, False)
