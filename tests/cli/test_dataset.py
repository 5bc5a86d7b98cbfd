"""`upcard dataset`."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

from referee.datasets.npz import Array
from tests.cli.conftest import Upcard
from tests.cli.leagues import bots, write_league


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.npz"


@pytest.mark.slow
def test_a_league_is_written_match_by_match(upcard: Upcard, tmp_path: Path, out: Path) -> None:
    db = tmp_path / "upcard.db"
    write_league(db, bots(["ada", "bert", "carl"]), duels=2)
    said = upcard("dataset", "--db", db, "--out", out)
    with np.load(out) as arrays:
        found = dict(arrays)
    assert said.out == f"{out}: {len(found['action'])} decisions\n"
    assert list(found["entrants"]) == ["", "ada", "bert", "carl"]
    rows = np.unique(found["match"], return_index=True)[1]
    matches = [
        {name: int(column[row]) for name, column in found.items() if column.shape == rows_of(found)}
        for row in rows
    ]
    assert [(match["duel"], match["room"]) for match in matches] == [
        (duel, room) for duel in (1, 2) for _ in range(3) for room in (0, 1)
    ]
    assert Counter(map(won, matches)) == Counter(wins_listed(upcard, db))


def rows_of(arrays: dict[str, Array]) -> tuple[int]:
    return (len(arrays["action"]),)


def won(match: dict[str, int]) -> tuple[str, int]:
    """Return a match as its duel and the number of its winner."""
    both = match["entrant"], match["opponent"]
    return f"{sorted(both)}/{match['duel']}", both[1 - match["won"]]


def wins_listed(upcard: Upcard, db: Path) -> Iterator[tuple[str, int]]:
    """Yield the same of each match as `upcard duels` has it."""
    for duel in json.loads(upcard("duels", "--db", db, "--json").out)["duels"]:
        pair, number = duel["duel"].split("/")
        both = [int(entrant) for entrant in pair.split("-")]
        for winner, wins in zip(both, (duel["matches_won"], 2 - duel["matches_won"]), strict=True):
            yield from repeat((f"{sorted(both)}/{number}", winner), wins)


def test_a_file_of_records_is_written(upcard: Upcard, whist_file: Path, out: Path) -> None:
    assert upcard("dataset", whist_file, "--out", out).code == 0
    with np.load(out) as arrays:
        assert set(arrays["match"]) == {0, 1}
        assert str(arrays["encoding"]) == "whist_v0"


def test_a_game_from_a_program_is_refused(upcard: Upcard, tmp_path: Path, out: Path) -> None:
    file = tmp_path / "kuhn.jsonl"
    upcard("simulate", "kuhn-poker", "--matches", 1, "--record-out", file)
    said = upcard("dataset", file, "--out", out)
    assert said.code == 2
    assert "kuhn-poker has no arrays" in said.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("x.jsonl", "--out", "x.npz"), "there is no file x.jsonl"),
        (("x.jsonl", "--out", "x.npy"), "arrays are written as .npz; name such a file, not x.npy"),
    ],
    ids=["missing", "suffix"],
)
def test_what_is_named_wrongly_is_said(
    upcard: Upcard, words: tuple[str, ...], message: str
) -> None:
    said = upcard("dataset", *words)
    assert (said.code, said.err) == (2, f"upcard: {message}\n")


def test_a_record_that_breaks_the_rules_is_refused(
    upcard: Upcard, euchre_file: Path, out: Path
) -> None:
    lines = euchre_file.read_text().splitlines()
    euchre_file.write_text(
        "\n".join([lines[0], lines[1].replace('"points":[2,0]', '"points":[1,0]')])
    )
    said = upcard("dataset", euchre_file, "--out", out)
    assert said.code == 1
    assert "line 2: " in said.err
    assert not out.exists()
