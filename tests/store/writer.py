"""Runs a league from a process of its own: stores duels, says so, until it is killed or told."""

import os
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from referee.errors import UpcardError
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot, bots
from referee.store.database import Store
from referee.store.duels import results, save_outcomes
from referee.store.leagues import league
from referee.store.leases import Lease, lease
from referee.store.opening import open_store
from tests.store import scenes


def say(*words: object) -> None:
    sys.stdout.write(f"{' '.join(map(str, words))}\n")
    sys.stdout.flush()


GROUP = 5
"""Duels that are stored together."""
FURTHER = 20
"""Duels that are stored once there is room again."""


def write(place: str) -> None:
    """Store groups from the first missing duel on; say the number of each duel once it is kept."""
    with open_store(place) as store, lease(store, "cup") as held:
        store_duels(store, held, count(), GROUP)


def store_duels(store: Store, held: Lease, times: Iterable[int], group: int = 1) -> None:
    cup = league(store, "cup")
    play = scenes.duel(cup).play
    faults = (scenes.fault(), scenes.fault(1, bytes(5000)))
    stored = len(results(store, "cup"))
    for number in times:
        first = stored + number * group
        keys = [DuelKey(1, 2, each) for each in range(first, first + group)]
        together = [scenes.duel(cup, key, *faults, play=play) for key in keys]
        save_outcomes(store, held, together, scenes.HELD)
        say(*(key.number for key in keys))


def fill(place: str) -> None:
    """Store duels until that fails, make room and store some more; say how the file is."""
    with open_store(place) as store, lease(store, "cup") as held:
        try:
            store_duels(store, held, count())
        except UpcardError as error:
            say(f"{type(error).__name__}: {error}")
        Path(place).with_name("ballast").unlink()
        store_duels(store, held, range(FURTHER))
    with closing(sqlite3.connect(place)) as connection:
        say(*connection.execute("PRAGMA integrity_check").fetchone())


def take(place: str) -> None:
    """Take a league once told to, say how that went, and keep it until told again."""
    with open_store(place) as store:
        say("ready")
        sys.stdin.readline()
        try:
            with lease(store, "cup"):
                say("taken")
                sys.stdin.readline()
        except UpcardError as error:
            say(error)


def create(place: str) -> None:
    """Make a store once told to."""
    say("ready")
    sys.stdin.readline()
    with open_store(place, create=True) as store:
        say("made", store.location)


def add(place: str) -> None:
    """Add bots; say the number of each once it is kept."""
    with open_store(place) as store:
        for number in count(len(bots(store)) + 1):
            add_bot(store, scenes.bot(number), Path(os.environ["BUNDLE"]))
            say(number)


_ACTS: Final[Mapping[str, Callable[[str], None]]] = {
    each.__name__: each for each in (write, fill, take, create, add)
}


def copied(
    act: str, place: str, environment: Mapping[str, str], told: Connection, said: Connection
) -> None:
    """Act in a process that is a copy of another: in an environment, told and heard by pipes."""
    warnings.simplefilter("error")
    os.environ.clear()
    os.environ.update(environment)
    with (
        os.fdopen(told.fileno(), closefd=False) as sys.stdin,
        os.fdopen(said.fileno(), "w", closefd=False) as sys.stdout,
    ):
        _ACTS[act](place)


if __name__ == "__main__":
    _ACTS[sys.argv[1]](sys.argv[2])
