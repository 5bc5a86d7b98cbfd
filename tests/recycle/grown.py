"""Grows valid programs at random, of every construct there is: what must hold for all is tried on them."""

from random import Random
from typing import Final

SUITS: Final = ("HEARTS", "SPADES", "CLUBS")
RANKS: Final = ("ONE", "TWO", "THREE", "FOUR")
NAMES: Final = ("A", "B")
LOCATIONS: Final = ("vloc", "iloc", "hloc", "oloc")
Scope = dict[str, list[str]]
"""The variables in scope, by what they are."""


class Grower:
    """Grows one program. Errors in play are its right: a card that is not there, say."""

    def __init__(self, seed: int) -> None:
        self._random: Final = Random(seed)
        self._names = 0
        self._choosing = False
        self._players = self._random.choice((2, 3, 4))
        self._has_teams = self._players == 4 and self._random.random() < 0.5

    def program(self) -> str:
        teams = "(create teams (1, 3) (2, 4))" if self._has_teams else ""
        copies = self._random.choice(("{}", "{}", "(repeat 2 {})"))
        decks = copies.format(
            "(create deck (game vloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR))"
            " (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (SPADES, CLUBS))))))"
        )
        if self._random.random() < 0.4:
            decks += " (create deck BLUE (1 player iloc A) (deck (RANK (ONE, TWO))))".replace(
                "(1 player iloc A)", "((1 player) iloc A)"
            )
        deals = "".join(
            f"((> (size (game vloc STOCK)) 3) (move (top (game vloc STOCK)) (top ('P {place} A))))"
            for place in (*LOCATIONS, *LOCATIONS)
        )
        points = "(set (game points PM) (((RANK : ONE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3)))"
        parts = "\n ".join(self._part(2) for _ in range(self._random.randint(1, 3)))
        return (
            f"(game (setup (create players {self._players}) {teams} {decks})\n"
            f" (do ((shuffle (game vloc STOCK)) {points} (all player 'P (do ({deals})))))\n"
            f" {parts}\n (scoring {self._pick('max', 'min')} {self._integer({}, 2)}))"
        )

    def _pick(self, *texts: str) -> str:
        return self._random.choice(texts)

    def _fresh(self, scope: Scope, kind: str) -> tuple[str, Scope]:
        self._names += 1
        letters = ""
        number = self._names
        while number:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord("A") + letter) + letters
        name = f"'V{letters}"
        return name, {**scope, kind: [*scope.get(kind, []), name]}

    def _part(self, depth: int) -> str:
        """Return a stage, a choice or a block."""
        roll = self._random.random()
        if roll < 0.35 and depth:
            inner = " ".join(self._part(depth - 1) for _ in range(self._random.randint(1, 2)))
            count = "(inc (game sto PASSES))"
            which = self._pick("player", "team")
            end = f"(or {self._truth({}, 2)} (>= (game sto PASSES) {self._random.randint(1, 9)}))"
            return f"(stage {which} (end {end}) {inner} (do ({count})))"
        if roll < 0.75:
            return self._choice()
        return self._action({}, 3)

    def _choice(self) -> str:
        let, scope = "{}", Scope()
        if self._random.random() < 0.2:
            kind = self._pick("player", "card", "cards", "integer", "string", "place")
            if kind != "integer":
                name, scope = self._fresh(scope, kind)
                value = self._value({}, kind, 2)
                while "random" in value:
                    value = self._value({}, kind, 2)
                let = f"(let {value} {name} {{}})"
        self._choosing = True
        entries = " ".join(self._action(scope, 3) for _ in range(self._random.randint(1, 3)))
        self._choosing = False
        return let.format(f"(choice ({entries} (turn pass)))")

    def _action(self, scope: Scope, depth: int) -> str:
        if depth:
            roll = self._random.random()
            if roll < 0.15:
                actions = " ".join(
                    self._action(scope, depth - 1) for _ in range(self._random.randint(1, 3))
                )
                return f"(do ({actions}))"
            if roll < 0.3:
                return f"({self._truth(scope, 2)} {self._action(scope, depth - 1)})"
            if roll < 0.5:
                kind = self._pick(
                    "card", "card", "card", "player", "team", "string", "integer", "cards"
                )
                name, inner = self._fresh(scope, kind)
                word = self._pick("any", "all") if self._choosing else "all"
                items = self._collection(scope, kind, 2)
                return f"({word} {items} {name} {self._action(inner, depth - 1)})"
            if roll < 0.56:
                kind = self._pick("player", "team", "card", "cards", "place", "integer", "string")
                name, inner = self._fresh(scope, kind)
                return (
                    f"(let {self._value(scope, kind, 2)} {name} {self._action(inner, depth - 1)})"
                )
            if roll < 0.62:
                times = self._pick("0", "1", "2", self._integer(scope, 1))
                return f"(repeat (% {times} 4) {self._action(scope, depth - 1)})"
        return self._primitive(scope)

    def _primitive(self, scope: Scope) -> str:
        if not scope.get("card") and self._random.random() < 0.7:
            name, inner = self._fresh(scope, "card")
            word = self._pick("any", "all") if self._choosing else "all"
            return f"({word} {self._cards(scope, 1)} {name} {self._primitive(inner)})"
        roll = self._random.randrange(13)
        end = self._pick("top", "top", "top", "bottom", "0")
        place = f"({end} {self._place(scope)})"
        if roll < 4:
            if self._random.random() < 0.3:
                source = self._place(scope)
                return f"((> (size {source}) 0) (move (top {source}) {place}))"
            return f"(move {self._card(scope, 2)} {place})"
        if roll == 4:
            return f"(repeat all (move (top {self._cards(scope, 1)}) {place}))"
        if roll == 5:
            return f"(set {self._stored(scope, 'str')} {self._string(scope, 2)})"
        if roll == 6:
            op = self._pick("set", "inc", "dec")
            return f"({op} {self._stored(scope, 'sto')} (% {self._integer(scope, 2)} 100))"
        if roll == 7:
            op = self._pick("set", "update")
            award = f"((({self._pick('SUIT', 'RANK')} : {self._string(scope, 1)}) {self._random.randrange(9)}))"
            return f"({op} {self._stored(scope, 'points')} {award})"
        if roll == 8:
            return f"(cycle {self._pick('next', 'current')} {self._player(scope, 2)})"
        if roll == 9:
            return f"(shuffle {self._place(scope)})"
        if roll == 10:
            memory = f"(top ({self._owner(scope)} mem {self._name(scope)}))"
            return f"(remember {self._card(scope, 1)} {memory})"
        if roll == 11:
            if self._random.random() < 0.5:
                return f"(swap {self._place(scope)} {self._place(scope)})"
            return f"(swap {self._card(scope, 1)} {self._card(scope, 1)})"
        name, _ = self._fresh(scope, "card")
        memory = f"({self._owner(scope)} mem {self._name(scope)})"
        if self._random.random() < 0.5:
            return f"((> (size {memory}) 0) (forget (top {memory})))"
        return f"(all {memory} {name} (forget {name}))"

    def _value(self, scope: Scope, kind: str, depth: int) -> str:
        return {
            "player": self._player,
            "team": self._team,
            "card": lambda scope, depth: self._card(scope, depth, has_to_be=False),
            "cards": self._computed,
            "integer": self._integer,
            "string": self._string,
            "place": lambda scope, _: self._place(scope),
        }[kind](scope, depth)

    def _collection(self, scope: Scope, kind: str, depth: int) -> str:
        """Return what has items of that kind."""
        if kind == "player":
            found = self._pick("player", "(other player)", self._team(scope, depth))
        elif kind == "team":
            found = self._pick("team", "(other team)")
        elif kind == "string":
            found = self._pick("(HEARTS, SPADES)", "(A, B)", "(ONE)")
        elif kind == "integer":
            found = f"(range {self._pick('0', '1')} .. {self._pick('2', '3')})"
        elif kind == "cards":
            found = self._sets(scope, depth)
        else:
            found = self._cards(scope, depth)
        if self._random.random() < 0.15:
            name, inner = self._fresh(scope, kind)
            return f"(filter {found} {name} {self._truth(inner, depth - 1)})"
        return found

    def _owner(self, scope: Scope) -> str:
        return self._pick("game", "(current player)", self._player(scope, 1))

    def _name(self, scope: Scope) -> str:
        if self._random.random() < 0.12:
            return self._string(scope, 1)
        return self._pick(*NAMES)

    def _place(self, scope: Scope) -> str:
        if scope.get("place") and self._random.random() < 0.3:
            return self._pick(*scope["place"])
        if self._random.random() < 0.1:
            return "(game vloc STOCK)"
        index = self._pick("", "", "", "", " 1", f" (% {self._integer(scope, 1)} 2)")
        index = "" if "-" in index or "//" in index else index
        return f"({self._owner(scope)} {self._pick(*LOCATIONS)} {self._name(scope)}{index})"

    def _stored(self, scope: Scope, family: str) -> str:
        owner = self._pick("game", "(current player)", "(current team)", self._player(scope, 1))
        return f"({owner} {family} {self._name(scope)})"

    def _points(self, scope: Scope) -> str:
        return self._pick("(game points PM)", "(game points PM)", self._stored(scope, "points"))

    def _cards(self, scope: Scope, depth: int) -> str:
        if depth <= 0 or self._random.random() < 0.5:
            if scope.get("cards") and self._random.random() < 0.3:
                return self._pick(*scope["cards"])
            return self._place(scope)
        return self._computed(scope, depth)

    def _computed(self, scope: Scope, depth: int) -> str:
        depth -= 1
        roll = self._random.randrange(9)
        cards = self._cards(scope, depth)
        if roll == 0:
            return f"({self._pick('union', 'intersect', 'disjunction')} {cards} {self._cards(scope, depth)})"
        if roll == 1:
            name, inner = self._fresh(scope, "player")
            op = self._pick("union", "intersect", "disjunction")
            return f"({op} (all player {name} {self._cards(inner, depth)}))"
        if roll <= 4:
            name, inner = self._fresh(scope, "card")
            return f"(filter {cards} {name} {self._truth(inner, depth)})"
        if roll == 5:
            return f"(sort {cards} using {self._points(scope)})"
        if roll == 6:
            number = self._pick("0", f"(// (size {cards}) 2)", f"(size {cards})", "1")
            return f"({self._pick('top', 'bottom')} {number} {cards})"
        if roll == 7:
            word = self._pick("run top", "run bottom", "top", "bottom")
            return f"({word} {self._pick('1', '2')} {cards} using {self._points(scope)})"
        return f"(union {cards})"

    def _sets(self, scope: Scope, depth: int) -> str:
        cards = self._cards(scope, depth - 1)
        points = self._points(scope)
        name, inner = self._fresh(scope, "player")
        return self._pick(
            f"(tuples {self._pick('1', '2')} {cards} using {points})",
            f"(partition {self._pick('SUIT', 'RANK', 'COLOR')} {cards})",
            f"(subsets (filter {cards} {name}X (== (cardatt RANK {name}X) TWO)))",
            f"(runs {self._pick('largest', 'all')} {self._pick('1', '2')} {cards} using {points})",
            f"(all player {name} {self._cards(inner, depth - 1)})",
            f"(indexed {self._owner(scope)} {self._pick(*LOCATIONS)} A)",
        )

    def _card(self, scope: Scope, depth: int, *, has_to_be: bool = True) -> str:
        """Return a card; one that has to be is seldom of what may be empty."""
        if scope.get("card") and self._random.random() < (0.95 if has_to_be else 0.5):
            return self._pick(*scope["card"])
        cards = self._cards(scope, depth - 1)
        if not has_to_be:
            return f"({self._pick('top', 'top', 'bottom')} {cards})"
        if self._random.random() < 0.5:
            return f"({self._pick('max', 'min')} (union (game vloc STOCK) {cards}) using {self._points(scope)})"
        return f"({self._pick('top', 'top', 'bottom', '0')} (union {cards} (game vloc STOCK)))"

    def _player(self, scope: Scope, depth: int) -> str:
        if scope.get("player") and self._random.random() < 0.5:
            return self._pick(*scope["player"])
        if depth and self._random.random() < 0.02:
            return f"(owner {self._card(scope, depth - 1)})"
        return self._pick("(current player)", "(next player)", "(previous player)", "(1 player)")

    def _team(self, scope: Scope, depth: int) -> str:
        if scope.get("team") and self._random.random() < 0.5:
            return self._pick(*scope["team"])
        if self._random.random() < 0.5:
            return f"(team {self._player(scope, depth - 1)})"
        return self._pick("(current team)", "(next team)", "(previous team)", "(1 team)")

    def _string(self, scope: Scope, depth: int) -> str:
        if scope.get("string") and self._random.random() < 0.5:
            return self._pick(*scope["string"])
        if depth > 0 and self._random.random() < 0.3:
            key = self._pick("SUIT", "RANK", "COLOR", "NEVER")
            return f"(cardatt {key} {self._card(scope, depth - 1, has_to_be=False)})"
        return self._pick(*SUITS, *RANKS, *NAMES, self._stored_text(scope))

    def _stored_text(self, scope: Scope) -> str:
        return f"({self._pick('game', '(current player)')} str {self._pick(*NAMES)})"

    def _integer(self, scope: Scope, depth: int) -> str:
        if scope.get("integer") and self._random.random() < 0.5:
            return self._pick(*scope["integer"])
        if depth <= 0:
            return self._pick("0", "1", "2", "(game sto A)", "((current player) sto B)")
        depth -= 1
        roll = self._random.randrange(11)
        if roll == 0:
            if self._random.random() < 0.3:
                return f"({self._pick('//', '%')} {self._integer(scope, depth)} 2)"
            return f"({self._pick('+', '-', '*')} {self._integer(scope, depth)} {self._integer(scope, depth)})"
        if roll == 1:
            cards = self._cards(scope, depth)
            if self._random.random() < 0.5:
                return f"(sum {cards} using {self._points(scope)})"
            word = self._pick("scoremax", "scoremin")
            return f"({word} (union (game vloc STOCK) {cards}) using {self._points(scope)})"
        if roll == 2:
            return f"(score {self._card(scope, depth)} using {self._points(scope)})"
        if roll == 3:
            return self._pick("(random 2)", "(random 1 .. 3)", "3", "1")
        if roll == 4:
            return f"({self._pick('tri', 'fib')} (size {self._cards(scope, depth)}))"
        if roll == 5:
            name, inner = self._fresh(scope, "player")
            return f"(all player {name} {self._integer(inner, depth)})"
        if roll == 6:
            return f"(pid {self._player(scope, depth)})"
        if roll == 7:
            kind = self._pick("player", "card", "string", "cards")
            return f"(size {self._collection(scope, kind, depth)})"
        return f"(size {self._cards(scope, depth)})"

    def _truth(self, scope: Scope, depth: int) -> str:
        depth -= 1
        roll = self._random.randrange(10)
        if roll == 0 and depth > 0:
            op = self._pick("and", "or")
            return f"({op} {self._truth(scope, depth)} {self._truth(scope, depth)})"
        if roll == 1 and depth > 0:
            return f"(not {self._truth(scope, depth)})"
        if roll == 2 and depth > 0:
            kind = self._pick("player", "card", "card", "string", "integer", "cards", "team")
            name, inner = self._fresh(scope, kind)
            items = self._collection(scope, kind, depth)
            return f"({self._pick('all', 'any')} {items} {name} {self._truth(inner, depth)})"
        if roll <= 4:
            op = self._pick("<", ">", "<=", ">=", "==", "!=")
            return f"({op} {self._integer(scope, depth)} {self._integer(scope, depth)})"
        op = self._pick("==", "!=")
        kind = self._pick("string", "string", "card", "player", "team")
        return f"({op} {self._value(scope, kind, depth)} {self._value(scope, kind, depth)})"
