"""The table and the crosstable."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random

import pytest

from referee.ratings.fitting import MEAN, SPREAD, Rating, better_in_pairs, fit
from referee.ratings.live import live
from referee.ratings.margins import margins
from referee.ratings.pairs import PairCount, count_pairs
from referee.ratings.points import Margin, turned
from referee.ratings.results import Result
from referee.ratings.standings import Apart, Cell, Standing, Standings, standings

FAULTY = {7: 1, 8: 2}
"""How often these are at fault in each of their duels."""


def league(entrants: int, duels: int = 12, seed: int = 1) -> Iterator[Result]:
    """Play a round-robin in which a higher number is better."""
    random = Random(seed)
    for number in range(duels):
        for first, second in combinations(range(1, entrants + 1), 2):
            margin = float(random.gauss(first - second, 6) // 1)
            wins = 1 + (margin > 3) - (margin < -3)
            faults = FAULTY.get(first, 0), FAULTY.get(second, 0)
            yield Result(first, second, number, wins, margin, random.randrange(15, 30), faults)


ALL = list(league(8))
SOUND = [result for result in ALL if {result.first, result.second} <= {*range(1, 7)}]


def rows(table: Standings) -> Mapping[int, Standing]:
    return {row.entrant: row for row in table.rows}


def without(entrant: int) -> list[Result]:
    return [result for result in SOUND if entrant not in {result.first, result.second}]


def test_the_order_of_the_results_does_not_matter_to_the_last_bit() -> None:
    shuffled = Random(2).sample(ALL, len(ALL))
    assert standings(range(1, 9), shuffled) == standings(range(1, 9), ALL)


def test_without_suspended_entrants_it_is_the_table_of_the_others_to_the_last_bit() -> None:
    found = standings(range(1, 9), ALL, suspended=FAULTY)
    assert found._replace(apart=()) == standings(range(1, 7), SOUND)


def test_without_a_withdrawn_entrant_it_is_the_table_of_the_others_to_the_last_bit() -> None:
    found = standings(range(1, 7), SOUND, withdrawn={3})
    assert found._replace(apart=()) == standings([1, 2, 4, 5, 6], without(3))


def test_those_apart_are_told_with_what_they_did() -> None:
    found = standings(range(1, 9), ALL, withdrawn=[2], voids={7: 3}, suspended=FAULTY)
    duels = 7 * 12
    assert found.apart == (
        Apart(2, "withdrawn", duels, 0, 0),
        Apart(7, "suspended", duels, duels, 3),
        Apart(8, "suspended", duels, 2 * duels, 0),
    )


def test_who_withdrew_is_not_blamed_as_well() -> None:
    assert [
        apart.why for apart in standings(range(1, 9), ALL, withdrawn=[7, 8], suspended=[8]).apart
    ] == [
        "withdrawn",
        "withdrawn",
    ]


def test_the_best_is_first() -> None:
    means = [row.rating.mean for row in standings(range(1, 7), SOUND).rows]
    assert means == sorted(means, reverse=True)


def test_equals_are_in_the_order_of_their_numbers() -> None:
    draws = [Result(one, two, 0, 1, 0.0, 9, (0, 0)) for one, two in combinations((4, 9, 2), 2)]
    assert [row.entrant for row in standings([4, 9, 2], draws).rows] == [2, 4, 9]


def test_who_has_not_played_comes_last_with_the_prior() -> None:
    found = standings(range(9), SOUND)
    assert [row.entrant for row in found.rows[-3:]] == [0, 7, 8]
    assert {row.rating for row in found.rows[-3:]} == {Rating(MEAN, SPREAD)}


def test_each_is_compared_with_the_next() -> None:
    found = standings(range(1, 7), SOUND)
    for row, following in zip(found.rows, found.rows[1:], strict=False):
        assert row.better_than_next == found.fit.better(row.entrant, following.entrant)
        assert row.better_than_next >= 0.5


def test_neither_the_last_nor_who_has_not_played_is_compared() -> None:
    found = standings(range(1, 9), SOUND)
    assert [row.better_than_next for row in found.rows[-3:]] == [None, None, None]


def test_both_ratings_are_told() -> None:
    found = standings(range(1, 7), SOUND)
    lives = live(range(1, 7), SOUND, found.fit.draws)
    assert {row.entrant: row.live for row in found.rows} == lives
    assert {row.entrant: row.rating for row in found.rows} == found.fit.ratings


def test_a_row_adds_up_the_entrant_s_duels() -> None:
    for entrant, row in rows(standings(range(1, 7), SOUND)).items():
        wins = [result.wins for result in SOUND if result.first == entrant]
        wins += [2 - result.wins for result in SOUND if result.second == entrant]
        assert (row.won, row.drawn, row.lost) == tuple(map(wins.count, (2, 1, 0)))
        assert row.duels == len(wins)


def test_faults_of_the_sound_are_told() -> None:
    results = [*SOUND, Result(1, 2, 12, 0, 0.0, 0, (3, 0)), Result(1, 3, 12, 0, 0.0, 0, (2, 1))]
    found = rows(standings(range(1, 7), results))
    assert [found[entrant].faults for entrant in (1, 2, 3)] == [5, 0, 1]


def test_voids_are_told_of_each_and_in_all() -> None:
    found = standings(range(1, 7), SOUND, voids={1: 3, 2: 2, 3: 1}, unplayed=1)
    assert {row.entrant: row.voids for row in found.rows} == {1: 3, 2: 2, 3: 1, 4: 0, 5: 0, 6: 0}
    assert (found.voids, found.unplayed) == (3, 1)


def test_points_are_against_the_field() -> None:
    found = standings(range(1, 7), SOUND)
    means = [found.cells[1, other].points.mean for other in range(2, 7)]
    assert rows(found)[1].points.mean == pytest.approx(sum(filter(None, means)) / 5)


def test_a_cell_is_there_both_ways_round() -> None:
    found = standings(range(1, 7), SOUND)
    duels = [result for result in SOUND if (result.first, result.second) == (1, 4)]
    points = margins(ALL)[1, 4]
    wins = [result.wins for result in duels]
    won, drawn, lost = map(wins.count, (2, 1, 0))
    better = found.cells[1, 4].better
    assert found.cells[1, 4] == Cell(won, drawn, lost, points, better)
    assert found.cells[4, 1] == Cell(lost, drawn, won, turned(points), 1 - better)


def test_only_those_that_met_have_a_cell() -> None:
    assert set(standings([1, 2, 3], [Result(3, 1, 0, 2, 1.0, 9, (0, 0))]).cells) == {(3, 1), (1, 3)}


@pytest.mark.parametrize("entrants", [[], [5], [1, 2, 3]])
def test_a_league_that_has_not_begun_has_a_table(entrants: list[int]) -> None:
    found = standings(entrants, [])
    assert [row.entrant for row in found.rows] == entrants
    assert all(row.points == Margin(None, None, 0) for row in found.rows)


def test_a_league_of_forfeits_has_a_table() -> None:
    """Nobody played a hand, and all are put apart."""
    results = [
        Result(one, two, number, 1, 0.0, 0, (1, 1))
        for one, two in combinations((1, 2, 3), 2)
        for number in range(12)
    ]
    found = standings([1, 2, 3], results, suspended=[1, 2, 3])
    assert found.rows == ()
    assert len(found.apart) == 3


def test_a_few_forfeits_are_rated_as_losses() -> None:
    results = [Result(1, 2, number, 2, 0.0, 0, (0, 1)) for number in range(9)]
    first, second = standings([1, 2], results).rows
    assert (first.entrant, second.lost, second.points.mean) == (1, 9, None)
    assert first.better_than_next is not None
    assert first.better_than_next > 0.9


def test_the_chance_of_a_pair_rests_on_its_own_duels_alone() -> None:
    found = standings(range(1, 7), SOUND)
    own = [result for result in SOUND if (result.first, result.second) == (1, 4)]
    others = [result for result in SOUND if {result.first, result.second} != {1, 4}]
    swapped = [result._replace(wins=2 - result.wins) for result in others]
    chances = better_in_pairs(count_pairs(own), found.fit)
    assert 0.9 < chances[1, 4] + found.cells[4, 1].better < 1.1
    assert better_in_pairs(count_pairs([*own, *swapped]), found.fit)[1, 4] == pytest.approx(
        chances[1, 4]
    )


def test_a_pair_with_as_many_wins_as_losses_is_even() -> None:
    chances = better_in_pairs(
        {(1, 2): PairCount(7, 3, 7), (3, 4): PairCount(0, 90, 0)}, fit([1], {})
    )
    assert chances == pytest.approx({(1, 2): 0.5, (3, 4): 0.5})


def test_a_pair_that_is_a_league_of_its_own_is_about_as_sure_as_that_league() -> None:
    counts = {(1, 2): PairCount(40, 30, 20)}
    alone = fit([1, 2], counts)
    assert better_in_pairs(counts, alone)[1, 2] == pytest.approx(alone.better(1, 2), abs=0.01)


def test_a_pair_of_which_one_wins_everything_has_a_chance() -> None:
    (better,) = better_in_pairs({(1, 2): PairCount(100_000, 0, 0)}, fit([1], {})).values()
    assert 0.999 < better <= 1
