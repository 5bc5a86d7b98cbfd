"""How terms, timings, faults and guarantees are written as JSON, and read back strictly.

There is one form for what is read again, as plans in the store, exports and fault bundles are:
seats are tokens of the game, and hands are counted from 0. Reports are not read again: seats are
names, and hands are counted from 1 (`HandPlace`).
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, NotRequired, Protocol, get_args

from typing_extensions import TypedDict

from referee import json_fields
from referee.arena.duel import Timing
from referee.arena.fault import FAULT_KINDS, FaultKind
from referee.arena.limits import ASK_FORCED, MOST_TABLES, SKIP_FORCED, Policy, Terms, TimeLimits
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.options import Value
from referee.engine.seating import room_names
from referee.ratings.methods import METHODS
from referee.ratings.stopping import By, Until

MOST_ROUND_DUELS: Final = 1024
"""Duels of a pair in one round, at most."""
LONGEST_TEXT: Final = 4096
"""Characters of the longest text; no program of ours writes one that comes near."""
TERMS: Final = ("game", "rules", "limits", "policy", "tables", "at_least", "beat")
SEATED_TERMS: Final = ("game", "rules", "limits", "tables", "at_least")
"""The terms that one bot plays by; what a fault costs is none of them."""
_LIMITS: Final = {
    "decision": (0.01, 3600),
    "ready": (0.01, 3600),
    "bank": (0, 86400),
    "increment": (0, 86400),
}
"""The seconds that the options of the commands allow."""
LEVELS: Final = ("enforced", "weak", "missing")
"""How well a guarantee of the sandbox holds, the best first."""


class LimitsForm(TypedDict):
    """How long a bot may take, in seconds."""

    decision: float
    ready: float
    bank: float
    """0 is no such limit."""
    increment: float


class UntilForm(TypedDict):
    """How sure the order of the table has to be for the league to stop early."""

    confidence: float
    by: By
    top: NotRequired[int | None]
    """How many places have to be sure, from the first; all if this is null."""
    method: NotRequired[int]
    """How ratings are computed for it: 1 as in version 0.1, which wrote neither this nor `top`."""
    adaptive: NotRequired[bool]
    """Whether only those pairings play on that are needed; where it is not there, all do."""


class GameForm(TypedDict):
    """A game with all of its rules."""

    game: str
    rules: dict[str, Value]


class HandPlace(TypedDict):
    """Where in a duel something happened, as reports say it."""

    room: str
    """``open`` or ``closed``, or, where there are more rooms, ``room 1``."""
    hand: int
    """From 1."""
    seat: str


class FaultForm(NamedTuple):
    """A fault in a duel of a league, as everybody may know it."""

    kind: FaultKind
    entrant: int
    """Its number in the league."""
    seat: Seat
    room: int
    hand: int
    """From 0."""
    forfeits: bool
    explanation: str


class GuaranteeForm(TypedDict):
    """Something the sandbox keeps from bots, and how well."""

    name: str
    level: str
    """Enforced, weak or missing."""
    reason: str
    """Why it is not enforced."""
    remedy: str


def game_as_json(game: Game) -> GameForm:
    """Return a game and its rules."""
    return {"game": game.name, "rules": game.rules._asdict()}


def limits_as_json(limits: TimeLimits) -> LimitsForm:
    """Return how long a bot may take."""
    return {
        "decision": limits.decision,
        "ready": limits.ready,
        "bank": limits.bank,
        "increment": limits.increment,
    }


def terms_as_json(terms: Terms, names: Collection[str] = TERMS) -> dict[str, object]:
    """Return terms, or some of them."""
    form = {
        **game_as_json(terms.game),
        "limits": limits_as_json(terms.limits),
        "policy": {"forfeit_at": terms.policy.forfeit_at},
        "tables": terms.tables,
        "at_least": terms.at_least,
        "beat": terms.beat,
    }
    return {name: form[name] for name in names}


def terms_from_json(read: Mapping[str, object]) -> Terms:
    """Read terms from their fields.

    Raises:
        RecordError: they are not what `terms_as_json` returns.
    """
    policy = json_fields.fields(read["policy"], "policy", Policy._fields)
    return seated_terms_from_json(read)._replace(
        policy=Policy(json_fields.whole(policy["forfeit_at"], "policy.forfeit_at", 1)),
        beat=json_fields.number(read["beat"], "beat"),
    )


def seated_terms_from_json(read: Mapping[str, object]) -> Terms:
    """Read the terms that one bot plays by; the others have their defaults."""
    return Terms(
        json_fields.game(read["game"], read["rules"]),
        _limits(read["limits"]),
        tables=json_fields.whole(read["tables"], "tables", 1, MOST_TABLES),
        at_least=json_fields.whole(read["at_least"], "at_least", ASK_FORCED, SKIP_FORCED),
    )


def _limits(read: object) -> TimeLimits:
    found = json_fields.fields(read, "limits", TimeLimits._fields)
    return TimeLimits(
        **{
            name: json_fields.number(
                found[name], f"limits.{name}", least, most, what="a number of seconds"
            )
            for name, (least, most) in _LIMITS.items()
        }
    )


def until_as_json(until: Until) -> UntilForm:
    """Return what a league stops at."""
    form: UntilForm = {"confidence": until.confidence, "by": until.by}
    if until.method != METHODS[0]:
        form["top"] = until.top
        form["method"] = 1 + METHODS.index(until.method)
    if until.adaptive:
        form["adaptive"] = True
    return form


class Extent(Protocol):
    """How much is played, as the plan of a league and its export both say."""

    @property
    def duels(self) -> int:
        """Of each pairing, at most."""

    @property
    def until(self) -> Until | None:
        """How sure the order of the table has to be to stop earlier."""

    @property
    def round_duels(self) -> int | None:
        """How many a pair plays in a round, where pairs are chosen round by round."""


def extent_as_json(plan: Extent) -> dict[str, object]:
    """Return how much is played."""
    until = plan.until and until_as_json(plan.until)
    return {"duels": plan.duels, "until": until, **rounds_as_json(plan.round_duels)}


def rounds_as_json(round_duels: int | None) -> dict[str, int]:
    """Return how many duels a pair plays in a round; nothing where they are not."""
    return {} if round_duels is None else {"round_duels": round_duels}


def rounds_from_json(read: Mapping[str, object]) -> int | None:
    """Read how many duels a pair plays in a round, if pairs are chosen round by round."""
    found = read.get("round_duels")
    return None if found is None else json_fields.whole(found, "round_duels", 1, MOST_ROUND_DUELS)


def until_from_json(read: object) -> Until | None:
    """Read what a league stops at, if it does."""
    if read is None:
        return None
    is_first = isinstance(read, dict) and "method" not in read
    later = isinstance(read, dict) and "adaptive" in read
    names = Until._fields if later else Until._fields[:2] if is_first else Until._fields[:4]
    found = json_fields.fields(read, "until", names)
    by = json_fields.one_of(found["by"], "until.by", get_args(By))
    confidence = json_fields.number(found["confidence"], "until.confidence", 0, 1)
    if is_first:
        return Until(confidence, by, None, METHODS[0])
    top = found["top"]
    if top is not None:
        top = json_fields.whole(top, "until.top", 1)
    number = json_fields.whole(found["method"], "until.method", 2, len(METHODS))
    adaptive = later and json_fields.flag(found["adaptive"], "until.adaptive")
    return Until(confidence, by, top, METHODS[number - 1], adaptive)


def hand_place(game: Game, room: int, hand: int, seat: Seat) -> HandPlace:
    """Return where something happened, in the words of a report."""
    return {"room": room_names(game)[room], "hand": hand + 1, "seat": game.seat_names[seat]}


def fault_as_json(fault: FaultForm, game: Game) -> dict[str, object]:
    """Return a fault."""
    return fault._asdict() | _place(fault.room, fault.seat, game)


def _place(room: int, seat: Seat, game: Game) -> dict[str, str]:
    return {"seat": game.seats[seat], "room": room_names(game)[room]}


def fault_from_json(read: object, field: str, game: Game) -> FaultForm:
    """Read a fault."""
    found = json_fields.fields(read, field, FaultForm._fields)
    return FaultForm(
        kind_from_json(found["kind"], f"{field}.kind"),
        json_fields.whole(found["entrant"], f"{field}.entrant"),
        seat_from_json(found["seat"], f"{field}.seat", game),
        room_from_json(found["room"], f"{field}.room", game),
        json_fields.whole(found["hand"], f"{field}.hand"),
        json_fields.flag(found["forfeits"], f"{field}.forfeits"),
        json_fields.text(found["explanation"], f"{field}.explanation", LONGEST_TEXT),
    )


def timing_as_json(timing: Timing, game: Game) -> dict[str, object]:
    """Return how long a decision took."""
    place = _place(timing.room, timing.seat, game)
    return timing._asdict() | {"seconds": round(timing.seconds, 6), **place}


def timing_from_json(read: object, field: str, game: Game) -> Timing:
    """Read how long a decision took."""
    found = json_fields.fields(read, field, Timing._fields)
    return Timing(
        json_fields.number(found["seconds"], f"{field}.seconds"),
        room_from_json(found["room"], f"{field}.room", game),
        json_fields.whole(found["hand"], f"{field}.hand"),
        seat_from_json(found["seat"], f"{field}.seat", game),
        json_fields.text(found["decision"], f"{field}.decision"),
    )


def kind_from_json(read: object, field: str) -> FaultKind:
    """Read the kind of a fault."""
    return json_fields.one_of(read, field, FAULT_KINDS)


def seat_from_json(read: object, field: str, game: Game) -> Seat:
    """Read a seat."""
    return game.seats.index(json_fields.one_of(read, field, game.seats))


def room_from_json(read: object, field: str, game: Game) -> int:
    """Read a room."""
    names = room_names(game)
    return names.index(json_fields.one_of(read, field, names))


def guarantee_as_json(guarantee: Mapping[str, Any]) -> GuaranteeForm:
    """Return what everybody may know of a guarantee of the sandbox."""
    return {
        "name": guarantee["name"],
        "level": guarantee["level"],
        "reason": guarantee["reason"],
        "remedy": guarantee["remedy"],
    }


def guarantee_from_json(read: object, field: str) -> GuaranteeForm:
    """Read a guarantee of the sandbox."""
    found = json_fields.fields(read, field, GuaranteeForm.__required_keys__)
    return {
        "name": json_fields.printable(found["name"], f"{field}.name"),
        "level": level_from_json(found["level"], f"{field}.level"),
        "reason": json_fields.text(found["reason"], f"{field}.reason", LONGEST_TEXT),
        "remedy": json_fields.text(found["remedy"], f"{field}.remedy", LONGEST_TEXT),
    }


def level_from_json(read: object, field: str) -> str:
    """Read how well a guarantee holds."""
    return json_fields.one_of(read, field, LEVELS)


def moment(at: datetime) -> str:
    """Return a time as text, to the second."""
    return at.isoformat(timespec="seconds")
