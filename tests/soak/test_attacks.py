"""An attack in a real duel is held only if it got nothing, harmed nobody, and was tried."""

from typing import Any

import pytest

from tests.soak.attacks import ATTACKS, wrong

TRIED: dict[str, Any] = {
    "duels": 1,
    "voids": [],
    "faults": [],
    "verdicts": 4,
    "came": [],
    "harm": [],
    "left": 0,
}
BLAMED: dict[str, Any] = {"verdicts": 0, "faults": [(0, "process_limit")]}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("files", {}),
        ("bomb chain", BLAMED),
        ("memory private", {"came": ["256 MiB"], "faults": [(0, "memory_limit")]}),
        ("outlive leave", {"verdicts": 0}),
    ],
)
def test_what_got_nothing_or_was_blamed_is_held(name: str, found: dict[str, Any]) -> None:
    assert wrong(name, TRIED | found) == ""


@pytest.mark.parametrize(
    ("name", "found", "why"),
    [
        ("files", {"came": ["secret"]}, "got through: secret"),
        ("files", {"verdicts": 0}, "it was not tried"),
        ("files", {"harm": ["the victim was killed"]}, "the victim was killed"),
        ("files", {"faults": [(1, "decision_timeout")]}, "its opponent was blamed"),
        ("files", {"duels": 0, "voids": ["it was late"]}, "no duel was played, it was late"),
        ("memory private", {"came": ["256 MiB"]}, "got through: 256 MiB"),
        ("outlive leave", {"left": 2}, "2 processes outlived the duel"),
        ("bomb chain", {}, "it was not blamed"),
    ],
)
def test_what_got_something_or_was_not_tried_is_not_held(
    name: str, found: dict[str, Any], why: str
) -> None:
    assert wrong(name, TRIED | found) == why


def test_every_attack_is_played() -> None:
    assert len(ATTACKS) == 36
