"""What is played of a league whose pairs are chosen round by round, as on a ladder.

Who meets whom in a round is written down, and logged, before any of its duels. So which duels are
missing follows from the store, whatever chose the pairs, and a run that was killed goes on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from referee.league.pending import round_blocks, rounds_so_far
from referee.league.progress import LeagueProgress
from referee.ratings.results import Result
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.scheduling.rounds import Rounds
from referee.store.leases import Lease
from referee.store.models import League
from referee.store.rounds import rounds


def league_progress(own: Lease) -> LeagueProgress:
    """Return what is played of a league."""
    progress = LeagueProgress(own)
    return progress if progress.league.plan.round_duels is None else RoundsProgress(own)


class RoundsProgress(LeagueProgress):
    """A league that this process runs, whose pairs are chosen round by round."""

    _rounds: Rounds

    def _load(self) -> tuple[League, Counter[DuelKey], Iterable[Result]]:
        loaded = super()._load()
        found = rounds_so_far(loaded[0], rounds(self._store, self.league.name))
        assert found
        self._rounds = found
        return loaded

    def missing(self, visit_size: int) -> Iterator[Block]:
        """Yield the visits to come: one for each pair of each round so far."""
        del visit_size
        blocks = round_blocks(self._rounds, self)
        return (block for block in blocks if self.is_active(block))

    def takes(self, key: DuelKey) -> bool:
        """Return whether a duel may be stored: it is one of a round, and its decks are secret."""
        is_open = self.league.state == "open" and key not in self._given_up
        return is_open and self._rounds.has(*key)

    def _end_of_round(self, number: int, visit_size: int) -> int:
        del visit_size
        return self._rounds.numbers(number).stop

    def complete(self) -> None:
        """Leave the league open: another round may follow."""
