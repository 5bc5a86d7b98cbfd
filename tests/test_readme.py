"""What the README shows is what comes out."""

import doctest
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.bots import run

README = Path(__file__).parents[1] / "README.md"
BEGINNINGS = ("duel", "new", "bots", "simulate", "deal", "games")
"""The commands that need nothing of those before them."""


class Shown(NamedTuple):
    """A command, and what it prints."""

    words: str
    printed: str


def shown() -> list[list[Shown]]:
    """Return the commands that the README shows; each list is for a directory of its own."""
    commands = re.findall(
        r"^    \$ ./upcard (.*)\n((?:    (?!\$ ).+\n|\n(?=    (?!\$ )))*)",
        README.read_text(),
        re.MULTILINE,
    )
    groups: list[list[Shown]] = []
    for command in map(Shown._make, commands):
        if command.words.split()[0] in BEGINNINGS:
            groups.append([])
        groups[-1].append(command)
    return groups


def test_the_python_it_shows_gives_what_it_says() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert (results.failed, results.attempted > 0) == (0, True)


def test_all_that_it_begins_with_is_there() -> None:
    assert [group[0].words.split()[0] for group in shown()] == list(BEGINNINGS)


@pytest.mark.parametrize("commands", shown(), ids=lambda group: group[0].words.split()[0])
def test_the_commands_it_shows_print_what_it_says(commands: list[Shown], tmp_path: Path) -> None:
    """One after the other in one directory; a run that drew its seed is given the seed shown."""
    for words, printed in commands:
        seed = (
            re.findall(r"^    seed (\w+)$", printed, re.MULTILINE) if "--seed" not in words else []
        )
        given = [*shlex.split(words), *(word for one in seed for word in ("--seed", one))]
        ran = run(tmp_path, *given, columns=80)
        assert ran.code == 0, ran.err
        rest = ran.out
        for line in filter(str.strip, printed.replace("…", "").splitlines()):
            before, found, rest = rest.partition(line[4:])
            assert found, f"{line!r} does not come after {before!r}"
