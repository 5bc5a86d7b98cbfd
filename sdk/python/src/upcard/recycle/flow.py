"""The course of a program: its stages, blocks and choices in the order in which they are run.

Nested stages are laid out flat, so that a position only has to remember the number of an
instruction, and its cycles.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from upcard.recycle.action_code import Actions
from upcard.recycle.choice_code import Choices
from upcard.recycle.nodes import Node
from upcard.recycle.unit import Unit

DO: Final = 0
"""Run the function."""
CHOOSE: Final = 1
"""Ask for one of the options that the function lists."""
ENTER: Final = 2
"""Begin a stage, or go on at the target if the function says that it ends at once."""
AGAIN: Final = 3
"""Begin the next pass of a stage at the target, or end it if the function says so."""
END: Final = 4
"""Score the hand."""


class Draft(NamedTuple):
    """An instruction, whose function is a name yet."""

    op: int
    function: str
    number: int
    """The target of a stage, which choice it is, or of a block how much work it is."""
    is_player: bool
    """Whether a stage is one of players, and not of teams."""
    part: int
    """Which of the program's parts it belongs to; -1 for the end."""
    at: int


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
        self.instructions: Final[list[Draft]] = []
        self._unit: Final = unit
        self._actions: Final = actions
        self._choices: Final = choices
        self._parts = 0

    def lay_out(self, found: Node, lets: tuple[Node, ...] = ()) -> None:
        """Add a part, which is inside those lets."""
        if _is_around_choice(found):
            self.lay_out(found.parts[1], (*lets, found))
            return
        part = self._parts
        self._parts += 1
        if found.op == "stage":
            self._stage(found, part)
        elif found.op == "choice":
            function = self._choices.function(found, lets)
            self._add(Draft(CHOOSE, function, found.number, True, part, found.at))
        else:
            self._actions.prepare(found)
            function = self._unit.function(self._actions.lines(found))
            work = found.weight // 32
            self._add(Draft(DO, function, work, True, part, found.at))

    def end(self, score: Node) -> None:
        """Add the end, where each player is scored."""
        self._add(Draft(END, self._value(score), -1, True, -1, score.at))

    def _stage(self, found: Node, part: int) -> None:
        """Add a stage with its parts."""
        condition, *inner = found.parts
        function = self._value(condition)
        is_player = found.word == "player"
        enter = len(self.instructions)
        self._add(Draft(ENTER, function, -1, is_player, part, found.at))
        for node in inner:
            self.lay_out(node)
        self._add(Draft(AGAIN, function, enter + 1, is_player, part, found.at))
        self.instructions[enter] = self.instructions[enter]._replace(number=len(self.instructions))

    def _value(self, found: Node) -> str:
        """Return the name of a function that returns a value."""
        expressions = self._actions.expressions
        expressions.prepare(found)
        return self._unit.function([f"return {expressions.code(found)}"])

    def _add(self, instruction: Draft) -> None:
        self.instructions.append(instruction)
