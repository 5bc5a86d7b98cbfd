"""An export that a test may look at, or forge."""

from pathlib import Path

import pytest

from tests.publication.exports import FAULTY, league, written


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Write an export of a complete league with a duel that was forfeited in both rooms."""
    return written(tmp_path / "out", league(), [FAULTY])
