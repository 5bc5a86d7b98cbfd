"""Reads expressions and actions: knows the variables in scope, and the kind of each thing.

What a construct may look like is written down in the modules named in `_constructs`; this one
knows what all have in common.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Final, NamedTuple

from upcard.recycle import bounds
from upcard.recycle.errors import ProgramError
from upcard.recycle.kinds import ELEMENT, Kind, serves
from upcard.recycle.nodes import Node, node
from upcard.recycle.pages import Page
from upcard.recycle.tokens import Sort, Token
from upcard.recycle.tree import Form, Item

Construct = Callable[["Reader", Form], Node]
"""Reads a form that begins with a certain keyword."""


class NumberedSeat(NamedTuple):
    """A player or a team named by a number, whose meaning depends on the numbering."""

    at: int
    number: int
    kind: Kind


class Reader:
    """Reads the expressions and actions of one program."""

    def __init__(self, page: Page, constructs: dict[str, Construct]) -> None:
        """Start with no variable in scope; `constructs` are the readers by keyword."""
        self.page: Final = page
        self.numbered_seats: Final[list[NumberedSeat]] = []
        self.is_newer = False
        """Whether something was read that only RECYCLE 0.6 has."""
        self.in_choice = False
        self._constructs: Final = constructs
        self._scope: Final[dict[str, list[Node]]] = {}
        self._variables = 0
        self._substituted = 0
        """The expressions that constants stood for so far."""

    def error(self, item: Item, message: str) -> ProgramError:
        """Return the error that says what is wrong with an item."""
        return self.page.error(item.at, message)

    def expected(self, what: str, item: Item) -> ProgramError:
        """Return the error that says what was expected instead of an item."""
        return self.error(item, f"expected {what}, found {item}")

    def value(self, item: Item, *wanted: Kind) -> Node:
        """Read an expression or an action, which has to be of one of those kinds if any are given.

        The stack grows by two frames for each level of parentheses, of which there are at most
        `bounds.NESTING`.
        """
        if isinstance(item, Token):
            found = self._word(item, wanted)
        elif not item.items:
            raise self.expected(_any_of(wanted), item)
        else:
            head = item.items[0]
            construct = self._constructs.get(_keyword(head))
            if construct is None:
                raise self._unknown(head)
            found = construct(self, item)
        if wanted and not any(serves(found.kind, kind) for kind in wanted):
            raise self.error(item, f"expected {_any_of(wanted)}, found {found.kind.value}: {item}")
        return found

    def literal(self, item: Item, number: int | None = None) -> Node:
        """Return the node of a number, which stands where the item stands."""
        assert number is not None or isinstance(item, Token)
        value = int(str(item)) if number is None else number
        return node("number", Kind.INTEGER, item.at, number=value)

    def block(self, item: Item) -> tuple[Item, ...]:
        """Return the actions in a block's own parentheses."""
        if not isinstance(item, Form) or (item.items and isinstance(item.items[0], Token)):
            raise self.expected("a list of actions in parentheses of their own", item)
        if not item.items:
            self.page.warn(item.at, "this block is empty")
        return item.items

    def sized(self, form: Form, usage: str, *sizes: int) -> tuple[Item, ...]:
        """Return the items of a form that has to have one of these numbers of them."""
        if len(form.items) not in sizes:
            raise self.expected(usage, form)
        return form.items

    @contextmanager
    def bound(self, item: Item, kind: Kind, value: Node | None = None) -> Iterator[int]:
        """Bring a variable of a kind into scope, maybe with a value, and yield its number."""
        name = self.variable_name(item)
        if self._scope.get(name):
            self.page.warn(item.at, f"this '{name} hides another '{name}")
        number = self._variables
        self._variables += 1
        may_be_none = int(value is not None and value.may_be_none)
        variable = node("variable", kind, item.at, number=may_be_none, variable=number)
        self._scope.setdefault(name, []).append(variable)
        yield number
        self._scope[name].pop()

    def declare(self, item: Item, value: Node) -> None:
        """Bring a constant into scope from now on."""
        self._scope.setdefault(self.variable_name(item), []).append(value)

    def variable_name(self, item: Item) -> str:
        """Return the name of a variable that is about to be bound."""
        if not isinstance(item, Token) or item.sort is not Sort.VARIABLE:
            raise self.expected("a variable, as 'C", item)
        return item.text

    def _word(self, token: Token, wanted: tuple[Kind, ...]) -> Node:
        """Read an expression of one word."""
        if token.sort is Sort.NUMBER:
            return self.literal(token)
        if token.sort is Sort.NAME:
            return node("string", Kind.STRING, token.at, word=token.text)
        if token.sort is Sort.VARIABLE:
            found = self._scope.get(token.text)
            if not found:
                raise self.error(token, self._unbound(token))
            return self._known(token, found[-1])
        if token.text == "player":
            return node("players", Kind.PLAYERS, token.at)
        if token.text == "team":
            return node("teams", Kind.TEAMS, token.at)
        raise self.expected(_any_of(wanted), token)

    def _known(self, token: Token, value: Node) -> Node:
        """Return what a variable is or, of a constant, what it stands for.

        The constants of constants may double from line to line, and all of it is compiled.
        """
        if value.op != "variable":
            self._substituted += value.weight
            if self._substituted > bounds.CONSTANTS:
                message = f"constants stand for more than {bounds.CONSTANTS} expressions"
                raise self.error(token, f"{token}: {message}")
        return value._replace(at=token.at)

    def _unbound(self, token: Token) -> str:
        """Say that there is no such variable, and which there are."""
        bound = ", ".join(f"'{name}" for name, found in self._scope.items() if found)
        return f"{token} is not bound here" + (f"; what is bound is {bound}" if bound else "")

    def _unknown(self, head: Item) -> ProgramError:
        """Return the error for a form that begins with no keyword there is."""
        close = get_close_matches(str(head), self._constructs, 1)
        hint = f"; did you mean {close[0]}?" if close and isinstance(head, Token) else ""
        return self.error(head, f"there is no construct ({head} …){hint}")


ACCESS: Final = ""
"""The key of the construct that begins with no keyword but with whose or which something is."""


def _keyword(head: Item) -> str:
    """Return by what a form's construct is found."""
    if isinstance(head, Form) or head.sort in {Sort.NAME, Sort.NUMBER, Sort.VARIABLE}:
        return ACCESS
    return head.text


def _any_of(kinds: tuple[Kind, ...]) -> str:
    """Say in words what was wanted."""
    if set(kinds) >= set(ELEMENT):
        return "a collection"
    return " or ".join(kind.value for kind in kinds) or "an expression"
