"""What a bot may be called on the command line."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.cli.named_bots import named_directory
from referee.errors import ConfigError
from tests.cli.bots import FIRST, write_bot
from tests.cli.leagues import write_league


def test_a_version_that_the_store_keeps_is_found_by_name_and_version(tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db", [("ada", "1"), ("ada", "2")], played=0)
    with ExitStack() as closing:
        found = named_directory("ada@1", str(tmp_path / "upcard.db"), closing)
        assert (found / "bot.py").read_text() == "# ada 1\n"


def test_a_version_that_the_store_does_not_keep_is_refused(tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db", [("ada", "1")], played=0)
    with ExitStack() as closing, pytest.raises(ConfigError, match="there is no bot 'ada@2'"):
        named_directory("ada@2", str(tmp_path / "upcard.db"), closing)


def test_a_directory_needs_no_store(tmp_path: Path) -> None:
    mine = write_bot(tmp_path / "mine@home", FIRST)
    with ExitStack() as closing:
        assert named_directory(str(mine), str(tmp_path / "none.db"), closing) == mine
