"""Turns choices into functions that list their options.

Where nothing that an entry asks depends on what it did before, its options are listed as they
are: loops over the items of each ``any``. All else is tried out (`trials`).
"""

from collections.abc import Callable, Sequence
from typing import Final

from upcard.recycle.action_code import PRIMITIVES, Lines, LoggedActions, TracedActions, indented
from upcard.recycle.effects import is_independent, may_draw
from upcard.recycle.expression_code import Expressions
from upcard.recycle.nodes import Node

_MANY: Final = 50
"""So many entries of a choice get a function of their own if there are more."""
_LIGHT: Final = 2_000
"""Of so many nodes, in all entries that are tried out together, are the values of lets that are
worked out inside each."""
_MOST_COPIES: Final = 4
"""So many times as long as an entry the code that lists it may be, on average over its nodes."""
_SHORT: Final = 16
"""So many actions of an option are not worth the time to count them."""
_FEW: Final = 32
"""So few options are not worth the time to count them."""


class ListedActions(LoggedActions):
    """Writes actions that are not carried out, but added to a list."""

    def __init__(self, expressions: Expressions) -> None:
        """Write expressions by that."""
        super().__init__(expressions)
        self.target = ""
        """The list."""
        self.places: Final[dict[int, str]] = {}
        """Where the cards lie that a variable stands for, if the actor surely sees them there."""

    def place_seen(self, card: Node, name: str) -> str:
        """Return what the actor knows of a card; nothing was moved yet."""
        return self.places.get(card.variable) or super().place_seen(card, name)

    def prepare(self, found: Node) -> None:
        """Write the functions for expressions only: the list is known inside one function."""
        self.expressions.prepare(found)

    def act(self, found: Node) -> tuple[Lines, str]:
        """Return what a primitive action needs before, and the act."""
        before, function, arguments, known, _ = self.primitive(found)
        return before, f"({function}, ({arguments}), {known})"

    def _primitive_lines(self, found: Node) -> Lines:
        before, act = self.act(found)
        return [*before, f"{self.target}.append({act})"]


