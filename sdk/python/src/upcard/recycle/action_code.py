"""Turns actions into lines of Python."""

from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.recycle import bounds
from upcard.recycle.expression_code import Expressions, nested_deep
from upcard.recycle.kinds import ELEMENT, Kind
from upcard.recycle.moves import ON_TOP
from upcard.recycle.nodes import Node

if TYPE_CHECKING:
    from collections.abc import Callable

Lines = list[str]
PRIMITIVES: Final = frozenset(
    {
        *("move", "remember", "forget", "swap", "shuffle"),
        *("set", "inc", "dec", "update", "cycle", "turn"),
    }
)
_MANY: Final = 100
"""So many actions of a sequence get a function of their own if there are more."""
_FEW_TIMES: Final = 64
_LIGHT: Final = 2048
"""What is repeated no more often, and consists of no more nodes all times together, counts as no
work, unless it loops itself."""
_KNOWN_VALUES: Final = frozenset({"number", "string"})
_CARD_KINDS: Final = frozenset({Kind.CARD, Kind.CARDS, Kind.PLACE})
_BY_FACES: Final = frozenset(
    {
        *("cardatt", "score", "sum", "scoremax", "scoremin", "max", "min", "sort", "run"),
        *("runs", "tuples", "partition", "subsets", "intersect", "disjunction"),
    }
)
"""What follows from what is printed on cards."""


class Primitive(NamedTuple):
    """A primitive action: a call of one of the functions of `moves`."""

    before: Lines
    """What has to be worked out before."""
    function: str
    arguments: str
    """The arguments after the state, each with a comma behind it."""
    known: str
    """What the actor knows of it: of a card what `State.see` says, of a value whether he does."""
    after: Lines
    """What else has to be done then."""


def indented(lines: Lines) -> Lines:
    """Return the lines of a block."""
    return [f"    {line}" for line in lines] or ["    pass"]


