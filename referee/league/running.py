"""Runs a league: hands out the duels that are missing, writes down what comes of them, and stops.

Theory of operation. What is played is what the schedule holds and the store does not, so to resume
is to run, and nothing needs to be remembered about an earlier run. Referees play visits in
processes of their own and tell of each duel as soon as it is over; only this process writes, a duel
to a transaction. A referee that is killed takes along the duels it was playing and no other: they
are missing, and are handed out again. So are duels nobody is to blame for, with the same decks, in
another session.
"""

import asyncio
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import Final, NamedTuple, Protocol

from referee.arena.duel import Duel
from referee.arena.limits import MOST_VOIDS
from referee.bots.copying import refuse_changed
from referee.bots.manifest import read_manifest
from referee.bots.seating import SeatedBot, limits_of
from referee.engine.dealing import SEED_BYTES
from referee.errors import ConfigError, FileError, UpcardError
from referee.examination.guarantees import isolation_of, refuse_missing
from referee.files.own_directory import own_directory
from referee.league.channel import ResultChannel, StoredOutcome
from referee.league.cleanup import RUN, cleaned_up
from referee.league.pending import (
    active_entrants,
    first_duels,
    pending_blocks,
    plan_visits,
    planned_duels,
    refuse_unplayable,
)
from referee.league.visit import Visit
from referee.league.worker_pool import WorkerPool
from referee.league.workers import default_jobs, kill_workers, worker_makers
from referee.ratings.fitting import fit
from referee.ratings.pairs import count_pairs
from referee.ratings.quarantine import among, quarantined
from referee.ratings.results import Result
from referee.sandbox.doctor import examine
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.modes import Mode
from referee.sandbox.runtimes import find_runtimes
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.bots import bundle
from referee.store.database import Store
from referee.store.duels import results, save_duel, save_void, voids
from referee.store.leagues import begin_epoch, league, set_state
from referee.store.leases import Lease, lease
from referee.store.models import Isolation, League, Snapshot, StoredDuel, StoredVoid
from referee.store.snapshots import save_snapshot

_LISTENING: Final = 0.2
"""Seconds for which nothing else is looked at."""
_GLANCE: Final = 2.0
"""Seconds after which the league is looked at: somebody may have entered or withdrawn."""
_FRUITLESS: Final = 5
"""After so many visits in a row of which nothing came, there is no use in going on."""


class RunOptions(NamedTuple):
    """How a run is to go."""

    jobs: int | None = None
    """Referees at the same time; as many as the machine can take, if that is not said."""
    seed: bytes | None = None
    """What a new epoch is dealt from, instead of a seed that is drawn."""
    accepted: Sequence[str] = ()
    """The guarantees that may be missing."""
    sandboxed: bool = True


class Observer(Protocol):
    """Who is told how it goes."""

    def planned(self, league: League, done: int, planned_duels: int) -> None:
        """Learn what is to be played, at the start and whenever that changes."""

    def played(self, duel: StoredDuel) -> None:
        """Learn of a duel that is stored."""

    def voided(self, void: StoredVoid) -> None:
        """Learn of a duel that counts for nobody."""


def run_league(
    store: Store, name: str, wishes: RunOptions, watcher: Observer, stops: Callable[[], int]
) -> League:
    """Play what is missing; give the league as it is then.

    Args:
        store: where it is kept.
        name: the league's.
        wishes: how the run is to go.
        watcher: is told how it goes.
        stops: how often somebody has asked to stop: once is after the duels in flight, twice at
            once.

    Raises:
        ConfigError: it cannot be played as it is.
        KeyboardInterrupt: it was asked to stop.
    """
    try:
        with lease(store, name) as ours, cleaned_up(sandboxed=wishes.sandboxed):
            _Run(ours, wishes, watcher, stops).play()
    except OSError as error:
        raise UpcardError(f"this machine could not let bots play: {error}; run again") from None
    return league(store, name)


