"""What is played of a league while it runs: what is missing, and what is stored of it."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING

from referee.arena.limits import MOST_VOIDS
from referee.errors import ConfigError
from referee.league.channel import NeverStarted
from referee.league.epochs import deal
from referee.league.pending import (
    active_entrants,
    checked,
    is_planned,
    judged_layers,
    pending_blocks,
    plan_visits,
    planned_duels,
    refuse_unplayable,
)
from referee.ratings.clusters import effects_on_wins
from referee.ratings.columns import between, columns_of, up_to
from referee.ratings.fitting import fit
from referee.ratings.pair_bits import DuelWins
from referee.ratings.pairs import count_pairs
from referee.ratings.results import Result
from referee.ratings.suspension import Layers, Stage
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.duels import each_result, save_outcomes, voids
from referee.store.epochs import OpeningChoices
from referee.store.leagues import league, set_state, suspend
from referee.store.leases import Lease
from referee.store.log import Body, Kind
from referee.store.models import (
    NEVER_STARTED,
    Isolation,
    League,
    Snapshot,
    StoredDuel,
    StoredOutcome,
    Suspension,
)
from referee.store.snapshots import save_snapshot

if TYPE_CHECKING:
    from referee.scheduling.rounds import Rounds


class RunProgress(Container[DuelKey], ABC):
    """What is done of a league or a part of it, in a few bits a duel, wherever that is stored."""

    def __init__(self, found: League) -> None:
        """Begin with the league as it is; what was played of it is read by `reload`."""
        self._know(found)
        self._wins: DuelWins
        self._voids: Counter[DuelKey] = Counter()
        self._given_up: set[DuelKey]
        self._layers: Layers
        self._rounds: Rounds | None = None
        """What is played in its rounds, where pairs are drawn round by round."""

    def _know(self, found: League) -> None:
        self.league = found
        self._active = frozenset(active_entrants(found))

    # What is to be played

    def reload(self) -> bool:
        """Read the league anew; return whether an entrant has no seed yet.

        Raises:
            ConfigError: it cannot be played as it is.
        """
        self._judge()
        refuse_unplayable(self.league)
        return not all(self.league.entry(number).epoch for number in self._active)

    def _judge(self) -> None:
        """Read the league anew, and judge its layers: a run that was killed may not have."""
        self._read()
        while self.league.state == "open" and (found := self._found_suspensions()):
            if self._suspend(found):
                return
            self._read()

    def _read(self) -> None:
        """Read the league, and what was played of it, anew."""
        found, void, results = self._load()
        self._know(found)
        self._voids = void
        self._given_up = {key for key, times in void.items() if times >= MOST_VOIDS}
        self._wins = DuelWins(found.plan.duels)
        noted = self._noted(results)
        self._layers = judged_layers(found, noted, self._given_up, self._rounds)

    @abstractmethod
    def _load(self) -> tuple[League, Counter[DuelKey], Iterable[Result]]:
        """Return the league, how often each duel was void, and the results."""

    def _noted(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield all results, having taken note of each: there may be too many to have at once."""
        for result in checked(self.league, results):
            self._wins.add((result.first, result.second), result.number, result.wins)
            yield result

    @abstractmethod
    def deal(self, choices: OpeningChoices) -> None:
        """Begin an epoch for all entrants that have none yet."""

    def refuse_other_seed(self, chosen: bytes | None) -> None:
        """Refuse to go on if a seed was chosen that nothing is dealt from."""
        if chosen is not None and chosen not in {epoch.seed for epoch in self.league.epochs}:
            raise ConfigError(
                f"all of {self.league.name} is dealt from another seed; leave out --seed"
            )

    @property
    @abstractmethod
    def played(self) -> int:
        """How many duels of the entrants still in the league are stored."""

    @property
    @abstractmethod
    def planned(self) -> int:
        """How many duels there are to play, at most."""

    @abstractmethod
    def missing(self, visit_size: int) -> Iterator[Block]:
        """Yield the visits to come, as far as is known."""

    @property
    def _stage(self) -> Stage:
        """Which pairings play now."""
        return self._layers.stages[-1]

    def rest(self, block: Block) -> Block:
        """Return what of a visit is still to be played."""
        if not self.is_active(block):
            return block._replace(numbers=())
        return block.but(self)

    def __contains__(self, key: object) -> bool:
        """Return whether a duel is done: it was played, or is not tried again."""
        return isinstance(key, DuelKey) and (key in self._wins or key in self._given_up)

    def is_active(self, block: Block) -> bool:
        """Return whether both entrants of a visit play on."""
        return block.first in self._active and block.second in self._active

    @abstractmethod
    def has_changed(self) -> bool:
        """Return whether the entrants have changed meanwhile; it is asked every few seconds."""

    # What is stored

    @abstractmethod
    def began(self, isolation: Isolation) -> None:
        """Note that a run begins to play, and what isolates the bots."""

    @abstractmethod
    def log_worker(self, kind: Kind, body: Body) -> None:
        """Note what happened to a worker of a cluster."""

    @abstractmethod
    def stopped(self, *, asked: bool) -> None:
        """Note that it did not play all, since somebody asked it to stop or it failed."""

    def save(self, outcomes: Sequence[StoredOutcome], isolation: Isolation) -> bool:
        """Store duels and voids together; return whether somebody is suspended by them."""
        found = [self._add(outcome) for outcome in self._keep(outcomes, isolation)]
        return any(found) and self._suspend(self._found_suspensions())

    def _add(self, outcome: StoredOutcome) -> bool:
        """Add what is stored to the layers; return whether somebody is suspended by it."""
        key = outcome.key
        if isinstance(outcome, StoredDuel):
            self._wins.add(key[:2], key.number, outcome.wins)
            return self._layers.add(key, outcome.result)
        self._voids[key] += 1
        if self._voids[key] < MOST_VOIDS:
            return False
        self._given_up.add(key)
        return self._layers.add(key, None)

    @abstractmethod
    def _keep(
        self, outcomes: Sequence[StoredOutcome], isolation: Isolation
    ) -> Sequence[StoredOutcome]:
        """Store duels and voids; return those that were not there yet."""

    def suspend_who_never_started(self, news: NeverStarted) -> bool:
        """Suspend an entrant that never started; return whether it is by that."""
        if news.entrant not in self._active:
            return False
        reason = f"it never started: {news.explanation}"
        found = Suspension(news.entrant, NEVER_STARTED, reason, datetime.now(UTC), news.bundle)
        if not self._suspend([found]):
            return False
        self.reload()  # its duels are no part of any layer
        return True

    def _found_suspensions(self) -> list[Suspension]:
        """Return the suspensions that the layers found, and that are not stored yet."""
        now = datetime.now(UTC)
        return [
            Suspension(entrant, after, self._layers.reason(entrant), now, None)
            for entrant, after in self._layers.suspended.items()
            if self.league.entry(entrant).suspended is None
        ]

    @abstractmethod
    def _suspend(self, found: Sequence[Suspension]) -> bool:
        """Suspend entrants, unless the league has changed; then it is about to be read anew."""

    @abstractmethod
    def save_snapshot(self, number: int, visit_size: int) -> None:
        """Store the ratings after a round of visits, by the duels of the rounds so far."""

    @abstractmethod
    def complete(self) -> None:
        """End the league, in which all is played."""


