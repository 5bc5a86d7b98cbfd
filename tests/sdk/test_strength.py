"""The strongest example plays a plain one; how strong it is takes more duels than these to tell."""

from referee.bots.sdks import sdk_for
from tests.sdk.polyglot import absent
from tests.soak.strength import Came, Wanted, play

FEW = 10


def came_of(wanted: Wanted) -> Came:
    sdk = sdk_for("rust")
    if sdk and sdk.missing:
        absent(sdk.missing)
    return play(wanted)


def test_the_strongest_example_keeps_to_its_clock_without_a_fault() -> None:
    came = came_of(Wanted(FEW, budget_ms=2))
    assert (len(came.wins), came.faults, came.unplayed) == (FEW, (0, 0), 0)


def test_the_strongest_example_wins_more_matches_than_it_loses() -> None:
    # With as many dreams for each decision it plays the same on every machine.
    came = came_of(Wanted(FEW, samples=64))
    assert sum(came.wins) > FEW
