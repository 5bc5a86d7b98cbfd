"""The constructs that take any number of parts, bind a variable, or say whose a thing is."""

from typing import Final

from upcard.recycle import bounds
from upcard.recycle.constants import folded
from upcard.recycle.kinds import COMPARED, ELEMENT, FILTERED, Kind, serves
from upcard.recycle.nodes import Node, node
from upcard.recycle.reader import ACCESS, Construct, NumberedSeat, Reader
from upcard.recycle.tokens import Sort, Token
from upcard.recycle.tree import Form, Item, is_token

_STORED: Final = {"sto": Kind.INTEGER, "str": Kind.STRING, "points": Kind.POINTS}
_PLACES: Final = {
    "vloc": Kind.PLACE,
    "iloc": Kind.PLACE,
    "hloc": Kind.PLACE,
    "oloc": Kind.PLACE,
    "mem": Kind.MEMORY,
}
_COLLECTION: Final = tuple(ELEMENT)


def _several(kind: Kind) -> Construct:
    """Return the reader of an operation on two or more of a kind."""

    def construct(reader: Reader, form: Form) -> Node:
        op = str(form.items[0])
        if len(form.items) < 3:
            raise reader.expected(f"({op} …) of at least two", form)
        parts = []
        for item in form.items[1:]:
            parts.append(reader.value(item, kind))  # noqa: PERF401 (a frame less)
        if kind is Kind.INTEGER and len(parts) > 2:
            reader.is_newer = True
        return folded(reader.page, node(op, kind, form.at, *parts))

    return construct


def _equality(reader: Reader, form: Form) -> Node:
    """Read ``(== A B)`` or ``(!= A B)``."""
    op = str(form.items[0])
    _, *items = reader.sized(form, f"({op} A B)", 3)
    left = reader.value(items[0])
    right = reader.value(items[1])
    for item, side in zip(items, (left, right), strict=True):
        if side.kind not in COMPARED:
            raise reader.error(item, f"({op} …) does not compare {side.kind.value}: {item}")
    if left.kind is not right.kind:
        message = f"({op} …) compares {left.kind.value} with {right.kind.value}: {form}"
        raise reader.error(form, message)
    return node(op, Kind.TRUTH, form.at, left, right)


def _quantified(reader: Reader, form: Form) -> Node:
    """Read ``(all COLLECTION 'V X)`` or ``(any COLLECTION 'V X)``; X says what it is.

    Of conditions it is a condition; of actions ``"each"`` runs all and ``"either"`` gives an
    option for each; of cards ``"collected"`` is a collection; of numbers ``"total"`` is their sum.
    """
    op = str(form.items[0])
    _, source, variable, body = reader.sized(form, f"({op} COLLECTION 'V X)", 4)
    collection = reader.value(source, *_COLLECTION)
    with reader.bound(variable, ELEMENT[collection.kind]) as number:
        found = reader.value(body)
    if found.kind is Kind.TRUTH:
        return node(op, Kind.TRUTH, form.at, collection, found, variable=number)
    if found.kind is Kind.ACTION:
        if op == "any" and not reader.in_choice:
            reader.page.warn(
                form.at, "outside a choice (any …) acts on every item, as (all …) does"
            )
        op = "either" if op == "any" and reader.in_choice else "each"
        return node(op, Kind.ACTION, form.at, collection, found, variable=number)
    if op == "all" and serves(found.kind, Kind.CARDS):
        kind = Kind.PLACES if found.kind is Kind.PLACE else Kind.SETS
        return node("collected", kind, form.at, collection, found, variable=number)
    if op == "all" and found.kind is Kind.INTEGER:
        return node("total", Kind.INTEGER, form.at, collection, found, variable=number)
    wanted = "a condition or an action" + (", cards or an integer" if op == "all" else "")
    raise reader.error(body, f"expected {wanted} in ({op} …), found {found.kind.value}: {body}")


