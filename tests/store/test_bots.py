import os
from pathlib import Path
from subprocess import run

import pytest

from referee.errors import ConfigError, FileError
from referee.store.bots import add_bot, bots, bundle, find_bot
from referee.store.database import Store
from tests.store import scenes


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return scenes.bundle(tmp_path / "source")


def test_a_bot_comes_back_as_it_was_kept(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    assert bots(store) == [scenes.bot()]


def test_the_first_time_a_bot_is_new(store: Store, source: Path) -> None:
    assert add_bot(store, scenes.bot(), source)


def test_the_second_time_it_is_not(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    assert not add_bot(store, scenes.bot(), source)


def test_the_second_time_nothing_is_kept(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    add_bot(store, scenes.bot(), source)
    assert bots(store) == [scenes.bot()]


def test_words_that_no_database_takes_are_replaced(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot()._replace(author="A\0B\udc80C"), source)
    assert bots(store)[0].author == "A?B?C"


def test_the_bundle_is_kept_whole(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    assert (
        run(["diff", "-r", source, bundle(store, scenes.bot().digest)], check=False).returncode == 0
    )


def test_a_link_in_a_bundle_stays_a_link(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    assert (bundle(store, scenes.bot().digest) / "again").readlink() == Path("run")


def test_strangers_can_read_a_bundle(store: Store, source: Path) -> None:
    before = os.umask(0o077)
    add_bot(store, scenes.bot(), source)
    os.umask(before)
    kept = bundle(store, scenes.bot().digest)
    directories = [store.files, store.files / "bots", kept]
    modes = [
        path.stat().st_mode & 0o777 for path in (*directories, kept / "run", kept / "bot.toml")
    ]
    assert modes == [0o755, 0o755, 0o755, 0o755, 0o644]


def test_nothing_but_the_bundle_is_left(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    add_bot(store, scenes.bot(), source)
    assert [path.name for path in (store.files / "bots").iterdir()] == [scenes.bot().digest]


def test_a_bundle_that_a_kill_left_without_its_row_is_replaced(store: Store, source: Path) -> None:
    left = store.files / "bots" / scenes.bot().digest
    left.mkdir(parents=True)
    (left / "half").touch()
    add_bot(store, scenes.bot(), source)
    assert sorted(path.name for path in left.iterdir()) == ["again", "bot.toml", "run"]


def test_a_copy_that_a_kill_left_is_removed(store: Store, source: Path) -> None:
    left = store.files / "bots" / ".new-left"
    left.mkdir(parents=True)
    add_bot(store, scenes.bot(), source)
    assert not left.exists()


def test_a_bundle_that_got_lost_is_back_when_it_is_added_again(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    bundle(store, scenes.bot().digest).rename(store.files / "elsewhere")
    add_bot(store, scenes.bot(), source)
    assert bundle(store, scenes.bot().digest).is_dir()


def test_a_lost_bundle_is_told(store: Store, source: Path) -> None:
    add_bot(store, scenes.bot(), source)
    bundle(store, scenes.bot().digest).rename(store.files / "elsewhere")
    with pytest.raises(FileError, match="is missing"):
        bundle(store, scenes.bot().digest)


def test_a_bundle_that_cannot_be_copied_leaves_no_bot(store: Store, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot keep"):
        add_bot(store, scenes.bot(), tmp_path / "none")
    assert bots(store) == []


@pytest.fixture
def three(store: Store, source: Path) -> Store:
    for number, version in ((0xAAAA, "1.0"), (0xBBBB, "1.1"), (0xCCCC, "1.0")):
        add_bot(store, scenes.bot(number << 240, version=version), source)
    return store


def test_a_name_means_the_bot_that_was_added_last(three: Store) -> None:
    assert find_bot(three, "steady").digest.startswith("cccc")


def test_a_name_with_a_version_means_that_one(three: Store) -> None:
    assert find_bot(three, "steady@1.1").digest.startswith("bbbb")


def test_a_version_with_two_contents_has_to_be_told_by_digest(three: Store) -> None:
    with pytest.raises(ConfigError, match=r"may be 2 bots; .*aaaa00000000 or cccc00000000"):
        find_bot(three, "steady@1.0")


def test_eight_digits_of_a_digest_will_do(three: Store) -> None:
    assert find_bot(three, "aaaa0000").digest.startswith("aaaa")


def test_seven_digits_will_not(three: Store) -> None:
    with pytest.raises(ConfigError, match="there is no bot 'aaaa000'; choose steady"):
        find_bot(three, "aaaa000")


def test_without_bots_it_is_told_how_to_add_one(store: Store) -> None:
    with pytest.raises(ConfigError, match="upcard bots add"):
        find_bot(store, "steady")


@pytest.mark.parametrize("text", ["Steady", "stedy", "STEADY-"])
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(
    store: Store, source: Path, text: str
) -> None:
    for number, name in enumerate(["steady", "zircon", *(f"bot-{each}" for each in range(9))]):
        add_bot(store, scenes.bot(number, name), source)
    with pytest.raises(ConfigError, match=r"choose steady$"):
        find_bot(store, text)
