"""Compiles a program that was read."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from upcard.recycle import bounds
from upcard.recycle.action_code import Actions
from upcard.recycle.charts import Charts
from upcard.recycle.choice_code import Choices
from upcard.recycle.decks import keys_of
from upcard.recycle.expression_code import Expressions
from upcard.recycle.flow import Course
from upcard.recycle.outline import Outline
from upcard.recycle.pages import Page
from upcard.recycle.slots import FullTable
from upcard.recycle.state import StateTables
from upcard.recycle.unit import Unit


class Compiled(NamedTuple):
    """A program as it is played; see `flow.Course` for what there is of each place."""

    tables: StateTables
    functions: tuple[Callable[..., int], ...]
    ats: tuple[int, ...]
    parts: tuple[int, ...]
    stops: frozenset[int]
    teams: int
    piles: tuple[Sequence[int], ...]
    """What lies where before play."""
    where: tuple[int, ...]
    """The place of each card before play."""


def compiled(page: Page, outline: Outline, *, tries_all: bool = False) -> Compiled:
    """Compile a program; `tries_all` says that all options are listed by trying them out."""
    try:
        return _compiled(page, outline, tries_all=tries_all)
    except FullTable as problem:
        message = f"the program names more than {bounds.SLOTS} places or things to store"
        raise page.error(page.start, message) from problem
    except (SyntaxError, RecursionError, MemoryError) as problem:
        message = "the program is nested too deep to be compiled"
        raise page.error(page.start, message) from problem


def _compiled(page: Page, outline: Outline, *, tries_all: bool) -> Compiled:
    """Compile a program, unless it names too much."""
    cards = [card for deck in outline.decks for card in deck.cards]
    tables = StateTables(outline.players, Charts(cards), page.run_error)
    attributes = {
        key: (*(dict(card).get(key, "") for card in cards), "") for key in keys_of(outline.decks)
    }
    members = outline.teams or tuple((player,) for player in range(outline.players))
    unit = Unit(tables, members, outline.numbering, attributes)
    expressions = Expressions(unit)
    course = Course(unit, Actions(expressions), Choices(expressions, tries_all=tries_all))
    where = [
        tables.places.slot(*deck.where(outline.numbering))
        for deck in outline.decks
        for _ in deck.cards
    ]
    for part in outline.parts:
        course.lay_out(part)
    course.end(outline.score)
    if len(tables.charts.keys) * len(cards) > bounds.SCORES:
        message = f"points maps have more than {bounds.SCORES} scores, one for each card"
        raise page.error(page.start, message)
    functions = unit.compiled()
    piles: list[list[int]] = [[] for _ in tables.places.keys]
    for card, place in enumerate(where):
        piles[place].append(card)
    return Compiled(
        tables,
        tuple(functions[name] for name in course.functions),
        tuple(course.ats),
        tuple(course.parts),
        frozenset(course.stops),
        unit.teams,
        tuple(piles),
        tuple(where),
    )
