"""Runs a league: hands out the duels that are missing, stores what comes of them, and stops.

Theory of operation. What is played is what the schedule holds and the store does not, so to resume
is to run, and nothing needs to be remembered about an earlier run. Workers play visits in processes
of their own and send each duel as soon as it is over. Only this process, the coordinator, writes:
what came in together is stored in one transaction. A worker that is killed takes along the duels it
was playing and no other: they are missing, and are handed out again. So are duels nobody is to
blame for, with the same decks, in another session.

How large visits are is chosen by how long the first ones take, unless the plan says it: so how a
league is cut into visits may differ from run to run. No result of bots that play by cards and seed
depends on it: what a fault costs follows from its match, and who is suspended from the results.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from time import monotonic
from typing import Final, NamedTuple, Protocol

from referee.errors import UpcardError
from referee.examination.guarantees import guaranteed_sandboxes, isolation_of
from referee.league.bot_logs import LogFiles
from referee.league.bots import LeagueBots
from referee.league.channel import HalfPlayed, NeverStarted, News
from referee.league.epochs import refuse_less, required
from referee.league.pace import Pace
from referee.league.pending import active_entrants
from referee.league.progress import LeagueProgress
from referee.league.waiting import Waiting
from referee.league.worker_pool import WorkerPool, open_pool
from referee.league.workers import default_jobs, remove_leftovers
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.modes import Mode
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.chain import isolation_digest
from referee.store.database import Store
from referee.store.epochs import OpeningChoices
from referee.store.leases import Lease, lease
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
    """Workers at the same time; as many as the machine can take, if that is not said."""
    seed: bytes | None = None
    """What a new epoch is dealt from, instead of a seed that is drawn."""
    accepted: Sequence[str] = ()
    """The guarantees that may be missing."""
    sandboxed: bool = True
    logs: LogFiles | None = None
    """The files that what bots write goes to, of a league of two."""


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

    def estimated(self, seconds_left: float | None) -> None:
        """Learn several times a second how long it still takes, as far as is known."""


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
    try:
        with lease(store, name) as own:
            run = _Run(own, options, observer, stops)
            try:
                run.play()
            except BaseException as error:
                run.log_stopped(asked=isinstance(error, KeyboardInterrupt))
                raise
    except OSError as error:
        raise UpcardError(f"this machine could not let bots play: {error}; run again") from None


class _Run:
    def __init__(
        self, own: Lease, options: RunOptions, observer: Observer, stops: Callable[[], int]
    ) -> None:
        self._options = options
        self._observer = observer
        self._stops = stops
        self._lease = own
        self._progress = LeagueProgress(own)
        self._bots = LeagueBots(own.store, options.logs)
        self._pace = Pace()
        self._fruitless = 0
        self._suspends = False
        """Whether somebody was suspended whose visits are still to be dropped."""
        self._half_played: set[DuelKey] = set()
        self._checked = monotonic()
        self._is_logged = False
        self._mode: Mode | None = None
        self._shared_files = False
        self._is_examined = False
        self._isolation: Isolation

    def play(self) -> None:
        if self._plan():
            self._examine()
            refuse_less(self._league, self._isolation)
            self._jobs = self._options.jobs or default_jobs(self._limits())
            self._log_run()
            with open_pool(self._jobs, sandboxed=self._options.sandboxed) as self._pool:
                while True:
                    if self._stops():
                        raise KeyboardInterrupt
                    self._play(self._pool)
                    if not self._plan():
                        break
        else:  # the run before may have been killed after its last duel
            remove_leftovers(sandboxed=self._options.sandboxed)
        self._progress.complete()

    def _log_run(self) -> None:
        sandboxed, strict, guarantees = self._isolation
        levels = [(each["name"], each["level"], each["reason"]) for each in guarantees]
        isolation = isolation_digest(sandboxed, strict, levels)
        body = {"version": version("upcard-referee"), "isolation": isolation}
        self._lease.log("run", body)
        self._is_logged = True

    def log_stopped(self, *, asked: bool) -> None:
        """Append to the log that the run did not play all, if it had begun to."""
        if self._is_logged:
            with suppress(UpcardError):  # another has taken over, or nothing can be written
                self._lease.log("stopped", {"why": "asked" if asked else "failed"})

    # What is to be played, and where

    def _plan(self) -> bool:
        """Read what is to be played; return whether there is anything."""
        if self._progress.reload():
            # Before anything is dealt: a bot that cannot play here must not begin an epoch.
            self._bots.read(self._league, active_entrants(self._league))
            accepted, sandboxed = self._options.accepted, self._options.sandboxed
            wanted = required(accepted, sandboxed=sandboxed)
            # Nor must a statement promise what is missing here.
            self._examine()
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

    def _examine(self) -> None:
        """Find out what the sandbox guarantees, once in a run."""
        if not self._is_examined:
            self._mode, self._isolation = asyncio.run(self._isolated())
            self._is_examined = True

    async def _isolated(self) -> tuple[Mode | None, Isolation]:
        strict, sandboxed = self._league.plan.terms.beat > 0, self._options.sandboxed
        async with guaranteed_sandboxes(self._options.accepted, sandboxed=sandboxed) as (
            sandboxes,
            guarantees,
        ):
            self._shared_files = bool(sandboxes.shared_because)
            return sandboxes.mode, isolation_of(guarantees, sandboxed=sandboxed, strict=strict)

    def _limits(self) -> list[SandboxLimits]:
        return self._bots.limits(self._league, active_entrants(self._league))

    # Playing

    def _play(self, pool: WorkerPool) -> None:
        """Play visits until there are no more, or what is to be played has changed."""
        left_of_round: Counter[int] = Counter()
        waiting = self._waiting(left_of_round)
        # Until it is known how large visits are to be, no worker plays more than one.
        trials = self._jobs if not (self._league.plan.block or self._pace.is_known) else None
        changed = False
        while True:
            stopping = self._heed_stops()
            while pool.has_room and trials != 0 and not (changed or stopping) and waiting:
                self._hand_out(waiting.take())
                trials = None if trials is None else trials - 1
            if not pool.is_busy:
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
            self._observer.estimated(self._pace.seconds_left(self._jobs, monotonic()))
            changed = changed or self._has_changed()

    def _hand_out(self, block: Block) -> None:
        visit = self._bots.visit(self._league, block, self._mode, self._pool.address)
        visit = visit._replace(shared_files=self._shared_files)
        self._pace.began(block, monotonic())
        self._pool.play(block, visit)

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
        for block, killed in finished:
            self._pace.ended(block, monotonic())
            self._drop_halves(block.keys)
            self._fruitless = self._fruitless + 1 if killed else 0
        if self._fruitless >= _FRUITLESS:
            raise UpcardError(
                f"{_FRUITLESS} workers in a row were killed before a duel was over; see what kills "
                "them (too little memory?), and run again: nothing is lost"
            )
        return [self._progress.rest(block) for block, _ in finished]

    def _has_changed(self) -> bool:
        """Look at the league now and then, which also renews the lease."""
        if monotonic() < self._checked + _CHECK:
            return False
        self._checked = monotonic()
        return self._progress.has_changed()

    # What comes of it

    def _save(self, news: Iterable[News]) -> None:
        """Store together all that came in, and tell the observer of it."""
        received = list(news)
        outcomes = [each for each in received if isinstance(each, StoredDuel | StoredVoid)]
        if outcomes:
            self._suspends |= self._progress.save(outcomes, self._isolation)
        for each in received:
            self._take(each)

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