def _filter(reader: Reader, form: Form) -> Node:
    """Read ``(filter COLLECTION 'V BOOL)``."""
    _, source, variable, body = reader.sized(form, "(filter COLLECTION 'V BOOL)", 4)
    collection = reader.value(source, *_COLLECTION)
    with reader.bound(variable, ELEMENT[collection.kind]) as number:
        condition = reader.value(body, Kind.TRUTH)
    kind = FILTERED[collection.kind]
    return node("filter", kind, form.at, collection, condition, variable=number)


def _end(reader: Reader, form: Form) -> Node:
    """Read ``(top …)`` or ``(bottom …)``: a card, some cards, or one of several collections."""
    op = str(form.items[0])
    usage = f"({op} CARDS), ({op} INT CARDS) or ({op} INT CARDS using MAP)"
    items = reader.sized(form, usage, 2, 3, 5)
    if len(items) == 2:
        collection = reader.value(items[1], Kind.CARDS, Kind.SETS)
        return _one_of(op, form, collection)
    number = reader.value(items[1], Kind.INTEGER)
    cards = reader.value(items[2], Kind.CARDS)
    if len(items) == 3:
        return node("topmost", Kind.CARDS, form.at, number, cards, word=op)
    if not is_token(items[3], "using"):
        raise reader.expected("'using'", items[3])
    points = reader.value(items[4], Kind.POINTS)
    return node("run", Kind.CARDS, form.at, number, cards, points, word=op)


def _one_of(op: str, form: Form, collection: Node, *index: Node) -> Node:
    """Return one item of cards, or one of several collections."""
    if serves(collection.kind, Kind.SETS):
        kind = ELEMENT[collection.kind]
        return node("picked", kind, form.at, collection, *index, word=op)
    return node(op, Kind.CARD, form.at, collection, *index)


def _combined(reader: Reader, form: Form) -> Node:
    """Read ``(union C…)`` and the like, of collections or of one ``(all COLLECTION 'V C)``."""
    op = str(form.items[0])
    return _of_cards(reader, form, 1, f"({op} CARDS…) or ({op} (all COLLECTION 'V CARDS))")


def _partition(reader: Reader, form: Form) -> Node:
    """Read ``(partition KEY C…)`` or ``(partition KEY (all COLLECTION 'V C))``."""
    return _of_cards(reader, form, 2, "(partition KEY CARDS…)")


def _of_cards(reader: Reader, form: Form, first: int, usage: str) -> Node:
    """Read an operation on collections of cards, which begin with that item."""
    if len(form.items) <= first:
        raise reader.expected(usage, form)
    parts = []
    for item in form.items[1:first]:
        parts.append(reader.value(item, Kind.STRING))  # noqa: PERF401 (a frame less)
    for item in form.items[first:]:
        parts.append(reader.value(item, Kind.CARDS, Kind.SETS))  # noqa: PERF401 (likewise)
    kind = Kind.SETS if first == 2 else Kind.CARDS
    return node(str(form.items[0]), kind, form.at, *parts)


def _indexed(reader: Reader, form: Form) -> Node:
    """Read ``(indexed O LOC NAME)``: every place of that name."""
    reader.is_newer = True
    _, owner, kind, name = reader.sized(form, "(indexed O LOC NAME)", 4)
    if not is_token(kind, *_PLACES) or str(kind) == "mem":
        raise reader.expected("vloc, iloc, hloc or oloc", kind)
    whose = _owner(reader, owner)
    if whose.kind is Kind.TEAM:
        raise reader.error(owner, "teams own no cards")
    named = reader.value(name, Kind.STRING)
    return node("indexed", Kind.PLACES, form.at, whose, named, word=str(kind))


def _actual(reader: Reader, form: Form) -> Node:
    """Read ``(actual CARD)``: cards are always the actual ones."""
    return reader.value(reader.sized(form, "(actual CARD)", 2)[1], Kind.CARD)


