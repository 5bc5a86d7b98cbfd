"""A plain interpreter of what the reader reads, to compare the compiler with.

It does everything in the most direct way and copies its whole state at every step. All it shares
with the product is the reader, and what is worked out of numbers and of collections of cards.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from upcard.recycle import Source
from upcard.recycle.arithmetic import OPERATIONS
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes import Node
from upcard.recycle.outline import Outline

Spot = tuple[int, str, str, int]
Value = Any
"""What an expression is; a place is where it is."""

_Result = TypeVar("_Result")


class Failure(Exception):
    """Something cannot be done."""


@dataclass
class Cycle:
    """Whose turn it is, and who is queued as next."""

    now: int
    queued: int | None = None


class Table:
    """All that changes in a hand."""

    def __init__(self) -> None:
        self.spots: dict[Spot, list[int]] = {}
        self.stored: dict[tuple[str, int, str], Value] = {}
        self.cycles: dict[str, list[Cycle]] = {"player": [Cycle(0)], "team": [Cycle(0)]}
        self.bound: dict[int, Value] = {}
        self.acts = 0
        self.scores: list[int] = []
        self.shuffles = self.draws = self.ties = 0

    def where(self, card: int) -> Spot:
        return next(
            spot for spot, cards in self.spots.items() if card in cards and spot[1] != "mem"
        )


Hand = Generator[tuple[Table, list[Table] | None], Table, _Result]


class Interpreter:
    """Plays one program."""

    def __init__(self, outline: Outline, source: Source) -> None:
        self.outline = outline
        self.source = source
        self.teams = outline.teams or tuple((player,) for player in range(outline.players))
        self.attributes = [dict(card) for deck in outline.decks for card in deck.cards]

    def hand(self) -> "Hand[None]":
        """Yield each decision with what its options lead to; send which is taken. Then the end."""
        table = Table()
        number = 0
        for deck in self.outline.decks:
            for _ in deck.cards:
                owner, kind, name, index = deck.where(self.outline.numbering)
                table.spots.setdefault((owner, kind, name, index), []).append(number)
                number += 1
        for part in self.outline.parts:
            table = yield from self.part(part, table)
        for player in range(self.outline.players):
            scored = deepcopy(table)
            scored.cycles["player"] = [Cycle(player)]
            table.scores.append(self.value(self.outline.score, scored))
            table.draws, table.ties = scored.draws, scored.ties
        if any(len({table.scores[player] for player in team}) > 1 for team in self.teams):
            raise Failure
        yield table, None

    def part(self, part: Node, table: Table) -> "Hand[Table]":
        inside = part
        while inside.op == "let":
            inside = inside.parts[1]
        if inside.op == "choice":
            return (yield from self.choice(part, inside, table))
        if part.op != "stage":
            (table,) = self.ways(part, table)
            return table
        condition, *parts = part.parts
        cycle = table.cycles[part.word]
        cycle.append(Cycle(cycle[-1].now))
        is_first = True
        while not self.value(condition, table):
            now = table.cycles[part.word][-1]
            if not is_first:
                count = self.outline.players if part.word == "player" else len(self.teams)
                now.now = (now.now + 1) % count if now.queued is None else now.queued
                now.queued = None
            is_first = False
            for inner in parts:
                table = yield from self.part(inner, table)
        table.cycles[part.word].pop()
        return table

    def choice(self, part: Node, choice: Node, table: Table) -> "Hand[Table]":
        found: list[Table] = []
        for entry in choice.parts:
            tried = deepcopy(table)
            tried.acts = 0
            let = part
            while let.op == "let":
                tried.bound[let.variable] = self.value(let.parts[0], tried)
                let = let.parts[1]
            found += [way for way in self.ways(entry, tried) if way.acts]
        if not found:
            raise Failure
        return (yield table, found)

    def ways(self, action: Node, table: Table) -> list[Table]:
        """Return what an action may lead to."""
        table = deepcopy(table)
        if action.op in {"each", "either", "repeat", "repeat all"}:
            return self.loop(action, table)
        if action.op == "do":
            return self.in_turn([(part, None) for part in action.parts], table)
        if action.op == "if":
            holds = self.value(action.parts[0], table)
            return self.ways(action.parts[1], table) if holds else [table]
        if action.op == "let":
            table.bound[action.variable] = self.value(action.parts[0], table)
            return self.ways(action.parts[1], table)
        table.acts += 1
        getattr(self, f"do_{action.op}")(action, table)
        return [table]

    def loop(self, action: Node, table: Table) -> list[Table]:
        """Return what doing something several times, or for one of several items, may lead to."""
        body = action.parts[-1]
        if action.op == "repeat":
            return self.in_turn([(body, None)] * self.value(action.parts[0], table), table)
        if action.op == "repeat all":
            return self.in_turn(
                [(body, None)] * len(self.cards(body.parts[0].parts[0], table)), table
            )
        items = deepcopy(list(self.items(action.parts[0], table)))
        if action.op == "each":
            return self.in_turn([(body, (action.variable, item)) for item in items], table)
        found = []
        for item in items:
            taken = deepcopy(table)
            taken.bound[action.variable] = deepcopy(item)
            found += self.ways(body, taken)
        return found if items else [table]

    def in_turn(self, actions: list[tuple[Node, Value]], table: Table) -> list[Table]:
        """Return what several actions may lead to, each with what is bound for it."""
        tables = [table]
        for action, bound in actions:
            following = []
            for before in tables:
                if bound:
                    before.bound[bound[0]] = deepcopy(bound[1])
                following += self.ways(action, before)
            tables = following
        return tables

    def do_turn(self, action: Node, table: Table) -> None:
        pass

    def do_move(self, action: Node, table: Table) -> None:
        card, spot, index = self.aim(action, table)
        table.spots[table.where(card)].remove(card)
        self.put(table, card, spot, index)
        of = action.parts[0].parts
        if of and of[0].op == "variable" and of[0].kind is Kind.CARDS:
            table.bound[of[0].variable].remove(card)

    def do_remember(self, action: Node, table: Table) -> None:
        card, spot, index = self.aim(action, table)
        self.put(table, card, spot, index)

    def aim(self, action: Node, table: Table) -> tuple[int, Spot, int | None]:
        card, place, *index = action.parts
        found = self.card(card, table)
        spot = self.value(place, table)
        end = {"top": None, "bottom": 0}.get(action.word, 0)
        return found, spot, self.value(index[0], table) if index else end

    def put(self, table: Table, card: int, spot: Spot, index: int | None) -> None:
        cards = table.spots.setdefault(spot, [])
        where = len(cards) if index is None else index
        if not 0 <= where <= len(cards):
            raise Failure
        cards.insert(where, card)

    def do_forget(self, action: Node, table: Table) -> None:
        card = self.card(action.parts[0], table)
        if len(action.parts) > 1:
            cards = table.spots[self.value(action.parts[1], table)]
        else:
            holding = [c for spot, c in table.spots.items() if spot[1] == "mem" and card in c]
            if len(holding) != 1:
                raise Failure  # which it is depends on the order of the places
            cards = holding[0]
        del cards[len(cards) - 1 - cards[::-1].index(card)]

    def do_swap(self, action: Node, table: Table) -> None:
        one, other = action.parts
        if one.kind is Kind.PLACE:
            spots = [self.value(part, table) for part in (one, other)]
            if any(spot in table.spots for spot in spots):
                here, there = (table.spots.setdefault(spot, []) for spot in spots)
                table.spots[spots[0]], table.spots[spots[1]] = there, here
            return
        cards = [self.card(part, table) for part in (one, other)]
        exchanged = dict(zip(cards, reversed(cards), strict=True))
        for spot, found in table.spots.items():
            if spot[1] != "mem":
                table.spots[spot] = [exchanged.get(card, card) for card in found]

    def do_shuffle(self, action: Node, table: Table) -> None:
        spot = self.value(action.parts[0], table)
        cards = sorted(table.spots.get(spot, []))
        order = self.source.shuffle(table.shuffles, len(cards))
        table.shuffles += 1
        if cards:
            table.spots[spot] = [cards[index] for index in order]

    def do_cycle(self, action: Node, table: Table) -> None:
        player = self.value(action.parts[0], table)
        cycle = table.cycles["player"][-1]
        if action.word == "current":
            cycle.now = player
        else:
            cycle.queued = player

    def do_set(self, action: Node, table: Table) -> None:
        self.store(action, table, lambda _, new: new)

    def do_inc(self, action: Node, table: Table) -> None:
        self.store(action, table, lambda old, new: (old or 0) + new)

    def do_dec(self, action: Node, table: Table) -> None:
        self.store(action, table, lambda old, new: (old or 0) - new)

    def do_update(self, action: Node, table: Table) -> None:
        self.store(action, table, lambda old, new: {**(old or {}), **new})

    def store(self, action: Node, table: Table, combine: Callable[[Value, Value], Any]) -> None:
        target, value = action.parts
        key = self.key(target, table)
        if value.op == "awards":
            new: Value = {}
            for award in value.parts:
                *texts, number = [self.value(part, table) for part in award.parts]
                pairs = tuple(zip(texts[::2], texts[1::2], strict=True))
                new[pairs] = new.get(pairs, 0) + number
        else:
            new = self.value(value, table)
        table.stored[key] = combine(table.stored.get(key), new)

    def key(self, stored: Node, table: Table) -> tuple[str, int, str]:
        owner, name = stored.parts
        return stored.word, self.owner(owner, table), self.value(name, table)

    def owner(self, found: Node, table: Table) -> int:
        if found.op == "table":
            return 0
        value: int = self.value(found, table)
        return -1 - value if found.kind is Kind.TEAM else value + 1

    def card(self, found: Node, table: Table) -> int:
        card: int | None = self.value(found, table)
        if card is None:
            raise Failure
        return card

    def cards(self, found: Node, table: Table) -> list[int]:
        value = self.value(found, table)
        return list(table.spots.get(value, [])) if isinstance(value, tuple) else value

    def sets(self, found: Node, table: Table) -> list[list[int]]:
        return [
            list(table.spots.get(item, [])) if isinstance(item, tuple) else item
            for item in self.value(found, table)
        ]

    def items(self, found: Node, table: Table) -> Sequence[Value]:
        if found.kind is Kind.TEAM:
            return self.teams[self.value(found, table)]
        if found.kind in {Kind.PLACE, Kind.MEMORY, Kind.CARDS}:
            return self.cards(found, table)
        items: Sequence[Value] = self.value(found, table)
        return items

    def each(self, found: Node, table: Table) -> Iterator[tuple[Value, Value]]:
        collection, body = found.parts
        for item in self.items(collection, table):
            table.bound[found.variable] = item
            yield item, self.value(body, table)

    def scores(self, chart: dict[Value, int], cards: Sequence[int]) -> list[int]:
        return [
            sum(
                number
                for pairs, number in chart.items()
                if all(self.attributes[card].get(key, "") == value for key, value in pairs)
            )
            for card in cards
        ]

    def value(self, found: Node, table: Table) -> Value:
        """Return what an expression is: of a place where it is."""
        return _VALUES[found.op](self, found, table)

    def extreme(self, found: Node, table: Table) -> Value:
        cards = self.cards(found.parts[0], table)
        scores = self.scores(self.value(found.parts[1], table), cards)
        if not cards:
            raise Failure
        best = max(scores) if "max" in found.op else min(scores)
        if found.op.startswith("score"):
            return best
        tied = [card for card, score in zip(cards, scores, strict=True) if score == best]
        tied = list(dict.fromkeys(tied))
        if len(tied) == 1:
            return tied[0]
        table.ties += 1
        return tied[self.below(table, len(tied))]

    def below(self, table: Table, count: int) -> int:
        table.draws += 1
        return self.source.below(table.draws - 1, count)

    def combined(self, found: Node, table: Table) -> list[int]:
        parts = self.parts(found.parts, table)
        cards = [card for part in parts for card in part]
        if found.op == "union":
            return cards
        once = list(dict.fromkeys(cards))
        if found.op == "intersect":
            return [card for card in once if all(card in part for part in parts)]
        return [card for card in once if cards.count(card) == 1]

    def parts(self, parts: Sequence[Node], table: Table) -> list[list[int]]:
        found = []
        for part in parts:
            if part.kind in {Kind.SETS, Kind.PLACES}:
                found += self.sets(part, table)
            else:
                found.append(self.cards(part, table))
        return found

    def turn(self, found: Node, table: Table) -> int:
        is_player = found.kind is Kind.PLAYER
        cycle = table.cycles["player" if is_player else "team"][-1]
        count = self.outline.players if is_player else len(self.teams)
        if found.op == "next":
            return (cycle.now + 1) % count if cycle.queued is None else cycle.queued
        return cycle.now if found.op == "current" else (cycle.now - 1) % count

    def place(self, found: Node, table: Table) -> Spot:
        owner, name, *index = found.parts
        number = self.value(index[0], table) if index else 0
        if number < 0:
            raise Failure
        return self.owner(owner, table), found.word, self.value(name, table), number

    def ends(self, found: Node, table: Table) -> list[int]:
        number = self.value(found.parts[0], table)
        cards = self.cards(found.parts[1], table)
        if not 0 <= number <= len(cards):
            raise Failure
        return cards[::-1][:number] if found.word == "top" else cards[:number]

    def run(self, found: Node, table: Table) -> list[int]:
        least = self.value(found.parts[0], table)
        cards = self.cards(found.parts[1], table)
        chart = self.value(found.parts[2], table)
        inward = cards[::-1] if found.word == "top" else cards
        for count in range(len(cards), max(least, 1) - 1, -1):
            run = sorted(inward[:count], key=lambda card: self.scores(chart, [card])[0])
            scores = self.scores(chart, run)
            if scores == list(range(scores[0], scores[0] + count)):
                return run
        return []

    def subsets(self, found: Node, table: Table) -> list[list[int]]:
        subsets: list[list[int]] = [[]]
        for card in self.cards(found.parts[0], table):
            subsets += [[*subset, card] for subset in subsets]
        return subsets

    def tuples(self, found: Node, table: Table) -> list[list[int]]:
        size = self.value(found.parts[0], table)
        cards = self.cards(found.parts[1], table)
        chart = self.value(found.parts[2], table)
        of_score: dict[int, list[int]] = {}
        for card, score in zip(cards, self.scores(chart, cards), strict=True):
            of_score.setdefault(score, []).append(card)
        assert size == 2
        return [
            [cards[one], cards[other]]
            for _, cards in sorted(of_score.items())
            for one in range(len(cards))
            for other in range(one + 1, len(cards))
        ]

    def runs(self, found: Node, table: Table) -> list[list[int]]:
        least = self.value(found.parts[0], table)
        cards = self.cards(found.parts[1], table)
        scores = self.scores(self.value(found.parts[2], table), cards)
        runs = []
        for first in sorted(set(scores)):
            last = first
            found_runs: list[list[int]] = [[]]
            while last in scores:
                equals = [c for c, score in zip(cards, scores, strict=True) if score == last]
                found_runs = [[*run, card] for run in found_runs for card in equals]
                is_largest = first - 1 not in scores and last + 1 not in scores
                if last - first + 1 >= least and (found.word == "all" or is_largest):
                    runs += found_runs
                last += 1
        return runs

    def partition(self, found: Node, table: Table) -> list[list[int]]:
        key = self.value(found.parts[0], table)
        groups: dict[str, list[int]] = {}
        for part in self.parts(found.parts[1:], table):
            for card in part:
                groups.setdefault(self.attributes[card].get(key, ""), []).append(card)
        return list(groups.values())

    def indexed(self, found: Node, table: Table) -> list[Spot]:
        owner, name = found.parts
        wanted = self.owner(owner, table), found.word, self.value(name, table)
        return sorted(spot for spot in table.spots if spot[:3] == wanted)

    def picked(self, items: Sequence[Value], index: int) -> Value:
        if not 0 <= index < len(items):
            raise Failure
        return items[index]

    def equal(self, found: Node, table: Table) -> bool:
        left, right = (self.value(part, table) for part in found.parts)
        return bool(left == right and left is not None)

    def seat(self, found: Node, table: Table) -> int:
        seat: int = self.value(found.parts[0], table) - self.outline.numbering
        count = self.outline.players if found.kind is Kind.PLAYER else len(self.teams)
        if not 0 <= seat < count:
            raise Failure
        return seat

    def owned(self, found: Node, table: Table) -> int:
        owner = table.where(self.card(found.parts[0], table))[0]
        if owner == 0:
            raise Failure
        return owner - 1

    def arithmetic(self, found: Node, table: Table) -> int:
        try:
            return OPERATIONS[found.op](*(self.value(part, table) for part in found.parts))
        except ArithmeticError as problem:
            raise Failure from problem

    def others(self, found: Node, table: Table) -> list[int]:
        kind = "player" if found.kind is Kind.PLAYERS else "team"
        count = self.outline.players if kind == "player" else len(self.teams)
        return [seat for seat in range(count) if seat != table.cycles[kind][-1].now]

    def stored(self, found: Node, table: Table) -> Value:
        default: Value = {"sto": 0, "str": ""}.get(found.word, {})
        return table.stored.get(self.key(found, table), default)

    def random(self, found: Node, table: Table) -> int:
        *low, high = [self.value(part, table) for part in found.parts]
        least = low[0] if low else 0
        if high < least:
            raise Failure
        return int(least) + self.below(table, high - least + 1)

    def top(self, found: Node, table: Table) -> int | None:
        cards = self.cards(found.parts[0], table)
        return cards[-1 if found.op == "top" else 0] if cards else None


_VALUES: Final[dict[str, Callable[[Interpreter, Node, Table], Value]]] = {
    "number": lambda _, n, __: n.number,
    "string": lambda _, n, __: n.word,
    "strings": lambda i, n, t: [i.value(part, t) for part in n.parts],
    "variable": lambda _, n, t: t.bound[n.variable],
    "players": lambda i, _, __: list(range(i.outline.players)),
    "teams": lambda i, _, __: list(range(len(i.teams))),
    "other": Interpreter.others,
    "stored": Interpreter.stored,
    "place": Interpreter.place,
    "size": lambda i, n, t: len(i.items(n.parts[0], t)),
    "sum": lambda i, n, t: sum(i.scores(i.value(n.parts[1], t), i.cards(n.parts[0], t))),
    "score": lambda i, n, t: i.scores(i.value(n.parts[1], t), [i.card(n.parts[0], t)])[0],
    "random": Interpreter.random,
    "pid": lambda i, n, t: i.value(n.parts[0], t) + i.outline.numbering,
    "tid": lambda i, n, t: i.value(n.parts[0], t) + i.outline.numbering,
    "total": lambda i, n, t: sum(value for _, value in i.each(n, t)),
    "and": lambda i, n, t: all(i.value(part, t) for part in n.parts),
    "or": lambda i, n, t: any(i.value(part, t) for part in n.parts),
    "not": lambda i, n, t: not i.value(n.parts[0], t),
    "<": lambda i, n, t: i.value(n.parts[0], t) < i.value(n.parts[1], t),
    ">": lambda i, n, t: i.value(n.parts[0], t) > i.value(n.parts[1], t),
    "<=": lambda i, n, t: i.value(n.parts[0], t) <= i.value(n.parts[1], t),
    ">=": lambda i, n, t: i.value(n.parts[0], t) >= i.value(n.parts[1], t),
    "==": Interpreter.equal,
    "!=": lambda i, n, t: not i.equal(n, t),
    "all": lambda i, n, t: False not in [value for _, value in i.each(n, t)],
    "any": lambda i, n, t: True in [value for _, value in i.each(n, t)],
    "cardatt": lambda i, n, t: _attribute(i, i.value(n.parts[0], t), i.value(n.parts[1], t)),
    "current": Interpreter.turn,
    "next": Interpreter.turn,
    "previous": Interpreter.turn,
    "seat": Interpreter.seat,
    "owner": Interpreter.owned,
    "team": lambda i, n, t: next(
        team for team, players in enumerate(i.teams) if i.value(n.parts[0], t) in players
    ),
    "range": lambda i, n, t: range(i.value(n.parts[0], t), i.value(n.parts[1], t) + 1),
    "top": Interpreter.top,
    "bottom": Interpreter.top,
    "at": lambda i, n, t: i.picked(i.cards(n.parts[0], t), i.value(n.parts[1], t)),
    "filter": lambda i, n, t: [item for item, value in i.each(n, t) if value],
    "collected": lambda i, n, t: deepcopy([value for _, value in i.each(n, t)]),
    "topmost": Interpreter.ends,
    "run": Interpreter.run,
    "sort": lambda i, n, t: sorted(
        i.cards(n.parts[0], t), key=lambda card: i.scores(i.value(n.parts[1], t), [card])
    ),
    "subsets": Interpreter.subsets,
    "tuples": Interpreter.tuples,
    "runs": Interpreter.runs,
    "partition": Interpreter.partition,
    "indexed": Interpreter.indexed,
    **dict.fromkeys(("union", "intersect", "disjunction"), Interpreter.combined),
    **dict.fromkeys(("max", "min", "scoremax", "scoremin"), Interpreter.extreme),
    **dict.fromkeys(OPERATIONS, Interpreter.arithmetic),
}


def _attribute(interpreter: Interpreter, key: str, card: int | None) -> str:
    return "" if card is None else interpreter.attributes[card].get(key, "")
