"""Reads a whole program: what it declares, its setup, its parts and how it is scored."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from upcard.recycle import actions, bounds, decks, expressions, shapes
from upcard.recycle.constants import is_constant
from upcard.recycle.kinds import ELEMENT, Kind
from upcard.recycle.nodes import Node, node
from upcard.recycle.pages import Page
from upcard.recycle.reader import Reader
from upcard.recycle.tree import Form, Item, is_token, tree

_DECLARED: Final = (Kind.INTEGER, Kind.STRING, Kind.TRUTH, Kind.STRINGS, Kind.INTEGERS)
_LET: Final = tuple({*ELEMENT, *ELEMENT.values(), Kind.TRUTH})
_DRAWING: Final = frozenset({"random"})


class Outline(NamedTuple):
    """A program that was read and checked."""

    players: int
    teams: tuple[tuple[int, ...], ...]
    """The players of each team, from 0; empty where there are no teams."""
    numbering: int
    decks: tuple[decks.Deck, ...]
    parts: tuple[Node, ...]
    lowest_wins: bool
    score: Node


def read_outline(page: Page, numbering: int | None) -> Outline:
    """Read the program of a page, which says from where it counts if `numbering` does not."""
    reader = Reader(page, {**shapes.CONSTRUCTS, **expressions.CONSTRUCTS, **actions.CONSTRUCTS})
    return _Outliner(reader, numbering).outline(tree(page))


class _Outliner:
    """Reads what is not inside an action block."""

    def __init__(self, reader: Reader, numbering: int | None) -> None:
        self._reader: Final = reader
        self._asked_numbering: Final = numbering
        self._choices = 0

    def outline(self, program: Form) -> Outline:
        """Read the program."""
        items = list(program.items[1:])
        while items and _is_form(items[0], "declare"):
            self._declare(items.pop(0))
        if not items or not _is_form(items[0], "setup"):
            raise self._expected("(setup …)", program, items)
        players, teams, cards = self._setup(items.pop(0))
        parts = []
        while items and not _is_form(items[0], "scoring"):
            parts.append(self._part(items.pop(0)))
        if not items:
            raise self._expected("(scoring max|min INT) at the end of the game", program, items)
        if not parts:
            raise self._expected("an action block or a stage", program, items)
        lowest_wins, score = self._scoring(items.pop(0))
        if items:
            raise self._reader.expected("the end of the game after (scoring …)", items[0])
        numbering = self._numbering(teams, players)
        self._check_seats(numbering, players, len(teams) or players)
        members = tuple(tuple(number - numbering for _, number in team) for team in teams)
        return Outline(players, members, numbering, cards, tuple(parts), lowest_wins, score)

    def _expected(self, what: str, program: Form, items: Sequence[Item]) -> Exception:
        """Return the error that says what should come next."""
        if items:
            return self._reader.expected(what, items[0])
        return self._reader.error(program, f"expected {what} in {program}")

    def _declare(self, form: Item) -> None:
        """Read ``(declare VALUE 'V)``."""
        assert isinstance(form, Form)
        _, item, variable = self._reader.sized(form, "(declare VALUE 'V)", 3)
        value = self._reader.value(item, *_DECLARED)
        if not is_constant(value):
            message = f"(declare …): {item} is not known before the game"
            raise self._reader.error(item, message)
        self._reader.declare(variable, value)

    def _setup(
        self, form: Item
    ) -> tuple[int, list[list[tuple[Item, int]]], tuple[decks.Deck, ...]]:
        """Read ``(setup (create players INT) [(create teams …)] (create deck …)…)``."""
        assert isinstance(form, Form)
        items = list(form.items[1:])
        if not items or not _is_form(items[0], "create", "players"):
            raise self._expected("(create players INT)", form, items)
        players = self._players(items.pop(0))
        teams: list[list[tuple[Item, int]]] = []
        if items and _is_form(items[0], "create", "teams"):
            teams = self._teams(items.pop(0))
        if not items:
            raise self._expected("(create deck …)", form, items)
        cards = self._decks(items)
        if not any(deck.cards for deck in cards):
            raise self._reader.error(items[0], "(create deck …): there are no cards")
        if len(decks.keys_of(cards)) > bounds.ATTRIBUTES:
            message = (
                f"(create deck …): cards have at most {bounds.ATTRIBUTES} different attributes"
            )
            raise self._reader.error(items[0], message)
        return players, teams, cards

    def _players(self, form: Item) -> int:
        """Read ``(create players INT)``."""
        assert isinstance(form, Form)
        _, _, item = self._reader.sized(form, "(create players INT)", 3)
        players = self._number(item)
        if not 2 <= players <= bounds.PLAYERS:
            message = f"(create players …): a game has 2 to {bounds.PLAYERS} players, not {players}"
            raise self._reader.error(item, message)
        return players

    def _number(self, item: Item) -> int:
        """Read a number that is known now."""
        value = self._reader.value(item, Kind.INTEGER)
        if value.op != "number":
            raise self._reader.expected("a number that is known before the game", item)
        return value.number

    def _teams(self, form: Item) -> list[list[tuple[Item, int]]]:
        """Read ``(create teams (1, 3) (2, 4))``."""
        assert isinstance(form, Form)
        teams = []
        for item in form.items[2:]:
            if not isinstance(item, Form) or len(item.items) % 2 == 0:
                raise self._reader.expected("a list of players, as (1, 3)", item)
            for comma in item.items[1::2]:
                if not is_token(comma, ","):
                    raise self._reader.expected("',' between the players of a team", comma)
            teams.append([(player, self._number(player)) for player in item.items[::2]])
        if len(teams) < 2:
            raise self._reader.error(form, "(create teams …) needs at least two teams")
        return teams

    def _decks(self, items: Sequence[Item]) -> tuple[decks.Deck, ...]:
        """Read every deck, none after there are too many cards."""
        found, room = [], bounds.CARDS
        for item in items:
            deck = self._deck(item, room)
            room -= len(deck.cards)
            found.append(deck)
        return tuple(found)

    def _deck(self, item: Item, room: int) -> decks.Deck:
        """Read ``(create deck …)`` or ``(repeat N (create deck …))``."""
        times = 1
        if isinstance(item, Form) and _is_form(item, "repeat"):
            _, number, item = self._reader.sized(item, "(repeat INT (create deck …))", 3)
            times = max(0, self._number(number))
        if not isinstance(item, Form) or not _is_form(item, "create", "deck"):
            raise self._reader.expected("(create deck …)", item)
        return decks.read_deck(self._reader, item, times, room)

    def _part(self, item: Item) -> Node:
        """Read a stage, a choice or an action block."""
        if isinstance(item, Form) and item.items:
            if is_token(item.items[0], "stage"):
                return self._stage(item)
            if is_token(item.items[0], "choice"):
                return self._choice(item)
            if is_token(item.items[0], "let") and _leads_to_choice(item):
                return self._let(item)
        return self._reader.value(item, Kind.ACTION)

    def _stage(self, form: Form) -> Node:
        """Read ``(stage player|team (end BOOL) PART…)``: the parts are the condition and those."""
        usage = "(stage player|team (end BOOL) PART…)"
        if len(form.items) < 4 or not is_token(form.items[1], "player", "team"):
            raise self._reader.expected(usage, form)
        end = form.items[2]
        if not isinstance(end, Form) or not _is_form(end, "end"):
            raise self._reader.expected("(end BOOL)", end)
        condition = self._reader.value(self._reader.sized(end, "(end BOOL)", 2)[1], Kind.TRUTH)
        parts = [condition]
        for item in form.items[3:]:
            parts.append(self._part(item))  # noqa: PERF401 (a frame less)
        return node("stage", Kind.ACTION, form.at, *parts, word=str(form.items[1]))

    def _choice(self, form: Form) -> Node:
        """Read ``(choice (E1 E2 …))``: the parts are the entries, the number is which it is."""
        _, block = self._reader.sized(form, "(choice (ACTION …))", 2)
        number = self._choices
        self._choices += 1
        self._reader.in_choice = True
        entries = [self._reader.value(item, Kind.ACTION) for item in self._reader.block(block)]
        self._reader.in_choice = False
        if not entries:
            raise self._reader.error(form, "(choice …) has nothing to choose from")
        return node("choice", Kind.ACTION, form.at, *entries, number=number)

    def _let(self, form: Form) -> Node:
        """Read ``(let VALUE 'V (choice …))``, which may be nested."""
        _, source, variable, body = self._reader.sized(form, "(let VALUE 'V ACTION)", 4)
        value = self._reader.value(source, *_LET)
        if any(part.op in _DRAWING for part in value.all()):
            message = "(let …) around a choice must not be random; store what is drawn before"
            raise self._reader.error(source, message)
        with self._reader.bound(variable, value.kind, value) as number:
            found = self._part(body)
        return node("let", Kind.ACTION, form.at, value, found, variable=number)

    def _scoring(self, form: Item) -> tuple[bool, Node]:
        """Read ``(scoring max|min INT)``."""
        assert isinstance(form, Form)
        usage = "(scoring max|min INT)"
        _, which, item = self._reader.sized(form, usage, 3)
        if not is_token(which, "max", "min"):
            raise self._reader.expected(usage, form)
        return str(which) == "min", self._reader.value(item, Kind.INTEGER)

    def _numbering(self, teams: list[list[tuple[Item, int]]], players: int) -> int:
        """Return from where players are counted, checking that each is in one team."""
        if not teams:
            if self._asked_numbering is not None:
                return self._asked_numbering
            return 1 if self._reader.is_newer else 0
        members = [member for team in teams for member in team]
        lowest = min(number for _, number in members)
        numbering = 0 if lowest == 0 else 1
        if self._asked_numbering not in {None, numbering}:
            message = f"(create teams …) counts players from {numbering}"
            raise self._reader.error(members[0][0], message)
        missing = set(range(numbering, numbering + players))
        for item, number in members:
            if number not in missing:
                why = "is in two teams" if numbering <= number < numbering + players else "is none"
                message = f"(create teams …): player {number} {why}"
                raise self._reader.error(item, message)
            missing.remove(number)
        if missing:
            message = f"(create teams …): player {min(missing)} is in no team"
            raise self._reader.error(members[0][0], message)
        return numbering

    def _check_seats(self, numbering: int, players: int, teams: int) -> None:
        """Refuse the number of a player or a team that there is not."""
        for seat in self._reader.numbered_seats:
            count = players if seat.kind is Kind.PLAYER else teams
            if not numbering <= seat.number < numbering + count:
                last = numbering + count - 1
                message = (
                    f"there is no such {seat.kind.name.lower()}; they are {numbering} to {last}"
                )
                raise self._reader.page.error(seat.at, message)


def _is_form(item: Item, *words: str) -> bool:
    """Whether an item is a form that begins with those keywords."""
    return (
        isinstance(item, Form)
        and len(item.items) >= len(words)
        and all(is_token(found, word) for found, word in zip(item.items, words, strict=False))
    )


def _leads_to_choice(form: Form) -> bool:
    """Whether a ``let`` is around a choice, or around another such ``let``."""
    item: Item = form
    while isinstance(item, Form) and _is_form(item, "let"):
        item = item.items[-1]
    return isinstance(item, Form) and _is_form(item, "choice")
