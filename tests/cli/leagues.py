"""Leagues for tests, in a store of their own, with duels of bots that play at random."""

import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Concatenate, ParamSpec

from sqlalchemy import delete, update

from referee.arena.duel import Duel, Timing
from referee.arena.fault import CRASHED
from referee.arena.limits import Terms
from referee.bots.digest import bundle_digest
from referee.duel_checks import counts
from referee.engine.game import Game
from referee.engine.record import MatchRecord, Scoresheet, SeededDeal, play_match
from referee.engine.seating import rooms as rooms_of
from referee.league.progress import LeagueProgress
from referee.league.stored_duels import tallies
from referee.ratings.points import identical_hands
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import pairings
from referee.store.bots import add_bot
from referee.store.chain import duel_digest, isolation_digest
from referee.store.database import Store, writing
from referee.store.epochs import OpeningChoices, state
from referee.store.leagues import begin_epoch, create_league, league
from referee.store.leases import lease
from referee.store.log import append
from referee.store.models import (
    Bot,
    Isolation,
    League,
    Plan,
    Side,
    StoredDuel,
    StoredFault,
    StoredVoid,
)
from referee.store.opening import open_store
from referee.store.play import packed
from referee.store.rows import ENTRY, LOG, OPENING, SUSPENSION
from referee.store.statement import Required
from tests.store.saving import save_duel, save_void
from tests.table import euchre

SEED = bytes(range(32))
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LEVELS = (("disk", "enforced"), ("network", "enforced"), ("tempo", "weak"))
HELD = Isolation(
    True,
    False,
    tuple({"name": name, "level": level, "reason": "", "remedy": ""} for name, level in LEVELS),
)
EUCHRE = euchre()
UNSANDBOXED = Isolation(False, False, ())
ADA, BERT = ("ada", "1"), ("bert", "1")
P = ParamSpec("P")
Write = Callable[Concatenate[Path, P], None]


def bots(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, "1") for name in names]


def written_once(write: Write[P]) -> Write[P]:
    """Wrap a function that writes into a store: from the second time on, a new store is copied."""
    written: dict[str, tuple[TemporaryDirectory[str], object]] = {}

    @wraps(write)
    def copied(place: Path, /, *args: P.args, **kwargs: P.kwargs) -> None:
        if place.exists():
            write(place, *args, **kwargs)
            return
        key = repr((place.name, args, sorted(kwargs.items())))
        if key not in written:
            # What was asked for is kept, for an object may be in the key by its address.
            written[key] = TemporaryDirectory(), (args, kwargs)
            write(Path(written[key][0].name) / place.name, *args, **kwargs)
        shutil.copytree(written[key][0].name, place.parent, dirs_exist_ok=True)

    return copied


@written_once
def write_league(
    place: Path,
    entrants: Sequence[tuple[str, str]] = (ADA, BERT),
    *,
    name: str = "club",
    game: Game = EUCHRE,
    duels: int = 4,
    played: int | None = None,
    faulty: Collection[int] = (),
    voids: Iterable[DuelKey] = (),
    given: bool = False,
    held: Isolation = HELD,
    explanation: str = "exit code 1",
    until: Until | None = None,
    promised: Required | None = None,
) -> None:
    """Write a league; of each pairing all duels are played that are not void, or only so many."""
    with open_store(str(place), create=True) as store:
        digests = [_kept(store, place.parent, *entrant) for entrant in entrants]
        create_league(store, name, Plan(Terms(game), duels, 128, until), digests, NOW)
        with lease(store, name) as ours:
            if given:
                state(ours, league(store, name), OpeningChoices(promised, SEED), NOW)
            begin_epoch(store, ours, SEED, given, NOW)
            levels = [(each["name"], each["level"], each["reason"]) for each in held.guarantees]
            isolation = isolation_digest(held.sandboxed, held.strict, levels)
            with writing(store) as connection:
                body = {"version": "0.1.0", "isolation": isolation}
                append(connection, ours.league, "run", NOW, body)
            for void in voids:
                save_void(store, ours, StoredVoid(void, "the referee was late", NOW))
            for key in _keys(len(entrants), duels if played is None else played, {*voids}):
                duel = _duel(league(store, name), key, faulty, explanation)
                assert save_duel(store, ours, duel, held)
            if len(entrants) > 1:
                LeagueProgress(ours).reload()  # which suspends entrants at fault too often


def make_older(place: Path) -> None:
    """Make all leagues of a store such as it was before there were logs and suspensions."""
    with open_store(str(place)) as store, writing(store) as connection:
        for table in (LOG, SUSPENSION, OPENING):
            connection.execute(delete(table))
        connection.execute(update(ENTRY).values(suspended=None))


def _kept(store: Store, directory: Path, name: str, version: str) -> str:
    bundle = directory / "bundle"
    bundle.mkdir(exist_ok=True)
    (bundle / "bot.py").write_text(f"# {name} {version}\n")
    digest = bundle_digest(bundle)
    add_bot(store, Bot(digest, name, version, "me", "python", ("euchre",), "", NOW), bundle)
    return digest


def _keys(entrants: int, duels: int, void: Collection[DuelKey]) -> list[DuelKey]:
    pairs = [*pairings(range(1, entrants + 1))]
    keys = [DuelKey(*pair, number) for number in range(duels) for pair in pairs]
    return [key for key in keys if key not in void]


def _duel(league: League, key: DuelKey, faulty: Collection[int], explanation: str) -> StoredDuel:
    game = league.plan.terms.game
    duel = Duel(key.number, league.dealt(key), game.first_dealer(key.number))
    at_fault = [number for number in key[:2] if number in faulty]
    numbers = range(len(rooms_of(game)))
    rooms = tuple(_room(game, duel, number, key, at_fault) for number in numbers)
    faults = [
        StoredFault(CRASHED, number, int(number != key.first), 0, 1, explanation, True, None)
        for number in at_fault[:1]
    ]
    return StoredDuel(
        key,
        packed(rooms),
        *counts(rooms),
        (
            Side(tallies(rooms, 0), Timing(0.0125, 0, 1, 0, "trick 3")),
            Side(tallies(rooms, 1), None),
        ),
        tuple(faults),
        NOW + timedelta(minutes=key.number),
        duel_digest(key, rooms, [fault.form for fault in faults]),
        identical_hands(rooms),
    )


def _room(game: Game, duel: Duel, room: int, key: DuelKey, at_fault: Sequence[int]) -> MatchRecord:
    """Play at random; who is at fault forfeits the second hand of the open room."""
    random = Random(f"{key} {room}")
    sheet = Scoresheet(game, duel.first_dealer, duel.dealt)
    while sheet.state.actor is not None:
        if at_fault and room == 0 and sheet.match.hand == 1:
            return sheet.record(forfeited_by=int(at_fault[0] != key.first))
        sheet.play(random.choice(sheet.state.legal))
    return sheet.record()


def play_at_random(game: Game, dealt: SeededDeal, luck: int) -> MatchRecord:
    """Play a match of the first duel."""
    draw = Random(luck)
    return play_match(game, game.first_dealer(0), dealt, lambda state: draw.choice(state.legal))
