"""Runs the command as a person would, and keeps what it said."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.cli import main


class Said(NamedTuple):
    code: int
    out: str
    err: str


Upcard = Callable[..., Said]


@pytest.fixture
def upcard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Upcard:
    """Run `upcard` with these words in this process."""

    def run(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["upcard", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Said(ended.value.code, out, err)

    return run


@pytest.fixture
def euchre_file(upcard: Upcard, tmp_path: Path) -> Path:
    """Write three matches of euchre."""
    path = tmp_path / "euchre.jsonl"
    upcard("simulate", "euchre", "--matches", 3, "--seed", "5a" * 32, "--record-out", path)
    return path


@pytest.fixture
def whist_file(upcard: Upcard, tmp_path: Path) -> Path:
    """Write two matches of whist."""
    path = tmp_path / "whist.jsonl"
    upcard("simulate", "whist", "--matches", 2, "--seed", "5a" * 32, "--record-out", path)
    return path
