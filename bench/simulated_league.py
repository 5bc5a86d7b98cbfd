"""A league whose bots take no time: its duels are made of a few that were played by the rules.

What is stored of a duel is as large as of any other, and its play can be read. But it was dealt
other cards than the league would deal, so nobody can verify such a league.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from referee.arena.duel import Duel, DuelResult, Timing
from referee.arena.limits import Terms
from referee.bots.digest import bundle_digest
from referee.engine.record import SeededDeal, play_match
from referee.engine.registry import preset
from referee.league.stored_duels import Writer
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.leagues import begin_epoch, create_league
from referee.store.leases import lease
from referee.store.models import Bot, Isolation, League, Plan, StoredDuel
from referee.store.opening import open_store
from tests.store.server import server

HELD: Final = Isolation(True, False, ())
_GAME: Final = preset("euchre").game()
_DIFFERENT: Final = 64
"""So many duels are played by the rules."""
_NOW: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)


@contextmanager
def stores() -> Iterator[dict[str, Store]]:
    """Make an empty store in a file, and one on a server, which ends with the context."""
    with (
        TemporaryDirectory(prefix="upcard-bench-") as directory,
        server() as address,
        open_store(f"{directory}/s.db", create=True) as in_file,
        open_store(address, create=True, files=Path(directory, "files")) as on_server,
    ):
        yield {"SQLite": in_file, "PostgreSQL": on_server}


def simulated_league(store: Store, name: str, entrants: int, duels: int) -> League:
    """Create a league of so many bots, in an epoch of their own."""
    with TemporaryDirectory() as directory:
        digests = [_added(store, Path(directory, "bot"), number) for number in range(entrants)]
    create_league(store, name, Plan(Terms(_GAME), duels, 1), digests, _NOW)
    with lease(store, name) as own:
        return begin_epoch(store, own, bytes(32), seed_given=True, now=_NOW)


def _added(store: Store, bundle: Path, number: int) -> str:
    bundle.mkdir(exist_ok=True)
    (bundle / "bot.py").write_text(f"# bot {number}\n")
    digest = bundle_digest(bundle)
    bot = Bot(digest, f"bot-{number}", "1", "us", "python", (_GAME.name,), "", _NOW)
    add_bot(store, bot, bundle)
    return digest


def player() -> Callable[[DuelKey], StoredDuel]:
    """Return what plays duels at once: the better bot wins the more often, the lower its number."""
    outcomes = [_outcome(number) for number in range(_DIFFERENT)]
    outcomes.sort(key=lambda duel: duel.margin)
    draw = Random(2)

    def play(key: DuelKey) -> StoredDuel:
        # From as far below the middle to as far above it as the two are apart, in a field of any.
        leaning = (key.second - key.first) / (key.second + key.first)
        place = (draw.random() + leaning) / 2 + 0.25
        duel = outcomes[min(max(0, int(place * _DIFFERENT)), _DIFFERENT - 1)]
        return duel._replace(key=key, finished=datetime.now(UTC))

    return play


def _outcome(number: int) -> StoredDuel:
    draw, dealt = Random(number), SeededDeal(bytes(32), str(number))
    rooms = [play_match(_GAME, 0, dealt, lambda state: draw.choice(state.legal)) for _ in range(2)]
    slowest = Timing(0.25, 1, 3, 2, "trick 3")
    result = DuelResult(Duel(0, dealt, 0), (rooms[0], rooms[1]), (), (slowest, slowest))
    # It asks for the bots only where one was at fault.
    writer = Writer((1, 2), cast("Any", ()), ("", ""), Terms(_GAME))
    return cast("StoredDuel", writer.written(result, _NOW))
