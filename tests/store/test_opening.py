"""Whatever is named as a store is opened, made, or refused in one line and left as it was."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from referee.errors import UpcardError
from referee.store.duels import results
from referee.store.leagues import create_league, league, leagues
from referee.store.opening import open_store
from tests.store import scenes
from tests.store.processes import heard, process, tell
from tests.store.scenes import NOW, as_stranger


def refused(place: str, *, create: bool = False) -> str:
    """Return the one line with which a place is refused."""
    with pytest.raises(UpcardError) as caught, open_store(place, create=create):
        pass
    said = str(caught.value)
    assert "\n" not in said
    return said


def test_what_was_kept_is_there_when_the_store_is_opened_again(place: str, tmp_path: Path) -> None:
    with open_store(place, create=True) as store:
        made = scenes.cup(store, tmp_path)
    with open_store(place) as store:
        assert league(store, "cup") == made


def test_creating_a_store_that_is_there_opens_it(place: str, tmp_path: Path) -> None:
    with open_store(place, create=True) as store:
        scenes.cup(store, tmp_path)
    with open_store(place, create=True) as store:
        assert [one.name for one in leagues(store)] == ["cup"]


@pytest.mark.slow
def test_many_who_make_a_store_at_once_make_one(place: str) -> None:
    with ExitStack() as stack:
        makers = [stack.enter_context(process("create", place)) for _ in range(4)]
        for maker in makers:
            assert heard(maker) == "ready"
        for maker in makers:
            tell(maker)
        assert [heard(maker).partition(" ")[0] for maker in makers] == ["made"] * 4


def test_a_file_may_be_named_by_its_address(tmp_path: Path) -> None:
    path = tmp_path / "upcard.db"
    with open_store(f"sqlite:///{path}", create=True) as store:
        assert (store.location, store.files) == (str(path), tmp_path / "upcard.db.files")


def test_a_name_may_have_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "a b%20?mode=ro#é.db"
    with open_store(str(path), create=True):
        pass
    assert path.is_file()


def test_a_store_stays_where_it_is_when_the_process_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("upcard.db", create=True) as store:
        store.engine.dispose()
        monkeypatch.chdir("/")
        assert leagues(store) == []


def test_only_its_owner_can_read_the_seeds(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        create_league(store, "cup", scenes.plan(), [], NOW)
        modes = {path.stat().st_mode & 0o777 for path in tmp_path.glob("upcard.db*")}
    assert modes == {0o600}


def test_a_store_in_a_file_is_written_ahead(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True):
        pass
    with closing(sqlite3.connect(tmp_path / "upcard.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_closing_leaves_one_file(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["upcard.db"]


def test_a_store_that_is_not_there_is_not_made_unasked(tmp_path: Path) -> None:
    said = refused(str(tmp_path / "none.db"))
    assert said.startswith(f"there is no store {tmp_path}/none.db; ")
    assert not (tmp_path / "none.db").exists()


def make_directory(path: Path) -> None:
    path.mkdir()


def make_text(path: Path) -> None:
    path.write_text("some text that is no database\n")


def make_half_a_header(path: Path) -> None:
    path.write_bytes(b"SQLite")


def make_noise(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)


def make_other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipe (id INTEGER)")


def make_socket(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize(
    ("make", "because"),
    [
        (make_directory, "is a directory; name the store, a file"),
        (make_text, "is not a store of upcard; name another file"),
        (make_half_a_header, "is not a store of upcard"),
        (make_noise, "this is no database; name another"),
        (make_other_database, "is a database of something else; use another"),
        (make_socket, "is not a file; name the store, a file"),
    ],
)
def test_what_is_no_store_is_refused(
    tmp_path: Path, make: Callable[[Path], None], because: str, create: bool
) -> None:
    path = tmp_path / "upcard.db"
    make(path)
    assert because in refused(str(path), create=create)


@pytest.mark.parametrize("make", [make_text, make_noise, make_other_database])
def test_what_is_no_store_is_left_as_it_was(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "upcard.db"
    make(path)
    before = path.read_bytes()
    refused(str(path), create=True)
    assert path.read_bytes() == before


def test_an_empty_file_is_a_store_only_if_one_is_to_be_made(tmp_path: Path) -> None:
    path = tmp_path / "upcard.db"
    path.touch()
    assert "is empty" in refused(str(path))
    with open_store(str(path), create=True):
        pass


def test_an_empty_database_on_a_server_is_refused_unless_a_store_is_to_be_made(
    database: Callable[[], str],
) -> None:
    assert "is empty; make a store there: upcard bots add BOT" in refused(database())


def test_a_database_of_something_else_on_a_server_is_refused(database: Callable[[], str]) -> None:
    place = database()
    with psycopg.connect(place) as connection:
        connection.execute("CREATE TABLE recipe (id INTEGER)")
    assert "is a database of something else" in refused(place, create=True)


@pytest.mark.parametrize(
    ("place", "because"),
    [
        ("mysql://host/upcard", "a store cannot be on 'mysql'"),
        ("sqlite://", "names no file"),
        ("sqlite://upcard.db", "names no file"),
        ("postgresql://host:port/upcard", "this is not the URL of a database"),
    ],
)
def test_an_odd_address_is_refused(place: str, because: str) -> None:
    assert because in refused(place, create=True)


def test_a_server_that_does_not_answer_is_told_without_the_password(tmp_path: Path) -> None:
    said = refused(f"postgresql://upcard:hush@/cup?host={tmp_path}")
    assert "connection" in said
    assert "hush" not in said


def test_an_address_is_told_without_the_password(database: Callable[[], str]) -> None:
    with open_store(database().replace("upcard@", "upcard:hush@"), create=True) as store:
        assert "hush" not in store.location


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_server_may_be_named_in_each_usual_way(database: Callable[[], str], scheme: str) -> None:
    with open_store(database().replace("postgresql", scheme, 1), create=True) as store:
        assert leagues(store) == []


def test_without_its_driver_a_server_needs_it_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'upcard-referee[postgres]'" in refused("postgresql://host/upcard")


def test_bundles_of_a_server_are_where_they_are_said_to_be(
    database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = database()
    with open_store(place, create=True) as store:
        assert store.files == Path("upcard.files")
    monkeypatch.setenv("UPCARD_FILES", "/elsewhere")
    with open_store(place) as store:
        assert store.files == Path("/elsewhere")
    with open_store(place, files=Path("/here")) as store:
        assert store.files == Path("/here")


@pytest.fixture
def public() -> Iterator[Path]:
    """Return a store in a directory that all may read, and only its owner write."""
    directory = scenes.public()
    path = directory / "upcard.db"
    with open_store(str(path), create=True) as store:
        create_league(store, "cup", scenes.plan(), [], NOW)
    path.chmod(0o444)
    directory.chmod(0o555)
    yield path
    directory.chmod(0o755)
    shutil.rmtree(directory)


def read(path: Path) -> str:
    with open_store(str(path)) as store:
        return str(len(results(store, "cup")))


def write(path: Path) -> str:
    with open_store(str(path)) as store:
        create_league(store, "another", scenes.plan(), [], NOW)
    return "written"


def test_a_store_where_nothing_can_be_written_is_read(public: Path) -> None:
    assert as_stranger(lambda: read(public)) == "0"


def test_a_store_that_is_in_use_is_read_by_one_who_cannot_write_it(public: Path) -> None:
    public.chmod(0o644)
    public.parent.chmod(0o755)
    with open_store(str(public)) as store:
        create_league(store, "other", scenes.plan(), [], NOW)
        assert as_stranger(lambda: read(public)) == "0"


def test_a_store_that_is_read_only_in_a_directory_that_is_not_is_read(public: Path) -> None:
    public.parent.chmod(0o777)
    assert as_stranger(lambda: read(public)) == "0"


def test_writing_where_nothing_can_be_written_is_refused(public: Path) -> None:
    said = as_stranger(lambda: write(public))
    assert said.startswith(f"FileError: the store {public}: it can only be read; ")


def test_a_store_left_open_where_nothing_can_be_written_says_what_to_do(public: Path) -> None:
    public.parent.chmod(0o755)
    public.chmod(0o644)
    log = public.with_name("upcard.db-wal")
    with open_store(str(public)) as store:
        create_league(store, "other", scenes.plan(), [], NOW)
        left = log.read_bytes()
    log.write_bytes(left)
    public.chmod(0o444)
    public.parent.chmod(0o555)
    said = as_stranger(lambda: read(public))
    assert said.startswith(f"FileError: the store {public} was not closed, ")
    assert "copy it and upcard.db-wal to where you may write" in said


def test_a_store_that_cannot_be_read_is_refused(public: Path) -> None:
    public.chmod(0o000)
    said = as_stranger(lambda: read(public))
    assert said == f"FileError: cannot read the store {public}: Permission denied"


def test_a_store_cannot_be_made_where_nothing_can_be_written(public: Path) -> None:
    place = str(public.with_name("new.db"))

    def make() -> str:
        with open_store(place, create=True):
            return "made"

    assert as_stranger(make) == f"FileError: cannot make the store {place}: Permission denied"


def test_where_a_store_is_only_read_nothing_is_written_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    with open_store(str(place), create=True) as store:
        scenes.cup(store, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("upcard.db*") if path.is_file()}
    with open_store(str(place), read_only=True) as store:
        assert league(store, "cup").name == "cup"
        assert {path: path.read_bytes() for path in before} == before
        assert {*filter(Path.is_file, tmp_path.glob("upcard.db*"))} == before.keys()


def test_a_store_that_is_only_read_cannot_be_written(tmp_path: Path) -> None:
    place = str(tmp_path / "upcard.db")
    with open_store(place, create=True):
        pass
    with (
        open_store(place, read_only=True) as store,
        pytest.raises(UpcardError, match="it can only be read"),
    ):
        scenes.cup(store, tmp_path)


def test_what_is_written_meanwhile_is_seen_where_a_store_is_only_read(tmp_path: Path) -> None:
    place = str(tmp_path / "upcard.db")
    with open_store(place, create=True) as writer:
        scenes.cup(writer, tmp_path)
        with open_store(place, read_only=True) as store:
            assert [each.name for each in leagues(store)] == ["cup"]
