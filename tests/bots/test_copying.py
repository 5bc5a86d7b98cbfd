"""A bot is kept as it was handed in, and noticed when it no longer is."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.bots.copying import copy_bundle, copy_sources, refuse_changed
from referee.bots.digest import MOST_BYTES, bundle_digest
from referee.errors import ConfigError
from referee.store.models import Bot

NEVER = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Make a bot's directory, with what lies about in one."""
    made = tmp_path / "owl"
    (made / "lib").mkdir(parents=True)
    (made / "bot.py").write_text("print()\n")
    (made / "lib" / "run").write_text("#!/bin/sh\n")
    (made / "lib" / "run").chmod(0o700)
    (made / "lib" / "latest").symlink_to("run")
    for name in (".git", ".venv", "__pycache__", "upcard-logs"):
        (made / "lib" / name).mkdir()
        (made / "lib" / name / "rest").write_text("of no use")
    return made


@pytest.fixture
def copied(bot: Path, tmp_path: Path) -> Path:
    copy_bundle(bot, tmp_path / "copy")
    return tmp_path / "copy"


def stored_bot(digest: str) -> Bot:
    return Bot(digest, "owl", "1.0", "A. Author", "python", ("euchre",), "", NEVER)


def test_all_that_belongs_to_a_bot_is_copied(copied: Path) -> None:
    found = {str(path.relative_to(copied)) for path in copied.rglob("*")}
    assert found == {"bot.py", "lib", "lib/run", "lib/latest"}


def test_the_digest_is_that_of_the_copy(bot: Path, tmp_path: Path) -> None:
    assert copy_bundle(bot, tmp_path / "copy") == bundle_digest(tmp_path / "copy")


def test_what_lies_about_does_not_change_the_digest(bot: Path, tmp_path: Path) -> None:
    before = copy_bundle(bot, tmp_path / "before")
    (bot / "__pycache__").mkdir()
    assert copy_bundle(bot, tmp_path / "after") == before


@pytest.mark.parametrize("made", ["build", "node_modules", "target", "Cargo.lock"])
def test_what_was_built_at_home_does_not_change_the_sources(
    bot: Path, tmp_path: Path, made: str
) -> None:
    before = copy_sources(bot, tmp_path / "before")
    (bot / made).touch()
    assert copy_sources(bot, tmp_path / "after") == before


def test_what_only_has_such_a_name_further_down_is_copied(bot: Path, tmp_path: Path) -> None:
    (bot / "vendor" / "target").mkdir(parents=True)
    (bot / "vendor" / "Cargo.lock").touch()
    copy_sources(bot, tmp_path / "copy")
    assert {path.name for path in (tmp_path / "copy" / "vendor").iterdir()} == {
        "target",
        "Cargo.lock",
    }


def test_everybody_may_read_a_copy_and_run_its_programs(copied: Path) -> None:
    modes = {name: (copied / name).stat().st_mode & 0o777 for name in ("bot.py", "lib", "lib/run")}
    assert modes == {"bot.py": 0o644, "lib": 0o755, "lib/run": 0o755}


def test_a_link_stays_a_link(copied: Path) -> None:
    assert (copied / "lib" / "latest").readlink() == Path("run")


def strange_pipe(bot: Path) -> None:
    os.mkfifo(bot / "pipe")


def strange_link(bot: Path) -> None:
    (bot / "secret").symlink_to("/etc/shadow")


def too_much(bot: Path) -> None:
    (bot / "weights").touch()
    os.truncate(bot / "weights", MOST_BYTES + 1)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (strange_pipe, "'pipe' is no file, directory or link; take it out"),
        (strange_link, "'secret' is a link that leads out of the bundle; take it out"),
        (
            too_much,
            (
                "a bundle holds at most 256 MiB; most of it is in 'weights'; "
                "'weights' alone has 256 MiB; take out what does not play"
            ),
        ),
    ],
)
def test_what_is_no_bundle_is_refused_by_the_author_s_own_path(
    bot: Path, tmp_path: Path, make: Callable[[Path], None], says: str
) -> None:
    make(bot)
    with pytest.raises(ConfigError) as refused:
        copy_bundle(bot, tmp_path / "copy")
    assert str(refused.value) == f"{bot}: {says}"


def test_what_cannot_be_written_is_told_in_one_line(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"^cannot copy .*/owl: Not a directory$"):
        copy_bundle(bot, tmp_path / "file" / "copy")


def test_a_kept_bundle_as_it_was_added_may_play(copied: Path) -> None:
    refuse_changed(stored_bot(bundle_digest(copied)), copied)


def write_more(bundle: Path) -> None:
    with (bundle / "bot.py").open("a") as file:
        file.write("print('changed')\n")


def let_run(bundle: Path) -> None:
    (bundle / "bot.py").chmod(0o755)


def take_away(bundle: Path) -> None:
    bundle.rename(bundle.with_name("elsewhere"))


@pytest.mark.parametrize("change", [write_more, let_run, strange_link, take_away])
def test_a_kept_bundle_that_was_changed_is_refused_by_the_bot_s_name(
    copied: Path, change: Callable[[Path], None]
) -> None:
    digest = bundle_digest(copied)
    change(copied)
    with pytest.raises(ConfigError) as refused:
        refuse_changed(stored_bot(digest), copied)
    assert str(refused.value).startswith(f"owl 1.0 ({digest[:12]}) is not as it was added: ")
    assert str(copied) in str(refused.value)
