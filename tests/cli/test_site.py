"""`upcard league export --site`: a league as pages in a directory."""

from pathlib import Path

import pytest

from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory whose store has a league of a single duel."""
    monkeypatch.chdir(tmp_path)
    write_league(tmp_path / "upcard.db", duels=1)
    return tmp_path


@pytest.mark.slow
def test_a_league_is_written_as_pages(upcard: Upcard, place: Path) -> None:
    said = upcard("league", "export", "club", "--site", "public")
    written = len([*(place / "public").rglob("*.html")])
    assert (said.code, written) == (0, 9)
    assert said.out == "public: 9 pages; open public/index.html\n"
    assert said.err == ""


@pytest.mark.slow
def test_files_and_pages_can_be_written_at_once(upcard: Upcard, place: Path) -> None:
    said = upcard("league", "export", "club", "published", "--site", "public")
    assert said.code == 0
    assert (place / "public" / "index.html").is_file()
    assert (place / "published" / "SHA256SUMS").is_file()


@pytest.mark.slow
def test_an_earlier_site_is_replaced(upcard: Upcard, place: Path) -> None:
    upcard("league", "export", "club", "--site", "public")
    stale = place / "public" / "stale.html"
    stale.touch()
    assert upcard("league", "export", "club", "--site", "public").code == 0
    assert not stale.exists()


def test_one_of_the_two_has_to_be_named(upcard: Upcard) -> None:
    said = upcard("league", "export", "club")
    assert said.code == 2
    assert "name a directory for the files, or one for the pages by --site" in said.err


@pytest.mark.parametrize(
    ("directory", "why"),
    [
        ("letters", "letters is not a directory; name a new one"),
        ("desk", "desk is not empty and not a site; name a new directory, or empty this one"),
        ("none/public", "make it, or name another"),
    ],
)
def test_what_is_no_site_is_refused_in_a_line(
    upcard: Upcard, place: Path, directory: str, why: str
) -> None:
    (place / "letters").write_text("dear")
    (place / "desk").mkdir()
    (place / "desk" / "pen").touch()
    said = upcard("league", "export", "club", "--site", directory)
    assert (said.code, said.out) == (2, "")
    assert why in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in (place / "desk").iterdir()] == ["pen"]


def test_a_league_that_is_not_there_is_refused_in_a_line(upcard: Upcard, place: Path) -> None:
    said = upcard("league", "export", "none", "--site", "public")
    assert (said.code, said.err) == (2, "upcard: there is no league “none” here\n")
    assert not (place / "public").exists()


def test_pages_are_not_written_where_the_files_are_refused(upcard: Upcard, place: Path) -> None:
    (place / "published").mkdir()
    (place / "published" / "letters").touch()
    said = upcard("league", "export", "club", "published", "--site", "public")
    assert said.code == 2
    assert not (place / "public").exists()
