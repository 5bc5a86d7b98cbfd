"""What the tests put into a store."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from referee.arena.duel import Timing
from referee.arena.fault import CRASHED
from referee.arena.limits import Policy, Terms, TimeLimits
from referee.engine.game import Game
from referee.engine.record import MatchRecord, SeededDeal, play_match
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.leagues import create_league
from referee.store.models import Bot, Isolation, League, Plan, Side, StoredDuel, StoredFault
from referee.store.play import packed
from tests.table import euchre

NOW = datetime(2026, 5, 4, 12, 30, 15, 123456, tzinfo=UTC)
SEED = bytes(range(32))
HELD = Isolation(
    True, False, ({"name": "network", "level": "enforced", "reason": "", "remedy": "none"},)
)
KEY = DuelKey(1, 2, 0)
_STRANGER = 65534


def bot(number: int = 1, name: str = "steady", version: str = "1.0") -> Bot:
    digest = f"{number:064x}"
    return Bot(digest, name, version, "Ada", "python", ("euchre", "whist"), "name = 1\n", NOW)


def bundle(directory: Path) -> Path:
    """Write a bundle: a manifest, a program and a link to it."""
    directory.mkdir()
    (directory / "bot.toml").write_text("name = 1\n")
    (directory / "run").write_text("#!/bin/sh\n")
    (directory / "run").chmod(0o700)
    (directory / "again").symlink_to("run")
    return directory


def plan(game: Game | None = None) -> Plan:
    terms = Terms(
        game or euchre(alone=False), TimeLimits(0.5, 3.0, 20.0, 0.25), Policy(3), 32, 1, 0.05
    )
    return Plan(terms, 100, 16, Until(0.95, "points"))


def cup(store: Store, directory: Path, entrants: int = 3, name: str = "cup") -> League:
    """Make a league of new bots."""
    bots = [bot(number, f"bot-{number}") for number in range(1, entrants + 1)]
    files = bundle(directory / f"bundle-{name}")
    for one in bots:
        add_bot(store, one, files)
    return create_league(store, name, plan(), [one.digest for one in bots], NOW)


def played(game: Game, dealt: SeededDeal, luck: int = 0) -> tuple[MatchRecord, MatchRecord]:
    draw = Random(luck)
    one, other = (play_match(game, 0, dealt, lambda s: draw.choice(s.legal)) for _ in range(2))
    return one, other


def side(hands: int = 9) -> Side:
    return Side({"hands": hands, "euchred": 2}, Timing(0.25, 1, 3, 2, "trick 3"))


def fault(entrant: int = 2, bundle: bytes | None = b"evidence") -> StoredFault:
    return StoredFault(CRASHED, entrant, 3, 1, 4, "it ended by signal 11", True, bundle)


def duel(
    league: League, key: DuelKey = KEY, *faults: StoredFault, play: bytes | None = None
) -> StoredDuel:
    """Make a finished duel; it is played at random unless its play is given."""
    game = league.plan.terms.game
    told = play or packed(played(game, SeededDeal(SEED, "any"), key.number))
    return StoredDuel(key, told, 1, 1.5, 17, (side(9), Side({}, None)), faults, NOW)


def as_stranger(act: Callable[[], str]) -> str:
    """Do something as one who owns nothing here, in a process of its own; give what it says."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(_STRANGER)
                os.setuid(_STRANGER)
            said = act()
        except BaseException as error:  # noqa: BLE001 (it ends with this process)
            said = f"{type(error).__name__}: {error}"
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return said


def public() -> Path:
    """Make a directory whose parents anybody may enter, unlike pytest's."""
    directory = Path(mkdtemp(prefix="upcard-store-"))
    directory.chmod(0o755)
    return directory
