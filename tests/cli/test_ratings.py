"""`upcard ratings`."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from referee.engine.dealing import commitment
from referee.scheduling.keys import DuelKey
from referee.store.leagues import set_state, withdraw
from referee.store.leases import lease
from referee.store.opening import open_store
from tests.cli.conftest import Upcard
from tests.cli.leagues import (
    ADA,
    BERT,
    NOW,
    SEED,
    UNSANDBOXED,
    bots,
    make_older,
    write_league,
)

FOUR = bots(["ada", "bert", "carl", "dora"])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "upcard.db"


@pytest.fixture
def ratings_json(upcard: Upcard, db: Path) -> Any:  # noqa: ANN401 (as JSON comes)
    """Return what programs are told of a league of four."""
    write_league(db, FOUR)
    return json.loads(upcard("ratings", "--db", db, "--json").out)


def test_entrants_are_ranked_by_their_rating(ratings_json: Any) -> None:  # noqa: ANN401
    ratings = [row["rating"] for row in ratings_json["table"]]
    assert ratings == sorted(ratings, reverse=True)


def test_entrants_that_are_not_told_apart_share_their_ranks(ratings_json: Any) -> None:  # noqa: ANN401
    assert {(row["best_rank"], row["worst_rank"]) for row in ratings_json["table"]} == {(1, 4)}


def test_every_duel_is_won_drawn_or_lost(ratings_json: Any) -> None:  # noqa: ANN401
    for row in ratings_json["table"]:
        assert row["won"] + row["drawn"] + row["lost"] == row["duels"] == 12


def test_each_is_compared_with_the_next_and_the_last_with_none(ratings_json: Any) -> None:  # noqa: ANN401
    *others, last = (row["better_than_next"] for row in ratings_json["table"])
    assert last is None
    assert all(0.5 <= better <= 1 for better in others)


def test_a_league_need_not_be_named_if_it_is_the_only_one(upcard: Upcard, db: Path) -> None:
    write_league(db)
    assert upcard("ratings", "--db", db) == upcard("ratings", "club", "--db", db)


def test_one_of_several_leagues_must_be_named(upcard: Upcard, db: Path) -> None:
    write_league(db)
    write_league(db, name="cup")
    said = upcard("ratings", "--db", db)
    assert (said.code, said.err) == (
        2,
        "upcard: there are several leagues; name one of club, cup\n",
    )


def test_a_league_that_is_not_there_is_refused(upcard: Upcard, db: Path) -> None:
    write_league(db)
    said = upcard("ratings", "cup", "--db", db)
    assert (said.code, "there is no league 'cup'" in said.err) == (2, True)


def test_a_league_without_duels_has_a_table(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR, played=0)
    said = upcard("ratings", "--db", db)
    assert (said.code, "0 of 24 duels played" in said.out, "dora" in said.out) == (0, True, True)


def test_a_league_of_one_has_a_table(upcard: Upcard, db: Path) -> None:
    write_league(db, [ADA])
    said = upcard("ratings", "--db", db)
    assert (said.code, "ada" in said.out) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 200])
def test_no_line_is_wider_than_the_terminal(
    upcard: Upcard, db: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    write_league(db, FOUR, faulty={4}, duels=12, voids=[DuelKey(1, 2, 11)])
    out = upcard("ratings", "--db", db).out
    table = [line for line in out.splitlines() if "game" not in line and "euchre" not in line]
    assert max(map(len, table)) <= columns


def test_on_a_wide_terminal_ratings_and_play_are_one_table(
    upcard: Upcard, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_league(db)
    monkeypatch.setenv("COLUMNS", "80")
    narrow = upcard("ratings", "--db", db).out
    monkeypatch.setenv("COLUMNS", "200")
    wide = upcard("ratings", "--db", db).out
    assert (narrow.count("ada"), wide.count("ada")) == (3, 1)


def test_the_commitment_is_shown_and_the_seed_is_not(upcard: Upcard, db: Path) -> None:
    write_league(db)
    for form in ((), ("--json",), ("--csv",)):
        assert SEED.hex() not in upcard("ratings", "--db", db, *form).out
    assert commitment(SEED) in upcard("ratings", "--db", db).out


def test_the_seed_is_shown_when_the_league_is_complete(upcard: Upcard, db: Path) -> None:
    write_league(db)
    with open_store(str(db)) as store, lease(store, "club") as ours:
        set_state(store, ours, "complete")
    assert f"seed {SEED.hex()}\n" in upcard("ratings", "--db", db).out


@pytest.mark.slow
@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
@pytest.mark.parametrize("command", ["ratings", "crosstable", "duels"])
def test_a_given_seed_is_marked_in_every_form(
    upcard: Upcard, db: Path, command: str, form: tuple[str, ...]
) -> None:
    write_league(db)
    without = upcard(command, "--db", db, *form).out
    other = db.with_name("given.db")
    write_league(other, given=True)
    marked = upcard(command, "--db", other, *form).out
    assert [_marks("seed_given", out, form) for out in (without, marked)] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
@pytest.mark.parametrize("command", ["ratings", "crosstable", "duels"])
def test_play_without_a_sandbox_is_marked_in_every_form(
    upcard: Upcard, db: Path, command: str, form: tuple[str, ...]
) -> None:
    write_league(db)
    sandboxed = upcard(command, "--db", db, *form).out
    other = db.with_name("unsandboxed.db")
    write_league(other, held=UNSANDBOXED)
    without = upcard(command, "--db", other, *form).out
    assert [_marks("sandboxed", out, form) for out in (sandboxed, without)] == [
        form != (),
        form == (),
    ]


def _marks(what: str, out: str, form: tuple[str, ...]) -> bool:
    if not form:
        heading = next(line for line in out.splitlines() if "club" in line)
        return {"seed_given": "SEED GIVEN: ", "sandboxed": "UNSANDBOXED: "}[what] in heading
    if form == ("--json",):
        return bool(json.loads(out)[what])
    return {row[what] for row in csv.DictReader(io.StringIO(out))} == {"yes"}


def test_weak_guarantees_are_named(upcard: Upcard, db: Path) -> None:
    write_league(db)
    assert "Sandbox: 2 guarantees enforced; tempo weak\n" in upcard("ratings", "--db", db).out


def test_who_was_at_fault_too_often_is_listed_apart(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR, faulty={2})
    ratings_json = json.loads(upcard("ratings", "--db", db, "--json").out)
    assert [(row["entrant"], row["why"], row["faults"]) for row in ratings_json["apart"]] == [
        ("bert", "suspended", 12)
    ]
    assert len(ratings_json["table"]) == 3


def test_who_was_at_fault_in_most_duels_of_an_older_league_is_listed_apart(
    upcard: Upcard, db: Path
) -> None:
    write_league(db, FOUR, faulty={2})
    make_older(db)
    ratings_json = json.loads(upcard("ratings", "--db", db, "--json").out)
    assert [(row["entrant"], row["why"], row["faults"]) for row in ratings_json["apart"]] == [
        ("bert", "faults", 12)
    ]
    assert "faults: in more than half of its duels" in upcard("ratings", "--db", db).out


def test_who_withdrew_is_listed_apart_and_the_rest_is_planned(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR)
    with open_store(str(db)) as store:
        withdraw(store, "club", 4, NOW)
    out = upcard("ratings", "--db", db).out
    assert "12 of 12 duels played\n12 duels more do not count" in out
    assert "dora" in out.partition("Listed apart")[2]


def test_voids_and_what_stays_unplayed_are_counted(upcard: Upcard, db: Path) -> None:
    write_league(db, voids=[DuelKey(1, 2, 0)] * 3 + [DuelKey(1, 2, 1)])
    assert "2 of 4 duels played; 4 voids; 1 unplayed" in upcard("ratings", "--db", db).out


@pytest.mark.slow
def test_a_void_is_counted_for_both(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR, voids=[DuelKey(1, 2, 0), DuelKey(1, 2, 1), DuelKey(2, 3, 0)])
    ratings_json = json.loads(upcard("ratings", "--db", db, "--json").out)
    voids = {row["entrant"]: row["voids"] for row in ratings_json["table"]}
    assert voids == {"ada": 2, "bert": 3, "carl": 1, "dora": 0}


def test_csv_has_a_row_for_each_also_for_those_apart(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR, faulty={2})
    rows = list(csv.DictReader(io.StringIO(upcard("ratings", "--db", db, "--csv").out)))
    assert [(row["best_rank"], row["worst_rank"]) for row in rows] == [("1", "3")] * 3 + [("", "")]


def test_csv_and_json_call_the_same_number_the_rating(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR)
    table = json.loads(upcard("ratings", "--db", db, "--json").out)["table"]
    rows = csv.DictReader(io.StringIO(upcard("ratings", "--db", db, "--csv").out))
    for row, entrant in zip(rows, table, strict=True):
        for name in ("rating", "spread", "conservative"):
            assert float(row[name]) == pytest.approx(entrant[name], abs=1e-6)
        assert entrant["conservative"] == pytest.approx(entrant["rating"] - 3 * entrant["spread"])


def test_rows_name_the_author_and_the_digest(upcard: Upcard, db: Path) -> None:
    write_league(db, FOUR, faulty={2})
    rows = list(csv.DictReader(io.StringIO(upcard("ratings", "--db", db, "--csv").out)))
    assert {row["author"] for row in rows} == {"me"}
    assert len({row["digest"] for row in rows}) == 4


def test_two_versions_of_a_bot_are_told_apart(upcard: Upcard, db: Path) -> None:
    write_league(db, [ADA, ("ada", "2"), BERT])
    ratings_json = json.loads(upcard("ratings", "--db", db, "--json").out)
    assert {row["entrant"] for row in ratings_json["table"]} == {"ada@1", "ada@2", "bert"}


def test_what_strangers_chose_cannot_format_the_table(upcard: Upcard, db: Path) -> None:
    write_league(db, [("ada", "[red]"), ("ada", "[/x]\x1b[2J")])
    said = upcard("ratings", "--db", db)
    assert (said.code, "ada@[red]" in said.out, "ada@[/x]?[2J" in said.out) == (0, True, True)
