"""Results of a league by other numbers of its entrants, so that those of several add up."""

from collections.abc import Mapping

import numpy as np

from referee.ratings.results import DRAWN, Results


def renumbered(results: Results, numbers: Mapping[int, int], offset: int) -> Results:
    """Return the same results by other numbers; A is the lower of the two.

    Args:
        results: those of one league.
        numbers: the new number of each entrant.
        offset: what is added to the numbers of duels, so that those of other leagues differ.
    """
    if not len(results):
        return Results()
    new = np.zeros(max(numbers) + 1, np.int64)
    new[[*numbers]] = [*numbers.values()]
    first, second, number, wins, margin, hands, of_first, of_second = map(
        np.asarray, results.columns
    )
    first, second = new[first], new[second]
    turn = first > second
    found = Results()
    found.extend(
        [
            column.tolist()
            for column in (
                np.where(turn, second, first),
                np.where(turn, first, second),
                number + offset,
                np.where(turn, 2 * DRAWN - wins, wins),
                np.where(turn, -margin, margin),
                hands,
                np.where(turn, of_second, of_first),
                np.where(turn, of_first, of_second),
            )
        ]
    )
    return found
