"""The duels of a league: who won, by how much, with which faults, how slowly."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from typing_extensions import TypedDict

from referee.arena.duel import Timing
from referee.arena.fault import FaultKind
from referee.engine.game import Game
from referee.engine.record import MatchRecord
from referee.engine.seating import room_names, room_title
from referee.json_forms import hand_place, moment
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.ratings.results import matches_won
from referee.reports.facts import Facts, facts, void
from referee.store.models import StoredDuel, StoredFault, StoredVoid
from referee.store.play import unpacked

DuelOutcome = Literal["lost", "drawn", "won"]
RESULTS: Final[tuple[DuelOutcome, DuelOutcome, DuelOutcome]] = ("lost", "drawn", "won")
"""How a duel ended for its first entrant, by its `wins`."""


class FaultReport(TypedDict):
    """Something a bot did wrong in a duel."""

    kind: FaultKind
    entrant: str
    room: str
    hand: int
    """From 1."""
    seat: str
    explanation: str
    forfeits: bool
    """Whether it cost the match."""


class TimingReport(TypedDict):
    """How long a decision took."""

    seconds: float
    room: str
    hand: int
    """From 1."""
    seat: str
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
    matches_lost: int
    scores: dict[str, tuple[int, ...]]
    """The score of the match in each room: a number for each side, in order."""
    margin: float
    """What the first won over the hands that count, in points."""
    hands: int
    """How many count."""
    faults: list[FaultReport]
    slowest: tuple[TimingReport | None, TimingReport | None]
    tallies: tuple[dict[str, int], dict[str, int]]
    """How many hands, and how often each thing that the game counts.

    Each hand is counted for each side that an entrant has in it.
    """
    ended: str


class DuelsReport(Facts):
    """The duels that were asked for; of the voids, too, only those that were."""

    duels: list[DuelReport]


class DuelLine(NamedTuple):
    """A duel, and what the two are called."""

    duel: StoredDuel
    names: tuple[str, str]
    rooms: tuple[MatchRecord, ...]

    @property
    def matches(self) -> tuple[int, int]:
        """Return how many matches each won."""
        return matches_won(self.rooms)

    @property
    def game(self) -> Game:
        """Return what was played."""
        return self.rooms[0].game

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
    league = table.league
    for duel in duels:
        names = table.names[duel.key.first], table.names[duel.key.second]
        rooms = unpacked(duel.play, league.dealt(duel.key), league.plan.terms.game)
        yield DuelLine(duel, names, rooms)


def where(game: Game, fault: StoredFault) -> str:
    """Return where in its duel a fault happened."""
    place = hand_place(game, fault.room, fault.hand, fault.seat)
    return f"{room_title(place['room'])}, hand {place['hand']}, {place['seat']}"


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
    played, game = line.duel, line.game
    (won, lost), (first, second) = line.matches, played.sides
    scores = (record.score for record in line.rooms)
    return {
        "duel": duel_name(played.key),
        "first": line.names[0],
        "second": line.names[1],
        "result": RESULTS[played.wins],
        "matches_won": won,
        "matches_lost": lost,
        "scores": dict(zip(room_names(game), scores, strict=True)),
        "margin": played.margin,
        "hands": played.hands,
        "faults": [fault(game, each, line.at_fault(each)) for each in played.faults],
        "slowest": (
            first.slowest and slowest(game, first.slowest),
            second.slowest and slowest(game, second.slowest),
        ),
        "tallies": (dict(first.tallies), dict(second.tallies)),
        "ended": moment(played.finished),
    }


def fault(game: Game, fault: StoredFault, entrant: str) -> FaultReport:
    """Return a fault, and whose it was."""
    return {
        "kind": fault.kind,
        "entrant": entrant,
        **hand_place(game, fault.room, fault.hand, fault.seat),
        "explanation": fault.explanation,
        "forfeits": fault.forfeits,
    }


def slowest(game: Game, timing: Timing) -> TimingReport:
    """Return a slow decision."""
    return {
        "seconds": timing.seconds,
        **hand_place(game, timing.room, timing.hand, timing.seat),
        "decision": timing.decision,
    }
