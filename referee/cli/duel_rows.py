"""What is told of each duel of a league, and how programs are told it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from referee.arena.duel import Timing
from referee.arena.fault import ROOM_NAMES
from referee.cli.league_facts import moment
from referee.engine.cards import SEAT_NAMES
from referee.engine.record import MatchRecord
from referee.league.duel_names import duel_name
from referee.league.table import Table
from referee.store.kept import KeptDuel, KeptFault, KeptVoid
from referee.store.play import unpacked

COLUMNS: Final = (
    "duel",
    "first",
    "second",
    "result",
    "matches_won",
    "open_north_south",
    "open_east_west",
    "closed_north_south",
    "closed_east_west",
    "margin",
    "hands",
    "faults",
    "faults_of_other",
    "slowest_seconds",
    "slowest_seconds_of_other",
    "ended",
    "reason",
)
RESULTS: Final = ("lost", "drawn", "won")


class Line(NamedTuple):
    """A duel, and what the two are called."""

    duel: KeptDuel
    names: tuple[str, str]
    rooms: tuple[MatchRecord, MatchRecord]

    @property
    def slowest(self) -> tuple[Timing | None, Timing | None]:
        """Give the slowest decision of each."""
        first, second = self.duel.sides
        return first.slowest, second.slowest

    def at_fault(self, fault: KeptFault) -> str:
        """Name whose fault it was."""
        return self.names[fault.entrant != self.duel.key.first]


def lines(table: Table, duels: Iterable[KeptDuel]) -> Iterator[Line]:
    """Read the play of duels."""
    for duel in duels:
        names = table.names[duel.key.first], table.names[duel.key.second]
        yield Line(duel, names, unpacked(duel.play, table.league.dealt(duel.key)))


def where(fault: KeptFault) -> str:
    """Tell where in its duel a fault happened."""
    return f"{ROOM_NAMES[fault.room]} room, hand {fault.hand + 1}, {SEAT_NAMES[fault.seat]}"


def duel_row(line: Line) -> Sequence[object]:
    """Give a duel as a row."""
    duel = line.duel
    opened, closed = line.rooms
    faults = [sum(line.at_fault(fault) == name for fault in duel.faults) for name in line.names]
    slowest = [f"{timing.seconds:.6f}" if timing else "" for timing in line.slowest]
    return (
        *(duel_name(duel.key), *line.names, RESULTS[duel.wins], duel.wins),
        *(*opened.score, *closed.score, duel.margin, duel.hands),
        *(*faults, *slowest, moment(duel.finished), ""),
    )


def void_row(table: Table, void: KeptVoid) -> Sequence[object]:
    """Give a void as a row."""
    key = void.key
    result = "unplayed" if key in table.unplayed else "void"
    names = table.names[key.first], table.names[key.second]
    return (duel_name(key), *names, result, *[""] * 11, moment(void.at), void.reason)


def duel_as_json(line: Line) -> dict[str, object]:
    """Give all that is to be told of a duel."""
    duel = line.duel
    return {
        "duel": duel_name(duel.key),
        "first": line.names[0],
        "second": line.names[1],
        "result": RESULTS[duel.wins],
        "matches_won": duel.wins,
        "scores": {name: room.score for name, room in zip(ROOM_NAMES, line.rooms, strict=True)},
        "margin": duel.margin,
        "hands": duel.hands,
        "faults": [_fault_as_json(line, fault) for fault in duel.faults],
        "slowest": [timing and _timing_as_json(timing) for timing in line.slowest],
        "tallies": [dict(side.tallies) for side in duel.sides],
        "ended": moment(duel.finished),
    }


def _fault_as_json(line: Line, fault: KeptFault) -> dict[str, object]:
    return {
        "kind": fault.kind,
        "entrant": line.at_fault(fault),
        "room": ROOM_NAMES[fault.room],
        "hand": fault.hand + 1,
        "seat": SEAT_NAMES[fault.seat],
        "explanation": fault.explanation,
        "forfeits": fault.forfeits,
    }


def _timing_as_json(timing: Timing) -> dict[str, object]:
    return {
        "seconds": timing.seconds,
        "room": ROOM_NAMES[timing.room],
        "hand": timing.hand + 1,
        "seat": SEAT_NAMES[timing.seat],
        "decision": timing.decision,
    }
