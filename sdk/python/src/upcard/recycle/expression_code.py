"""Turns expressions into Python expressions."""

import re
from collections.abc import Callable
from typing import Final

from upcard.recycle.arithmetic import OPERATIONS
from upcard.recycle.charts import Recipe
from upcard.recycle.collecting import LIST
from upcard.recycle.kinds import Kind, serves
from upcard.recycle.nodes import Node
from upcard.recycle.unit import Unit, free_variables

HOISTED: Final = 12
"""What is nested so deep, or a multiple of it, gets a function of its own: Python allows neither
parentheses nor loops to be nested without end."""
_LOW: Final = HOISTED // 2
"""What is nested no deeper gets none, even if no multiple of `HOISTED` is on the way to it."""
_UNROLLED_WEIGHT: Final = 160
_BODY_WEIGHT: Final = 32
"""For each so many nodes, looking at one more item counts as one more."""
_FEW: Final = 8
"""The cards of so few places may be counted after they are put together."""
_SEATS: Final = frozenset({Kind.PLAYERS, Kind.TEAMS, Kind.TEAM})
_PLACES: Final = frozenset({Kind.PLACE, Kind.MEMORY})
_PILE: Final = re.compile(r"p\[[\w+ \[\]-]+\]")


class Expressions:
    """Writes expressions for the functions of a unit."""

    def __init__(self, unit: Unit) -> None:
        """Write into that unit."""
        self.unit: Final = unit
        self._known: Final[dict[int, str]] = {}
        """The variables that are constants, in a loop that is written out item by item."""
        self._calls: Final[dict[int, str]] = {}
        """The calls of functions for what is nested deep, by the node's identity."""
        self._writers: Final[dict[str, Callable[[Node], str]]] = {
            "number": lambda found: str(found.number) if found.number >= 0 else f"({found.number})",
            "string": lambda found: repr(found.word),
            "strings": lambda found: f"({', '.join(map(self.code, found.parts))}, )",
            "variable": self._variable,
            "players": lambda _: str(tuple(range(self.unit.players))),
            "teams": lambda _: str(tuple(range(self.unit.teams))),
            "other": self._other,
            "stored": self._stored_value,
            "place": self._place,
            "size": self._size,
            "score": lambda found: (
                f"{self.code(found.parts[1])}.scores[{self.card(found.parts[0])}]"
            ),
            "random": self._random,
            "pid": lambda found: f"({self.code(found.parts[0])} + {self.unit.numbering})",
            "tid": lambda found: f"({self.code(found.parts[0])} + {self.unit.numbering})",
            "not": lambda found: f"(not {self.code(found.parts[0])})",
            "owner": lambda found: f"owner(s, {found.at}, {self.card(found.parts[0])})",
            "team": lambda found: f"TEAM_OF[{self.code(found.parts[0])}]",
            "range": lambda found: (
                f"range({self.code(found.parts[0])}, {self.code(found.parts[1])} + 1)"
            ),
            "subsets": lambda found: f"subsets(s, {found.at}, {self.cards(found.parts[0])})",
            "all": self._quantified,
            "any": self._quantified,
            "total": self._total,
            "collected": self._places_or_sets,
            "filter": self._filter,
            "union": self._union,
            "intersect": self._intersect,
            "disjunction": self._intersect,
            "partition": self._partition,
            "topmost": self._topmost,
            "cardatt": self._cardatt,
            "seat": self._seat,
            "current": self._turn,
            "next": self._turn,
            "previous": self._turn,
            "top": self._end,
            "bottom": self._end,
            "at": self._at,
            "picked": self._picked,
            "indexed": self._indexed,
            "and": self._joined,
            "or": self._joined,
            "<": self._joined,
            ">": self._joined,
            "<=": self._joined,
            ">=": self._joined,
            "==": self._equality,
            "!=": self._equality,
            **dict.fromkeys(OPERATIONS, self._arithmetic),
            **dict.fromkeys(_BY_SCORE, self._scored),
        }

    def prepare(self, found: Node) -> None:
        """Write the functions for what is nested deep in there, the innermost first.

        So the stack never grows by more than `HOISTED` levels of nesting.
        """
        for part in nested_deep(found):
            if part.op not in self._writers:
                continue
            parameters = self.parameters(part)
            name = self.unit.function([f"return {self._writers[part.op](part)}"], parameters)
            self._calls[id(part)] = f"{name}({', '.join(('s', *parameters))})"

    def code(self, found: Node) -> str:
        """Return the value: of a place its slot, of all else what it is."""
        return self._calls.get(id(found)) or self._writers[found.op](found)

    def cards(self, found: Node) -> str:
        """Return the cards of a place or of a collection."""
        code = self.code(found)
        return f"p[{code}]" if found.kind in _PLACES else code

    def items(self, found: Node) -> str:
        """Return what a loop over a collection goes through."""
        if found.kind is Kind.TEAM:
            return f"MEMBERS[{self.code(found)}]"
        return self.cards(found)

    def sets(self, found: Node) -> str:
        """Return the cards of each of several collections."""
        if found.kind is not Kind.PLACES:
            return self.code(found)
        if found.op == "collected":
            return self._collected(found, self.cards)
        return f"[p[x] for x in {self.code(found)}]"

    def card(self, found: Node) -> str:
        """Return a card, which there has to be."""
        if found.op in {"top", "bottom"}:
            return f"{found.op}(s, {found.at}, {self.cards(found.parts[0])})"
        if found.may_be_none:
            return f"held(s, {found.at}, {self.code(found)})"
        return self.code(found)

    def binding(self, let: Node) -> str:
        """Return the line that binds the variable of a ``let``."""
        return f"v{let.variable} = {self.code(let.parts[0])}"

    def looked_at(self, collection: Node, body: Node, least: int = 1) -> str:
        """Return what a loop goes through, counting the work of it if that may be much."""
        items = self.items(collection)
        if collection.kind in _SEATS and not body.loops:
            return items
        weight = max(least, 1 + body.weight // _BODY_WEIGHT)
        return f"looked_at(s, {collection.at}, {items}, {weight})"

    def owner(self, found: Node) -> str:
        """Return an owner as `Place` has it: 0 the table, players from 1, teams from -1 down."""
        if found.kind is Kind.TABLE:
            return "0"
        code = self.code(found)
        return f"(-1 - {code})" if found.kind is Kind.TEAM else f"({code} + 1)"

    def stored(self, found: Node) -> str:
        """Return the slot of a number, a text or a points map."""
        owner, name = found.parts
        text = self._text(name)
        if text is None:
            key = f"{self.owner(owner)}, {self.code(name)}"
            return f"stored(s, {found.at}, {found.word!r}, {key})"
        tables = self.unit.tables
        table = {"sto": tables.counts, "str": tables.words}.get(found.word, tables.charts)
        if owner.kind is Kind.TABLE:
            return str(table.slot(0, text))
        if owner.kind is Kind.TEAM:
            slots = [table.slot(-team, text) for team in range(1, self.unit.teams + 1)]
        else:
            slots = [table.slot(player, text) for player in range(1, self.unit.players + 1)]
        return _plus(slots[0], self.code(owner))

    def recipe(self, awards: Node) -> tuple[str, str]:
        """Return the name of a recipe of points maps, and the values it takes."""
        known = {"number": lambda part: part.number, "string": lambda part: part.word}
        parts = [
            [known[part.op](part) if part.op in known else None for part in award.parts]
            for award in awards.parts
        ]
        recipe = self.unit.keep("k", Recipe(self.unit.tables.charts_of_cards, parts))
        values = [
            self.code(part)
            for award in awards.parts
            for part in award.parts
            if part.op not in known
        ]
        return recipe, f"({''.join(f'{value}, ' for value in values)})"

    def parameters(self, *found: Node) -> list[str]:
        """Return the variables that a function for expressions or actions takes."""
        return free_variables(found, self._known)

    def _text(self, found: Node) -> str | None:
        """Return a text that is known now."""
        if found.op == "string":
            return found.word
        known = self._known.get(found.variable) if found.op == "variable" else None
        return None if known is None else known.strip("'")

    def _each(self, found: Node) -> list[str] | None:
        """Return the items of a collection if a loop over it is better written out."""
        collection, body = found.parts
        if collection.op == "players":
            items = [str(player) for player in range(self.unit.players)]
        elif collection.op == "teams":
            items = [str(team) for team in range(self.unit.teams)]
        elif collection.op == "strings" and all(part.op == "string" for part in collection.parts):
            items = [repr(part.word) for part in collection.parts]
        else:
            return None
        heavy = body.loops or body.height >= HOISTED or body.weight * len(items) > _UNROLLED_WEIGHT
        return None if heavy or any(part.op == "random" for part in body.all()) else items

    def _written_out(
        self, found: Node, items: list[str], write: Callable[[Node], str]
    ) -> list[str]:
        """Return the body of a loop for each of its items."""
        written = []
        for item in items:
            self._known[found.variable] = item
            written.append(write(found.parts[1]))
        del self._known[found.variable]
        return written

    def _list(self, found: Node, write: Callable[[Node], str], least: int = 1) -> str:
        """Return a list of the body of a loop for each of its items."""
        collection, body = found.parts
        items = self.looked_at(collection, body, least)
        return f"[{write(body)} for v{found.variable} in {items}]"

    def _quantified(self, found: Node) -> str:
        items = self._each(found)
        if items is None:
            return f"{found.op}({self._list(found, self.code)})"
        word = " and " if found.op == "all" else " or "
        return f"({word.join(self._written_out(found, items, self.code))})"

    def _total(self, found: Node) -> str:
        items = self._each(found)
        if items is None:
            return f"fit(s, {found.at}, sum({self._list(found, self.code)}))"
        return f"fit(s, {found.at}, {' + '.join(self._written_out(found, items, self.code))})"

    def _collected(self, found: Node, write: Callable[[Node], str]) -> str:
        items = self._each(found)
        if items is None:
            return self._list(found, write, LIST)
        return f"[{', '.join(self._written_out(found, items, write))}]"

    def _places_or_sets(self, found: Node) -> str:
        """Return places, or of each collection the cards of now."""
        return self._collected(found, self._snapshot if found.kind is Kind.SETS else self.code)

    def _snapshot(self, found: Node) -> str:
        """Return the cards of a collection, which stay what they are when cards are moved."""
        cards = self.cards(found)
        return f"list(looked_at(s, {found.at}, {cards}))" if found.kind in _PLACES else cards

    def _filter(self, found: Node) -> str:
        collection, condition = found.parts
        items = self.looked_at(collection, condition)
        variable = f"v{found.variable}"
        return f"[{variable} for {variable} in {items} if {self.code(condition)}]"

    def _union(self, found: Node) -> str:
        parts = []
        for part in found.parts:
            items = self._each(part) if part.op == "collected" else None
            if items is not None:
                parts += self._written_out(part, items, self.cards)
            elif serves(part.kind, Kind.CARDS):
                parts.append(self.cards(part))
            else:
                parts.append(f"joined(s, {found.at}, {self.sets(part)})")
        if len(parts) <= _FEW and all(map(_PILE.fullmatch, parts)):
            return f"looked_at(s, {found.at}, [{', '.join(f'*{part}' for part in parts)}])"
        return f"united(s, {found.at}, ({''.join(f'{part}, ' for part in parts)}))"

    def _all_sets(self, parts: tuple[Node, ...]) -> str:
        """Return a list of the cards of each collection, of which some may be given together."""
        written = []
        for part in parts:
            if serves(part.kind, Kind.CARDS):
                written.append(self.cards(part))
            else:
                written.append(f"*{self.sets(part)}")
        return f"[{', '.join(written)}]"

    def _intersect(self, found: Node) -> str:
        function = "common" if found.op == "intersect" else "single"
        return f"{function}(s, {found.at}, {self._all_sets(found.parts)})"

    def _partition(self, found: Node) -> str:
        values = self._values(found.parts[0])
        return f"partition(s, {found.at}, {values}, {self._all_sets(found.parts[1:])})"

    def _values(self, key: Node) -> str:
        """Return what lists the value that each card has of an attribute."""
        text = self._text(key)
        if text is None:
            return f"ATTRIBUTES.get({self.code(key)}, NO_VALUES)"
        return self.unit.attributes.get(text, "NO_VALUES")

    def _cardatt(self, found: Node) -> str:
        key, card = found.parts
        return f"{self._values(key)}[{self.code(card)}]"

    def _variable(self, found: Node) -> str:
        return self._known.get(found.variable, f"v{found.variable}")

    def _place(self, found: Node) -> str:
        owner, name, *index = found.parts
        text = self._text(name)
        if text is None or (index and index[0].op != "number"):
            which = self.code(index[0]) if index else "0"
            key = f"{self.owner(owner)}, {found.word!r}, {self.code(name)}, {which}"
            return f"place(s, {found.at}, {key})"
        number = index[0].number if index else 0
        places = self.unit.tables.places
        if owner.kind is Kind.TABLE:
            return str(places.slot(0, found.word, text, number))
        slots = [
            places.slot(player, found.word, text, number)
            for player in range(1, self.unit.players + 1)
        ]
        return _plus(slots[0], self.code(owner))

    def _stored_value(self, found: Node) -> str:
        return f"{ {'sto': 'n', 'str': 't'}.get(found.word, 'm') }[{self.stored(found)}]"

    def _seat(self, found: Node) -> str:
        count = self.unit.players if found.kind is Kind.PLAYER else self.unit.teams
        (number,) = found.parts
        if number.op == "number":
            return str(number.number - self.unit.numbering)
        return f"seat(s, {found.at}, {self.code(number)}, {self.unit.numbering}, {count})"

    def _turn(self, found: Node) -> str:
        """Return the current, next or previous player or team."""
        now, queued, count = (
            ("pc", "pq", self.unit.players)
            if found.kind is Kind.PLAYER
            else ("tc", "tq", self.unit.teams)
        )
        if found.op == "current":
            return f"{now}[-1]"
        if found.op == "previous":
            return f"(({now}[-1] - 1) % {count})"
        return f"({queued}[-1] if {queued}[-1] >= 0 else ({now}[-1] + 1) % {count})"

    def _other(self, found: Node) -> str:
        return "OTHERS[pc[-1]]" if found.kind is Kind.PLAYERS else "OTHER_TEAMS[tc[-1]]"

    def _size(self, found: Node) -> str:
        (collection,) = found.parts
        size = f"len({self.items(collection)})"
        return f"fit(s, {found.at}, {size})" if collection.kind is Kind.INTEGERS else size

    def _end(self, found: Node) -> str:
        """Return the top or bottom card, or that there is none."""
        cards = self.cards(found.parts[0])
        if _PILE.fullmatch(cards):
            return f"({cards}[{-1 if found.op == 'top' else 0}] if {cards} else -1)"
        return f"{'last' if found.op == 'top' else 'first'}({cards})"

    def _at(self, found: Node) -> str:
        cards, index = found.parts
        return f"item(s, {found.at}, {self.cards(cards)}, {self.code(index)})"

    def _picked(self, found: Node) -> str:
        """Return one of several collections, of which the top is the first."""
        collections, *index = found.parts
        among = self.code(collections)
        if found.word == "bottom":
            return f"final(s, {found.at}, {among})"
        return f"item(s, {found.at}, {among}, {self.code(index[0]) if index else '0'})"

    def _indexed(self, found: Node) -> str:
        owner, name = found.parts
        key = f"{self.owner(owner)}, {found.word!r}, {self.code(name)}"
        return f"indexed(s, {found.at}, {key})"

    def _arithmetic(self, found: Node) -> str:
        values = [self.code(part) for part in found.parts]
        if found.op == "-" or (found.op == "+" and len(values) == 2):
            return f"fit(s, {found.at}, ({f' {found.op} '.join(values)}))"
        return f"reckon(s, {found.at}, {OPERATIONS[found.op].__name__}, {', '.join(values)})"

    def _random(self, found: Node) -> str:
        low, high = found.parts if len(found.parts) == 2 else (None, found.parts[0])
        return f"drawn(s, {found.at}, {self.code(low) if low else '0'}, {self.code(high)})"

    def _joined(self, found: Node) -> str:
        """Return ``and``, ``or`` or a comparison."""
        return f"({f' {found.op} '.join(map(self.code, found.parts))})"

    def _equality(self, found: Node) -> str:
        left, right = map(self.code, found.parts)
        if found.parts[0].kind is not Kind.CARD:
            return f"({left} {found.op} {right})"
        same = f"({left} == {right} != -1)"  # nothing is not the same as nothing
        return same if found.op == "==" else f"(not {same})"

    def _scored(self, found: Node) -> str:
        """Return what a function makes of cards by a points map."""
        function = _BY_SCORE[found.op]
        *numbers, cards, points = found.parts
        values = [self.code(number) for number in numbers]
        values += [self.cards(cards), self.code(points)]
        if found.word:
            values.append(repr(found.word))
        return f"{function}(s, {found.at}, {', '.join(values)})"

    def _topmost(self, found: Node) -> str:
        number, cards = found.parts
        values = f"{self.code(number)}, {self.cards(cards)}, {found.word!r}"
        return f"some(s, {found.at}, {values})"


def nested_deep(found: Node) -> list[Node]:
    """Return what gets a function of its own, the innermost first.

    That is what stands at a multiple of `HOISTED`, and what comes next on a path that passes by it.
    """
    if found.height < HOISTED:
        return []
    deep: dict[int, Node] = {}
    for part in found.all():
        if part.height < HOISTED:
            continue
        if part.height % HOISTED == 0:
            deep[id(part)] = part
            continue
        for inner in part.parts:
            if inner.height > _LOW and inner.height // HOISTED < part.height // HOISTED:
                deep[id(inner)] = inner
    return sorted(deep.values(), key=lambda part: part.height)


def _plus(first: int, offset: str) -> str:
    """Return the slot so far behind the first of its name."""
    return str(first + int(offset)) if offset.isdigit() else f"{first} + {offset}"


_BY_SCORE: Final = {
    "sum": "total",
    "scoremax": "highest",
    "scoremin": "lowest",
    "max": "greatest",
    "min": "least",
    "sort": "ordered",
    "run": "run",
    "tuples": "tuples",
    "runs": "runs",
}
