"""Observes a run of a league of which a benchmark measures something."""

from referee.league.running import Quiet
from referee.store.models import StoredVoid


class Unwatched(Quiet):
    """Takes no notice of a run, in which no duel may be void."""

    def voided(self, void: StoredVoid) -> None:
        """Stop: what is measured would not be what it seems."""
        raise AssertionError(void.reason)
