"""Leagues in games of any number of sides, from the session to the table."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from referee.arena.duel import DuelResult
from referee.arena.limits import Terms
from referee.engine.game import Game
from referee.engine.seating import rooms
from referee.errors import RecordError
from referee.league.forecast import longest_duel
from referee.league.outcome_forms import news_as_json, news_from_json
from referee.league.reported_duels import checked_duel
from referee.league.stored_duels import Writer
from referee.league.table import LeagueTable, league_table
from referee.scheduling.keys import DuelKey, pairing
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.duels import rooms as rooms_of
from referee.store.duels import stored_duels
from referee.store.leagues import begin_epoch, create_league
from referee.store.leases import lease
from referee.store.models import League, Plan, StoredDuel
from referee.store.opening import open_store
from tests.arena.conftest import CRASH, Scene
from tests.examination.conftest import seated_bot
from tests.games import highest, known
from tests.store.saving import save_duel
from tests.store.scenes import HELD, NOW, SEED, bot, bundle

DUELS = 4


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with known():
        yield


@pytest.fixture(params=[(2, 0), (3, 0), (5, 0), (6, 3)])
def game(request: pytest.FixtureRequest) -> Game:
    players, sides = request.param
    return highest(players=players, sides=sides)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "upcard.db"), create=True) as made:
        yield made


def cup(store: Store, tmp_path: Path, game: Game) -> League:
    """Make a league of two bots, and deal it."""
    bots = [bot(number, f"bot-{number}") for number in (1, 2)]
    files = bundle(tmp_path / "bundle")
    for one in bots:
        add_bot(store, one, files)
    create_league(store, "cup", Plan(Terms(game), DUELS, 128), [one.digest for one in bots], NOW)
    with lease(store, "cup") as ours:
        return begin_epoch(store, ours, SEED, seed_given=False, now=NOW)


def without_evidence(result: DuelResult) -> DuelResult:
    return result._replace(faults=tuple(each._replace(evidence=None) for each in result.faults))


def played(found: League, tmp_path: Path, *, crash: bool = False) -> list[StoredDuel]:
    """Play all duels of the league in a session, at random; one process may crash once."""
    key = pairing(1, 2)
    scene = Scene(found.plan.terms, DUELS, lambda n: found.dealt(DuelKey(*key, n))).join()
    if crash:
        bot = scene.asked
        scene.room.failed(bot.place, CRASH)
        scene.rejoin(bot)
    draw = Random(3)
    while frames := scene.open_frames():
        scene.answer(frames[0], lambda turn: draw.randrange(len(turn.state.legal)))
    bots = seated_bot(tmp_path / "one"), seated_bot(tmp_path / "other")
    writer = Writer(key, bots, ("a" * 64, "b" * 64), found.plan.terms)
    duels = [writer.written(without_evidence(result), NOW) for result in scene.results]
    assert len(duels) == DUELS
    return [duel for duel in duels if isinstance(duel, StoredDuel)]


def kept(store: Store, duels: list[StoredDuel]) -> LeagueTable:
    with lease(store, "cup") as ours:
        for duel in duels:
            assert save_duel(store, ours, duel, HELD)
    return league_table(store, "cup")


def test_a_duel_is_checked_by_playing_every_room_again(
    store: Store, tmp_path: Path, game: Game
) -> None:
    found = cup(store, tmp_path, game)
    for duel in played(found, tmp_path):
        assert checked_duel(found, duel, NOW) == duel


def test_a_duel_with_a_fault_is_checked(store: Store, tmp_path: Path, game: Game) -> None:
    found = cup(store, tmp_path, game)
    duels = played(found, tmp_path, crash=True)
    assert sum(len(duel.faults) for duel in duels) == 1
    for duel in duels:
        assert checked_duel(found, duel, NOW) == duel


@pytest.mark.parametrize("field", ["wins", "margin", "hands", "identical"])
def test_a_count_that_does_not_follow_is_refused(store: Store, tmp_path: Path, field: str) -> None:
    found = cup(store, tmp_path, highest())
    duel = played(found, tmp_path)[0]
    wrong = duel._replace(**{field: getattr(duel, field) + 1})
    with pytest.raises(RecordError, match=f"^{field}: "):
        checked_duel(found, wrong, NOW)


@pytest.mark.slow
def test_every_duel_comes_back_from_the_store(store: Store, tmp_path: Path, game: Game) -> None:
    found = cup(store, tmp_path, game)
    duels = played(found, tmp_path, crash=True)
    kept(store, duels)
    stored = {duel.key: duel.play for duel in stored_duels(store, "cup")}
    assert stored == {duel.key: duel.play for duel in duels}
    for duel in duels:
        assert len(rooms_of(store, found, duel.key)) == len(rooms(game))


@pytest.mark.slow
def test_the_table_counts_each_duel_once(store: Store, tmp_path: Path, game: Game) -> None:
    found = cup(store, tmp_path, game)
    table = kept(store, played(found, tmp_path))
    (row, _) = table.standings.rows
    assert row.won + row.drawn + row.lost == DUELS


def test_what_a_worker_reports_is_read_as_it_was_written(
    store: Store, tmp_path: Path, game: Game
) -> None:
    found = cup(store, tmp_path, game)
    for duel in played(found, tmp_path, crash=True):
        form = json.loads(json.dumps(news_as_json(duel, game)))
        read = news_from_json(form, game)
        assert isinstance(read, StoredDuel)
        assert (read.key, read.play, read.faults) == (duel.key, duel.play, duel.faults)


def test_a_duel_of_more_rooms_and_seats_takes_longer_at_most() -> None:
    three, five = (longest_duel(Terms(highest(players=players))) for players in (3, 5))
    assert 0 < three < five


def test_rules_that_cannot_go_on_have_a_longest_duel_too() -> None:
    assert longest_duel(Terms(highest(breaks=True))) > 0
