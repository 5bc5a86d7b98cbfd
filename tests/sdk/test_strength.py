"""The strongest example plays a plain one; how strong it is takes more duels than these to tell."""

import pytest

from referee.bots.sdks import sdk_for
from tests.sdk.polyglot import absent
from tests.soak.strength import Came, Wanted, play

FEW = 10


@pytest.fixture(scope="module")
def came() -> Came:
    sdk = sdk_for("rust")
    if sdk and sdk.lacking:
        absent(sdk.lacking)
    return play(Wanted(FEW, budget_ms=2))


@pytest.mark.timeout(600)
def test_the_strongest_example_plays_without_a_fault(came: Came) -> None:
    assert (len(came.wins), came.faults, came.unplayed) == (FEW, (0, 0), 0)


@pytest.mark.timeout(600)
def test_the_strongest_example_wins_a_match(came: Came) -> None:
    assert sum(came.wins) > 0