class Actions:
    """Writes actions that are carried out at once."""

    def __init__(self, expressions: Expressions) -> None:
        """Write expressions by that."""
        self.sure = "True"
        """Whether the actor knows a value before it is stored."""
        self.expressions: Final = expressions
        self._calls: Final[dict[int, str]] = {}
        self._writers: Final[dict[str, Callable[[Node], Lines]]] = {
            **dict.fromkeys(PRIMITIVES, self._primitive_lines),
            **dict.fromkeys(("each", "repeat", "repeat all"), self._loop),
            "do": self._do,
            "if": self._if,
            "let": self._let,
            "either": self._either,
        }
        self._primitives: Final[dict[str, Callable[[Node], Primitive]]] = {
            **dict.fromkeys(("move", "remember"), self._move),
            **dict.fromkeys(("set", "inc", "dec", "update"), self._stored),
            "forget": self._forget,
            "shuffle": self._shuffle,
            "cycle": self._cycle,
            "turn": self._turn,
            "swap": self._swap,
        }

    def prepare(self, found: Node) -> None:
        """Write the functions for what is nested deep in there, the innermost first."""
        self.expressions.prepare(found)
        for part in nested_deep(found):
            if part.op not in self._writers:
                continue
            parameters = self.expressions.parameters(part)
            name = self.expressions.unit.function(self._writers[part.op](part), parameters)
            self._calls[id(part)] = f"{name}({', '.join(('s', *parameters))})"

    def lines(self, found: Node) -> Lines:
        """Return the lines that carry out an action."""
        call = self._calls.get(id(found))
        return [call] if call else self._writers[found.op](found)

    def primitive(self, found: Node) -> Primitive:
        """Return the call that a primitive action is."""
        return self._primitives[found.op](found)

    def place_seen(self, card: Node, name: str) -> str:
        """Return the place of a card, or its complement if the actor does not see the card."""
        del card
        return f"s.see({name})"

    def least_work(self, found: Node) -> int:
        """Return as what each turn of a loop counts at least."""
        del found
        return 1

    def loop(self, found: Node) -> str:
        """Return the head of a loop over a collection, or of one that repeats."""
        expressions = self.expressions
        if found.op in {"each", "either"}:
            collection, body = found.parts
            items = expressions.looked_at(collection, body, self.least_work(found))
            if collection.kind in {Kind.PLACE, Kind.MEMORY} or collection.op == "variable":
                items = f"list({items})"  # what is done may change it
            return f"for v{found.variable} in {items}:"
        if found.op == "repeat":
            times = f"range({expressions.code(found.parts[0])})"
            number, body = found.parts
            is_small = number.op == "number" and number.number * body.weight <= _LIGHT
            if is_small and number.number <= _FEW_TIMES and not body.loops:
                return f"for _ in {times}:"
        else:
            times = f"range(len({expressions.cards(found.parts[0].parts[0].parts[0])}))"
        weight = max(self.least_work(found), 1 + found.weight // 32)
        return f"for _ in looked_at(s, {found.at}, {times}, {weight}):"

    def _primitive_lines(self, found: Node) -> Lines:
        """Return the lines of a primitive action; what is common calls as little as it can."""
        code = self.expressions.code
        if found.op == "move" and found.parts[0].op == "top" and found.word == "top":
            source = found.parts[0].parts[0]
            if source.kind is Kind.PLACE:
                return [f"move_top(s, {found.at}, {code(source)}, {code(found.parts[1])})"]
        if found.op in {"set", "inc", "dec"}:
            return self._stored_lines(found)
        if found.op == "cycle":
            return [f"{'pq' if found.word == 'next' else 'pc'}[-1] = {code(found.parts[0])}"]
        before, function, arguments, _, after = self.primitive(found)
        return [*before, f"{function}(s, {arguments})", *after]

    def _stored_lines(self, found: Node) -> Lines:
        """Return the lines that store something."""
        target, value = found.parts
        code = self.expressions.code
        if target.kind is Kind.POINTS:
            return [f"{code(target)} = {self._chart(value)}"]
        if found.op == "set":
            return [f"{code(target)} = {code(value)}"]
        slot, number = self.expressions.unit.fresh(), self.expressions.unit.fresh()
        return [
            f"{slot} = {self.expressions.stored(target)}",
            f"{number} = n[{slot}] {'+' if found.op == 'inc' else '-'} {code(value)}",
            f"if not {-bounds.INTEGER - 1} <= {number} <= {bounds.INTEGER}:",
            f"    fit(s, {found.at}, {number})",
            f"n[{slot}] = {number}",
        ]

    def _do(self, found: Node) -> Lines:
        lines: Lines = []
        for first in range(0, len(found.parts), _MANY):
            parts = found.parts[first : first + _MANY]
            more = [line for part in parts for line in self.lines(part)]
            if len(found.parts) > _MANY:  # a function of many lines takes much memory to compile
                parameters = self.expressions.parameters(*parts)
                name = self.expressions.unit.function(more, parameters)
                more = [f"{name}({', '.join(('s', *parameters))})"]
            lines += more
        return lines

    def _if(self, found: Node) -> Lines:
        condition, action = found.parts
        return [f"if {self.expressions.code(condition)}:", *indented(self.lines(action))]

    def _let(self, found: Node) -> Lines:
        return [self.expressions.binding(found), *self.lines(found.parts[1])]

    def _loop(self, found: Node) -> Lines:
        return [self.loop(found), *indented(self.lines(found.parts[-1]))]

    def _either(self, found: Node) -> Lines:
        """Return the lines of an ``any`` of actions, of which a choice has to be made."""
        raise NotImplementedError(found.op)

    def _chart(self, awards: Node) -> str:
        recipe, values = self.expressions.recipe(awards)
        return f"chart(s, {awards.at}, {recipe}, {values})"

    def _move(self, found: Node) -> Primitive:
        card, target, *index = found.parts
        expressions = self.expressions
        moved = expressions.unit.fresh()
        if found.word == "at":
            put = f"index(s, {found.at}, {expressions.code(index[0])})"
        else:
            put = str(ON_TOP if found.word == "top" else 0)
        after = []
        if found.op == "move" and card.parts and card.parts[0].op == "variable":
            collection = card.parts[0]
            if collection.kind is Kind.CARDS:
                after = [f"{expressions.code(collection)}.remove({moved})"]
        return Primitive(
            [f"{moved} = {expressions.card(card)}"],
            found.op,
            f"{found.at}, {moved}, {expressions.code(target)}, {put}, ",
            self.place_seen(card, moved),
            after,
        )

    def _forget(self, found: Node) -> Primitive:
        card, *memory = found.parts
        forgotten = self.expressions.unit.fresh()
        where = (
            self.expressions.code(memory[0]) if memory else f"memory_of(s, {found.at}, {forgotten})"
        )
        return Primitive(
            [f"{forgotten} = {self.expressions.card(card)}"],
            "forget",
            f"{found.at}, {forgotten}, {where}, ",
            "True",
            [],
        )

    def _stored(self, found: Node) -> Primitive:
        target, value = found.parts
        slot = self.expressions.stored(target)
        if target.kind is Kind.POINTS:
            chart = self._chart(value)
            if found.op == "set":
                return Primitive([], "set_chart", f"{slot}, {chart}, ", self._known(value), [])
            arguments = f"{found.at}, {slot}, {chart}.awards, "
            return Primitive([], "update_chart", arguments, self._known(value), [])
        known = self._known(value)
        code = self.expressions.code(value)
        if found.op == "set":
            function = "set_count" if target.kind is Kind.INTEGER else "set_word"
            return Primitive([], function, f"{slot}, {code}, ", known, [])
        function = "add_count" if found.op == "inc" else "take_count"
        return Primitive([], function, f"{found.at}, {slot}, {code}, ", known, [])

    def _shuffle(self, found: Node) -> Primitive:
        place = self.expressions.code(found.parts[0])
        return Primitive([], "shuffle", f"{found.at}, {place}, ", "True", [])

    def _cycle(self, found: Node) -> Primitive:
        function = "queue" if found.word == "next" else "act_now"
        player = self.expressions.code(found.parts[0])
        return Primitive([], function, f"{player}, ", self._known(found.parts[0]), [])

    def _known(self, value: Node) -> str:
        """Return code that tells whether the actor knows a value before it is stored.

        He does not if it was drawn, or follows from cards that he did not see before.
        """
        if value.op in _KNOWN_VALUES:
            return "True"
        tests = [] if self.sure == "True" else [self.sure]
        waiting = [value]
        while waiting:
            found = waiting.pop()
            if found.variable != -1 and found.op != "variable":
                if any(part.op in _BY_FACES for part in found.all()):
                    return "False"  # of which cards is known only as it is worked out
                continue
            waiting += found.parts
            if found.op in _BY_FACES:
                tests += [self._seen(part) for part in found.parts if part.kind in _CARD_KINDS]
        return " and ".join(dict.fromkeys(tests)) or "True"

    def _seen(self, cards: Node) -> str:
        """Return code that tells whether the actor saw some cards before the option."""
        if cards.kind is not Kind.CARD:
            return f"sees_cards(s, {self.expressions.cards(cards)})"
        if any(part.kind is Kind.MEMORY for part in cards.parts):
            return "True"  # what is remembered everybody sees
        return f"sees_card(s, {self.expressions.code(cards)})"

    def _turn(self, _: Node) -> Primitive:
        return Primitive([], "pass_turn", "", "True", [])

    def _swap(self, found: Node) -> Primitive:
        if found.parts[0].kind is Kind.PLACE:
            one, other = map(self.expressions.code, found.parts)
            return Primitive([], "swap_places", f"{found.at}, {one}, {other}, ", "True", [])
        one, other = self.expressions.unit.fresh(), self.expressions.unit.fresh()
        before = [
            f"{name} = {self.expressions.card(part)}"
            for name, part in zip((one, other), found.parts, strict=True)
        ]
        known = f"(s.see({one}), s.see({other}))"
        return Primitive(before, "swap_cards", f"{found.at}, {one}, {other}, ", known, [])


_NOTE: Final = {Kind.CARD: "note_card", Kind.CARDS: "note_cards"}


class LoggedActions(Actions):
    """Writes actions of options, each of which takes memory."""

    def least_work(self, found: Node) -> int:
        """Return how many actions each turn of a loop takes at most, without those of its loops."""
        return sum(part.op in PRIMITIVES for part in found.all())


class TracedActions(LoggedActions):
    """Writes actions that are tried: carried out and logged, with a way chosen of each ``any``."""

    draws = False
    """Whether anything may be drawn at random, so that what follows may show what was drawn."""

    def _primitive_lines(self, found: Node) -> Lines:
        self.sure = "s.is_sure" if self.draws else "True"
        before, function, arguments, known, after = self.primitive(found)
        return [*before, f"s.act({function}, ({arguments}), {known})", *after]

    def _if(self, found: Node) -> Lines:
        """Return a condition; that something is done may show what was drawn before."""
        if not self.draws:
            return super()._if(found)
        before = self.expressions.unit.fresh()
        condition, action = found.parts
        inside = [f"{before} = s.hide()", *self.lines(action), f"s.is_hidden = {before}"]
        return [f"if {self.expressions.code(condition)}:", *indented(inside)]

    def _either(self, found: Node) -> Lines:
        collection, body = found.parts
        variable = f"v{found.variable}"
        items = self.expressions.looked_at(collection, body)
        taken = f"s.given() if s.is_given else s.choose({items})"
        note = _NOTE.get(ELEMENT[collection.kind])
        return [
            f"{variable} = {f's.{note}({taken})' if note else taken}",
            f"if {variable} is not None:",
            *indented(self.lines(body)),
        ]
