"""What is known when a program is read: numbers that need no play to be worked out."""

from typing import Final

from upcard.recycle.arithmetic import OPERATIONS
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes import Node, node
from upcard.recycle.pages import Page

_KNOWN: Final = frozenset(
    {
        *("number", "string", "strings", "range", "size", "filter", "variable", "all", "any"),
        *("and", "or", "not", "<", ">", "<=", ">=", "==", "!=", *OPERATIONS),
    }
)
"""The operations that give the same whenever they are asked, if all they are asked about does."""


def folded(page: Page, found: Node) -> Node:
    """Return a sum, product and so on of numbers as the number it is; all else as it is."""
    operation = OPERATIONS.get(found.op)
    if operation is None or any(part.op != "number" for part in found.parts):
        return found
    try:
        number = operation(*(part.number for part in found.parts))
    except ArithmeticError as problem:
        raise page.error(found.at, f"({found.op} …): {problem}") from problem
    return node("number", Kind.INTEGER, found.at, number=number)


def is_constant(value: Node) -> bool:
    """Whether an expression has the same value at any time of any hand."""
    return all(part.op in _KNOWN for part in value.all())
