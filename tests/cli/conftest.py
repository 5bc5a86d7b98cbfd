"""Runs the command as a person would, and keeps what it said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.bots import Said, said

Upcard = Callable[..., Said]


@pytest.fixture
def upcard() -> Upcard:
    """Run `upcard` with these words in this process."""
    return said


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
