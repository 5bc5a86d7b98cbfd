"""The course of a program: its stages, blocks and choices in the order in which they are run.

Nested stages are laid out flat, so that a position only has to remember a place in the course, and
its cycles. At each place is a function of the position that returns the place where it goes on, or
`STOP`. At the end of a stage is the test whether it ends; a stage begins by going there.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from upcard.recycle.action_code import Actions, Lines, indented
from upcard.recycle.choice_code import Choices
from upcard.recycle.nodes import Node
from upcard.recycle.state import NOBODY, STAY
from upcard.recycle.unit import Unit

STOP: Final = -1
"""Where a decision has to be made, or the hand is over."""


def all_parts(parts: Iterable[Node]) -> Iterator[Node]:
    """Yield the parts of a program and those of its stages, in the order of the text."""
    waiting = [*parts][::-1]
    while waiting:
        found = waiting.pop()
        if _is_around_choice(found):
            waiting.append(found.parts[1])
            continue
        yield found
        if found.op == "stage":
            waiting += found.parts[:0:-1]


def _is_around_choice(found: Node) -> bool:
    """Whether it is a ``let`` whose body is a choice, or another such ``let``."""
    inside = found
    while inside.op == "let":
        inside = inside.parts[1]
    return found.op == "let" and inside.op == "choice"


class Course:
    """Lays out the parts of a program."""

    def __init__(self, unit: Unit, actions: Actions, choices: Choices) -> None:
        """Write the functions by those."""
        self.functions: Final[list[str]] = []
        """The name of the function at each place."""
        self.ats: Final[list[int]] = []
        """Where in the page each place is."""
        self.parts: Final[list[int]] = []
        """Which of the program's parts each place belongs to; -1 for the end."""
        self.stops: Final[set[int]] = set()
        """Where the hand may stand."""
        self._unit: Final = unit
        self._actions: Final = actions
        self._choices: Final = choices
        self._count = 0

    def lay_out(self, found: Node, lets: tuple[Node, ...] = ()) -> None:
        """Add a part, which is inside those lets."""
        if _is_around_choice(found):
            self.lay_out(found.parts[1], (*lets, found))
            return
        part = self._count
        self._count += 1
        if found.op == "stage":
            self._stage(found, part)
        elif found.op == "choice":
            self._add(self._choices.lines(found, lets), found, part, stops=True)
        else:
            self._actions.prepare(found)
            work = found.weight // 32
            spend = [f"s.spend({found.at}, {work})"] if work else []
            here = len(self.functions)
            self._add([*spend, *self._actions.lines(found), f"return {here + 1}"], found, part)

    def end(self, score: Node) -> None:
        """Add the end, where each player is scored."""
        self._prepare(score)
        function = self._unit.function([f"return {self._actions.expressions.code(score)}"])
        self._add([f"return s.end({function})"], score, -1, stops=True)

    def _stage(self, found: Node, part: int) -> None:
        """Add a stage with its parts."""
        condition, *inner = found.parts
        self._prepare(condition)
        now, queued, count = (
            ("pc", "pq", self._unit.players)
            if found.word == "player"
            else ("tc", "tq", self._unit.teams)
        )
        enter = len(self.functions)
        self._add([], found, part)
        for node in inner:
            self.lay_out(node)
        again = len(self.functions)
        enters = [f"{now}.append({now}[-1])", f"{queued}.append({STAY})", f"return {again}"]
        self.functions[enter] = self._unit.function(enters)
        ends = [f"{now}.pop()", f"{queued}.pop()", f"return {again + 1}"]
        goes_on = [
            f"following = {queued}[-1]",
            f"{queued}[-1] = {NOBODY}",
            "if following >= 0:",
            f"    {now}[-1] = following",
            f"elif following == {NOBODY}:",
            f"    {now}[-1] = ({now}[-1] + 1) % {count}",
            f"return {enter + 1}",
        ]
        is_over = self._actions.expressions.code(condition)
        self._add([f"if {is_over}:", *indented(ends), *goes_on], found, part)

    def _prepare(self, found: Node) -> None:
        """Write the functions for what is nested deep in an expression."""
        self._actions.expressions.prepare(found)

    def _add(self, lines: Lines, found: Node, part: int, *, stops: bool = False) -> None:
        """Add a place."""
        if stops:
            self.stops.add(len(self.functions))
        self.functions.append(self._unit.function(lines))
        self.ats.append(found.at)
        self.parts.append(part)
