"""What an entry of a choice reads and changes: whether its options can be listed untried."""

from collections.abc import Iterable
from typing import Final

from upcard.recycle.action_code import PRIMITIVES
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes import Node

Touched = frozenset[tuple[str, str | None]]
"""What is read or changed: a family and a name in it, or None for the whole family."""

_NOTHING: Final[Touched] = frozenset()
_CARDS: Final = ("cards", None)
"""Where all cards are: moving one counts as a change of every place."""
_CYCLES: Final = ("cycles", None)
_DRAWING: Final = frozenset({"random", "max", "min", "shuffle"})
_CYCLIC: Final = frozenset({"current", "next", "previous", "other"})
_HOLDING_CARDS: Final = frozenset({Kind.PLACE, Kind.MEMORY, Kind.PLACES})
_LOOPS: Final = frozenset({"each", "repeat", "repeat all"})
_DEEPEST: Final = 10
"""Actions that are nested deeper are tried out."""
_HEAVIEST: Final = 2_000
"""Likewise what consists of more nodes."""


def is_independent(entry: Node) -> bool:
    """Whether nothing that an entry of a choice asks depends on what it did before.

    Then the options can be listed from the position as it is. If what is asked may be drawn at
    random they are tried out as well, on a copy, so that listing them leaves no trace.
    """
    if may_draw((entry,)) or entry.weight > _HEAVIEST or _depth(entry) > _DEEPEST:
        return False
    for part in entry.all():
        if part.op in _LOOPS and any(inner.op == "either" for inner in part.all()):
            return False
    return _changed_by(entry, _NOTHING) is not None


def may_draw(nodes: Iterable[Node]) -> bool:
    """Whether something may be drawn at random by an action, or to work out an expression."""
    return any(part.op in _DRAWING for found in nodes for part in found.all())


def _depth(action: Node) -> int:
    """Return how deep actions are nested."""
    inside = (part for part in action.parts if part.kind is Kind.ACTION)
    return 1 + max(map(_depth, inside), default=0)


def _changed_by(action: Node, before: Touched) -> Touched | None:
    """Return what an action changes; None if it reads any of what was changed before it."""
    if action.op in PRIMITIVES:
        return None if _meet(_read_by(action), before) else _changes(action)
    conditions = [part for part in action.parts if part.kind is not Kind.ACTION]
    if any(_meet(_reads(condition), before) for condition in conditions):
        return None
    actions = [part for part in action.parts if part.kind is Kind.ACTION]
    if action.op in _LOOPS:
        before |= _all_changes(action)
    changed = _NOTHING
    for part in actions:
        more = _changed_by(part, before | changed)
        if more is None:
            return None
        changed |= more
    return changed


def _all_changes(action: Node) -> Touched:
    """Return what an action changes, whatever it reads."""
    return _NOTHING.union(*(_changes(part) for part in action.all() if part.op in PRIMITIVES))


def _changes(primitive: Node) -> Touched:
    """Return what a primitive action changes."""
    if primitive.op in {"set", "inc", "dec", "update"}:
        return frozenset({_stored(primitive.parts[0])})
    if primitive.op == "cycle":
        return frozenset({_CYCLES})
    return _NOTHING if primitive.op == "turn" else frozenset({_CARDS})


def _read_by(primitive: Node) -> Touched:
    """Return what a primitive action reads; of what it changes, what it reads to find it."""
    if primitive.op in {"set", "inc", "dec", "update"}:
        target, value = primitive.parts
        return _NOTHING.union(_reads(value), *map(_reads, target.parts))
    if primitive.op in {"move", "remember"}:
        card, target, *index = primitive.parts
        return _NOTHING.union({_CARDS}, *map(_reads, (card, *target.parts, *index)))
    return _reads(primitive)


def _reads(expression: Node) -> Touched:
    """Return what an expression reads."""
    read: set[tuple[str, str | None]] = set()
    for part in expression.all():
        if part.op == "stored":
            read.add(_stored(part))
        elif part.op in _CYCLIC:
            read.add(_CYCLES)
        elif part.op == "owner" or part.kind in _HOLDING_CARDS or part.kind is Kind.CARDS:
            read.add(_CARDS)
    return frozenset(read)


def _stored(found: Node) -> tuple[str, str | None]:
    """Return what is read of storage."""
    name = found.parts[1]
    return found.word, name.word if name.op == "string" else None


def _meet(read: Touched, changed: Touched) -> bool:
    """Whether something that is read was changed."""
    return any(
        family == other and (name == another or None in {name, another})
        for family, name in read
        for other, another in changed
    )
