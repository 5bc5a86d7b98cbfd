"""Which places of the table an entrant may hold, as far as its duels tell it from the others."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from referee.ratings.fitting import Fit

_CONFIDENCE: Final = 0.95
"""The chance that no two equals anywhere in the table are told apart."""


class Ranks(NamedTuple):
    """A range of places, from 1; of one place if the entrant is told apart from all others."""

    best: int
    worst: int

    @property
    def text(self) -> str:
        """Write it as people do."""
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


def rank_ranges(order: Sequence[int], fitted: Fit, played: Collection[int]) -> dict[int, Ranks]:
    """Return the ranks of all entrants.

    The best place is below everybody who is surely better, the worst above everybody who is surely
    worse. The doubt that is allowed is shared out among all pairs, both ways round. An entrant
    that has not played shares the places below those that have.

    Args:
        order: the entrants, the best first.
        fitted: their ratings.
        played: those of them who have played.
    """
    rated = [entrant for entrant in order if entrant in played]
    count = len(rated)
    needed = 1 - (1 - _CONFIDENCE) / max(1, count * (count - 1))
    surely = fitted.surely_better(rated, needed)
    above, below = surely.sum(axis=0).tolist(), surely.sum(axis=1).tolist()
    ranks = {
        each: Ranks(1 + better, count - worse)
        for each, better, worse in zip(rated, above, below, strict=True)
    }
    unplayed = Ranks(count + 1, len(order))
    return {entrant: ranks.get(entrant, unplayed) for entrant in order}
