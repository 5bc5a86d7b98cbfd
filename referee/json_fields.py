"""Reads fields of untrusted JSON: each has its type and is within bounds, or is refused."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NoReturn, TypeVar

from referee.engine.game import Game
from referee.engine.record import each_once
from referee.engine.registry import GAMES, kind
from referee.errors import ConfigError, RecordError

_Value = TypeVar("_Value")
MOST: Final = 1_000_000
"""Of anything that is counted."""

MOST_VALUES: Final = 1 << 20
"""In one piece of JSON; the longest duel of a built-in game has two thirds of that."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""JSON may have one, but nothing that is written or hashed in UTF-8."""

Fields = Mapping[str, Any]


def parsed(data: bytes) -> object:
    """Parse JSON in UTF-8, strictly; no field may be given twice."""
    refuse_crowded(data)
    try:
        return json.loads(data.decode(), object_pairs_hook=each_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise RecordError("", f"this is not JSON: {error.msg} at place {error.pos}") from None
    except UnicodeDecodeError:
        raise RecordError("", "this is not text in UTF-8") from None
    except (ValueError, RecursionError):
        raise RecordError("", "this is JSON too deep, or with too long a number") from None


def refuse_crowded(data: bytes) -> None:
    """Refuse what would take many times its size in memory, as empty lists do, before parsing."""
    if len(data) > MOST_VALUES and sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise RecordError("", "this has more values than any record")


def _no_number(name: str) -> NoReturn:
    raise RecordError("", f"{name} is no number")


def fields(read: object, field: str, names: Collection[str]) -> Fields:
    """Read an object that has exactly these fields."""
    if not isinstance(read, dict):
        raise RecordError(field, "must be a JSON object")
    inside = f"{field}." if field else ""
    for name in names:
        if name not in read:
            raise RecordError(f"{inside}{name}", "is missing")
    for name in read:
        if name not in names:
            raise RecordError(f"{inside}{name[:80]}", f"is unknown; known are {', '.join(names)}")
    return read


def refuse_other_schema(read: object, latest: int, what: str) -> int:
    """Return the number of a format; refuse what has none, or a newer one than is read."""
    schema = read.get("schema") if isinstance(read, dict) else None
    if type(schema) is not int or schema < 1:
        raise RecordError("schema", f"is missing or not a whole number; this is no {what}")
    if schema > latest:
        reason = f"is {schema}, newer than this program reads ({latest}); update upcard"
        raise RecordError("schema", reason)
    return schema


def items(read: object, field: str, most: int = MOST) -> Sequence[tuple[str, object]]:
    """Read a list: each item with the path to it."""
    if not isinstance(read, list) or len(read) > most:
        raise RecordError(field, f"must be a list of at most {most}")
    return [(f"{field}[{number}]", item) for number, item in enumerate(read)]


def text(read: object, field: str, most: int = 200) -> str:
    """Read text."""
    if not isinstance(read, str) or len(read) > most:
        raise RecordError(field, f"must be text of at most {most} characters")
    if _SURROGATE.search(read):
        raise RecordError(field, "is no Unicode: it has half of a surrogate pair")
    return read


def printable(read: object, field: str, most: int = 200) -> str:
    """Read a name: no control character, nor one that changes the direction of text."""
    found = text(read, field, most)
    if not found or not found.isprintable():
        raise RecordError(field, f"must be 1 to {most} printable characters")
    return found


def whole(read: object, field: str, least: int = 0, most: int = MOST) -> int:
    """Read a whole number."""
    if type(read) is not int or not least <= read <= most:
        raise RecordError(field, f"must be a whole number from {least} to {most}")
    return read


def number(
    read: object, field: str, least: float = 0, most: float = MOST, *, what: str = "a number"
) -> float:
    """Read a number."""
    if type(read) not in {int, float} or not least <= read <= most:  # type: ignore[operator] # one of those types
        raise RecordError(field, f"must be {what} from {least} to {most}")
    return float(read)  # type: ignore[arg-type] # likewise


def one_of(read: object, field: str, allowed: Collection[_Value]) -> _Value:
    """Read one of a few values; true is not 1."""
    found = next((each for each in allowed if type(each) is type(read) and each == read), None)
    if found is None:
        words = ", ".join(json.dumps(each) for each in allowed)
        raise RecordError(field, f"must be one of {words}")
    return found


def game(name: object, rules: object) -> Game:
    """Read a game and all of its rules, from the fields of these names."""
    found = kind(one_of(name, "game", tuple(GAMES)))
    chosen = fields(rules, "rules", [option.name for option in found.options])
    for option in found.options:
        if type(chosen[option.name]) is not type(option.default):
            raise RecordError(f"rules.{option.name}", f"must be {option.allowed}, as JSON has it")
    try:
        return found.with_rules(chosen)
    except ConfigError as error:
        raise RecordError("rules", str(error)) from None


def flag(read: object, field: str) -> bool:
    """Read true or false."""
    if not isinstance(read, bool):
        raise RecordError(field, "must be true or false")
    return read


def digest(read: object, field: str) -> str:
    """Read a SHA-256."""
    found = text(read, field)
    if len(found) != 64 or not set(found) <= set("0123456789abcdef"):
        raise RecordError(field, "must be 64 lower-case hexadecimal digits")
    return found


def moment(read: object, field: str) -> str:
    """Read a time."""
    found = text(read, field, 40)
    try:
        datetime.fromisoformat(found)
    except ValueError:
        raise RecordError(field, "must be a time, as in 2025-01-31T18:30:00+00:00") from None
    return found


def instant(moment: str) -> datetime:
    """Return a time that was read; one that names no zone is universal time."""
    found = datetime.fromisoformat(moment)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def expect(field: str, found: object, expected: object) -> None:
    """Refuse a value other than the one that follows from the rest."""
    if found != expected:
        raise RecordError(field, f"is {_short(found)}, but should be {_short(expected)}")


def refuse_other_moment(field: str, found: str | None, expected: str) -> None:
    """Refuse another time than the one that follows; the same may be written in two zones."""
    if found is None or instant(found) != instant(expected):
        expect(field, found, expected)


def _short(value: object) -> str:
    words = json.dumps(value)
    return words if len(words) <= 80 else f"{words[:77]}..."
