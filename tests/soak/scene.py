"""Leagues of bots that play the same whenever they are asked the same, and how they are run."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from referee.arena.limits import TimeLimits
from referee.examination.admission import candidates
from referee.league.entries import start_league
from referee.store.bots import add_bot
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.cli.bots import UPCARD, write_bot

ROOT: Final = Path(__file__).parents[2]
NAME: Final = "soak"
BRITTLE: Final = (
    'self.made = getattr(self, "made", 0) + 1; lot = self.random.random(); '
    "assert self.made != 9 or lot < 0.9; return legal[int(lot * len(legal))]"
)
"""Fails at some ninth decisions of a match, by its seed and by how many it has made."""
BOTS: Final[Mapping[str, str]] = {
    "first": "return legal[0]",
    "last": "return legal[-1]",
    "lots": "return self.random.choice(legal)",
    "other_lots": "self.random.random(); return self.random.choice(legal)",
    "middle": "return legal[len(legal) // 2]",
    "brittle": BRITTLE,
}
LIMITS: Final = TimeLimits(decision=10.0, ready=60.0)
"""Nothing here is about how fast the machine is; but what is stopped for long has to be noticed."""


class Scene(NamedTuple):
    """A store with a league, and a place for what is left lying about."""

    place: Path
    loose: Path
    """Where sockets and the like are made."""

    @property
    def store(self) -> Path:
        """The database."""
        return self.place / "upcard.db"

    def copy(self, place: Path) -> "Scene":
        """Set the same scene once more."""
        shutil.copytree(self.place, place)
        return scene_at(place)


def scene_at(place: Path) -> Scene:
    """Return the scene whose store is at a place."""
    scene = Scene(place, place.with_name(f"{place.name}-tmp"))
    scene.loose.mkdir()
    return scene


def set_scene(place: Path, names: Sequence[str], plan: Plan, pause: float = 0.0) -> Scene:
    """Keep some of the bots in a new store and found a league of them.

    With a pause before each decision there is time to disturb even a short league.
    """
    place.mkdir()
    scene, now, game = scene_at(place), datetime.now(UTC), plan.terms.game.name
    with TemporaryDirectory() as written, open_store(str(scene.store), create=True) as store:
        places = [
            write_bot(
                Path(written, name), f"time.sleep({pause}); {BOTS[name]}", name=name, games=game
            )
            for name in names
        ]
        with candidates(places, now) as handed_in:
            for candidate in handed_in:
                add_bot(store, candidate.bot, candidate.entrant.bundle)
        start_league(store, NAME, plan, names, now)
    return scene


def start(scene: Scene, *words: str, log: Path | None = None) -> subprocess.Popen[bytes]:
    """Start the command on a store, its words kept in a log."""
    with (log or Path(os.devnull)).open("ab") as said:
        return subprocess.Popen(
            (*UPCARD, *words),
            cwd=ROOT,
            env=os.environ | {"UPCARD_DB": str(scene.store), "TMPDIR": str(scene.loose)},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def run(scene: Scene, seed: str, jobs: int, log: Path) -> subprocess.Popen[bytes]:
    """Start to play what is missing of the league."""
    return start(scene, "league", "run", NAME, "--seed", seed, "--jobs", str(jobs), log=log)


class Progress(NamedTuple):
    """How far a league is."""

    duels: int
    voids: int
    most: int
    """Voids of the one duel that had most."""


def progress(scene: Scene) -> Progress:
    """Look into the store as another program would; what cannot be read yet is no progress."""
    asked = "SELECT (SELECT count(*) FROM duel), coalesce(sum(n), 0), coalesce(max(n), 0) FROM "
    voids = "(SELECT count(*) AS n FROM void GROUP BY first, second, number)"
    with (
        suppress(sqlite3.OperationalError),
        closing(sqlite3.connect(f"file:{scene.store}?mode=ro", uri=True)) as connection,
    ):
        return Progress(*connection.execute(asked + voids).fetchone())
    return Progress(0, 0, 0)
