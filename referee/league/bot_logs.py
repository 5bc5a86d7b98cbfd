"""Writes what bots print to files as it comes, each line with the decision it is about.

An SDK's `log` begins its lines with the table and the turn, from which the rest follows: the duel,
the room, the hand, and the move in it. A line without them is about the turn that is open, if there
is but one. `read_logs` finds what was written about each decision of a duel.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.arena.duel import Duel
from referee.arena.place import Place
from referee.arena.player import Opened, Turn
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.seating import entrant_at, room_names, room_title
from referee.league.duel_names import number_in

LogFiles = Mapping[tuple[int, Seat], Path]
"""The file of each seat of A (0) and of B (1)."""

_LOGGED: Final = re.compile(rb"\[table \d{1,20}, turn (\d{1,20})\] ")
_WRITTEN: Final = re.compile(
    r"\[duel (\d{1,9}), ([\w ]{1,40}), hand (\d{1,9}), move (\d{1,9})(?:, turn \d+)?\] (.*)"
)
_RECENT: Final = 4096
"""How many of the latest turns are remembered; a frame has 256 at most."""
_MOST_LINES: Final = 20
"""How much is read about one decision."""
_LONGEST: Final = 1 << 16
"""Bytes after which a line is written though it has not ended."""


class BotLogs:
    """The output of a session's bots, as far as there are files for it."""

    def __init__(self, files: LogFiles, duels: Sequence[Duel]) -> None:
        """Take the files, which are added to, and the duels of the session."""
        self._seats = {
            (entrant, seat): _SeatLog(
                file, {duel.seed(seat): number_in(duel.dealt.duel) for duel in duels}
            )
            for (entrant, seat), file in files.items()
        }

    def output(self, entrant: int, seat: Seat) -> Callable[[bytes], None]:
        """Return what takes the output of the bot in a seat, empty bytes at its end."""
        log = self._seats.get((entrant, seat))
        return log.write if log else _drop

    def asked(self, place: Place, opened: Sequence[Opened], turns: Sequence[Turn]) -> None:
        """Note the matches that a frame opens and the turns that it asks."""
        if log := self._seats.get((place.entrant, place.seat)):
            log.asked(place, opened, turns)


def _drop(_: bytes) -> None:
    pass


class _SeatLog:
    def __init__(self, file: Path, duels: Mapping[int, str]) -> None:
        self._file = file
        self._duels = duels
        """Their numbers, from 1, by the seed of the match for this seat."""
        self._tables: dict[int, str] = {}
        """The duel of each."""
        self._turns: dict[int, str] = {}
        """Where each is, the latest last."""
        self._open: set[str] = set()
        """Where the turns of the last frame are."""
        self._unfinished = b""

    def asked(self, place: Place, opened: Sequence[Opened], turns: Sequence[Turn]) -> None:
        self._tables |= {each.table: self._duels[each.seed] for each in opened}
        if not turns:
            return
        asked = {turn.turn: self._where(place, turn) for turn in turns}
        self._open = set(asked.values())
        self._turns |= asked
        while len(self._turns) > _RECENT:
            del self._turns[next(iter(self._turns))]

    def _where(self, place: Place, turn: Turn) -> str:
        duel, hand = self._tables[turn.table], turn.match.hand + 1
        title = room_title(room_names(turn.match.game)[place.room])
        return f"duel {duel}, {title}, hand {hand}, move {_move(place, turn)}"

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


def _move(place: Place, turn: Turn) -> int:
    """Return which move of its hand a turn is about, from 1."""
    match = place.open[turn.turn]
    # Who is started again is asked for moves that were made before.
    actions = place.repeated.get(match, match.sheet).actions
    hands = match.sheet.record().hands[: turn.match.hand]
    return actions - sum(len(hand.actions) for hand in hands) + 1


class Decision(NamedTuple):
    """Which decision of a duel something was written about."""

    room: int
    hand: int
    """From 1."""
    move: int
    """In its hand, from 1."""
    seat: Seat


Logged = Mapping[Decision, Sequence[str]]


def read_logs(files: LogFiles, game: Game, duel: str) -> Logged:
    """Return what stands in files about the decisions of a duel, by its number.

    Of much about one decision it is the beginning. Nothing is known of files that are not there.
    """
    logged: dict[Decision, list[str]] = {}
    for (entrant, seat), file in files.items():
        for decision, text in _written(file, game, duel, seat):
            if entrant_at(game, decision.room, seat) != entrant:
                continue
            lines = logged.setdefault(decision, [])
            if len(lines) < _MOST_LINES:
                lines.append(text)
    return logged


def _written(file: Path, game: Game, duel: str, seat: Seat) -> Iterator[tuple[Decision, str]]:
    rooms = {room_title(name): room for room, name in enumerate(room_names(game))}
    with suppress(OSError), file.open(encoding="utf-8", errors="backslashreplace") as lines:
        for line in lines:
            found = _WRITTEN.match(line)
            if found and found[1] == duel and found[2] in rooms:
                yield Decision(rooms[found[2]], int(found[3]), int(found[4]), seat), found[5]
