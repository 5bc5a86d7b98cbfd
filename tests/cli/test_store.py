"""`upcard store`: how much there is, and copies of it."""

import json
from pathlib import Path

from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league


def test_a_store_says_how_large_it_is(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    said = json.loads(upcard("store", "show", "--json", "--db", place).out)
    assert said["database"] == str(place)
    assert said["database_bytes"] >= place.stat().st_size
    assert said["bundles_bytes"] > 0


def test_a_backup_is_a_whole_store(upcard: Upcard, tmp_path: Path) -> None:
    place, copy = tmp_path / "upcard.db", tmp_path / "copy"
    write_league(place)
    assert upcard("store", "backup", copy, "--db", place).code == 0
    told = [upcard("ratings", "--json", "--db", each).out for each in (place, copy / "upcard.db")]
    assert told[0] == told[1]


def test_a_backup_never_replaces_anything(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    said = upcard("store", "backup", tmp_path, "--db", place)
    assert (said.code, "exists already" in said.err) == (2, True)


def test_a_backup_is_restored_by_copying_it(upcard: Upcard, tmp_path: Path) -> None:
    place, saved, restored = (tmp_path / name for name in ("upcard.db", "saved", "restored.db"))
    write_league(place)
    upcard("store", "backup", saved, "--db", place)
    copied = upcard("store", "copy", "--to", restored, "--db", saved / "upcard.db", "--json")
    assert json.loads(copied.out)["duels"] == 4
    told = [upcard("ratings", "--json", "--db", each).out for each in (place, restored)]
    assert told[0] == told[1]
    assert list((tmp_path / "restored.db.files" / "bots").iterdir())


def test_a_copy_never_replaces_anything(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    said = upcard("store", "copy", "--to", place, "--db", place)
    assert (said.code, "is not empty; name a new store" in said.err) == (2, True)