class _Run:
    def __init__(
        self, ours: Lease, wishes: RunOptions, watcher: Observer, stops: Callable[[], int]
    ) -> None:
        self._store, self._name = store, name = ours.store, ours.name
        self._hold = ours
        self._wishes = wishes
        self._watcher = watcher
        self._stops = stops
        self._league = league(store, name)
        self._results = {_key(result): result for result in results(store, name)}
        self._voids = Counter(void.key for void in voids(store, name))
        self._bots: dict[int, SeatedBot] = {}
        self._fruitless = 0
        self._glanced = monotonic()

    def play(self) -> None:
        waiting = self._missing()
        if waiting:
            mode, self._held = asyncio.run(self._guarded())
            with ExitStack() as closing:
                directory = closing.enter_context(own_directory(Path(gettempdir()), RUN))
                self._sink = closing.enter_context(ResultChannel(directory))
                self._floor = WorkerPool(worker_makers(self._jobs()), self._sink)
                closing.callback(self._floor.close)
                closing.callback(kill_workers)
                while waiting:
                    if self._stops():
                        raise KeyboardInterrupt
                    self._play(deque(waiting), mode)
                    waiting = self._missing()
        if self._league.state == "open":
            set_state(self._store, self._hold, "complete")

    # What is to be played

    def _looked_at(self) -> League:
        """Look at the league as it is now; who is new in it gets a seed."""
        found = league(self._store, self._name)
        refuse_unplayable(found)
        numbers = active_entrants(found)
        if all(found.entry(number).epoch for number in numbers):
            self._refuse_other_seed(found)
            return found
        # Before any seed is drawn: a bot that cannot play here must not begin an epoch.
        for number in numbers:
            self._bot(found, number)
        seed = self._wishes.seed
        drawn = seed or secrets.token_bytes(SEED_BYTES)
        return begin_epoch(
            self._store, self._hold, drawn, given=seed is not None, now=datetime.now(UTC)
        )

    def _refuse_other_seed(self, found: League) -> None:
        seeds = [epoch.seed for epoch in found.epochs]
        if self._wishes.seed is not None and self._wishes.seed not in seeds:
            raise ConfigError(f"all of {self._name} is dealt from another seed; leave out --seed")

    def _missing(self) -> list[Block]:
        self._league = self._looked_at()
        numbers = active_entrants(self._league)
        played = sum({first, second} <= {*numbers} for first, second, _ in self._results)
        self._watcher.planned(self._league, played, planned_duels(self._league))
        return pending_blocks(self._league, self._results, self._given_up)

    @property
    def _given_up(self) -> set[DuelKey]:
        return {key for key, times in self._voids.items() if times >= MOST_VOIDS}

    # Who plays, and where

    async def _guarded(self) -> tuple[Mode | None, Isolation]:
        strict, sandboxed = self._league.plan.terms.beat > 0, self._wishes.sandboxed
        async with Sandboxes.open(unsafe=not sandboxed, strict=strict) as sandboxes:
            try:
                guarantees = await examine(sandboxes) if sandboxed else []
            except OSError as error:
                raise FileError(
                    f"the sandbox cannot be tried in {gettempdir()}: {error.strerror}; see to that,"
                    " or name another place in TMPDIR"
                ) from None
            refuse_missing(guarantees, self._wishes.accepted)
            return sandboxes.mode, isolation_of(guarantees, sandboxed=sandboxed, strict=strict)

    def _jobs(self) -> int:
        limits = [
            limits_of(self._bot(self._league, number).manifest)
            for number in active_entrants(self._league)
        ]
        return self._wishes.jobs or default_jobs(limits)

    def _bot(self, found: League, number: int) -> SeatedBot:
        if number not in self._bots:
            bot = found.entry(number).bot
            files = bundle(self._store, bot.digest)
            refuse_changed(bot, files)
            runtimes = find_runtimes()
            manifest = read_manifest(files, runtimes)
            self._bots[number] = SeatedBot(manifest, files, runtimes[manifest.runtime])
        return self._bots[number]

    def _visit(self, block: Block, mode: Mode | None) -> Visit:
        return Visit(
            self._league.plan.terms,
            (block.first, block.second),
            (self._bot(self._league, block.first), self._bot(self._league, block.second)),
            (
                self._league.entry(block.first).bot.digest,
                self._league.entry(block.second).bot.digest,
            ),
            tuple(
                Duel(key.number, self._league.dealt(key), key.first_dealer) for key in block.keys
            ),
            mode,
            self._sink.address,
        )

    # Playing

    def _play(self, waiting: deque[Block], mode: Mode | None) -> None:
        """Play visits until there are no more, or what is to be played has changed."""
        left_of_round = Counter(block.round for block in waiting)
        changed = False
        while True:
            stopping = self._heed_stops()
            while waiting and self._floor.free and not (changed or stopping):
                block = waiting.popleft()
                self._floor.play(block, self._visit(block, mode))
            if not self._floor.busy:
                return
            self._write_all(self._floor.hear(_LISTENING))
            over, told = self._floor.ended()
            self._write_all(told)
            for block, killed in over:
                left = self._left(block, killed=killed)
                if left.numbers:
                    waiting.appendleft(left)
                else:
                    left_of_round[block.round] -= 1
                    self._note_rounds(left_of_round)
            changed = changed or self._has_changed()

    def _heed_stops(self) -> bool:
        """Return whether to stop after the duels in flight; asked more than once, stop here."""
        asked = self._stops()
        if asked > 1:
            self._write_all(self._sink.hear_all())
            raise KeyboardInterrupt
        if asked:
            self._sink.wind_up()
        return bool(asked)

    def _left(self, block: Block, *, killed: bool) -> Block:
        """Return what of a visit has to be played again."""
        self._fruitless = self._fruitless + 1 if killed else 0
        if self._fruitless >= _FRUITLESS:
            raise UpcardError(
                f"{_FRUITLESS} referees in a row were killed before a duel was over; see what kills"
                " them (too little memory?), and run again: nothing is lost"
            )
        return block.but({*self._results, *self._given_up})

    def _has_changed(self) -> bool:
        """Look at the league now and then, and show that it is still held."""
        if monotonic() < self._glanced + _GLANCE:
            return False
        self._glanced = monotonic()
        self._hold.renew()
        found = league(self._store, self._name)
        return found.entries != self._league.entries

    # What comes of it

    def _write_all(self, told: Iterable[StoredOutcome]) -> None:
        for each in told:
            self._fruitless = 0
            if isinstance(each, StoredDuel):
                self._write_duel(each)
            else:
                save_void(self._store, self._hold, each)
                self._voids[each.key] += 1
                self._watcher.voided(each)

    def _write_duel(self, duel: StoredDuel) -> None:
        save_duel(self._store, self._hold, duel, self._held)
        self._results[duel.key] = duel.result
        self._watcher.played(duel)

    def _note_rounds(self, left: Counter[int]) -> None:
        """Write down the table after each round that is over, as are all before it."""
        for number in sorted(left):
            if left[number]:
                return
            del left[number]
            self._note_round(number)

    def _note_round(self, number: int) -> None:
        """Write down the table after a round of visits, by the duels of the rounds so far."""
        so_far = first_duels(plan_visits(self._league.plan)[number].stop, self._results)
        sound = {*active_entrants(self._league)} - quarantined(so_far)
        # No more than is kept: the rest of a table takes ten times as long, every time.
        fitted = fit(sorted(sound), count_pairs(among(sound, so_far)))
        taken = Snapshot(datetime.now(UTC), len(so_far), fitted.ratings)
        save_snapshot(self._store, self._hold, taken)


def _key(result: Result) -> DuelKey:
    return DuelKey(result.first, result.second, result.number)