def _access(reader: Reader, form: Form) -> Node:
    """Read a form that begins with whose or which something is, or with a condition."""
    head, *rest = form.items
    if isinstance(head, Token) and head.sort is Sort.NAME:
        return _strings(reader, form)
    if rest and is_token(rest[0], ","):
        return _strings(reader, form)
    whose = _owner(reader, head)
    if whose.kind is Kind.TRUTH:
        _, action = reader.sized(form, "(BOOL ACTION)", 2)
        return node("if", Kind.ACTION, form.at, whose, reader.value(action, Kind.ACTION))
    if whose.kind is Kind.INTEGER:
        return _numbered(reader, form, whose)
    if whose.kind not in {Kind.TABLE, Kind.PLAYER, Kind.TEAM}:
        raise reader.error(head, f"nothing begins with {whose.kind.value}: {form}")
    return _owned(reader, form, whose)


def _owner(reader: Reader, item: Item) -> Node:
    """Read whose something is: ``game``, or any expression."""
    if is_token(item, "game"):
        return node("table", Kind.TABLE, item.at)
    return reader.value(item)


def _owned(reader: Reader, form: Form, owner: Node) -> Node:
    """Read ``(O sto NAME)``, ``(O vloc NAME)``, ``(O vloc NAME INT)`` and so on."""
    usage = "(OWNER sto NAME), with sto, str, points, vloc, iloc, hloc, oloc or mem"
    _, family, name, *index = reader.sized(form, usage, 3, 4)
    if not is_token(family, *_STORED, *_PLACES):
        raise reader.expected("sto, str, points, vloc, iloc, hloc, oloc or mem", family)
    word = str(family)
    named = reader.value(name, Kind.STRING)
    if word in _STORED:
        if index:
            raise reader.expected(f"(OWNER {word} NAME)", form)
        return node("stored", _STORED[word], form.at, owner, named, word=word)
    if owner.kind is Kind.TEAM:
        raise reader.error(form, f"teams own no cards: {form}")
    parts = [owner, named]
    for item in index:
        reader.is_newer = True
        number = reader.value(item, Kind.INTEGER)
        if number.op == "number" and not 0 <= number.number < bounds.SLOTS:
            message = f"the index {number.number} is not within 0 to {bounds.SLOTS - 1}: {form}"
            raise reader.error(item, message)
        parts.append(number)
    return node("place", _PLACES[word], form.at, *parts, word=word)


def _numbered(reader: Reader, form: Form, number: Node) -> Node:
    """Read ``(INT player)``, ``(INT team)``, ``(INT CARDS)`` or ``(INT SETS)``."""
    _, of = reader.sized(form, "(INT player), (INT team) or (INT CARDS)", 2)
    if is_token(of, "player", "team"):
        kind = Kind.PLAYER if str(of) == "player" else Kind.TEAM
        if number.op == "number":
            reader.numbered_seats.append(NumberedSeat(number.at, number.number, kind))
        return node("seat", kind, form.at, number)
    collection = reader.value(of, Kind.CARDS, Kind.SETS)
    return _one_of("at", form, collection, number)


def _strings(reader: Reader, form: Form) -> Node:
    """Read ``(A, B, C)``."""
    strings = []
    for number, item in enumerate(form.items):
        if number % 2 == 0:
            strings.append(reader.value(item, Kind.STRING))
        elif not is_token(item, ","):
            raise reader.expected("',' between the strings of a list", item)
    if len(form.items) % 2 == 0:
        raise reader.expected("a string after the last ','", form)
    if len(strings) > bounds.CARDS:
        raise reader.error(form, f"a list has at most {bounds.CARDS} strings")
    return node("strings", Kind.STRINGS, form.at, *strings)


CONSTRUCTS: Final[dict[str, Construct]] = {
    ACCESS: _access,
    "game": _access,
    "+": _several(Kind.INTEGER),
    "*": _several(Kind.INTEGER),
    "and": _several(Kind.TRUTH),
    "or": _several(Kind.TRUTH),
    "==": _equality,
    "!=": _equality,
    "all": _quantified,
    "any": _quantified,
    "filter": _filter,
    "top": _end,
    "bottom": _end,
    "union": _combined,
    "intersect": _combined,
    "disjunction": _combined,
    "partition": _partition,
    "indexed": _indexed,
    "actual": _actual,
}