class Choices:
    """Writes the functions that list the options of choices."""

    def __init__(self, expressions: Expressions, *, tries_all: bool = False) -> None:
        """Write expressions by that.

        Args:
            expressions: writes into the unit of the program.
            tries_all: whether all options are tried out, which has to come to the same.
        """
        self._expressions: Final = expressions
        self._listed: Final = ListedActions(expressions)
        self._traced: Final = TracedActions(expressions)
        self._tries_all: Final = tries_all
        self._at = 0
        """Where the entry is whose options are listed."""

    def lines(self, choice: Node, lets: tuple[Node, ...]) -> Lines:
        """Return the lines that list the options of a choice, inside its lets, and ask for one."""
        bindings = []
        for let in lets:
            self._expressions.prepare(let.parts[0])
            bindings.append(self._expressions.binding(let))
        lines = ["s.to_act = pc[-1]", "out = []"]
        variables: Lines = []
        values = [let.parts[0] for let in lets]
        may_list = not self._tries_all and all(map(is_independent, values))
        listed = [may_list and _is_listed(entry) for entry in choice.parts]
        if any(listed):
            lines += bindings
            variables += [f"v{let.variable}" for let in lets]
        tried = self._bound(bindings, lets, listed.count(False))
        draws = may_draw(values)
        for first in range(0, len(choice.parts), _MANY):
            more: Lines = []
            for number, entry in enumerate(choice.parts[first : first + _MANY], first):
                if listed[number]:
                    self._listed.prepare(entry)
                    self._at = entry.at
                    more += self._options((entry,), [str(number)])
                else:
                    self._traced.draws = draws or may_draw((entry,))
                    more += self._tried(entry, number, tried)
            if len(choice.parts) > _MANY:  # a function of many lines takes much memory to compile
                function = self._expressions.unit.function(more, ("out", *variables))
                more = [f"{function}({', '.join(('s', 'out', *variables))})"]
            lines += more
        return [*lines, f"return s.ask({choice.number}, out)"]

    def _bound(
        self, bindings: Lines, lets: tuple[Node, ...], entries: int
    ) -> Callable[[Node], Lines]:
        """Return what gives the lines that bind the variables an entry needs to be tried out."""
        weight = sum(let.parts[0].weight for let in lets)
        if weight * entries <= _LIGHT:
            return lambda _: bindings
        items = "".join(f"v{let.variable}, " for let in lets)
        function = self._expressions.unit.function([*bindings, f"return ({items})"])
        places = {f"v{let.variable}": place for place, let in enumerate(lets)}

        def bound(entry: Node) -> Lines:
            needed = [name for name in self._expressions.parameters(entry) if name in places]
            work = (weight + entry.weight) // 32
            lines = [f"s.spend({entry.at}, {work})", f"bound = {function}(s)"]
            return [*lines, *(f"{name} = bound[{places[name]}]" for name in needed)]

        return bound

    def _tried(self, entry: Node, number: int, bound: Callable[[Node], Lines]) -> Lines:
        """Return the lines that try out one entry."""
        self._traced.prepare(entry)
        lines = [*bound(entry), *self._traced.lines(entry)]
        function = self._expressions.unit.function(lines)
        return [f"try_out(s, {entry.at}, out, {number}, {function})"]

    def _options(self, todo: Sequence[Node], acts: Lines) -> Lines:
        """Return the lines that go on with each way to carry out actions after those acts."""
        lines: Lines = []
        waiting = list(reversed(todo))
        while waiting:
            found = waiting.pop()
            if found.op == "if" and len(acts) == 1 and all(map(_is_empty, waiting)):
                body = self._options(found.parts[1:], acts)
                return [*lines, f"if {self._expressions.code(found.parts[0])}:", *indented(body)]
            if not _has_ways(found):
                more, acts = self._plain(found, acts)
                lines += more
            elif found.op == "do":
                waiting += reversed(found.parts)
            elif found.op == "let":
                lines.append(self._expressions.binding(found))
                waiting.append(found.parts[1])
            else:
                return [*lines, *self._branches(found, waiting[::-1], acts)]
        return [*lines, *self._found(acts)]

    def _branches(self, found: Node, rest: Sequence[Node], acts: Lines) -> Lines:
        """Return the lines for what may be carried out in several ways, or not, and the rest."""
        otherwise = self._options(rest, acts)
        if found.op == "if":
            body = indented(self._options((found.parts[1], *rest), acts))
            condition = self._expressions.code(found.parts[0])
            return [f"if {condition}:", *body, "else:", *indented(otherwise)]
        lines = self._note_place(found)
        body = indented(self._options((found.parts[1], *rest), acts))
        items = self._expressions.unit.fresh()
        lines += [
            f"{items} = {self._expressions.items(found.parts[0])}",
            f"if len({items}) > {_FEW} or len(out) > {_FEW}:",
            f"    count_options(s, {found.at}, out, len({items}))",
            f"for v{found.variable} in {items}:",
            *body,
        ]
        return [*lines, f"if not {items}:", *indented(otherwise)] if otherwise else lines

    def _note_place(self, either: Node) -> Lines:
        """Note where the cards lie of which one is chosen, if the actor surely sees them there."""
        place = either.parts[0]
        while place.op == "filter":
            place = place.parts[0]
        if place.op != "place" or not _is_surely_seen(place):
            return []
        name = self._listed.places[either.variable] = self._expressions.unit.fresh()
        return [f"{name} = {self._expressions.code(place)}"]

    def _plain(self, found: Node, acts: Lines) -> tuple[Lines, Lines]:
        """Return the lines before, and the acts after, what can be carried out in one way only."""
        if found.op == "do":
            lines: Lines = []
            for part in found.parts:
                more, acts = self._plain(part, acts)
                lines += more
            return lines, acts
        if found.op == "let":
            lines, acts = self._plain(found.parts[1], acts)
            return [self._expressions.binding(found), *lines], acts
        if found.op not in {"if", "each", "repeat", "repeat all"}:
            name = self._expressions.unit.fresh()
            before, act = self._listed.act(found)
            return [*before, f"{name} = {act}"], [*acts, name]
        target = self._expressions.unit.fresh()
        self._listed.target = target
        return [f"{target} = []", *self._listed.lines(found)], [*acts, f"*{target}"]

    def _found(self, acts: Lines) -> Lines:
        """Return the lines that add an option, if it does anything."""
        option = f"({', '.join(acts)})"
        if len(acts) == 1:
            return []
        are_several = [act.startswith("*") for act in acts[1:]]
        if len(acts) <= _SHORT and not any(are_several):
            return [f"out.append({option})"]
        lines = [f"option = {option}", f"s.spend({self._at}, len(option))"]
        if all(are_several):
            return [*lines, "if len(option) > 1:", "    out.append(option)"]
        return [*lines, "out.append(option)"]


def _is_listed(entry: Node) -> bool:
    """Whether the options of an entry are listed, and not tried out."""
    if not is_independent(entry):
        return False
    acts = sum(part.op in PRIMITIVES for part in entry.all())
    return _length(entry, acts) <= _MOST_COPIES * entry.weight


def _length(action: Node, rest: int) -> int:
    """Return of how many nodes the code that lists an action is made, and what follows it.

    What follows an ``any``, or a condition around one, is written twice: inside, and for the case
    that there is no item, or that the condition does not hold.
    """
    if not _has_ways(action):
        return action.weight + rest
    if action.op == "do":
        for part in reversed(action.parts):
            rest = _length(part, rest)
        return 1 + rest
    value, body = action.parts
    return 1 + value.weight + _length(body, rest) + (0 if action.op == "let" else rest)


def _has_ways(action: Node) -> bool:
    """Whether there may be several ways to carry out an action."""
    return any(part.op == "either" for part in action.all())


def _is_empty(action: Node) -> bool:
    """Whether an action is a block of nothing, which adds no act."""
    return action.op == "do" and all(map(_is_empty, action.parts))


def _is_surely_seen(place: Node) -> bool:
    """Whether the actor sees what lies in a place, for every actor."""
    owner = place.parts[0]
    if place.word == "iloc":
        return owner.op == "current"
    return place.word == "vloc" or (place.word == "oloc" and owner.op == "table")