class LeagueProgress(RunProgress):
    """A league that this process runs, with the results it has so far."""

    def __init__(self, lease: Lease) -> None:
        """Begin with the league as it is; what was played of it is read by `reload`."""
        super().__init__(league(lease.store, lease.name))
        self._lease = lease
        self._store = lease.store

    def _load(self) -> tuple[League, Counter[DuelKey], Iterable[Result]]:
        store, name = self._store, self._lease.name
        found, void = league(store, name), Counter(void.key for void in voids(store, name))
        return found, void, each_result(store, name)

    def deal(self, choices: OpeningChoices) -> None:
        """Begin an epoch for all entrants that have none yet."""
        self._know(deal(self._lease, self.league, choices, datetime.now(UTC)))

    @property
    def played(self) -> int:
        """How many duels of the entrants still in the league are stored."""
        if len(self._active) == len(self.league.entries):
            return len(self._wins)
        return sum(self._active.issuperset((first, second)) for first, second, *_ in self._wins)

    @property
    def planned(self) -> int:
        """How many duels there are to play, at most."""
        played = (DuelKey(*duel[:3]) for duel in self._wins)  # seldom looked at
        unplayed = (key for key in self._given_up if key not in self._wins)
        return planned_duels(self.league, self._stage, chain(played, unplayed), self._rounds)

    def missing(self, visit_size: int) -> Iterator[Block]:
        """Yield the visits to come, as far as is known."""
        return pending_blocks(self.league, self._stage, self, visit_size)

    def takes(self, key: DuelKey) -> bool:
        """Return whether a duel may be stored: it is to be played, and its decks are secret."""
        known = is_planned(self.league, self._layers.stages, key)
        return known and self.league.state == "open" and key not in self._given_up

    def has_changed(self) -> bool:
        """Renew the lease; return whether the entrants have changed meanwhile."""
        self._lease.renew()
        return league(self._store, self._lease.name).entries != self.league.entries

    def began(self, isolation: Isolation) -> None:
        """Append to the log that a run begins to play."""
        body = {"version": version("upcard-referee"), "isolation": isolation.digest}
        self._lease.log("run", body)

    def log_worker(self, kind: Kind, body: Body) -> None:
        """Append to the log what happened to a worker."""
        self._lease.log(kind, body)

    def imports(self, upcard: str, isolation: Isolation, file: str) -> None:
        """Append to the log that what was played elsewhere is stored from here on.

        Args:
            upcard: the version by which it was played.
            isolation: what isolated the bots there.
            file: the digest of the file that it is read from.
        """
        body = {"version": upcard, "isolation": isolation.digest, "file": file}
        self._lease.log("shard", body)

    def stopped(self, *, asked: bool) -> None:
        """Append to the log that it did not play all."""
        self._lease.log("stopped", {"why": "asked" if asked else "failed"})

    def _keep(
        self, outcomes: Sequence[StoredOutcome], isolation: Isolation
    ) -> Sequence[StoredOutcome]:
        # By this clock, for a duel may come from a machine with another one, or a day later.
        now = datetime.now(UTC)
        return save_outcomes(self._store, self._lease, outcomes, isolation, logged=now)

    def _suspend(self, found: Sequence[Suspension]) -> bool:
        if not suspend(self._store, self._lease, self.league, found):
            return False
        self._know(league(self._store, self._lease.name))
        return True

    def save_snapshot(self, number: int, visit_size: int) -> None:
        """Store the ratings after a round of visits, by the duels of the rounds so far."""
        stop = self._end_of_round(number, visit_size)
        after = {entry.number: entry.suspended for entry in self.league.entries}
        suspended = {entrant: last for entrant, last in after.items() if last is not None}

        so_far = up_to(columns_of(self._wins), stop - 1, suspended)
        counting = between(so_far, self._active)
        # The ratings alone: the rest of a table takes as long, every time.
        fitted = fit(sorted(self._active), count_pairs(counting), effects_on_wins(counting))
        taken = Snapshot(datetime.now(UTC), len(so_far.first), fitted.ratings)
        save_snapshot(self._store, self._lease, taken)

    def _end_of_round(self, number: int, visit_size: int) -> int:
        """Return the number of the first duels that come after a round."""
        return plan_visits(self.league.plan, visit_size)[number].stop

    def complete(self) -> None:
        """End the league, in which all is played; not one in which all but one are suspended."""
        if self.league.state == "open" and len(active_entrants(self.league)) > 1:
            set_state(self._store, self._lease, "complete")

    def close(self) -> None:
        """End the league before all is played; what is played of its layers is judged before."""
        self._judge()
        set_state(self._store, self._lease, "closed")
