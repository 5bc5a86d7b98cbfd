import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.errors import ConfigError, FileError
from referee.hosting.own_data import delete_account
from referee.store.accounts import account_of_id
from referee.store.backups import backup, usage
from referee.store.bots import bundle
from referee.store.database import Store
from referee.store.duels import results
from referee.store.hosting_models import Submission
from referee.store.leagues import league
from referee.store.leases import lease, lease_holder
from referee.store.opening import open_store
from referee.store.sources import source_file
from referee.store.submissions import submission
from tests.store import hosting_scenes, scenes
from tests.store.saving import save_duel
from tests.store.scenes import HELD

in_a_file = pytest.mark.parametrize("place", ["sqlite"], indirect=True)


def handed_in(store: Store) -> Submission:
    return hosting_scenes.hand_in(
        store, hosting_scenes.account(store), hosting_scenes.ladder(store)
    )


@in_a_file
def test_a_backup_is_a_store_with_all_that_was_kept(store: Store, tmp_path: Path) -> None:
    made = scenes.cup(store, tmp_path)
    with open_store(str(backup(store, tmp_path / "copy"))) as copy:
        assert league(copy, "cup") == made


@in_a_file
def test_a_backup_has_the_bundles(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with open_store(str(backup(store, tmp_path / "copy"))) as copy:
        assert (bundle(copy, scenes.bot(2).digest) / "run").read_text() == "#!/bin/sh\n"


@in_a_file
def test_a_backup_has_what_was_handed_in_for_its_owner_alone(store: Store, tmp_path: Path) -> None:
    found = handed_in(store)
    content = hosting_scenes.archive(store, found)
    with open_store(str(backup(store, tmp_path / "copy"))) as copy:
        kept = source_file(copy.files, found.source)
        assert kept.read_bytes() == content
        assert [each.name for each in kept.parent.iterdir()] == [found.source]
        assert kept.parent.stat().st_mode & 0o777 == 0o700


@in_a_file
def test_what_was_handed_in_and_is_lost_is_told(store: Store, tmp_path: Path) -> None:
    handed_in(store)
    with pytest.raises(FileError, match="the archive of submission 000000000000 is missing"):
        backup(store, tmp_path / "copy")


@in_a_file
def test_what_is_called_by_no_digest_is_not_copied(store: Store, tmp_path: Path) -> None:
    hosting_scenes.archive(store, handed_in(store))
    (store.files / "secret").write_text("mine")
    with closing(sqlite3.connect(store.location)) as connection, connection:
        connection.execute("UPDATE submission SET source = '../secret'")
    with pytest.raises(FileError, match="is missing"):
        backup(store, tmp_path / "copy")


@in_a_file
def test_what_was_removed_with_its_author_is_not_missed(store: Store, tmp_path: Path) -> None:
    found = handed_in(store)
    hosting_scenes.archive(store, found)
    delete_account(store, account_of_id(store, found.account), hosting_scenes.HOST)
    with open_store(str(backup(store, tmp_path / "copy"))) as copy:
        assert submission(copy, found.id).login == f"deleted-{found.account}"
        assert not source_file(copy.files, found.source).exists()


@in_a_file
def test_a_store_is_backed_up_while_it_is_written(store: Store, tmp_path: Path) -> None:
    cup = scenes.cup(store, tmp_path)
    with lease(store, "cup") as ours:
        save_duel(store, ours, scenes.duel(cup), HELD)
        made = backup(store, tmp_path / "copy")
        save_duel(store, ours, scenes.duel(cup, scenes.KEY._replace(number=1)), HELD)
    with open_store(str(made)) as copy:
        assert len(results(copy, "cup")) == 1


@in_a_file
def test_a_league_that_is_run_is_not_run_in_its_backup(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup"), open_store(str(backup(store, tmp_path / "copy"))) as copy:
        assert lease_holder(copy, "cup") is None


@in_a_file
def test_a_backup_can_be_read_by_its_owner_alone(store: Store, tmp_path: Path) -> None:
    made = backup(store, tmp_path / "copy")
    assert (made.stat().st_mode & 0o777, made.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@in_a_file
def test_a_backup_replaces_nothing(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    with pytest.raises(ConfigError, match="exists already; name a new directory"):
        backup(store, tmp_path / "copy")


@in_a_file
def test_a_backup_that_fails_leaves_nothing(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    bundle(store, scenes.bot(2).digest).rename(tmp_path / "lost")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(FileError, match="is missing"):
        backup(store, tmp_path / "copy")
    assert sorted(tmp_path.iterdir()) == before


@in_a_file
def test_a_backup_that_cannot_be_written_is_told(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no directory .*none; make it"):
        backup(store, tmp_path / "none" / "copy")


@pytest.mark.slow
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_server_is_backed_up_by_its_own_means(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="pg_dump"):
        backup(store, tmp_path / "copy")


def test_a_store_tells_the_room_its_bundles_take(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path, entrants=2)
    assert usage(store).bundles == 2 * len("name = 1\n#!/bin/sh\n")


def test_a_store_tells_the_room_that_submissions_take(store: Store) -> None:
    content = hosting_scenes.archive(store, handed_in(store))
    assert usage(store).submissions == len(content)


def test_a_store_tells_the_room_its_database_takes(store: Store) -> None:
    assert usage(store).database > 50_000


@in_a_file
def test_the_backup_that_the_page_tells_of_needs_only_python(store: Store, tmp_path: Path) -> None:
    made = scenes.cup(store, tmp_path)
    with closing(sqlite3.connect(store.location)) as connection:
        connection.execute("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    with open_store(str(tmp_path / "copy.db")) as copy:
        assert league(copy, "cup") == made
