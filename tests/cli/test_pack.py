"""`upcard pack`: one file with a bot, which `bots add` takes too."""

import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.cli import bots
from tests.cli.bots import write_bot
from tests.cli.conftest import Upcard


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path / "mine", "return legal[0]")
    return tmp_path


def names(archive: Path) -> list[str]:
    with tarfile.open(archive) as found:
        return found.getnames()


def test_the_archive_is_named_for_the_bot(upcard: Upcard, here: Path) -> None:
    said = upcard("pack", "mine")
    assert (said.code, said.out[:27]) == (0, "mine-1.tar.gz: mine 1, 2 fi")
    assert names(here / "mine-1.tar.gz") == ["bot.py", "bot.toml"]


def test_it_is_written_where_it_is_told_to(upcard: Upcard, here: Path) -> None:
    assert upcard("pack", "mine", "--out", "sub.tgz").code == 0
    assert names(here / "sub.tgz") == ["bot.py", "bot.toml"]


def test_a_file_that_is_there_is_replaced_only_by_force(upcard: Upcard, here: Path) -> None:
    (here / "a").write_text("mine")
    said = upcard("pack", "mine", "-o", "a")
    assert (said.code, said.err) == (
        2,
        "upcard: a is there already; add --force, or name another file\n",
    )
    assert upcard("pack", "mine", "-o", "a", "--force").code == 0
    assert names(here / "a") == ["bot.py", "bot.toml"]


def test_a_damaged_archive_is_named_when_it_is_added(upcard: Upcard, here: Path) -> None:
    (here / "x.zip").write_text("PK rubbish")
    said = upcard("bots", "add", "x.zip")
    assert said.code == 2
    assert said.err.startswith("upcard: x.zip: the archive is damaged: ")


def test_what_was_packed_is_examined_as_its_directory_is(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def build_all(named: Iterable[tuple[str, Path]], *_: object) -> list[object]:
        seen.extend(sorted(path.name for _, at in named for path in at.iterdir()))
        return []

    monkeypatch.setattr(bots, "_build_all", build_all)
    upcard("pack", "mine")
    upcard("bots", "add", "mine-1.tar.gz")
    assert seen == ["bot.py", "bot.toml"]
