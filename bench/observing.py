"""Observes a run of a league of which a benchmark measures something."""

from referee.scheduling.round_robin import Block
from referee.store.models import League, StoredDuel, StoredVoid


class Unwatched:
    """Takes no notice of a run, in which no duel may be void."""

    def planned(self, league: League, done: int, planned: int) -> None:
        """Take no notice."""

    def half_played(self, duels: int) -> None:
        """Take no notice."""

    def played(self, duel: StoredDuel) -> None:
        """Take no notice."""

    def voided(self, void: StoredVoid) -> None:
        """Stop: what is measured would not be what it seems."""
        raise AssertionError(void.reason)

    def visited(self, visit: Block, seconds: float) -> None:
        """Take no notice."""

    def estimated(self, seconds_left: float | None) -> None:
        """Take no notice."""
