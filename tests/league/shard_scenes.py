"""Leagues whose shards were played at random, in a store of their own and in files."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from referee.arena.duel import Timing
from referee.arena.fault import CRASHED
from referee.duel_checks import Rooms, counts
from referee.engine.record import MatchRecord, Scoresheet
from referee.league.channel import NeverStarted
from referee.league.pending import judged_layers, shard_blocks
from referee.league.progress import LeagueProgress
from referee.league.shard_files import header_of, shard_file
from referee.league.stored_duels import tallies
from referee.ratings.points import identical_hands
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.scheduling.shards import Shard
from referee.store.chain import duel_digest
from referee.store.database import Store
from referee.store.leagues import league
from referee.store.leases import lease
from referee.store.models import League, Side, StoredDuel, StoredFault, StoredVoid
from referee.store.opening import open_store
from referee.store.play import packed
from referee.store.statement import Required
from tests.cli.leagues import HELD, NOW, bots, write_league

Outcome = StoredDuel | StoredVoid | NeverStarted
WHOLE = Shard(1, 1)
LATER = NOW + timedelta(days=1)
NAMES = ("ada", "bert", "cleo", "dora")


@contextmanager
def cup(
    directory: Path,
    entrants: int = 3,
    duels: int = 4,
    until: Until | None = None,
    name: str = "club",
    promised: Required | None = None,
) -> Iterator[Store]:
    """Make a league that is dealt, and of which nothing was played."""
    place = directory / "upcard.db"
    write_league(
        *(place, bots(NAMES[:entrants])),
        name=name,
        duels=duels,
        played=0,
        given=True,
        until=until,
        promised=promised,
    )
    with open_store(str(place)) as store:
        yield store


def played(found: League, key: DuelKey, luck: int = 0, faulty: int | None = None) -> StoredDuel:
    """Play a duel at random; who is faulty forfeits the second hand of the open room."""
    rooms = _room(found, key, 0, luck, faulty), _room(found, key, 1, luck, None)
    forfeit = rooms[0].forfeit
    faults = (
        [StoredFault(CRASHED, faulty, forfeit.seat, 0, 1, "exit code 1", True, None)]
        if forfeit and faulty
        else []
    )
    return duel_of(key, rooms, faults)


def duel_of(key: DuelKey, rooms: Rooms, faults: Sequence[StoredFault] = ()) -> StoredDuel:
    """Write down a duel as a worker does."""
    return StoredDuel(
        key,
        packed(rooms),
        *counts(rooms),
        (
            Side(tallies(rooms, 0), Timing(0.0125, 0, 0, 0, "trick 3")),
            Side(tallies(rooms, 1), None),
        ),
        tuple(faults),
        NOW + timedelta(minutes=key.number),
        duel_digest(key, rooms, [fault.form for fault in faults]),
        identical_hands(rooms),
    )


def _room(found: League, key: DuelKey, room: int, luck: int, faulty: int | None) -> MatchRecord:
    random = Random(f"{key} {room} {luck}")
    game = found.plan.terms.game
    sheet = Scoresheet(game, game.first_dealer(key.number), found.dealt(key))
    while sheet.state.actor is not None:
        if faulty in key[:2] and sheet.match.hand == 1:
            return sheet.record(forfeited_by=int(faulty != key.first))
        sheet.play(random.choice(sheet.state.legal))
    return sheet.record()


def keys_of(found: League, shard: Shard = WHOLE) -> list[DuelKey]:
    """Return the duels of a shard of a league of which nothing was played."""
    stage = judged_layers(found, {}, ()).stages[-1]
    return [key for block in shard_blocks(found, stage, (), 128, shard) for key in block.keys]


def write(path: Path, found: League, outcomes: Iterable[Outcome], shard: Shard = WHOLE) -> Path:
    """Write the file of a shard, or go on with it."""
    with shard_file(path, found.plan.terms.game) as file:
        for _ in file.read():
            pass
        file.begin(header_of(found, shard, HELD))
        for outcome in outcomes:
            file.append(outcome)
    return path


def store_as_run(store: Store, duels: Iterable[StoredDuel], name: str = "club") -> None:
    """Store duels as the run of a league does, to its end."""
    with lease(store, name) as own:
        progress = LeagueProgress(own)
        progress.reload()
        for duel in duels:
            progress.save([duel], HELD)
        progress.complete()


def forged(path: Path, line: int, change: Callable[[Any], None]) -> Path:
    """Change a line of a file, from 1."""
    lines = path.read_text().splitlines()
    form = json.loads(lines[line - 1])
    change(form)
    lines[line - 1] = json.dumps(form)
    path.write_text("".join(f"{each}\n" for each in lines))
    return path


def all_played(found: League, faulty: int | None = None) -> list[StoredDuel]:
    return [played(found, key, faulty=faulty) for key in keys_of(found)]


def club(store: Store) -> League:
    return league(store, "club")
