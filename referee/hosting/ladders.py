"""Plays ladders: a chain of epochs, each a league of its own, round after round.

Whatever is decided is written down before it is played, so a ladder goes on after any kill as if
nothing had been: what is missing of a round is played, then the next one is paired.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from referee.hosting.ladder_history import (
    MOST_NUMBERS,
    LadderHistory,
    LadderPlay,
    numbers_on_ladder,
)
from referee.hosting.ladder_rounds import Paired, TimeShares, next_round
from referee.league.engine import Engine
from referee.league.running import Quiet, RunOptions, run_league
from referee.scheduling.round_robin import Block
from referee.store.database import Store
from referee.store.hosting_models import (
    Ladder,
    LadderEntrant,
    LadderEpoch,
    LadderPlan,
    LadderSnapshot,
)
from referee.store.ladders import (
    begin_ladder_epoch,
    end_ladder_epoch,
    ladder_entrants,
    ladder_epochs,
    ladder_snapshots,
    note_paired,
    save_ladder_snapshot,
)
from referee.store.leagues import (
    create_league,
    enter,
    league,
    league_names,
    reinstate,
    set_state,
    withdraw,
)
from referee.store.leases import lease
from referee.store.lifecycle import suspend_entrant
from referee.store.models import Entry, League, Plan
from referee.store.rounds import pair_round, rounds

OpenEngine = Callable[[LadderPlan], AbstractContextManager[Engine]]
"""Opens what the rounds of a ladder are played on."""
_SNAPSHOT_EVERY: Final = timedelta(minutes=30)


class _Times(Quiet):
    """How long each visit of a run took."""

    def __init__(self) -> None:
        self.visits: list[tuple[Block, float]] = []

    def visited(self, visit: Block, seconds: float) -> None:
        self.visits.append((visit, seconds))


@dataclass
class LadderRunner:
    """Plays one ladder."""

    store: Store
    ladder: Ladder
    history: LadderHistory
    engine: OpenEngine
    clock: Callable[[], datetime]
    stops: Callable[[], int]
    """As `run_league` takes it."""
    shares: TimeShares = field(default_factory=TimeShares)
    is_over: bool = field(default=False, init=False)
    """Whether the ladder has ended, which is for good, and nothing is missing of its last epoch."""
    _idle: tuple[Sequence[LadderEntrant], datetime] | None = field(default=None, init=False)
    """Who was on the ladder when nothing was due, and when something is if nobody else comes."""

    def turn(self) -> bool:
        """Play what is missing, then one more round if one is due; return whether one was.

        Raises:
            KeyboardInterrupt: it was asked to stop.
        """
        if self.ladder.state == "ended":
            self._end_epoch()
            self.is_over = True
            return False
        entrants = ladder_entrants(self.store, self.ladder)
        active = [each for each in entrants if each.state == "active"]
        if len(active) < 2 or self._is_idle(entrants):
            return False
        epoch = self._current(active)
        self._admit(epoch, entrants)
        self._play(epoch)
        play = self.history.play(self.ladder)
        # Others may have come while what was missing was played.
        self._admit(epoch, play.entrants)
        paired = next_round(play, play.ratings(), self.shares, self._seed(play), self.clock())
        if paired is None:
            self._idle = entrants, self._next_due(play)
            return False
        self._pair(epoch, play, paired)
        self._play(epoch)
        self._snapshot()
        return True

    def _is_idle(self, entrants: Sequence[LadderEntrant]) -> bool:
        """Return whether nothing is due yet; what was played is not read again to know it."""
        return self._idle is not None and self._idle[0] == entrants and self.clock() < self._idle[1]

    def _next_due(self, play: LadderPlay) -> datetime:
        """Return when the next round is due; where nobody may meet anybody, look after a while."""
        current, plan = play.epochs[-1], self.ladder.plan
        due = (current.paired or current.begins) + plan.interval
        if due <= self.clock():
            due = self.clock() + plan.interval
        return min(due, current.begins + plan.epoch)

    # Epochs

    def _current(self, active: Sequence[LadderEntrant]) -> LadderEpoch:
        """Return the epoch that goes on; begin one if there is none, or the last one is over."""
        epochs = ladder_epochs(self.store, self.ladder)
        if epochs and epochs[-1].ended is None:
            if not self._is_over(epochs[-1]):
                return epochs[-1]
            self._end_epoch()
        name = f"{self.ladder.name}-{len(epochs) + 1}"
        if name not in league_names(self.store):  # a run that was killed may have made it
            plan = self.ladder.plan
            league_plan = Plan(plan.terms, MOST_NUMBERS, 0, round_duels=plan.round_duels)
            digests = [each.bot.digest for each in active]
            create_league(self.store, name, league_plan, digests, self.clock())
        return begin_ladder_epoch(self.store, self.ladder, name, self.clock())

    def _is_over(self, epoch: LadderEpoch) -> bool:
        if self.clock() >= epoch.begins + self.ladder.plan.epoch:
            return True
        next_number = (len(rounds(self.store, epoch.league)) + 1) * self.ladder.plan.round_duels
        return next_number > MOST_NUMBERS

    def _end_epoch(self) -> None:
        """Play the epoch that goes on to its end, if one does: its seeds are revealed."""
        for epoch in ladder_epochs(self.store, self.ladder)[-1:]:
            if epoch.ended is None:
                self._play(epoch)
                with lease(self.store, epoch.league) as own:
                    if league(self.store, epoch.league).state == "open":
                        set_state(self.store, own, "complete")
                end_ladder_epoch(self.store, self.ladder, epoch.number, self.clock())

    # Entrants

    def _admit(self, epoch: LadderEpoch, entrants: Sequence[LadderEntrant]) -> None:
        """Enter who has come since, withdraw who was banned, and reinstate who may play again."""
        found = league(self.store, epoch.league)
        there = {entry.bot.digest: entry for entry in found.entries}
        for each in entrants:
            entry = there.get(each.bot.digest)
            match each.state, entry:
                case "active", None:
                    enter(self.store, epoch.league, each.bot.digest)
                case "active", Entry(number) if entry.withdrawn or entry.suspended is not None:
                    reinstate(self.store, epoch.league, number)
                case "banned", Entry(number) if not entry.withdrawn:
                    withdraw(self.store, epoch.league, number, self.clock())

    def _suspend(self, found: League) -> None:
        """Suspend on the ladder who was suspended in its league."""
        of = {each.bot.digest: each for each in ladder_entrants(self.store, self.ladder)}
        for entry in found.entries:
            entrant = of[entry.bot.digest]
            if entry.suspended is not None and entrant.state in {"active", "resting"}:
                reason = "at fault in most of its duels, or it never started"
                suspend_entrant(self.store, self.ladder, entrant, reason, self.clock())

    # Rounds

    def _pair(self, epoch: LadderEpoch, play: LadderPlay, paired: Paired) -> None:
        called = numbers_on_ladder(league(self.store, epoch.league), play.entrants)
        own_numbers = {on_ladder: own for own, on_ladder in called.items()}
        pairs = [(own_numbers[one], own_numbers[other]) for one, other in paired.pairs]
        now = self.clock()
        with lease(self.store, epoch.league) as own:
            pair_round(own, pairs, now)
        if paired.everybody:
            note_paired(self.store, self.ladder, epoch.number, now)

    def _play(self, epoch: LadderEpoch) -> None:
        """Play what is missing of an epoch."""
        plan, observer = self.ladder.plan, _Times()
        with self.engine(plan) as engine:
            options = RunOptions(accepted=plan.accepted, sandboxed=plan.sandboxed, engine=engine)
            run_league(self.store, epoch.league, options, observer, self.stops)
        found = league(self.store, epoch.league)
        numbers = numbers_on_ladder(found, ladder_entrants(self.store, self.ladder))
        for visit, seconds in observer.visits:
            self.shares.took((numbers[visit.first], numbers[visit.second]), seconds)
        self._suspend(found)

    def _seed(self, play: LadderPlay) -> bytes:
        """Return what decides between pairs that are as good: another one for each round."""
        played = sum(len(epoch.pairs) for epoch in play.played)
        return sha256(f"{self.ladder.name} {played}".encode()).digest()

    # What came of it

    def _snapshot(self) -> None:
        now = self.clock()
        if ladder_snapshots(self.store, self.ladder, now - _SNAPSHOT_EVERY):
            return
        play = self.history.play(self.ladder)
        ratings = {number: (each.mean, each.spread) for number, each in play.ratings().items()}
        taken = LadderSnapshot(now, len(play.results), ratings)
        save_ladder_snapshot(self.store, self.ladder, taken)
