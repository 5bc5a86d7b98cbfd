"""The duels of a league: who won, by how much, with which faults, how slowly."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from typing_extensions import TypedDict

from referee.arena.duel import Timing
from referee.arena.fault import FaultKind, RoomName
from referee.engine.cards import SeatName
from referee.engine.record import MatchRecord
from referee.json_forms import hand_place, moment
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.reports.facts import Facts, facts, void
from referee.store.models import StoredDuel, StoredFault, StoredVoid
from referee.store.play import unpacked

DuelOutcome = Literal["lost", "drawn", "won"]
RESULTS: Final[tuple[DuelOutcome, DuelOutcome, DuelOutcome]] = ("lost", "drawn", "won")
"""How a duel ended for its first entrant, by how many of the two matches it won."""


class Scores(TypedDict):
    """The score of the match in each room, North-South's first."""

    open: tuple[int, ...]
    closed: tuple[int, ...]


class FaultReport(TypedDict):
    """Something a bot did wrong in a duel."""

    kind: FaultKind
    entrant: str
    room: RoomName
    hand: int
    """From 1."""
    seat: SeatName
    explanation: str
    forfeits: bool
    """Whether it cost the match."""


class TimingReport(TypedDict):
    """How long a decision took."""

    seconds: float
    room: RoomName
    hand: int
    """From 1."""
    seat: SeatName
    decision: str
    """What was to be decided (``trick 3``)."""


class DuelReport(TypedDict):
    """A duel; of two values, the first entrant's comes first."""

    duel: str
    first: str
    second: str
    result: DuelOutcome
    """Of the first."""
    matches_won: int
    """By the first."""
    scores: Scores
    margin: float
    """What the first won over the hands that count, in points."""
    hands: int
    """How many count."""
    faults: list[FaultReport]
    slowest: tuple[TimingReport | None, TimingReport | None]
    tallies: tuple[dict[str, int], dict[str, int]]
    """How many hands, and how often each thing that the game counts."""
    ended: str


class DuelsReport(Facts):
    """The duels that were asked for; of the voids, too, only those that were."""

    duels: list[DuelReport]


class DuelLine(NamedTuple):
    """A duel, and what the two are called."""

    duel: StoredDuel
    names: tuple[str, str]
    rooms: tuple[MatchRecord, MatchRecord]

    @property
    def slowest(self) -> tuple[Timing | None, Timing | None]:
        """Return the slowest decision of each."""
        first, second = self.duel.sides
        return first.slowest, second.slowest

    def at_fault(self, fault: StoredFault) -> str:
        """Name whose fault it was."""
        return self.names[fault.entrant != self.duel.key.first]


def lines(table: LeagueTable, duels: Iterable[StoredDuel]) -> Iterator[DuelLine]:
    """Read the play of duels."""
    for duel in duels:
        names = table.names[duel.key.first], table.names[duel.key.second]
        yield DuelLine(duel, names, unpacked(duel.play, table.league.dealt(duel.key)))


def where(fault: StoredFault) -> str:
    """Return where in its duel a fault happened."""
    place = hand_place(fault.room, fault.hand, fault.seat)
    return f"{place['room']} room, hand {place['hand']}, {place['seat']}"


def duels(
    table: LeagueTable, lines: Iterable[DuelLine], voids: Iterable[StoredVoid]
) -> DuelsReport:
    """Return these duels and voids of a league."""
    return {
        **facts(table),
        "duels": [*map(duel, lines)],
        "voids": [void(table, each) for each in voids],
    }


def duel(line: DuelLine) -> DuelReport:
    """Return a duel."""
    played = line.duel
    opened, closed = line.rooms
    first, second = played.sides
    return {
        "duel": duel_name(played.key),
        "first": line.names[0],
        "second": line.names[1],
        "result": RESULTS[played.wins],
        "matches_won": played.wins,
        "scores": {"open": opened.score, "closed": closed.score},
        "margin": played.margin,
        "hands": played.hands,
        "faults": [fault(each, line.at_fault(each)) for each in played.faults],
        "slowest": (
            first.slowest and slowest(first.slowest),
            second.slowest and slowest(second.slowest),
        ),
        "tallies": (dict(first.tallies), dict(second.tallies)),
        "ended": moment(played.finished),
    }


def fault(fault: StoredFault, entrant: str) -> FaultReport:
    """Return a fault, and whose it was."""
    return {
        "kind": fault.kind,
        "entrant": entrant,
        **hand_place(fault.room, fault.hand, fault.seat),
        "explanation": fault.explanation,
        "forfeits": fault.forfeits,
    }


def slowest(timing: Timing) -> TimingReport:
    """Return a slow decision."""
    return {
        "seconds": timing.seconds,
        **hand_place(timing.room, timing.hand, timing.seat),
        "decision": timing.decision,
    }
