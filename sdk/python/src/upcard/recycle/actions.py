"""The constructs that do something."""

from typing import Final

from upcard.recycle.kinds import ELEMENT, Kind
from upcard.recycle.nodes import Node, node
from upcard.recycle.reader import Construct, Reader
from upcard.recycle.tokens import Token
from upcard.recycle.tree import Form, Item, is_token

_SEATS: Final = ("current", "next", "previous")
_ENDS: Final = frozenset({"top", "bottom", "at"})
_OF_CARDS: Final = frozenset({*_ENDS, "max", "min"})
_VALUE: Final = tuple({*ELEMENT, *ELEMENT.values(), Kind.TRUTH})


def _do(reader: Reader, form: Form) -> Node:
    """Read ``(do (E1 E2 …))``: the parts are what to do in order."""
    _, block = reader.sized(form, "(do (ACTION …))", 2)
    parts = []
    for item in reader.block(block):
        parts.append(reader.value(item, Kind.ACTION))  # noqa: PERF401 (a frame less)
    return node("do", Kind.ACTION, form.at, *parts)


def _let(reader: Reader, form: Form) -> Node:
    """Read ``(let VALUE 'V X)``."""
    _, source, variable, body = reader.sized(form, "(let VALUE 'V ACTION)", 4)
    value = reader.value(source, *_VALUE)
    with reader.bound(variable, value.kind, value) as number:
        action = reader.value(body, Kind.ACTION)
    return node("let", Kind.ACTION, form.at, value, action, variable=number)


def _move(reader: Reader, form: Form) -> Node:
    """Read ``(move CARD PLACE)``: the parts are the card, the place and, if given, the index."""
    _, card, target = reader.sized(form, "(move CARD (top PLACE))", 3)
    moved = reader.value(card, Kind.CARD)
    if moved.op in _OF_CARDS and moved.parts[0].kind is Kind.MEMORY:
        raise reader.error(card, f"(move …) takes no card out of a memory place: {card}")
    end = _target(reader, target, Kind.PLACE)
    return node("move", Kind.ACTION, form.at, moved, *end.parts, word=end.op)


def _target(reader: Reader, item: Item, wanted: Kind) -> Node:
    """Read where a card is put: an end of, or an index in, a real place."""
    end = reader.value(item, Kind.CARD)
    if end.op not in _ENDS or end.parts[0].kind is not wanted:
        usage = f"(top X), (bottom X) or (INT X), where X is {wanted.value}, as the target"
        raise reader.expected(usage, item)
    return end


def _stored(reader: Reader, form: Form) -> Node:
    """Read ``(set …)``, ``(inc …)``, ``(dec …)`` and ``(update …)`` of something stored."""
    op = str(form.items[0])
    amount_may_lack = op in {"inc", "dec"}
    usage = f"({op} (OWNER sto NAME) VALUE)"
    items = reader.sized(form, usage, *((2, 3) if amount_may_lack else (3,)))
    target = reader.value(items[1])
    if target.op != "stored" or (amount_may_lack and target.kind is not Kind.INTEGER):
        raise reader.expected(usage, form)
    if op == "update" and target.kind is not Kind.POINTS:
        raise reader.expected("(update (OWNER points NAME) (AWARD …))", form)
    if len(items) == 2:
        reader.is_newer = True
        value = reader.literal(form, 1)
    elif target.kind is Kind.POINTS:
        reader.is_newer = reader.is_newer or op == "update"
        value = _awards(reader, items[2])
    else:
        value = reader.value(items[2], target.kind)
    return node(op, Kind.ACTION, form.at, target, value)


def _awards(reader: Reader, item: Item) -> Node:
    """Read ``(AWARD …)``."""
    if not isinstance(item, Form) or any(isinstance(award, Token) for award in item.items):
        raise reader.expected("a list of awards, as (((RANK : A) 14) ((RANK : K) 13))", item)
    parts = []
    for award in item.items:
        assert isinstance(award, Form)
        parts.append(_award(reader, award))
    return node("awards", Kind.POINTS, item.at, *parts)


def _award(reader: Reader, form: Form) -> Node:
    """Read ``((KEY : VAL) … INT)``: the parts are each key and value, then the number."""
    parts = []
    for pair in form.items[:-1]:
        if not isinstance(pair, Form) or len(pair.items) != 3 or not is_token(pair.items[1], ":"):
            raise reader.expected("(KEY : VALUE) in an award", pair)
        parts.append(reader.value(pair.items[0], Kind.STRING))
        parts.append(reader.value(pair.items[2], Kind.STRING))
    if not parts:
        raise reader.expected("an award, as ((KEY : VALUE) INT)", form)
    parts.append(reader.value(form.items[-1], Kind.INTEGER))
    return node("award", Kind.POINTS, form.at, *parts)


