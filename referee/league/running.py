"""Runs a league: hands out the duels that are missing, stores what comes of them, and stops.

Theory of operation. What is played is what the schedule holds and the store does not, so to resume
is to run, and nothing needs to be remembered about an earlier run. Workers, of this machine or of a
cluster, play visits in processes of their own and send each duel as soon as it is over. Only this
process, the coordinator, writes: what came in together is stored in one transaction. A worker that
is killed takes along the duels it was playing and no other: they are missing, and are handed out
again. So are duels nobody is to blame for, with the same decks, in another session.

How large visits are is chosen by how long the first ones take, unless the plan says it: so how a
league is cut into visits may differ from run to run. No result of bots that play by cards and seed
depends on it: what a fault costs follows from its match, and who is suspended from the results.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count, groupby
from operator import itemgetter
from time import monotonic
from typing import Final, NamedTuple, Protocol

from referee.arena.duel import Duel
from referee.bots.seating import Debugged
from referee.errors import UpcardError
from referee.league.bot_logs import LogFiles
from referee.league.bots import LeagueBots
from referee.league.channel import HalfPlayed, NeverStarted, News, Sent, VisitId
from referee.league.engine import Engine, Pool
from referee.league.epochs import refuse_less, required
from referee.league.pace import Pace
from referee.league.pending import active_entrants
from referee.league.progress import RunProgress
from referee.league.rounds import league_progress
from referee.league.waiting import Waiting
from referee.league.worker_pool import LocalEngine
from referee.league.workers import remove_leftovers
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.database import Store
from referee.store.epochs import OpeningChoices
from referee.store.leases import lease
from referee.store.models import Isolation, League, StoredDuel, StoredVoid

_RECEIVING: Final = 0.2
"""Seconds for which nothing else is looked at."""
_CHECK: Final = 2.0
"""Seconds after which the league is read anew: somebody may have entered or withdrawn."""
_FRUITLESS: Final = 5
"""After so many visits in a row of which nothing came, there is no use in going on."""


class RunOptions(NamedTuple):
    """How a run is to go."""

    jobs: int | None = None
    """Workers on this machine; as many as it can take, if that is not said."""
    seed: bytes | None = None
    """What a new epoch is dealt from, instead of a seed that is drawn."""
    accepted: Sequence[str] = ()
    """The guarantees that may be missing."""
    sandboxed: bool = True
    logs: LogFiles | None = None
    """The files that what bots write goes to, of a league of two."""
    debugged: Debugged | None = None
    """The bot that its author looks into, of a league of two."""
    again: Duel | None = None
    """The duel whose deals are played again, by a league of two that has but one."""
    engine: Engine | None = None
    """Where it is played; on this machine, if that is not said."""

    @property
    def isolates(self) -> bool:
        """Whether every bot is in a sandbox."""
        return self.sandboxed and self.debugged is None


class Observer(Protocol):
    """Who is informed of a run."""

    def planned(self, league: League, done: int, planned_duels: int) -> None:
        """Learn what is to be played, at the start and whenever that changes."""

    def half_played(self, duels: int) -> None:
        """Learn of how many duels only the first match is over, whenever that changes."""

    def played(self, duel: StoredDuel) -> None:
        """Learn of a duel that is stored."""

    def voided(self, void: StoredVoid) -> None:
        """Learn of a duel that counts for nobody."""

    def visited(self, visit: Block, seconds: float) -> None:
        """Learn how long a worker was busy with a visit."""

    def estimated(self, seconds_left: float | None) -> None:
        """Learn several times a second how long it still takes, as far as is known."""


class Quiet(Observer):
    """Takes no notice of a run."""

    def planned(self, league: League, done: int, planned_duels: int) -> None:
        """Do nothing."""

    def half_played(self, duels: int) -> None:
        """Do nothing."""

    def played(self, duel: StoredDuel) -> None:
        """Do nothing."""

    def voided(self, void: StoredVoid) -> None:
        """Do nothing."""

    def visited(self, visit: Block, seconds: float) -> None:
        """Do nothing."""

    def estimated(self, seconds_left: float | None) -> None:
        """Do nothing."""


def run_league(
    store: Store, name: str, options: RunOptions, observer: Observer, stops: Callable[[], int]
) -> None:
    """Play what is missing of a league.

    Args:
        store: the store it is in.
        name: the league's.
        options: how the run is to go.
        observer: is informed of it.
        stops: how often somebody has asked to stop: once is after the duels in flight, twice at
            once.

    Raises:
        ConfigError: it cannot be played as it is.
        KeyboardInterrupt: it was asked to stop.
    """
    with lease(store, name) as own:
        play_missing(store, league_progress(own), options, observer, stops)


def play_missing(
    store: Store,
    progress: RunProgress,
    options: RunOptions,
    observer: Observer,
    stops: Callable[[], int],
) -> None:
    """Play what is missing of a league, or of a part of it.

    Args:
        store: the store that its bots are in.
        progress: what is missing, and where it is stored.
        options: how the run is to go.
        observer: is informed of it.
        stops: as `run_league` takes it.

    Raises:
        ConfigError: it cannot be played as it is.
        KeyboardInterrupt: it was asked to stop.
    """
    run = _Run(store, progress, options, observer, stops)
    try:
        run.play()
    except OSError as error:
        run.log_stopped(asked=False)
        raise UpcardError(f"this machine could not let bots play: {error}; run again") from None
    except BaseException as error:
        run.log_stopped(asked=isinstance(error, KeyboardInterrupt))
        raise


class _Run:
    def __init__(
        self,
        store: Store,
        progress: RunProgress,
        options: RunOptions,
        observer: Observer,
        stops: Callable[[], int],
    ) -> None:
        self._options = options
        self._engine = options.engine or LocalEngine(
            options.jobs,
            options.accepted,
            sandboxed=options.sandboxed,
            isolates=options.isolates,
        )
        self._observer = observer
        self._stops = stops
        self._progress = progress
        self._bots = LeagueBots(store, options.logs, options.debugged, options.again)
        self._pace = Pace()
        self._fruitless = 0
        self._suspends = False
        """Whether somebody was suspended whose visits are still to be dropped."""
        self._half_played: set[DuelKey] = set()
        self._checked = monotonic()
        self._is_logged = False
        self._blocks: dict[VisitId, Block] = {}
        """What is played in each visit that is under way."""
        self._visits = count()
        self._isolation: Isolation | None = None
        self._pool: Pool

    def play(self) -> None:
        if self._plan():
            isolation = self._examined()
            refuse_less(self._league, isolation)
            limits = self._bots.limits(self._league, active_entrants(self._league))
            self._progress.began(isolation)
            self._is_logged = True
            with self._engine.open(limits) as self._pool:
                while True:
                    if self._stops():
                        raise KeyboardInterrupt
                    self._play()
                    if not self._plan():
                        break
                self._log_workers()
        else:  # the run before may have been killed after its last duel
            remove_leftovers(sandboxed=self._options.sandboxed)
        self._progress.complete()

    def _log_workers(self) -> None:
        for kind, body in self._pool.log():
            self._progress.log_worker(kind, body)

    def log_stopped(self, *, asked: bool) -> None:
        """Append to the log that the run did not play all, if it had begun to."""
        if self._is_logged:
            with suppress(UpcardError):  # another has taken over, or nothing can be written
                self._progress.stopped(asked=asked)

    # What is to be played, and where

    def _plan(self) -> bool:
        """Read what is to be played; return whether there is anything."""
        if self._progress.reload():
            # Before anything is dealt: a bot that cannot play here must not begin an epoch.
            self._bots.read(self._league, active_entrants(self._league))
            wanted = required(self._options.accepted, sandboxed=self._options.isolates)
            # Nor must a statement promise what is missing here.
            self._examined()
            self._progress.deal(OpeningChoices(wanted, self._options.seed))
        else:
            self._progress.refuse_other_seed(self._options.seed)
        self._observer.planned(self._league, self._progress.played, self._progress.planned)
        plan = self._league.plan
        self._visit_size = plan.block or self._pace.visit_size(plan.duels)
        return any(self._progress.missing(self._visit_size))

    def _waiting(self, left_of_round: Counter[int]) -> Waiting:
        """Return the visits to come, and count how many each round has."""

        def counted() -> Iterator[Block]:
            for block in self._progress.missing(self._visit_size):
                left_of_round[block.round] += 1
                yield block

        def dropped(block: Block) -> None:
            self._pace.dropped(block)
            left_of_round[block.round] -= 1

        self._pace.planned(counted())
        visits = self._progress.missing(self._visit_size)
        return Waiting(visits, self._progress.is_active, dropped)

    @property
    def _league(self) -> League:
        return self._progress.league

    def _examined(self) -> Isolation:
        """Return what isolates the bots, which is tried once in a run."""
        self._isolation = self._isolation or self._engine.examine(self._league, self._stops)
        return self._isolation

    # Playing

    def _play(self) -> None:
        """Play visits until there are no more, or what is to be played has changed."""
        left_of_round: Counter[int] = Counter()
        waiting = self._waiting(left_of_round)
        # Until it is known how large visits are to be, no worker plays more than one.
        pool = self._pool
        is_known = self._league.plan.block or self._pace.is_known
        trials = None if is_known else max(1, pool.size)
        changed = False
        while True:
            ends = self._heed_stops() or changed
            while pool.has_room and trials != 0 and not ends and waiting:
                self._hand_out(waiting.take())
                trials = None if trials is None else trials - 1
            # A cluster may have no workers yet.
            if not pool.is_busy and (ends or trials == 0 or not waiting):
                self._save_snapshots(left_of_round)  # the last visits of a round may be dropped
                return
            self._save(pool.receive(_RECEIVING))
            for block in self._finished():
                if block.numbers:
                    waiting.again(block)
                else:
                    left_of_round[block.round] -= 1
                    self._save_snapshots(left_of_round)
            if self._suspends:
                self._suspends = False
                self._observer.planned(self._league, self._progress.played, self._progress.planned)
            self._observer.estimated(self._pace.seconds_left(pool.size, monotonic()))
            changed = changed or self._has_changed()

    def _hand_out(self, block: Block) -> None:
        visit = VisitId(self._pool.run, next(self._visits))
        self._pace.began(block, monotonic())
        self._pool.play(self._bots.visit(self._league, block, visit))
        self._blocks[visit] = block

    def _heed_stops(self) -> bool:
        """Return whether to stop after the duels in flight; asked more than once, stop here."""
        asked = self._stops()
        if asked > 1:
            self._save(self._pool.receive_all())
            raise KeyboardInterrupt
        if asked:
            self._pool.wind_up()
        return bool(asked)

    def _finished(self) -> list[Block]:
        """Return the visits that are over, each with what of it has to be played again."""
        finished, outcomes = self._pool.finished()
        self._save(outcomes)
        for each in finished:
            if each.error:
                raise each.error
        blocks = [self._blocks.pop(each.visit) for each in finished]
        for block, each in zip(blocks, finished, strict=True):
            self._pace.ended(block, monotonic())
            self._drop_halves(block.keys)
            self._observer.visited(block, each.seconds)
        for each in finished:
            self._fruitless = self._fruitless + 1 if each.killed else 0
        if self._fruitless >= _FRUITLESS:
            raise UpcardError(
                f"{_FRUITLESS} workers in a row were killed before a duel was over; see what kills "
                "them (too little memory?), and run again: nothing is lost"
            )
        return [self._progress.rest(block) for block in blocks]

    def _has_changed(self) -> bool:
        """Look at the league now and then, which also renews the lease."""
        if monotonic() < self._checked + _CHECK:
            return False
        self._checked = monotonic()
        return self._progress.has_changed()

    # What comes of it

    def _save(self, sent: Iterable[Sent]) -> None:
        """Store together all that came in, and tell the observer of it."""
        # A worker is in the log before any of its duels.
        self._log_workers()
        received = list(sent)
        outcomes = [
            (self._pool.isolation(visit), news)
            for visit, news in received
            if isinstance(news, StoredDuel | StoredVoid)
        ]
        for isolation, together in groupby(outcomes, itemgetter(0)):
            self._suspends |= self._progress.save([news for _, news in together], isolation)
        for each in received:
            self._take(each.news)

    def _take(self, news: News) -> None:
        """Take note of what came in, and is stored by now."""
        if isinstance(news, HalfPlayed):
            self._half_played.add(news.key)
            self._pace.half_played(news.key[:2])
            self._observer.half_played(len(self._half_played))
            return
        self._fruitless = 0
        if isinstance(news, NeverStarted):
            self._suspends |= self._progress.suspend_who_never_started(news)
        elif isinstance(news, StoredDuel):
            self._half_played.discard(news.key)
            self._pace.played(news.key[:2])
            self._observer.half_played(len(self._half_played))
            self._observer.played(news)
        else:
            self._drop_halves([news.key])
            self._observer.voided(news)

    def _drop_halves(self, keys: Iterable[DuelKey]) -> None:
        """Count the first matches of duels that are played again from the start as to come."""
        for key in self._half_played.intersection(keys):
            self._half_played.discard(key)
            self._pace.lost_half(key[:2])
        self._observer.half_played(len(self._half_played))

    def _save_snapshots(self, left: Counter[int]) -> None:
        """Store the ratings after each round that is over, as are all before it."""
        for number in sorted(left):
            if left[number]:
                return
            del left[number]
            self._progress.save_snapshot(number, self._visit_size)
