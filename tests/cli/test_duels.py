"""`upcard duels`."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.scheduling.keys import DuelKey
from tests.cli.conftest import Upcard
from tests.cli.leagues import SEED, bots, write_league

THREE = bots(["ada", "bert", "carl"])
DUEL = re.compile(r"\d+-\d+/\d+ .*")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "upcard.db"


def listed(out: str) -> list[str]:
    return [line for line in out.splitlines() if DUEL.match(line)]


def as_json(upcard: Upcard, db: Path, *words: object) -> Any:  # noqa: ANN401 (as it comes)
    return json.loads(upcard("duels", "--db", db, "--json", *words).out)


def test_each_duel_has_a_line(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE)
    assert len(listed(upcard("duels", "--db", db).out)) == 12


def test_a_line_tells_who_won_the_scores_and_the_slowest_decision(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE[:2], duels=1)
    (duel,) = as_json(upcard, db)["duels"]
    (line,) = listed(upcard("duels", "--db", db).out)
    opened, closed = duel["scores"]["open"], duel["scores"]["closed"]
    won = duel["matches_won"]
    assert line.split() == [
        duel["duel"],
        *(duel["first"], f"{won}-{2 - won}", duel["second"]),
        *("-".join(map(str, opened)), "-".join(map(str, reversed(closed)))),
        f"{duel['margin'] / duel['hands']:+.2f}",
        "12.5/-",
    ]


@pytest.mark.slow
def test_the_one_to_the_left_has_the_scores_to_the_left(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE, duels=6)
    for line in listed(upcard("duels", "--db", db).out):
        scores = [tuple(map(int, score.split("-"))) for score in line.split()[4:6]]
        assert line.split()[2] == f"{sum(a > b for a, b in scores)}-{sum(a < b for a, b in scores)}"


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (("--of", "ada"), 8),
        (("--of", "ada", "--against", "carl"), 4),
        (("--of", "carl", "--against", "ada"), 4),
        (("--last", 3), 3),
        (("--of", "ada", "--last", 100), 8),
    ],
)
def test_some_duels_can_be_chosen(
    upcard: Upcard, db: Path, words: tuple[object, ...], count: int
) -> None:
    write_league(db, THREE)
    assert len(listed(upcard("duels", "--db", db, *words).out)) == count


def test_the_last_are_those_that_ended_last(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE)
    assert {duel["duel"][-2:] for duel in as_json(upcard, db, "--last", 3)["duels"]} == {"/4"}


@pytest.mark.slow
def test_faults_alone_are_told_with_their_place_and_rule(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE, faulty={2})
    out = upcard("duels", "--db", db, "--faults").out
    assert len(listed(out)) == 8
    assert out.count("bert CRASHED, open room, hand 2, ") == 8
    assert "cost the match: exit code 1" in out


def test_a_line_names_the_faults_and_whose_they_are(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE, faulty={2})
    lines = listed(upcard("duels", "--db", db, "--of", "bert").out)
    assert all(line.endswith("  bert CRASHED") for line in lines)


def test_an_explanation_is_made_harmless(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE, faulty={2}, explanation="a\x1b[2J\nb")
    assert "cost the match: a?[2J?b\n" in upcard("duels", "--db", db, "--faults").out


def test_voids_are_told_below_with_their_reasons(upcard: Upcard, db: Path) -> None:
    write_league(db, voids=[DuelKey(1, 2, 0)] * 3 + [DuelKey(1, 2, 1)])
    out = upcard("duels", "--db", db).out
    assert "4 voids, by nobody's fault: the referee was late\n" in out
    assert "1 duel could not be played: 1-2/1\n" in out


def test_voids_alone_are_told_one_by_one(upcard: Upcard, db: Path) -> None:
    write_league(db, voids=[DuelKey(1, 2, 0)] * 3 + [DuelKey(1, 2, 1)])
    lines = listed(upcard("duels", "--db", db, "--voids").out)
    assert [line.split()[0] for line in lines] == ["1-2/1"] * 3 + ["1-2/2"]
    assert [", unplayed: " in line for line in lines] == [True, True, True, False]


@pytest.mark.slow
def test_programs_too_are_told_only_what_was_asked_for(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE[:2], faulty={2}, voids=[DuelKey(1, 2, 0)])
    for words, duels, voids in (
        ((), 3, 1),
        (("--voids",), 0, 1),
        (("--faults",), 3, 0),
        (("--faults", "--voids"), 3, 1),
    ):
        told = as_json(upcard, db, *words)
        assert (len(told["duels"]), len(told["voids"])) == (duels, voids)


def test_csv_has_voids_too(upcard: Upcard, db: Path) -> None:
    write_league(db, voids=[DuelKey(1, 2, 0)] * 3)
    rows = list(csv.DictReader(io.StringIO(upcard("duels", "--db", db, "--csv").out)))
    assert [row["result"] for row in rows][3:] == ["unplayed"] * 3
    assert {row["reason"] for row in rows[3:]} == {"the referee was late"}


def test_csv_counts_the_faults_of_each(upcard: Upcard, db: Path) -> None:
    write_league(db, THREE[:2], faulty={2})
    rows = list(csv.DictReader(io.StringIO(upcard("duels", "--db", db, "--csv").out)))
    own = {row["first"]: "faults" for row in rows} | {
        row["second"]: "faults_of_other" for row in rows
    }
    assert {row[own["bert"]] for row in rows} == {"1"}
    assert {row[own["ada"]] for row in rows} == {"0"}


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_no_form_tells_the_seed_of_an_open_league(
    upcard: Upcard, db: Path, form: tuple[str, ...]
) -> None:
    write_league(db)
    assert SEED.hex() not in upcard("duels", "--db", db, *form).out


def test_a_league_without_duels_says_so(upcard: Upcard, db: Path) -> None:
    write_league(db, played=0)
    said = upcard("duels", "--db", db)
    assert (said.code, said.out.endswith("No duels\n")) == (0, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--of", "zoe"), "no entrant of club is called 'zoe'; those are ada@1, ada@2, bert"),
        (("--of", "ada"), "'ada' may be any of ada@1, ada@2; say which"),
        (("--against", "bert"), "--against goes with --of; name both"),
        (("--last", 0), "Invalid value for '--last'"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    upcard: Upcard, db: Path, words: tuple[object, ...], says: str
) -> None:
    write_league(db, [("ada", "1"), ("ada", "2"), ("bert", "1")], played=0)
    said = upcard("duels", "--db", db, *words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)
