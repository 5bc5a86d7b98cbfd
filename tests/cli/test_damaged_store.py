"""Every command that opens a store says in one line that it is damaged, however it was damaged."""

import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import pytest

from referee.store.damage import damage
from referee.store.opening import open_store
from tests.cli.conftest import Upcard
from tests.sharing import shared
from tests.web import scenes

PAGE: Final = 4096
COMMANDS: Final = (
    ("bots", "list"),
    ("bots", "show", "ada"),
    ("crosstable", "club"),
    ("duels", "club"),
    ("fault", "list", "club"),
    ("fault", "save", "1", "OUT/fault.json", "--league", "club"),
    ("league", "export", "club", "OUT/export"),
    ("league", "export", "club", "--site", "OUT/site"),
    ("league", "run", "club", "--dry-run", "--jobs", "1"),
    ("league", "status"),
    ("league", "withdraw", "club", "ada", "--yes"),
    ("ratings", "club", "--json"),
    ("replay", "club", "1-2/1"),
    ("store", "backup", "OUT/backup"),
    ("store", "show"),
)
SEEDS: Final = 14
"""Kinds of damage that each command is tried with."""


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a store with something of everything, in one file."""

    def write(directory: Path) -> None:
        scenes.write_open(directory / "upcard.db")
        with closing(sqlite3.connect(directory / "upcard.db")) as connection:
            connection.execute("UPDATE fault SET bundle = ?", (zlib.compress(b'{"schema": 1}'),))
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    return shared(tmp_path_factory, "damaged-store", write) / "upcard.db"


def flip_bit(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def flip_bytes(data: bytearray, random: Random) -> None:
    for _ in range(random.choice((3, 10, 50, 300))):
        data[random.randrange(len(data))] = random.randrange(256)


def truncate(data: bytearray, random: Random) -> None:
    del data[random.randrange(100, len(data)) :]


def replace_page(data: bytearray, random: Random) -> None:
    old, new = (PAGE * random.randrange(len(data) // PAGE) for _ in range(2))
    data[old : old + PAGE] = data[new : new + PAGE]


def replace_some(data: bytearray, random: Random) -> None:
    start, size = random.randrange(len(data) - 200), random.choice((1, 4, 30, 200))
    data[start : start + size] = random.choice((bytes(size), random.randbytes(size)))


def replace_text(data: bytearray, random: Random) -> None:
    """Change a value and nothing of the structure, so that only its reader can notice."""
    word = random.choice(VALUES)
    place = data.find(word, random.randrange(len(data)))
    if place >= 0:
        at = place + random.randrange(len(word))
        data[at] = random.choice(b'0Z"{[-\x00\xff')


VALUES: Final = (
    *(b"club", b"euchre", b"crashed", b"trick 3", b"enforced", b"open", b"disk", b"2026-05-01"),
    *(b'"target"', b'"hands"', b'["euchre"]', b'{"1": [', b'"decision": 1.0', b"python", b"bert"),
)
DAMAGES: Final[tuple[Callable[[bytearray, Random], None], ...]] = (
    *(flip_bit, flip_bytes, truncate, replace_page, replace_some),
    replace_text,
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_says_in_one_line_what_is_wrong(
    upcard: Upcard, sound: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    place, out = tmp_path / "store" / "upcard.db", tmp_path / "out"
    for seed in range(SEEDS):
        random = Random(f"{command} {seed}")
        data = bytearray(sound.read_bytes())
        DAMAGES[seed % len(DAMAGES)](data, random)
        for directory in (place.parent, out):
            shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(sound.parent, place.parent)
        place.write_bytes(data)
        out.mkdir()
        words = [word.replace("OUT", str(out)) for word in command]
        said = upcard(*words, "--db", place)
        assert said.code in {0, 1, 2}, seed
        if said.code:
            assert said.err.startswith("upcard: "), seed
            assert said.err.count("\n") == 1, seed
        if said.code == 1:
            assert str(place) in said.err, seed


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_works_with_a_sound_store(
    upcard: Upcard, sound: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    place = tmp_path / "store" / "upcard.db"
    shutil.copytree(sound.parent, place.parent)
    words = [word.replace("OUT", str(tmp_path)) for word in command]
    said = upcard(*words, "--db", place)
    assert said.code == 0, said.err


def test_a_value_that_no_reader_takes_is_told(upcard: Upcard, sound: Path, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    shutil.copy(sound, place)
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE side SET tallies = '[3]'")
        connection.commit()
    said = upcard("duels", "club", "--db", place)
    expected = f"upcard: the store {place}: it is damaged; go back to a backup\n"
    assert (said.code, said.err) == (1, expected)


def test_in_a_sound_store_no_damage_is_found(sound: Path) -> None:
    with open_store(str(sound)) as store:
        assert damage(store) == ""
