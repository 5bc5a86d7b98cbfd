"""A bot that is handed in is copied whole, told by its own words, and examined in all it plays."""

import asyncio
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.arena.limits import TimeLimits
from referee.bots.digest import bundle_digest
from referee.errors import ConfigError
from referee.examination.admission import Candidate, candidates, failures
from tests.examination.plain import PlainLauncher

TINY = Path(__file__).with_name("tiny_bots.py")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
MANIFEST = """
name = "tiny"
version = "1.2"
author = "Näbody"
language = "python"
run = ["python", "tiny_bots.py"]
games = ["euchre"]
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    bot = tmp_path / "tiny"
    bot.mkdir()
    shutil.copy(TINY, bot)
    (bot / "bot.toml").write_text(MANIFEST)
    return bot


def lines_failed(candidate: Candidate, misbehaviour: str) -> list[str]:
    launcher = PlainLauncher(str(TINY), misbehaviour)
    limits = TimeLimits(decision=20.0, ready=60.0)
    return [mark.name for mark in asyncio.run(failures(launcher, candidate, limits))]


def test_a_candidate_is_told_by_its_own_manifest(tiny: Path) -> None:
    with candidates([tiny], NOW) as (candidate,):
        digest = bundle_digest(candidate.entrant.bundle)
        assert candidate.bot == (
            *(digest, "tiny", "1.2", "Näbody", "python", ("euchre",), MANIFEST, NOW),
        )


def test_a_candidate_sits_down_from_a_copy(tiny: Path) -> None:
    with candidates([tiny], NOW) as (candidate,):
        (tiny / "tiny_bots.py").write_text("changed")
        assert (candidate.entrant.bundle / "tiny_bots.py").read_text() == TINY.read_text()


def test_nothing_is_left_of_the_copies(tiny: Path) -> None:
    with candidates([tiny, tiny], NOW) as both:
        places = [candidate.entrant.bundle for candidate in both]
    assert [place.exists() for place in places] == [False, False]


def test_copies_of_one_who_was_killed_are_removed(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / "upcard-bots-left"
    left.mkdir()
    with candidates([tiny], NOW):
        assert not left.exists()


def test_what_is_no_bot_is_refused_by_its_own_path(tiny: Path) -> None:
    (tiny / "bot.toml").write_text(MANIFEST.replace("euchre", "poker"))
    with (
        pytest.raises(ConfigError, match=f"^{tiny}/bot.toml: games must be"),
        candidates([tiny], NOW),
    ):
        pass


def test_a_bot_fails_by_the_lines_that_say_why(tiny: Path) -> None:
    with candidates([tiny], NOW) as (candidate,):
        assert lines_failed(candidate, "is too old") == ["hello: protocol revision"]


def test_a_sound_bot_fails_in_nothing(tiny: Path) -> None:
    with candidates([tiny], NOW) as (candidate,):
        assert lines_failed(candidate, "nothing") == []


def test_a_bot_is_examined_in_no_game_it_does_not_play(tiny: Path) -> None:
    with candidates([tiny], NOW) as (candidate,):
        assert lines_failed(candidate, "misplays the ninth trick") == []


def test_a_bot_is_examined_in_every_game_it_plays(tiny: Path) -> None:
    (tiny / "bot.toml").write_text(MANIFEST.replace('"euchre"', '"euchre", "whist"'))
    with candidates([tiny], NOW) as (candidate,):
        failed = lines_failed(candidate, "misplays the ninth trick")
    assert failed == ["whist: tricks 1 to 13", "whist: whole matches"]
