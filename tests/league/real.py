"""Leagues of bots in a real store, each bot one statement long."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, ignore_patterns

from referee.arena.limits import Terms, TimeLimits
from referee.examination.admission import candidates
from referee.league.entries import start_league
from referee.league.running import RunOptions, run_league
from referee.scheduling.round_robin import Block
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.models import League, Plan, StoredDuel, StoredVoid
from referee.store.opening import open_store
from tests.cli.bots import write_bot
from tests.league.tasks import bots_as_tasks
from tests.table import euchre
from tests.workers import workers_as_threads

PLAYERS = Path(__file__).parents[1] / "hostile" / "players"
SEED = bytes(range(32))
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TERMS = Terms(euchre(), TimeLimits(decision=20.0, ready=60.0))
"""Nothing here is about how fast the machine is."""


def sound(number: int) -> str:
    """Play one of what is legal, by the number, so that no two such bots are alike."""
    return f"return legal[{number} % len(legal)]"


class Watcher:
    """Remembers what it was told, and does something at each duel."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.duels: list[StoredDuel] = []
        self.voids: list[StoredVoid] = []
        self.plans: list[tuple[int, int]] = []
        self.left: list[float | None] = []
        self.halves: list[int] = []
        self.visits: list[tuple[Block, float]] = []
        self.then = then

    def planned(self, league: League, done: int, planned: int) -> None:
        assert league.epochs
        self.plans.append((done, planned))

    def half_played(self, duels: int) -> None:
        self.halves.append(duels)

    def played(self, duel: StoredDuel) -> None:
        self.duels.append(duel)
        self.then()

    def voided(self, void: StoredVoid) -> None:
        self.voids.append(void)

    def visited(self, visit: Block, seconds: float) -> None:
        self.visits.append((visit, seconds))

    def estimated(self, seconds_left: float | None) -> None:
        self.left.append(seconds_left)


@contextmanager
def store_of(directory: Path, bots: Mapping[str, str]) -> Iterator[Store]:
    """Keep bots: each makes every decision in its statement, or is a hostile one by its name."""
    written = [_written(directory / name, name, told) for name, told in bots.items()]
    with (
        open_store(str(directory / "upcard.db"), create=True) as store,
        candidates(written, NOW) as handed_in,
    ):
        for candidate in handed_in:
            add_bot(store, candidate.bot, candidate.entrant.bundle)
        yield store


def _written(directory: Path, name: str, told: str) -> Path:
    if " " in told:
        return write_bot(directory, told, name=name)
    copytree(PLAYERS, directory, ignore=ignore_patterns("__pycache__"))
    (directory / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "nobody"\nlanguage = "python"\n'
        f'run = ["python", "player.py", "{told}"]\ngames = ["euchre"]\ntables = 256\n'
    )
    return directory


def make(store: Store, bots: list[str], plan: Plan, name: str = "spring") -> League:
    return start_league(store, name, plan, bots, NOW)


def run(
    store: Store,
    watcher: Watcher | None = None,
    *,
    name: str = "spring",
    jobs: int = 2,
    stops: Callable[[], int] = lambda: 0,
    processes: bool = False,
) -> Watcher:
    """Play a league; by a thread and tasks, unless workers and bots are to be processes."""
    watcher = watcher or Watcher()
    options = RunOptions(jobs, SEED, accepted=(), sandboxed=True)
    with ExitStack() as closing:
        if not processes:
            closing.enter_context(workers_as_threads())
            closing.enter_context(bots_as_tasks())
        run_league(store, name, options, watcher, stops)
    return watcher
