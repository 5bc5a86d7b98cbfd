"""The strongest example plays a plain one; how strong it is takes more duels than these to tell."""

from tests.sdk.polyglot import present_sdk
from tests.soak.strength import StrengthOutcome, Wanted, play

FEW = 10


def outcome_of(wanted: Wanted) -> StrengthOutcome:
    present_sdk("rust")
    return play(wanted)


def test_the_strongest_example_keeps_to_its_clock_without_a_fault() -> None:
    outcome = outcome_of(Wanted(FEW, budget_ms=2))
    assert (len(outcome.wins), outcome.faults, outcome.unplayed) == (FEW, (0, 0), 0)


def test_the_strongest_example_wins_more_matches_than_it_loses() -> None:
    # With as many dreams for each decision it plays the same on every machine.
    outcome = outcome_of(Wanted(FEW, samples=64))
    assert sum(outcome.wins) > FEW
