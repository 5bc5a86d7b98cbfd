"""Files of strangers: a few of the million that `./upcard soak --fuzz` makes."""

from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.pool import Pool

import pytest

from tests.soak import fuzz

NAMES = ("replay --check", "convert", "fault show", "verify (complete)", "verify (open)")


@pytest.fixture(scope="module")
def process() -> Iterator[Pool]:
    """Return a process of its own, in which no other test has taken memory."""
    with get_context("spawn").Pool(1) as pool:
        yield pool


def test_every_command_is_among_these() -> None:
    assert tuple(fuzz.targets()) == NAMES


@pytest.mark.parametrize("target", NAMES)
def test_a_changed_file_gives_a_result_or_an_error_of_one_line(target: str, process: Pool) -> None:
    outcome = process.apply(fuzz.run, [fuzz.Batch(target, number=0, size=60)])
    assert (outcome.failure, outcome.ended.total() >= 60) == ("", True)


def test_a_command_that_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("points")

    broken = fuzz.targets() | {"broken": fuzz.Target({"file": b"{}"}, fail)}
    monkeypatch.setattr(fuzz, "targets", lambda: broken)
    assert "KeyError: 'points'" in fuzz.run(fuzz.Batch("broken", number=0, size=5)).failure
