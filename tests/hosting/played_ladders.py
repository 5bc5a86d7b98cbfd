"""Ladders whose duels are played as soon as they are handed out, by bots nobody starts."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from referee.arena.limits import Terms
from referee.engine.record import MatchRecord, Scoresheet
from referee.engine.seating import entrant_at
from referee.hosting.ladder_history import LadderHistory
from referee.hosting.ladders import LadderRunner
from referee.league import running
from referee.scheduling.keys import DuelKey
from referee.store import epochs
from referee.store.database import Store
from referee.store.hosting_models import Account, Ladder, LadderPlan, Submission
from referee.store.ladders import ladder as find_ladder
from referee.store.ladders import ladder_epochs
from referee.store.leagues import league
from referee.store.models import League, StoredDuel
from tests.league.instant import InstantEngine, NoBots
from tests.league.shard_scenes import duel_of, played
from tests.store.hosting_scenes import NOW, accepted, house, ladder
from tests.table import euchre

PLAN = LadderPlan(
    Terms(euchre(target=3)), 2, timedelta(days=1), timedelta(minutes=10), 3, (), sandboxed=False
)
SOBER = 0.3
"""How often a bot calls trump, or plays any card, whatever it has, where nothing else is said."""


def play_at_once(patch: pytest.MonkeyPatch) -> None:
    """Start no bots, and deal the same cards in each run: who is better is then always found."""
    patch.setattr(running, "LeagueBots", NoBots)
    patch.setattr(epochs, "secrets", SimpleNamespace(token_bytes=Random(1).randbytes))


@dataclass
class PlayedLadder:
    """A ladder, its clock, and who works for it."""

    store: Store
    directory: Path
    plan: LadderPlan = PLAN
    now: datetime = NOW
    faulty: str | None = None
    """The name of the bot that crashes in each duel."""
    wild: dict[str, float] = field(default_factory=dict)
    """How often a bot, by its name, calls trump whatever it has: the more, the weaker it is."""
    before_each: Callable[[], None] = lambda: None
    """Called before each duel."""

    def __post_init__(self) -> None:
        self.ladder: Ladder = ladder(self.store, "spring", self.plan)
        self.runner: LadderRunner = self.begin()

    def begin(self) -> LadderRunner:
        """Work for the ladder as a process does that has just begun."""
        self.runner = LadderRunner(
            self.store,
            self.ladder,
            LadderHistory(self.store),
            lambda _: nullcontext(InstantEngine(self._play)),
            lambda: self.now,
            lambda: 0,
        )
        return self.runner

    def house(self, *numbers: int) -> None:
        house(self.store, self.ladder, self.directory, *numbers)

    def accepted(self, by: Account, source: int, name: str = "mine") -> Submission:
        return accepted(self.store, self.directory, by, self.ladder, source, name)

    def turns(self, most: int = 100) -> int:
        """Play until nothing is due; return how many rounds that were."""
        self.runner.ladder = find_ladder(self.store, "spring")
        return next((done for done in range(most) if not self.runner.turn()), most)

    def later(self, **after: float) -> int:
        """Play what is due some time later."""
        self.now += timedelta(**after)
        return self.turns()

    @property
    def epochs(self) -> list[League]:
        return [league(self.store, each.league) for each in ladder_epochs(self.store, self.ladder)]

    def _play(self, key: DuelKey) -> StoredDuel:
        self.before_each()
        found = self.epochs[-1]
        names = {entry.number: entry.bot.name for entry in found.entries}
        if self.faulty in {names[key.first], names[key.second]}:
            culprit = key.first if names[key.first] == self.faulty else key.second
            return played(found, key, faulty=culprit)
        wild = [self.wild.get(names[number], SOBER) for number in key[:2]]
        return duel_of(key, (_room(found, key, 0, wild), _room(found, key, 1, wild)))


def _room(found: League, key: DuelKey, room: int, wild: Sequence[float]) -> MatchRecord:
    """Play one room: who is not wild mostly passes when it can, and plays its first card."""
    random = Random(f"{key} {room}")
    game = found.plan.terms.game
    sheet = Scoresheet(game, game.first_dealer(key.number), found.dealt(key))
    while (actor := sheet.state.actor) is not None:
        legal, often = sheet.state.legal, wild[entrant_at(game, room, actor)]
        sheet.play(random.choice(legal) if random.random() < often else legal[0])
    return sheet.record()
