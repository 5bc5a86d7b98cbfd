"""Plays a shard of a league where nothing but a copy of the store can be reached.

The store is only read. What is played goes to a file, from which `referee.league.importing` takes
it. A shard suspends nobody for good and gives up no duel: it knows too little of the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import ConfigError, RecordError
from referee.league.channel import NeverStarted
from referee.league.pending import active_entrants, shard_blocks
from referee.league.progress import LeagueProgress, RunProgress
from referee.league.running import Observer, RunOptions, play_missing
from referee.league.shard_files import (
    ShardFile,
    ShardHeader,
    header_of,
    refuse_other_league,
    shard_file,
)
from referee.ratings.results import Result
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.scheduling.shards import Shard
from referee.store.database import Store
from referee.store.duels import each_result, voids
from referee.store.epochs import OpeningChoices
from referee.store.leagues import league
from referee.store.leases import lease
from referee.store.log import Body, Kind
from referee.store.models import (
    NEVER_STARTED,
    Isolation,
    League,
    StoredDuel,
    StoredOutcome,
    Suspension,
)

_ALL: Final = 1 << 20
"""More duels than any pairing has."""


class ShardTask(NamedTuple):
    """What is to be played, and where it goes."""

    league: str
    shard: Shard
    path: Path
    """The file; if it is there, it is gone on with."""


class ShardSummary(NamedTuple):
    """What came of a shard so far."""

    planned: int
    """How many duels it has, of those still in the league."""
    played: int
    """How many of them are in the store or in the file."""
    unplayed: int
    """How many were void too often to be tried again here."""
    in_file: int
    """How many duels are in the file."""
    voids: int
    faults: int
    """In the file, like the voids."""
    never_started: tuple[int, ...]
    """The entrants that did not start here."""


def deal_league(store: Store, name: str, choices: OpeningChoices) -> League:
    """Begin the epoch of all entrants that have none, without playing; return the league.

    Raises:
        ConfigError: it cannot be dealt yet, or not as it is.
    """
    with lease(store, name) as own:
        progress = LeagueProgress(own)
        if progress.reload():
            progress.deal(choices)
        else:
            progress.refuse_other_seed(choices.seed)
        return progress.league


def play_shard(
    store: Store,
    task: ShardTask,
    options: RunOptions,
    observer: Observer,
    stops: Callable[[], int],
) -> ShardSummary:
    """Play what is missing of a shard, in the store and in its file.

    Args:
        store: the store, or a copy of it; it is only read.
        task: which part of which league.
        options: how the run is to go.
        observer: is informed of it.
        stops: as `run_league` takes it.

    Raises:
        ConfigError: it cannot be played as it is, or the file is of something else.
        KeyboardInterrupt: it was asked to stop.
    """
    found = league(store, task.league)
    _refuse_rounds(found)
    _refuse_undealt(found)
    with shard_file(task.path, found.plan.terms.game) as file:
        progress = _ShardProgress(store, task, file)
        play_missing(store, progress, options, observer, stops)
        return progress.summary


def _refuse_rounds(found: League) -> None:
    """Refuse to cut what is not known beforehand.

    Raises:
        ConfigError: pairs are chosen round by round.
    """
    if found.plan.round_duels is not None:
        name = found.name
        raise ConfigError(
            f"the pairs of {name} are chosen while it is played, so it has no shards; play it "
            f"where its store is: upcard league run {name}"
        )


def _refuse_undealt(found: League) -> None:
    """Refuse to play before everybody has deals: a shard that drew them would be alone with them.

    Raises:
        ConfigError: somebody has none.
    """
    if not all(found.entry(number).epoch for number in active_entrants(found)):
        name = found.name
        raise ConfigError(
            f"{name} is not dealt yet, and a shard cannot do that; first: upcard league deal {name}"
        )


class _ShardProgress(RunProgress):
    """A shard, with what of it is in the store and in its file."""

    def __init__(self, store: Store, task: ShardTask, file: ShardFile) -> None:
        super().__init__(league(store, task.league))
        self._store = store
        self._shard = task.shard
        self._file = file
        self._played: dict[DuelKey, Result] = {}
        self._void: Counter[DuelKey] = Counter()
        self._suspended: dict[int, int] = {}
        """Those who are suspended as far as this shard knows, and after which number."""
        for item in file.read():
            if isinstance(item, ShardHeader):
                self._refuse_other(item)
            else:
                self._count(item)

    def _refuse_other(self, header: ShardHeader) -> None:
        path, name = self._file.path, self.league.name
        try:
            refuse_other_league(header, self.league)
        except RecordError as error:
            raise ConfigError(
                f"{path} is not of {name} as it is here: {error}; name another file"
            ) from None
        if header.shard != self._shard:
            raise ConfigError(f"{path} is of shard {header.shard}; name another file")

    def _count(self, outcome: StoredOutcome | NeverStarted) -> None:
        if isinstance(outcome, StoredDuel):
            self._played[outcome.key] = outcome.result
        elif isinstance(outcome, NeverStarted):
            self._suspended[outcome.entrant] = NEVER_STARTED
        else:
            self._void[outcome.key] += 1

    def _load(self) -> tuple[League, Counter[DuelKey], Iterable[Result]]:
        name = self.league.name
        found = self._without_suspended(league(self._store, name))
        void = Counter(void.key for void in voids(self._store, name)) + self._void
        return found, void, self._all_results(name)

    def _all_results(self, name: str) -> Iterator[Result]:
        """Yield the results in the store, and those in the file that are not there."""
        yield from each_result(self._store, name)
        # By then those are noted.
        yield from (result for key, result in self._played.items() if key not in self._wins)

    def _without_suspended(self, found: League) -> League:
        entries = (
            entry._replace(suspended=self._suspended.get(entry.number))
            if entry.suspended is None
            else entry
            for entry in found.entries
        )
        return found._replace(entries=tuple(entries))

    def deal(self, choices: OpeningChoices) -> None:
        del choices
        _refuse_undealt(self.league)

    @property
    def played(self) -> int:
        return sum(key in self._wins for key in self._own)

    @property
    def planned(self) -> int:
        return len(self._own)

    @property
    def _own(self) -> list[DuelKey]:
        """All duels of the shard, as far as is known."""
        whole = shard_blocks(self.league, self._stage, (), _ALL, self._shard)
        return [key for block in whole for key in block.keys]

    def missing(self, visit_size: int) -> Iterator[Block]:
        return shard_blocks(self.league, self._stage, self, visit_size, self._shard)

    def has_changed(self) -> bool:
        """Write what was played to disk; nobody enters or withdraws from a shard."""
        self._file.sync()
        return False

    def began(self, isolation: Isolation) -> None:
        self._file.begin(header_of(self.league, self._shard, isolation))

    def stopped(self, *, asked: bool) -> None:
        """Do nothing: what is missing in the file is to be played."""

    def log_worker(self, kind: Kind, body: Body) -> None:
        """Do nothing: a shard is played on one machine."""

    def _keep(
        self, outcomes: Sequence[StoredOutcome], isolation: Isolation
    ) -> Sequence[StoredOutcome]:
        del isolation  # it is in the header
        for outcome in outcomes:
            self._file.append(outcome)
            self._count(outcome)
        return outcomes

    def suspend_who_never_started(self, news: NeverStarted) -> bool:
        if news.entrant in active_entrants(self.league):
            self._file.append(news)
        return super().suspend_who_never_started(news)

    def _suspend(self, found: Sequence[Suspension]) -> bool:
        self._suspended |= {each.entrant: each.after for each in found}
        self._know(self._without_suspended(self.league))
        return True

    def save_snapshot(self, number: int, visit_size: int) -> None:
        """Do nothing: of a shard nobody is rated."""

    def complete(self) -> None:
        """Do nothing: the rest of the league is played elsewhere."""

    @property
    def summary(self) -> ShardSummary:
        return ShardSummary(
            self.planned,
            self.played,
            sum(key in self._given_up for key in self._own),
            len(self._played),
            self._void.total(),
            sum(sum(result.faults) for result in self._played.values()),
            tuple(
                sorted(
                    entrant for entrant, after in self._suspended.items() if after == NEVER_STARTED
                )
            ),
        )
