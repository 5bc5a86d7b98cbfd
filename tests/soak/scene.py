"""Leagues of bots that play the same whenever they are asked the same, and how they are run."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from uuid import uuid4

import psycopg
import pytest

from referee.arena.limits import TimeLimits
from referee.examination.admission import candidates
from referee.league.entries import start_league
from referee.store.bots import add_bot
from referee.store.copies import copy_store
from referee.store.database import Store
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.cli.bots import UPCARD, Said, said, write_bot
from tests.league.tasks import bots_as_tasks
from tests.workers import workers_as_threads

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
    server: str | None = None
    """The address of the database, if it is not a file."""

    @property
    def store(self) -> Path:
        """The database, if it is a file."""
        return self.place / "upcard.db"

    @property
    def files(self) -> Path:
        """Where the bundles of the bots are."""
        return self.place / "upcard.db.files"

    @property
    def address(self) -> str:
        """What names the store."""
        return self.server or str(self.store)

    def copy(self, place: Path) -> "Scene":
        """Set the same scene once more."""
        shutil.copytree(self.place, place)
        return scene_at(place)

    def copy_to(self, server: str, place: Path) -> "Scene":
        """Set the same scene once more, with its store in a schema of its own on a server."""
        name = f"soak_{uuid4().hex}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        place.mkdir()
        scene = scene_at(place)._replace(server=f"{server}&options=-csearch_path%3D{name}")
        with open_store(self.address) as source, opened(scene, create=True) as target:
            copy_store(source, target, lambda items, *_: items)
        return scene


def scene_at(place: Path) -> Scene:
    """Return the scene whose store is at a place."""
    scene = Scene(place, place.with_name(f"{place.name}-tmp"))
    scene.loose.mkdir()
    return scene


def opened(scene: Scene, *, create: bool = False) -> AbstractContextManager[Store]:
    """Open the store of a scene."""
    return open_store(scene.address, create=create, files=scene.files)


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


def start(
    scene: Scene,
    *words: str,
    log: Path | None = None,
    environment: Mapping[str, str] | None = None,
    within: Sequence[str] = (),
) -> subprocess.Popen[bytes]:
    """Start the command on a store, its words kept in a log."""
    with (log or Path(os.devnull)).open("ab") as said:
        return subprocess.Popen(
            (*within, *UPCARD, *words),
            cwd=ROOT,
            env=os.environ
            | {
                "UPCARD_DB": scene.address,
                "UPCARD_FILES": str(scene.files),
                "TMPDIR": str(scene.loose),
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def run(scene: Scene, seed: str, jobs: int, log: Path) -> subprocess.Popen[bytes]:
    """Start to play what is missing of the league."""
    return start(scene, "league", "run", NAME, "--seed", seed, "--jobs", str(jobs), log=log)


def play_here(scene: Scene, seed: str) -> Said:
    """Play what is missing of the league in this process, undisturbed, by bots that are tasks."""
    with pytest.MonkeyPatch.context() as patch, workers_as_threads(), bots_as_tasks():
        patch.setenv("UPCARD_DB", str(scene.store))
        patch.setattr("tempfile.tempdir", str(scene.loose))
        return said("league", "run", NAME, "--seed", seed)


class LeagueCounts(NamedTuple):
    """How far a league is."""

    duels: int
    voids: int
    most: int
    """Voids of the one duel that had most."""


def progress(scene: Scene) -> LeagueCounts:
    """Look into the store as another program would; what cannot be read yet is no progress."""
    asked = "SELECT (SELECT count(*) FROM duel), coalesce(sum(n), 0), coalesce(max(n), 0) FROM "
    voids = "(SELECT count(*) AS n FROM void GROUP BY first, second, number) AS times"
    with (
        suppress(sqlite3.OperationalError),
        closing(_connected(scene)) as connection,
    ):
        return LeagueCounts(*map(int, connection.execute(asked + voids).fetchone()))
    return LeagueCounts(0, 0, 0)


def _connected(scene: Scene) -> Any:  # noqa: ANN401 (both have what is needed, and no type for it)
    if scene.server:
        return psycopg.connect(scene.server)
    return sqlite3.connect(f"file:{scene.store}?mode=ro", uri=True)
