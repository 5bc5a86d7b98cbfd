"""`upcard clones`."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.engine.record import MatchRecord, Scoresheet, SeededDeal
from referee.league.table import league_table
from referee.ratings.points import identical_hands
from referee.reports.clones import clones
from referee.store.duels import stored_duels
from referee.store.opening import open_store
from tests.cli.conftest import Upcard
from tests.cli.leagues import bots, write_league
from tests.table import euchre


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("clones") / "upcard.db"
    write_league(found, bots(["ada", "bert", "carl"]))
    return found


def match(pick: int) -> MatchRecord:
    """Play a match in which all four always choose the first action, or the last."""
    sheet = Scoresheet(euchre(target=2), 0, SeededDeal(bytes(32), "one"))
    while sheet.state.actor is not None:
        sheet.play(sheet.state.legal[pick])
    return sheet.record()


def test_who_decides_alike_plays_every_hand_alike() -> None:
    played = match(0)
    assert identical_hands((played, played)) == len(played.hands)


def test_who_decides_otherwise_does_not() -> None:
    assert identical_hands((match(0), match(-1))) == 0


def test_bots_that_play_at_random_are_no_clones(upcard: Upcard, db: Path) -> None:
    assert "no two entrants played 90% of their hands alike" in upcard("clones", "--db", db).out


def test_all_pairs_are_listed_where_no_share_is_asked_for(upcard: Upcard, db: Path) -> None:
    told = json.loads(upcard("clones", "--share", 0, "--db", db, "--json").out)["pairs"]
    assert sorted(sorted(pair["numbers"]) for pair in told) == [[1, 2], [1, 3], [2, 3]]
    assert all(0 <= pair["identical"] <= pair["hands"] for pair in told)


def test_what_an_earlier_version_did_not_count_is_counted(db: Path) -> None:
    with open_store(str(db)) as store:
        table, stored = league_table(store, "club"), [*stored_duels(store, "club")]
    counted, older = clones(table, stored), [duel._replace(identical=None) for duel in stored]
    assert clones(replace(table, identical={}), older) == counted


def test_pairs_are_listed_for_programs(upcard: Upcard, db: Path) -> None:
    out = upcard("clones", "--share", 0, "--db", db, "--csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 3
    assert {row["share"] for row in rows} <= {
        f"{int(row['identical']) / int(row['hands']):.6f}" for row in rows
    }


def test_pairs_are_listed_for_people(upcard: Upcard, db: Path) -> None:
    assert "ada" in upcard("clones", "--share", 0, "--db", db).out
