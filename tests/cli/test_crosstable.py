"""`upcard crosstable`."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Upcard
from tests.cli.leagues import ADA, bots, write_league

EIGHT = bots(["ada", "bert", "carl", "dora", "emil", "frida", "gus", "hanna"])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "upcard.db"


def test_each_pair_is_told_both_ways_round(upcard: Upcard, db: Path) -> None:
    write_league(db, EIGHT[:3])
    told = json.loads(upcard("crosstable", "--db", db, "--json").out)["pairs"]
    pairs = {(pair["entrant"], pair["opponent"]): pair for pair in told}
    assert len(pairs) == 6
    for (one, other), pair in pairs.items():
        back = pairs[other, one]
        assert (pair["won"], pair["drawn"]) == (back["lost"], back["drawn"])
        assert pair["better"] + back["better"] == pytest.approx(1)


@pytest.mark.slow
def test_a_cell_has_duels_points_how_alike_and_who_is_better(upcard: Upcard, db: Path) -> None:
    write_league(db, EIGHT[:2], faulty={2})
    told = json.loads(upcard("crosstable", "--db", db, "--json").out)["pairs"][0]
    out = upcard("crosstable", "--db", db).out
    points = told["points_per_hand"]
    assert told["won"] != told["lost"]
    won = f"{told['won']}-{told['drawn']}-{told['lost']}"
    assert ["1", "·", won] in [line.split() for line in out.splitlines()]
    assert f"{points['mean']:+.3f}" in out
    assert f"± {points['plus_or_minus']:.3f}" in out
    assert f"={told['identical']:.1%}" in out
    assert f"{told['better']:.1%}" in out


def test_who_forfeits_a_match_of_each_duel_is_behind(upcard: Upcard, db: Path) -> None:
    write_league(db, EIGHT[:2], faulty={2})
    told = json.loads(upcard("crosstable", "--db", db, "--json").out)["pairs"]
    ahead = {pair["entrant"]: pair["won"] > pair["lost"] for pair in told}
    assert ahead == {"ada": True, "bert": False}


@pytest.mark.slow
def test_eight_entrants_fit_side_by_side_in_80_columns(
    upcard: Upcard, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write_league(db, EIGHT, duels=2)
    lines = upcard("crosstable", "--db", db).out.splitlines()
    assert any(line.split() == list("12345678") for line in lines)
    assert max(len(line) for line in lines if "euchre" not in line) <= 80


@pytest.mark.slow
def test_what_does_not_fit_goes_below(
    upcard: Upcard, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    write_league(db, EIGHT, duels=1)
    lines = upcard("crosstable", "--db", db).out.splitlines()
    heads = [line.split() for line in lines if line.strip() and set(line) <= set(" 12345678")]
    assert [number for head in heads for number in head] == list("12345678")


def test_csv_has_a_row_for_each_pair_and_way_round(upcard: Upcard, db: Path) -> None:
    write_league(db, EIGHT[:3])
    rows = list(csv.DictReader(io.StringIO(upcard("crosstable", "--db", db, "--csv").out)))
    assert len(rows) == 6
    assert {row["duels"] for row in rows} == {"4"}


def test_a_pair_that_has_not_met_has_an_empty_cell(upcard: Upcard, db: Path) -> None:
    write_league(db, EIGHT[:2], played=0)
    said = upcard("crosstable", "--db", db)
    assert (said.code, "%" in said.out.partition("Each cell")[0]) == (0, False)


def test_a_league_of_one_has_a_crosstable(upcard: Upcard, db: Path) -> None:
    write_league(db, [ADA])
    said = upcard("crosstable", "--db", db)
    assert (said.code, "  1 ada\n" in said.out) == (0, True)


@pytest.mark.slow
def test_who_is_listed_apart_is_not_in_the_crosstable(upcard: Upcard, db: Path) -> None:
    write_league(db, EIGHT[:4], faulty={2})
    told = json.loads(upcard("crosstable", "--db", db, "--json").out)["pairs"]
    assert {pair["entrant"] for pair in told} == {"ada", "carl", "dora"}


def test_only_one_form_may_be_chosen(upcard: Upcard, db: Path) -> None:
    write_league(db)
    said = upcard("crosstable", "--db", db, "--json", "--csv")
    assert (said.code, "choose one of --json and --csv" in said.err) == (2, True)