def _shuffle(reader: Reader, form: Form) -> Node:
    """Read ``(shuffle PLACE)``."""
    if len(form.items) > 1 and is_token(form.items[1], "faro"):
        raise reader.error(form, "(shuffle faro …) is not supported")
    _, item = reader.sized(form, "(shuffle PLACE)", 2)
    cards = reader.value(item, Kind.CARDS)
    if cards.kind is Kind.CARDS:
        reader.page.warn(form.at, "shuffling anything but a place has no effect")
        return node("turn", Kind.ACTION, form.at)
    return node("shuffle", Kind.ACTION, form.at, cards)


def _cycle(reader: Reader, form: Form) -> Node:
    """Read ``(cycle next X)`` or ``(cycle current X)``."""
    usage = "(cycle next PLAYER) or (cycle current PLAYER)"
    _, which, item = reader.sized(form, usage, 3)
    if not is_token(which, "next", "current"):
        raise reader.expected(usage, form)
    if is_token(item, *_SEATS):
        player = node(str(item), Kind.PLAYER, item.at)
    else:
        player = reader.value(item, Kind.PLAYER)
        reader.is_newer = reader.is_newer or player.op in {*_SEATS, "seat"}
    return node("cycle", Kind.ACTION, form.at, player, word=str(which))


def _repeat(reader: Reader, form: Form) -> Node:
    """Read ``(repeat N ACTION)`` or ``(repeat all (move …))``."""
    _, times, item = reader.sized(form, "(repeat INT ACTION) or (repeat all ACTION)", 3)
    if not is_token(times, "all"):
        number = reader.value(times, Kind.INTEGER)
        return node("repeat", Kind.ACTION, form.at, number, reader.value(item, Kind.ACTION))
    action = reader.value(item, Kind.ACTION)
    if action.op not in {"move", "forget", "remember"} or action.parts[0].op not in _OF_CARDS:
        usage = "(move …) or (forget …) of a card of a collection, as (move (top X) …)"
        raise reader.expected(usage, item)
    return node("repeat all", Kind.ACTION, form.at, action)


def _remember(reader: Reader, form: Form) -> Node:
    """Read ``(remember CARD MEMORY)``: the parts are those of a move."""
    _, card, item = reader.sized(form, "(remember CARD (top MEMORY))", 3)
    remembered = reader.value(card, Kind.CARD)
    target = reader.value(item, Kind.MEMORY, Kind.CARD)
    if target.kind is Kind.MEMORY:
        return node("remember", Kind.ACTION, form.at, remembered, target, word="top")
    if target.op not in _ENDS or target.parts[0].kind is not Kind.MEMORY:
        raise reader.expected("a memory place as the target", item)
    return node("remember", Kind.ACTION, form.at, remembered, *target.parts, word=target.op)


def _forget(reader: Reader, form: Form) -> Node:
    """Read ``(forget CARD)``: the parts are the card and the memory place, if the text names it."""
    _, item = reader.sized(form, "(forget CARD)", 2)
    card = reader.value(item, Kind.CARD)
    memory = card.parts[:1] if card.op in _OF_CARDS else ()
    if memory and memory[0].kind is not Kind.MEMORY:
        raise reader.error(item, f"(forget …) takes a card of a memory place, not {item}")
    return node("forget", Kind.ACTION, form.at, card, *memory)


def _swap(reader: Reader, form: Form) -> Node:
    """Read ``(swap CARD CARD)`` or ``(swap PLACE PLACE)``."""
    reader.is_newer = True
    _, one, other = reader.sized(form, "(swap CARD CARD) or (swap PLACE PLACE)", 3)
    left = reader.value(one, Kind.CARD, Kind.PLACE)
    return node("swap", Kind.ACTION, form.at, left, reader.value(other, left.kind))


def _not_in_play(reader: Reader, form: Form) -> Node:
    """Refuse to make decks and teams during play."""
    raise reader.error(form, "(create …) is supported in (setup …) only")


def _misplaced(reader: Reader, form: Form) -> Node:
    """Refuse what is a part of a program where an action is wanted."""
    message = (
        f"({form.items[0]} …) has to be a part of the game or of a stage; it is inside another"
    )
    raise reader.error(form, message)


CONSTRUCTS: Final[dict[str, Construct]] = {
    "do": _do,
    "let": _let,
    "move": _move,
    "set": _stored,
    "inc": _stored,
    "dec": _stored,
    "update": _stored,
    "shuffle": _shuffle,
    "cycle": _cycle,
    "repeat": _repeat,
    "remember": _remember,
    "forget": _forget,
    "swap": _swap,
    "create": _not_in_play,
    "choice": _misplaced,
    "stage": _misplaced,
    "declare": _misplaced,
    "setup": _misplaced,
    "scoring": _misplaced,
}
