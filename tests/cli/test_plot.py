"""`upcard ratings --plot`."""

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import Upcard
from tests.cli.leagues import UNSANDBOXED, bots, write_league


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "upcard.db"


def texts(picture: Path) -> list[str]:
    """Return the words of a picture from top to bottom."""
    words = ET.parse(picture).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 (our own)
    from_top = sorted(words, key=lambda word: float(word.attrib["y"]))
    return ["".join(word.itertext()) for word in from_top]


@pytest.mark.slow
def test_the_names_stand_best_first(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db, bots(["ada", "bert", "carl"]))
    picture = tmp_path / "ratings.svg"
    out = upcard("ratings", "--db", db, "--csv", "--plot", picture).out
    ranked = [line.split(",")[3].partition("@")[0] for line in out.splitlines()[1:]]
    assert [text for text in texts(picture) if text in ranked] == ranked


@pytest.mark.slow
def test_two_drawings_are_the_same_bytes(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db)
    for suffix in ("svg", "png"):
        first, second = (tmp_path / f"{name}.{suffix}" for name in "ab")
        upcard("ratings", "--db", db, "--plot", first)
        upcard("ratings", "--db", db, "--plot", second)
        assert first.read_bytes() == second.read_bytes() != b""


def test_a_png_is_one(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db)
    picture = tmp_path / "ratings.png"
    assert upcard("ratings", "--db", db, "--plot", picture).code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_name_is_no_formula(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db, [("ada", "$\\frac$"), ("ada", "<b>&")])
    picture = tmp_path / "ratings.svg"
    assert upcard("ratings", "--db", db, "--plot", picture).code == 0
    assert {"ada@$\\frac$", "ada@<b>&"} <= set(texts(picture))


@pytest.mark.slow
def test_long_names_and_strange_letters_are_drawn(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db, [("a" * 40, "日本" * 20), ("a" * 40, "2")])
    for suffix in ("svg", "png"):
        said = upcard("ratings", "--db", db, "--plot", tmp_path / f"ratings.{suffix}")
        assert (said.code, said.err) == (0, "")


def test_play_without_a_sandbox_is_marked(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db, held=UNSANDBOXED)
    picture = tmp_path / "ratings.svg"
    upcard("ratings", "--db", db, "--plot", picture)
    assert "UNSANDBOXED: club" in texts(picture)


def test_settings_for_other_pictures_do_not_matter(
    upcard: Upcard, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_league(db)
    plain, other = tmp_path / "plain.svg", tmp_path / "other.svg"
    upcard("ratings", "--db", db, "--plot", plain)
    import matplotlib as mpl  # noqa: PLC0415 (not for every test)

    monkeypatch.setitem(mpl.rcParams, "font.size", 30.0)
    upcard("ratings", "--db", db, "--plot", other)
    assert plain.read_bytes() == other.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("entrants", ["", "a", "abc"])
def test_a_league_without_duels_is_drawn(
    upcard: Upcard, db: Path, tmp_path: Path, entrants: str
) -> None:
    write_league(db, bots(entrants), played=0)
    picture = tmp_path / "ratings.svg"
    assert upcard("ratings", "--db", db, "--plot", picture).code == 0
    assert picture.exists()


def test_another_suffix_is_refused_before_anything_is_read(upcard: Upcard, tmp_path: Path) -> None:
    said = upcard("ratings", "--db", tmp_path / "none.db", "--plot", tmp_path / "ratings.pdf")
    assert (said.code, said.err.count("\n"), "as .svg or .png" in said.err) == (2, 1, True)


def test_without_matplotlib_one_line_says_how_to_get_it(
    upcard: Upcard, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_league(db)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = upcard("ratings", "--db", db, "--plot", tmp_path / "ratings.svg")
    assert (said.code, said.out) == (2, "")
    assert said.err.endswith("install it with: pip install 'upcard-referee[plots]'\n")


def test_what_cannot_be_written_leaves_nothing(upcard: Upcard, db: Path, tmp_path: Path) -> None:
    write_league(db)
    said = upcard("ratings", "--db", db, "--plot", tmp_path / "nowhere" / "ratings.svg")
    assert (said.code, said.out, "cannot write" in said.err) == (1, "", True)
    assert not (tmp_path / "nowhere").exists()
