"""All matches of a league in a game's other notations, written one after the other."""

import json
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from referee.engine.game import Game, Notation
from referee.engine.record import MatchRecord
from referee.errors import ConfigError

_HEADING: Final = "% PBN 2.1\r\n% EXPORT\r\n"


class NotationFile(NamedTuple):
    """A file of all matches in one notation."""

    file: str
    heading: str
    match: Callable[[int, MatchRecord], str]
    """Writes a match, the n-th of the file, from 1."""


def notation_files(game: Game) -> list[NotationFile]:
    """Return the files there are of a game."""
    return [_WRITTEN[suffix](write) for suffix, write in game.notations.items()]


def duel_text(file: NotationFile, duel: int, rooms: Sequence[MatchRecord]) -> str:
    """Write both matches of a duel, the n-th of the export, from 1."""
    first = 2 * duel - 1
    return "".join(file.match(number, record) for number, record in enumerate(rooms, first))


def _egn(write: Notation) -> NotationFile:
    """A file of it holds one match only, so each line is such a file."""

    def match(_number: int, record: MatchRecord) -> str:
        try:
            egn = json.loads("".join(write([record])))
        except ConfigError:
            egn = None  # It is too long for the notation.
        return json.dumps(egn, separators=(",", ":")) + "\n"

    return NotationFile("matches.egn.jsonl", "", match)


def _pbn(write: Notation) -> NotationFile:
    """What is written alone says that it is the first match, and begins with the heading."""

    def match(number: int, record: MatchRecord) -> str:
        games = "".join(write([record])).removeprefix(_HEADING)
        return games and games.replace('[Match "1"]', f'[Match "{number}"]') + "\r\n"

    return NotationFile("matches.pbn", _HEADING, match)


_WRITTEN: Final = {".egn": _egn, ".pbn": _pbn}
