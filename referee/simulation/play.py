"""Matches among four seats that choose at random among their legal actions."""

from collections.abc import Iterator
from random import Random

from referee.engine.cards import Action
from referee.engine.game import State
from referee.engine.record import MatchRecord, SeededDeal, play_match
from referee.simulation.summary import Summary


def simulate(summary: Summary, matches: int) -> Iterator[MatchRecord]:
    """Play so many matches and add them up; each follows from the seed and its number alone."""
    for number in range(1, matches + 1):
        # Only `random` of Python's generator is the same in every version, so only it is used.
        draw = Random(summary.seed + number.to_bytes(8)).random  # noqa: S311 (no secret)

        def choose(state: State) -> Action:
            summary.add_decision(state)
            return state.legal[int(draw() * len(state.legal))]  # noqa: B023 (used within this turn)

        dealt = SeededDeal(summary.seed, f"simulation {number}")
        record = play_match(summary.game, summary.first_dealer, dealt, choose)
        summary.add_match(record)
        yield record
