"""The Python functions that a program is compiled to, and what they have in common.

They are made of the reader's nodes only: a name or a text of the program occurs in them as a
constant, never as code.

==========================  ======================================================
in the functions            is
==========================  ======================================================
``s``                       the state
``p w n t m``               its piles, where, counts, words and charts
``pc pq tc tq``             its cycles: player_now, player_next, team_now, team_next
``v7``                      a variable of the program
``x7``                      a value that the compiler keeps
``f7 k7 a7``                a function, a recipe of points maps, the values of an attribute
words in capitals           what depends on the players, the teams and the deck only
==========================  ======================================================
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, Final

from upcard.recycle import arithmetic, collecting, finding, moves, trials
from upcard.recycle.nodes import Node
from upcard.recycle.state import StateTables

_LOCALS: Final = {
    "p": "piles",
    "w": "where",
    "n": "counts",
    "t": "words",
    "m": "charts",
    "pc": "player_now",
    "pq": "player_next",
    "tc": "team_now",
    "tq": "team_next",
}
_USED: Final = re.compile(r"(?<![\w'])(?:pc|pq|tc|tq|[pwntm])(?=[\[.])")


class Unit:
    """The functions of one program, in the making."""

    def __init__(
        self,
        tables: StateTables,
        members: tuple[tuple[int, ...], ...],
        numbering: int,
        attributes: Mapping[str, Sequence[str]],
    ) -> None:
        """Take what is declared.

        Args:
            tables: the slots of the program, to which its names are added.
            members: the players of each team; without teams each player is one.
            numbering: what the first player and the first team are called.
            attributes: the value of every card, and at the end that of no card, by attribute.
        """
        self.tables: Final = tables
        self.teams: Final = len(members)
        self.players: Final = sum(map(len, members))
        self.numbering: Final = numbering
        self.attributes: Final = {key: f"a{number}" for number, key in enumerate(attributes)}
        team_of = {player: team for team, players in enumerate(members) for player in players}
        self._functions: Final[list[str]] = []
        self._names: Final[dict[str, Any]] = {
            **_public(arithmetic),
            **_public(finding),
            **_public(collecting),
            **_public(moves),
            **_public(trials),
            **{name: attributes[key] for key, name in self.attributes.items()},
            "ATTRIBUTES": dict(attributes),
            "NO_VALUES": ("",) * (len(tables.charts_of_cards.empty.scores) + 1),
            "MEMBERS": members,
            "OTHERS": _others(self.players),
            "OTHER_TEAMS": _others(self.teams),
            "TEAM_OF": tuple(team_of[player] for player in range(self.players)),
        }
        self._fresh = 0

    def fresh(self) -> str:
        """Return a name for a value, which nothing has yet."""
        self._fresh += 1
        return f"x{self._fresh}"

    def keep(self, letter: str, thing: object) -> str:
        """Add a thing to what the functions know, and return its name."""
        self._fresh += 1
        name = f"{letter}{self._fresh}"
        self._names[name] = thing
        return name

    def function(self, lines: Iterable[str], parameters: Iterable[str] = ()) -> str:
        """Add a function of the state and of some variables, and return its name."""
        self._fresh += 1
        name = f"f{self._fresh}"
        body = [f"    {line}" for line in lines]
        used = sorted(set(_USED.findall("\n".join(body))))
        before = [f"    {local} = s.{_LOCALS[local]}" for local in used]
        head = f"def {name}({', '.join(('s', *parameters))}):"
        self._functions.append("\n".join((head, *before, *(body or ["    pass"]))) + "\n")
        return name

    def compiled(self) -> dict[str, Any]:
        """Return every function by its name.

        Each is compiled on its own: all at once they would need much memory for a moment.
        """
        for source in self._functions:
            exec(compile(source, "<RECYCLE>", "exec"), self._names)  # noqa: S102 (see the module's docstring)
        return self._names


def free_variables(nodes: Iterable[Node], known: Mapping[int, str]) -> list[str]:
    """Return the variables that expressions or actions need from outside."""
    used: set[int] = set()
    bound: set[int] = set()
    for found in nodes:
        for part in found.all():
            (used if part.op == "variable" else bound).add(part.variable)
    return [f"v{number}" for number in sorted(used - bound - {-1} - known.keys())]


def _others(count: int) -> tuple[tuple[int, ...], ...]:
    """Return for each of so many all others."""
    return tuple(tuple(other for other in range(count) if other != one) for one in range(count))


def _public(module: ModuleType) -> dict[str, Any]:
    """Return the functions of a module."""
    return {
        name: thing
        for name, thing in vars(module).items()
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__
    }
