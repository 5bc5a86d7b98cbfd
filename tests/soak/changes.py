"""Changes files at random: in a place or a few, as JSON, as a program in RECYCLE, or as bytes.

All that is drawn comes from a `Random`, so a seed is an input.
"""

import base64
import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

_NUMBERS: Final = (1, 1, 1, 2, 3, 4)
"""How many changes; with more, what the first one breaks hides the others."""
_WILD: Final[Sequence[object]] = (
    *(None, True, False, -1, 0, 1, 2, 3, 7, 99, 2**31, 2**63, 10**30, 10**400, -0.5, 0.5, 1e308),
    *("", "N", "S", "open", "closed", "complete", "pass", "order_up", "JD", "9S"),
    *("é\ud800", "\x1b", "\u202e", "9" * 5000, "x" * 70_000, "0" * 64, "f" * 64),
    *("2025-01-31T18:30:00+00:00", "0001-01-01", "9999-12-31T23:59:59-23:59"),
    *("crashed", "decision_timeout", "enforced"),
    *([], {}, [[]], [{}], [0] * 300, {"": 0}, {"schema": 1}, [["N", "pass"]]),
)
_TOKENS: Final = (
    *(b"", b"[", b"]", b"{", b"}", b'"', b",", b":", b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf"),
    *(b"null", b"NaN", b"-1e999", b"9" * 5000, b"[" * 5000, b'{"a":' * 5000, b"\\ud800", b" "),
    *(b"1", b"-", b".", b"0", b"\xf0\x9f\x98\x80", b"../", b'"schema":3,', b"a,b,c\n"),
)
_WORD: Final = re.compile(rb"[^\s()]+")
_KINDS: Final = ("replace", "remove", "repeat", "swap", "inside")


class Change(NamedTuple):
    """One change of a file."""

    by_structure: bool
    """Whether a value of JSON, or an expression of a program, is changed as a whole."""
    kind: str
    where: int
    """A place in it; counted from the start again where there are fewer."""
    other: int
    """Another place, of which something is taken."""
    value: object
    token: bytes


def drawn(random: Random) -> list[Change]:
    """Draw what is changed in a file."""
    return [
        Change(
            random.random() < 0.5,
            random.choice(_KINDS),
            random.getrandbits(24),
            random.getrandbits(24),
            random.choice(_WILD),
            random.choice(_TOKENS),
        )
        for _ in range(random.choice(_NUMBERS))
    ]


def changed(data: bytes, wanted: Sequence[Change]) -> bytes:
    """Return a file with changes; what has no structure any more is changed as bytes."""
    for change in wanted:
        if not change.by_structure:
            data = _changed_bytes(data, change)
        elif data.startswith((b"(", b";")):
            data = _changed_program(data, change)
        else:
            data = _changed_json(data, change)
    return data


def _changed_bytes(data: bytes, change: Change) -> bytes:
    start = change.where % (len(data) + 1)
    length = change.other % 40
    match change.kind:
        case "replace":
            return data[:start] + change.token + data[start + length :]
        case "remove":
            return data[:start] + data[start + length :]
        case "repeat":
            return data[: start + length] + data[start:]
        case _:
            bit = 1 << change.other % 8
            flipped = bytes([data[start] ^ bit]) if start < len(data) else change.token
            return data[:start] + flipped + data[start + 1 :]


def _changed_program(data: bytes, change: Change) -> bytes:
    """Change one expression in parentheses, or one word."""
    found = _expressions(data)
    if change.kind == "inside" or not found:
        found = [word.span() for word in _WORD.finditer(data)]
    if not found:
        return _changed_bytes(data, change)
    start, end = found[change.where % len(found)]
    other_start, other_end = found[change.other % len(found)]
    one, other = data[start:end], data[other_start:other_end]
    match change.kind:
        case "remove":
            return data[:start] + data[end:]
        case "repeat":
            return data[:end] + b" " + one + data[end:]
        case "swap" if end <= other_start:
            return data[:start] + other + data[end:other_start] + one + data[other_end:]
        case _:
            return data[:start] + other + data[end:]


def _expressions(data: bytes) -> list[tuple[int, int]]:
    """Return where each expression in parentheses begins and ends; comments do not count."""
    found, opened = list[tuple[int, int]](), list[int]()
    for token in re.finditer(rb";;[^\n]*|[()]", data):
        if token[0] == b"(":
            opened.append(token.start())
        elif token[0] == b")" and opened:
            found.append((opened.pop(), token.end()))
    return sorted(found)


def _changed_json(data: bytes, change: Change) -> bytes:
    """Change one value in one of the lines; a document in several lines is one."""
    try:
        lines = _read(data)
    except (ValueError, RecursionError):
        lines = []
    places = _places(lines)
    if not places:
        return _changed_bytes(data, change)
    holder, last = places[change.where % len(places)]
    _change_value(holder, last, change, places)
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def _read(data: bytes) -> list[Any]:
    """Return the JSON of each line, or of a document in several."""
    text = data.decode()
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def _places(document: object) -> list[tuple[Any, Any]]:
    """Return where each value is: in what, and at which index or key."""
    found: list[tuple[Any, Any]] = []
    waiting = [document]
    for holder in waiting:
        inside: Any = ()
        if isinstance(holder, dict):
            inside = holder.items()
        elif isinstance(holder, list):
            inside = enumerate(holder)
        for key, value in inside:
            found.append((holder, key))
            waiting.append(value)
    return found


def _change_value(
    holder: Any,  # noqa: ANN401 # JSON
    last: Any,  # noqa: ANN401 # an index or a key
    change: Change,
    places: Sequence[tuple[Any, Any]],
) -> None:
    match change.kind:
        case "replace":
            holder[last] = change.value
        case "remove":
            del holder[last]
        case "repeat" if isinstance(holder, list):
            holder.insert(change.other % (len(holder) + 1), holder[last])
        case "repeat":
            holder[f"{last}{change.other % 3}"] = holder[last]
        case "swap":
            other, key = places[change.other % len(places)]
            holder[last] = json.loads(json.dumps(other[key]))
        case _:
            holder[last] = _changed_within(holder[last], change)


def _changed_within(value: object, change: Change) -> object:
    """Change a number or a text a little; of what is base64, often the bytes that it stands for."""
    # The lower bits say which value it is.
    number = change.where >> 16
    if isinstance(value, int):
        return value + (1, -1, 1 << change.other % 70)[number % 3]
    if not isinstance(value, str):
        return change.value
    inside = change._replace(kind=_KINDS[number % 4], where=change.other, other=number)
    try:
        data = base64.b64decode(value if number % 5 else "?", validate=True)
    except ValueError:
        # What is no UTF-8 any more becomes lone surrogates, which JSON may have.
        data = _changed_bytes(value.encode(errors="surrogatepass"), inside)
        return data.decode(errors="surrogateescape")
    return base64.b64encode(_changed_bytes(data, inside)).decode()
