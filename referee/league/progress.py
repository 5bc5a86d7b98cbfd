"""What is played of a league while it runs: what is missing, and what is stored of it."""

from collections import Counter
from datetime import UTC, datetime

from referee.arena.limits import MOST_VOIDS
from referee.errors import ConfigError
from referee.league.channel import StoredOutcome
from referee.league.epochs import deal
from referee.league.pending import (
    active_entrants,
    first_duels,
    pending_blocks,
    plan_visits,
    refuse_unplayable,
)
from referee.ratings.fitting import fit
from referee.ratings.pairs import count_pairs
from referee.ratings.quarantine import among, quarantined
from referee.ratings.results import Result
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.duels import results, save_duel, save_void, voids
from referee.store.epochs import Choices
from referee.store.leagues import league, set_state
from referee.store.leases import Lease
from referee.store.models import Isolation, Snapshot, StoredDuel
from referee.store.snapshots import save_snapshot


class LeagueProgress:
    """A league that this process runs, with the results it has so far."""

    def __init__(self, lease: Lease) -> None:
        """Read what is stored of it."""
        self._lease = lease
        self._store = lease.store
        self.league = league(lease.store, lease.name)
        self._results = {_key(result): result for result in results(lease.store, lease.name)}
        self._voids = Counter(void.key for void in voids(lease.store, lease.name))

    # What is to be played

    def reload(self) -> bool:
        """Read the league anew; return whether an entrant has no seed yet.

        Raises:
            ConfigError: it cannot be played as it is.
        """
        self.league = league(self._store, self._lease.name)
        refuse_unplayable(self.league)
        return not all(self.league.entry(number).epoch for number in active_entrants(self.league))

    def deal(self, choices: Choices) -> None:
        """Begin an epoch for all entrants that have none yet."""
        self.league = deal(self._lease, self.league, choices, datetime.now(UTC))

    def refuse_other_seed(self, chosen: bytes | None) -> None:
        """Refuse to go on if a seed was chosen that nothing is dealt from."""
        if chosen is not None and chosen not in {epoch.seed for epoch in self.league.epochs}:
            raise ConfigError(
                f"all of {self.league.name} is dealt from another seed; leave out --seed"
            )

    @property
    def played(self) -> int:
        """How many duels of the entrants still in the league are stored."""
        still = {*active_entrants(self.league)}
        return sum({first, second} <= still for first, second, _ in self._results)

    def missing(self, visit_size: int) -> list[Block]:
        """Return the visits to come, as far as is known."""
        return pending_blocks(self.league, self._results, self._given_up, visit_size)

    def rest(self, block: Block) -> Block:
        """Return what of a visit is still to be played."""
        return block.but({*self._results, *self._given_up})

    @property
    def _given_up(self) -> set[DuelKey]:
        return {key for key, times in self._voids.items() if times >= MOST_VOIDS}

    def has_changed(self) -> bool:
        """Renew the lease; return whether somebody was entered or withdrawn meanwhile."""
        self._lease.renew()
        return league(self._store, self._lease.name).entries != self.league.entries

    # What is stored

    def save(self, outcome: StoredOutcome, isolation: Isolation) -> None:
        """Store a duel or a void."""
        if isinstance(outcome, StoredDuel):
            save_duel(self._store, self._lease, outcome, isolation)
            self._results[outcome.key] = outcome.result
        else:
            save_void(self._store, self._lease, outcome)
            self._voids[outcome.key] += 1

    def save_snapshot(self, number: int, visit_size: int) -> None:
        """Store the ratings after a round of visits, by the duels of the rounds so far."""
        stop = plan_visits(self.league.plan, visit_size)[number].stop
        so_far = first_duels(stop, self._results)
        sound = {*active_entrants(self.league)} - quarantined(so_far)
        # The ratings alone: the rest of a table takes ten times as long, every time.
        fitted = fit(sorted(sound), count_pairs(among(sound, so_far)))
        taken = Snapshot(datetime.now(UTC), len(so_far), fitted.ratings)
        save_snapshot(self._store, self._lease, taken)

    def complete(self) -> None:
        """End the league, in which all is played."""
        if self.league.state == "open":
            set_state(self._store, self._lease, "complete")


def _key(result: Result) -> DuelKey:
    return DuelKey(result.first, result.second, result.number)
