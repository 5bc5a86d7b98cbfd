"""Writes what bots print to files as it comes, each line with the duel, room and hand it is about.

An SDK's `log` begins its lines with the table and the turn, from which the rest follows. A line
without them is about the turn that is open, if there is but one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.arena.duel import Duel
from referee.arena.place import Place
from referee.arena.player import Opened, Turn
from referee.engine.cards import Seat
from referee.engine.seating import room_names, room_title

LogFiles = Mapping[tuple[int, Seat], Path]
"""The file of each seat of A (0) and of B (1)."""

_LOGGED: Final = re.compile(rb"\[table \d{1,20}, turn (\d{1,20})\] ")
_RECENT: Final = 4096
"""How many of the latest turns are remembered; a frame has 256 at most."""
_LONGEST: Final = 1 << 16
"""Bytes after which a line is written though it has not ended."""


class BotLogs:
    """The output of a session's bots, as far as there are files for it."""

    def __init__(self, files: LogFiles, duels: Sequence[Duel]) -> None:
        """Take the files, which are added to, and the duels of the session."""
        self._seats = {
            (entrant, seat): _SeatLog(file, {duel.seed(seat): duel.number + 1 for duel in duels})
            for (entrant, seat), file in files.items()
        }

    def output(self, entrant: int, seat: Seat) -> Callable[[bytes], None]:
        """Return what takes the output of the bot in a seat, empty bytes at its end."""
        log = self._seats.get((entrant, seat))
        return log.write if log else _drop

    def asked(self, place: Place, opened: Sequence[Opened], turns: Sequence[Turn]) -> None:
        """Note the matches that a frame opens and the turns that it asks."""
        if log := self._seats.get((place.entrant, place.seat)):
            log.asked(place.room, opened, turns)


def _drop(_: bytes) -> None:
    pass


class _SeatLog:
    def __init__(self, file: Path, duels: Mapping[int, int]) -> None:
        self._file = file
        self._duels = duels
        """Their numbers, from 1, by the seed of the match for this seat."""
        self._tables: dict[int, int] = {}
        """The duel of each."""
        self._turns: dict[int, str] = {}
        """Where each is, the latest last."""
        self._open: set[str] = set()
        """Where the turns of the last frame are."""
        self._unfinished = b""

    def asked(self, room: int, opened: Sequence[Opened], turns: Sequence[Turn]) -> None:
        self._tables |= {each.table: self._duels[each.seed] for each in opened}
        if not turns:
            return
        asked = {turn.turn: self._where(room, turn) for turn in turns}
        self._open = set(asked.values())
        self._turns |= asked
        while len(self._turns) > _RECENT:
            del self._turns[next(iter(self._turns))]

    def _where(self, room: int, turn: Turn) -> str:
        duel, hand = self._tables[turn.table], turn.match.hand + 1
        title = room_title(room_names(turn.match.game)[room])
        return f"duel {duel}, {title}, hand {hand}"

    def write(self, piece: bytes) -> None:
        *lines, self._unfinished = (self._unfinished + piece).split(b"\n")
        if self._unfinished and (not piece or len(self._unfinished) > _LONGEST):
            lines.append(self._unfinished)
            self._unfinished = b""
        if lines:
            text = b"".join(self._labelled(line) + b"\n" for line in lines)
            # A full disk must not end a duel; what else is written to it reports the error.
            with suppress(OSError), self._file.open("ab", buffering=0) as file:
                file.write(text)

    def _labelled(self, line: bytes) -> bytes:
        logged = _LOGGED.match(line)
        if logged and (where := self._turns.get(int(logged[1]))):
            return f"[{where}, turn {int(logged[1])}] ".encode() + line[logged.end() :]
        if logged or not line or len(self._open) != 1:
            return line
        return f"[{', '.join(self._open)}] ".encode() + line
