"""Adaptive rounds: only those pairings play on that are needed, however the league is run."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.league.pending import judged_layers, pending_blocks, planned_duels
from referee.ratings.results import Result
from referee.ratings.stopping import By, Until
from referee.ratings.suspension import Stage
from referee.scheduling.keys import DuelKey
from referee.store.duels import is_part
from referee.store.models import League
from tests.league.test_pending import drawn, keys, league, plan, planned, won

UNTIL = Until(0.6, "rating", adaptive=True)
ALL = range(8)


def chain(numbers: range) -> dict[DuelKey, Result]:
    """Return duels in which 1 beats everybody and everybody beats 4; 2 and 3 draw."""
    return (
        won(1, 2, numbers)
        | won(1, 3, numbers)
        | won(1, 4, numbers)
        | drawn(2, 3, numbers)
        | won(2, 4, numbers)
        | won(3, 4, numbers)
    )


def stage_of(found: League, played: dict[DuelKey, Result]) -> Stage:
    return judged_layers(found, played.values(), ()).stages[-1]


def test_before_the_first_look_all_play() -> None:
    assert keys(league(4, plan(64, until=UNTIL)), {}) == chain(ALL).keys()


def test_after_a_look_only_those_play_on_who_are_not_told_apart() -> None:
    found = league(4, plan(64, until=UNTIL))
    assert keys(found, chain(ALL)) == {*drawn(2, 3, range(8, 16))}


def test_an_entrant_between_two_looks_waits_for_nobody_who_does_not_play() -> None:
    found = league(4, plan(64, until=UNTIL))
    played = chain(ALL) | drawn(2, 3, range(8, 16))
    assert keys(found, played) == {*drawn(2, 3, range(16, 32))}


def test_when_all_is_sure_nothing_is_to_come() -> None:
    found = league(4, plan(64, until=UNTIL))
    played = chain(ALL) | won(2, 3, ALL)
    assert keys(found, played) == set()
    assert stage_of(found, played).is_last


def test_only_what_matters_to_the_first_places_is_to_come() -> None:
    found = league(4, plan(64, until=UNTIL._replace(top=1)))
    assert keys(found, chain(ALL)) == set()


def test_by_points_all_plays_on_that_one_of_the_two_plays() -> None:
    found = league(4, plan(64, until=UNTIL._replace(by="points")))
    pairs = {key[:2] for key in keys(found, chain(ALL))}
    assert pairs == {key[:2] for key in chain(ALL)} - {key[:2] for key in won(1, 4, [0])}


def test_a_pairing_ends_with_the_last_duel_of_the_plan() -> None:
    found = league(4, plan(12, until=UNTIL))
    assert keys(found, chain(ALL)) == {*drawn(2, 3, range(8, 12))}
    assert keys(found, chain(ALL) | drawn(2, 3, range(8, 12))) == set()


def test_what_is_planned_is_what_may_still_be_played() -> None:
    found = league(4, plan(64, until=UNTIL))
    assert planned(found, {}) == 6 * 8 + 3 * 56
    assert planned(found, chain(ALL)) == 6 * 8 + 8 + 3 * 48
    assert planned(found, chain(ALL) | won(2, 3, ALL)) == 6 * 8


def result(key: DuelKey, skills: Sequence[float], at_fault: Sequence[float], seed: int) -> Result:
    """Return a result that is drawn from the key of the duel."""
    draw = Random(f"{seed} {key}")
    lead = skills[key.first - 1] - skills[key.second - 1] + draw.gauss(0, 1)
    wins = 1 + (lead > 0.5) - (lead < -0.5)
    faults = [int(draw.random() < at_fault[entrant - 1]) for entrant in key[:2]]
    return Result(*key, wins, lead, 8, (faults[0], faults[1]))


def played_somehow(
    found: League, skills: Sequence[float], at_fault: Sequence[float], seed: int, way: Random | None
) -> tuple[dict[DuelKey, Result], dict[int, int]]:
    """Play a league in visits of random sizes, as they come in, with kills; or all in order."""
    stored: dict[DuelKey, Result] = {}
    while True:
        suspended = {e.number: e.suspended for e in found.entries if e.suspended is not None}
        part = {key: each for key, each in stored.items() if is_part(key, suspended)}
        layers = judged_layers(found, part.values(), ())
        if layers.suspended != suspended:
            entries = (
                entry._replace(suspended=layers.suspended.get(entry.number))
                for entry in found.entries
            )
            found = found._replace(entries=tuple(entries))
            continue
        size = way.randrange(1, 20) if way else 128
        blocks = [*pending_blocks(found, layers.stages[-1], part, size)]
        if not blocks:
            return part, suspended
        to_play = [key for block in blocks for key in block.keys]
        if way:
            to_play = way.sample(to_play, way.randrange(1, 1 + len(to_play)))
        for key in to_play:
            stored[key] = result(key, skills, at_fault, seed)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["rating", "points"])
@pytest.mark.parametrize("adaptive", [True, False])
@settings(max_examples=5)
@given(
    st.lists(st.sampled_from([0.0, 0.0, 0.3, 2.0]), min_size=3, max_size=4),
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.55]), min_size=4, max_size=4),
    st.sampled_from([None, 1]),
    st.integers(0, 2**32),
    st.integers(0, 2**32),
)
def test_what_is_played_does_not_depend_on_how_the_league_is_run(
    by: By,
    adaptive: bool,
    skills: list[float],
    at_fault: list[float],
    top: int | None,
    seed: int,
    way: int,
) -> None:
    until = Until(0.6, by, top, adaptive=adaptive)
    found = league(len(skills), plan(40, until=until))
    in_order = played_somehow(found, skills, at_fault, seed, None)
    assert played_somehow(found, skills, at_fault, seed, Random(way)) == in_order


def test_a_plan_without_looks_plans_all_duels() -> None:
    found = league(4, plan(5))
    assert planned_duels(found, Stage(0, None), []) == 30
