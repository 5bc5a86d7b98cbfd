"""What the reader makes of a program: nodes whose kinds are checked, ready to be compiled."""

from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.recycle.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator


class Node(NamedTuple):
    """An expression or an action. Make one with `node`.

    `op` says which, most often by the keyword of the language; the readers of each construct say
    what the other fields hold then.
    """

    op: str
    kind: Kind
    at: int
    """Where in the page it begins."""
    parts: "tuple[Node, ...]"
    word: str
    number: int
    """Also whether a variable of a ``let`` may be no card."""
    variable: int
    """The variable that it binds or, for op ``"variable"``, that it is."""
    weight: int
    """How many nodes it consists of."""
    height: int
    """How deep they are nested."""
    loops: bool
    """Whether it looks at each item of a collection."""

    @property
    def may_be_none(self) -> bool:
        """Whether it is the top or the bottom card of something, if there is one."""
        if self.op == "variable":
            return bool(self.number)
        return self.op in {"top", "bottom"}

    def all(self) -> "Iterator[Node]":
        """Yield this node and all that it consists of."""
        waiting = [self]
        while waiting:
            found = waiting.pop()
            yield found
            waiting += reversed(found.parts)


_LOOPING: Final = frozenset(
    {
        *("all", "any", "collected", "total", "filter", "each", "either", "repeat", "repeat all"),
        *("union", "intersect", "disjunction", "sort", "topmost", "run", "indexed"),
        *("sum", "max", "min", "scoremax", "scoremin"),
        *("tuples", "partition", "subsets", "runs"),
    }
)


def node(  # noqa: PLR0913 (each is a field)
    op: str,
    kind: Kind,
    at: int,
    *parts: Node,
    word: str = "",
    number: int = 0,
    variable: int = -1,
) -> Node:
    """Return a node, its measures taken."""
    weight = 1
    height = 0
    loops = op in _LOOPING
    for part in parts:
        weight += part.weight
        height = max(height, part.height)
        loops = loops or part.loops
    return Node(op, kind, at, parts, word, number, variable, weight, height + 1, loops)
