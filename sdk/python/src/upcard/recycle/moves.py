"""The primitive actions, as the compiled program calls them.

Each takes the state first; `at` is where in the page its construct begins. One that fails changes
nothing.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from upcard.recycle import bounds
from upcard.recycle.arithmetic import fitted
from upcard.recycle.charts import Chart, Recipe
from upcard.recycle.state import UNUSED, State
from upcard.recycle.values import PointsMap

_Result = TypeVar("_Result")

_FEW: Final = 64
"""So many cards of a place are found as soon as one item is looked at."""
ON_TOP: Final = -1
"""The index where a card is put on top."""


def move(state: State, at: int, card: int, target: int, index: int) -> None:
    """Move a card to a place."""
    source = state.where[card]
    pile = state.piles[source]
    if index != ON_TOP:
        _check_index(state, at, target, index, len(state.piles[target]) - (source == target))
    if pile[-1] == card:
        pile.pop()
    else:
        if len(pile) > _FEW:
            state.spend(at, len(pile) // _FEW)
        pile.remove(card)
    _put(state, card, target, index)
    state.where[card] = target


def move_top(state: State, at: int, source: int, target: int) -> None:
    """Move the top card of a place to the top of another."""
    pile = state.piles[source]
    if not pile:
        state.fail(at, f"there is no card in {place_name(state, source)}")
    card = pile.pop()
    goal = state.piles[target]
    if goal is UNUSED:
        goal = state.piles[target] = []
    goal.append(card)
    state.where[card] = target


def place_name(state: State, slot: int) -> str:
    """Return what a place is called in a message."""
    owner, _, name, index = state.place_slots.keys[slot]
    whose = f"player {owner}'s" if owner else "the table's"
    return f"{whose} {name}" + (f"[{index}]" if index else "")


def _check_index(state: State, at: int, target: int, index: int, size: int) -> None:
    """Refuse an index in a place of so many cards at which nothing can be put."""
    if index > size:
        where = place_name(state, target)
        state.fail(at, f"a card cannot be put at index {index} of {where} with {size} cards")
    if size > _FEW:
        state.spend(at, size // _FEW)


def _put(state: State, card: int, target: int, index: int) -> None:
    """Put a card, or a reference to it, into a place."""
    pile = state.piles[target]
    if pile is UNUSED:
        state.piles[target] = []
        pile = state.piles[target]  # which may be one that is watched
    if index == ON_TOP:
        pile.append(card)
    else:
        pile.insert(index, card)


def remember(state: State, at: int, card: int, memory: int, index: int) -> None:
    """Put a reference to a card into a memory place."""
    if state.references >= bounds.REFERENCES:
        state.fail(at, f"memory places have {bounds.REFERENCES} references together already")
    if index != ON_TOP:
        _check_index(state, at, memory, index, len(state.piles[memory]))
    state.references += 1
    _put(state, card, memory, index)


def forget(state: State, at: int, card: int, memory: int) -> None:
    """Remove a reference to a card from a memory place."""
    pile = state.piles[memory]
    state.spend(at, len(pile) // _FEW)
    if card not in pile:
        state.fail(at, f"the card is not in {place_name(state, memory)}")
    state.references -= 1
    pile.reverse()  # of equal references the one nearest the top
    pile.remove(card)
    pile.reverse()


def memory_of(state: State, at: int, card: int) -> int:
    """Return the first memory place with a reference to a card."""
    state.spend(at, len(state.place_slots.keys))
    for slot, place in enumerate(state.place_slots.keys):
        if place.kind != "mem":
            continue
        state.spend(at, len(state.piles[slot]) // _FEW)
        if card in state.piles[slot]:
            return slot
    return state.fail(at, "the card is in no memory place")


def swap_cards(state: State, at: int, one: int, other: int) -> None:
    """Exchange two cards."""
    places = [state.where[card] for card in (one, other)]
    state.spend(at, sum(len(state.piles[place]) for place in places) // _FEW)
    indexes = [
        state.piles[place].index(card) for place, card in zip(places, (one, other), strict=True)
    ]
    for place, index, card in zip(places, indexes, (other, one), strict=True):
        pile = state.piles[place]
        pile[index] = card
        state.where[card] = place


def swap_places(state: State, at: int, one: int, other: int) -> None:
    """Exchange all that lies in two places; both count as used if one was."""
    here, there = (list(state.piles[place]) for place in (one, other))
    if state.piles[one] is UNUSED and state.piles[other] is UNUSED:
        return
    state.spend(at, (len(here) + len(there)) // 8)
    state.piles[one], state.piles[other] = there, here
    for place in (one, other):
        for card in state.piles[place]:
            state.where[card] = place


def shuffle(state: State, at: int, place: int) -> None:
    """Shuffle a place, in a way that does not depend on how its cards lay before."""
    cards = sorted(state.piles[place])
    state.spend(at, len(cards))
    order = state.shuffled(len(cards))
    if cards:
        state.piles[place] = [cards[index] for index in order]


def set_count(state: State, slot: int, number: int) -> None:
    """Store a number."""
    state.counts[slot] = number


def add_count(state: State, at: int, slot: int, number: int) -> None:
    """Add to a number that is stored."""
    state.counts[slot] = fit(state, at, state.counts[slot] + number)


def take_count(state: State, at: int, slot: int, number: int) -> None:
    """Subtract from a number that is stored."""
    state.counts[slot] = fit(state, at, state.counts[slot] - number)


def fit(state: State, at: int, number: int) -> int:
    """Return a number that is within 32 bits."""
    if -bounds.INTEGER - 1 <= number <= bounds.INTEGER:
        return number
    return reckon(state, at, fitted, number)


def reckon(state: State, at: int, operation: Callable[..., _Result], *values: object) -> _Result:
    """Return the result of an operation that may have none."""
    try:
        return operation(*values)
    except ArithmeticError as problem:
        state.fail(at, str(problem))


def set_word(state: State, slot: int, word: str) -> None:
    """Store a text."""
    state.words[slot] = word


def set_chart(state: State, slot: int, chart: Chart) -> None:
    """Store a points map."""
    state.charts[slot] = chart


def update_chart(state: State, at: int, slot: int, awards: PointsMap) -> None:
    """Add awards to a points map, or replace them."""
    charts = state.tables.charts_of_cards
    before = state.charts[slot]
    state.spend(at, charts.cost(len(before.awards) + len(awards)))
    state.charts[slot] = reckon(state, at, charts.updated, before, awards)


def chart(state: State, at: int, recipe: Recipe, values: tuple[str | int, ...]) -> Chart:
    """Return the points map that a recipe makes of some values."""
    made = recipe.made(values)
    if made is not None:
        return made
    state.spend(at, recipe.cost)
    return reckon(state, at, recipe.chart, values)


def queue(state: State, player: int) -> None:
    """Make a player the next one."""
    state.player_next[-1] = player


def act_now(state: State, player: int) -> None:
    """Make a player the current one."""
    state.player_now[-1] = player


def pass_turn(state: State) -> None:
    """Do nothing."""
