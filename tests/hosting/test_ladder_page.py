"""The table of a ladder is made once for all readers, and shows each author her own bots."""

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from referee.hosting.signing_in import begin_session
from referee.ratings.standings import Standing
from referee.store.database import Store
from referee.store.ladders import ladder_entrants
from referee.web.app import create_app
from referee.web.charts import Whisker, whiskers
from referee.web.host import ladders
from referee.web.host.asking import COOKIE
from referee.web.host.hosting import Host
from referee.web.host.ladder_tables import LadderTables
from tests.hosting.conftest import MakeAccount
from tests.hosting.played_ladders import PlayedLadder, play_at_once
from tests.waiting import until

MINE = '<tr class="mine">'


@pytest.fixture
def spring(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedLadder:
    """Return a ladder with two house bots."""
    play_at_once(monkeypatch)
    made = PlayedLadder(store, tmp_path)
    made.house(1, 2)
    made.turns()
    return made


def test_the_table_is_rendered_once_for_all_but_who_has_a_bot_in_it(
    store: Store, spring: PlayedLadder, account: MakeAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = account("ada")
    spring.accepted(ada, 5)
    spring.turns()
    host, rendered = Host(store, "https://cards", lambda: spring.now), count()
    host.tables = LadderTables(store, lambda: 0.0)  # no time passes, so no table is too old

    def counted(rows: Sequence[Standing]) -> dict[int, Whisker]:
        next(rendered)
        return whiskers(rows)

    monkeypatch.setattr(ladders, "whiskers", counted)
    reader = TestClient(create_app(store, host=host), base_url="https://cards")
    pages = [reader.get("/ladders/spring/").text for _ in range(3)]
    secret = begin_session(store, ada, spring.now, spring.now + timedelta(days=1)).secret
    reader.cookies.set(COOKIE, secret)
    own = reader.get("/ladders/spring/").text
    assert next(rendered) == 2
    assert [MINE in page for page in pages] == [False] * 3
    assert own.count(MINE) == 1


def test_nobody_waits_for_a_table_of_a_moment_ago_to_be_made_anew(
    store: Store, spring: PlayedLadder
) -> None:
    clock = [0.0]
    tables = LadderTables(store, lambda: clock[0])

    def duels() -> int:
        return len(tables.table(spring.ladder).play.results)

    before = duels()
    spring.later(hours=1)
    clock[0] = 30.0
    assert duels() == before
    until(lambda: duels() > before)
    now = duels()
    spring.later(hours=1)
    clock[0] = 300.0
    assert duels() > now


def test_a_bot_s_page_leads_to_it_in_the_leagues_of_its_epochs(
    store: Store, spring: PlayedLadder, account: MakeAccount
) -> None:
    ada = account("ada")
    for source in (5, 6):  # the older version rests, and is in no league of a later epoch
        spring.accepted(ada, source)
        spring.turns()
    spring.later(days=2)
    reader = TestClient(
        create_app(store, host=Host(store, "https://cards", lambda: spring.now)),
        base_url="https://cards",
    )
    page = reader.get("/ladders/spring/entrants/4").text
    assert re.findall(r"/leagues/(\S+)/entrants/(\d+)", page) == [
        (league.name, str(entry.number))
        for league in reversed(spring.epochs)
        for entry in league.entries
        if entry.bot.digest == ladder_entrants(store, spring.ladder)[3].bot.digest
    ]
    assert len(spring.epochs) > 1
