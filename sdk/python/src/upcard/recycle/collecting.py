"""What a program works out about cards and collections of them, as the compiled program calls it.

Each function takes the state first; `at` is where in the page its construct begins. Whatever looks
at every card counts that as work, so that no program runs for ever; and before a result is made its
size is counted, so that none fills memory.
"""

from collections.abc import Sequence
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any, Final, TypeVar

from upcard.recycle import bounds
from upcard.recycle.charts import Chart
from upcard.recycle.moves import fit
from upcard.recycle.state import UNUSED, State

Cards = Sequence[int]
Sets = Sequence[Cards]
_Items = TypeVar("_Items", bound=Sequence[Any])

LIST: Final = 4
"""The work that the making of a list counts as, besides that of its items."""


def looked_at(state: State, at: int, items: _Items, weight: int = 1) -> _Items:
    """Return items, counting the work of looking at each."""
    state.work -= len(items) * weight
    if state.work < 0:
        state.spend(at, 0)
    return items


def total(state: State, at: int, cards: Cards, chart: Chart) -> int:
    """Return the sum of scores."""
    scores = chart.scores
    return fit(state, at, sum([scores[card] for card in looked_at(state, at, cards)]))


def highest(state: State, at: int, cards: Cards, chart: Chart) -> int:
    """Return the highest score."""
    return max(_scores(state, at, cards, chart))


def lowest(state: State, at: int, cards: Cards, chart: Chart) -> int:
    """Return the lowest score."""
    return min(_scores(state, at, cards, chart))


def greatest(state: State, at: int, cards: Cards, chart: Chart) -> int:
    """Return a card of the highest score; if several have it, one is drawn."""
    scores = _scores(state, at, cards, chart)
    return _one(state, cards, scores, max(scores))


def least(state: State, at: int, cards: Cards, chart: Chart) -> int:
    """Return a card of the lowest score; if several have it, one is drawn."""
    scores = _scores(state, at, cards, chart)
    return _one(state, cards, scores, min(scores))


def _scores(state: State, at: int, cards: Cards, chart: Chart) -> list[int]:
    """Return the score of each card, of which there has to be one."""
    if not cards:
        state.fail(at, "there is no card")
    state.work -= len(cards)
    if state.work < 0:
        state.spend(at, 0)
    scores = chart.scores
    return [scores[card] for card in cards]


def _one(state: State, cards: Cards, scores: list[int], wanted: int) -> int:
    """Return the card of that score, or one of several that is drawn."""
    if scores.count(wanted) > 1:
        tied = (card for card, score in zip(cards, scores, strict=True) if score == wanted)
        equals = list(dict.fromkeys(tied))
        if len(equals) > 1:
            state.ties += 1
            return equals[state.below(len(equals))]
    return cards[scores.index(wanted)]


def joined(state: State, at: int, sets: Sets) -> list[int]:
    """Return the cards of all collections."""
    spend_on(state, at, sets)
    return list(chain.from_iterable(sets))


def united(state: State, at: int, sets: Sets) -> list[int]:
    """Return the cards of collections that the text lists."""
    state.work -= sum(map(len, sets))
    if state.work < 0:
        state.spend(at, 0)
    return list(chain.from_iterable(sets))


def spend_on(state: State, at: int, sets: Sets) -> None:
    """Count the work of looking at every card of some collections."""
    state.spend(at, sum(map(len, sets)) + LIST * len(sets))


def common(state: State, at: int, sets: Sets) -> list[int]:
    """Return the cards that are in all collections, in the order of first sight."""
    spend_on(state, at, sets)
    shared = set(sets[0]).intersection(*sets[1:]) if sets else set()
    return [card for card in dict.fromkeys(chain.from_iterable(sets)) if card in shared]


def single(state: State, at: int, sets: Sets) -> list[int]:
    """Return the cards that are there exactly once in all collections together."""
    counted: dict[int, int] = {}
    for card in joined(state, at, sets):
        counted[card] = counted.get(card, 0) + 1
    return [card for card, count in counted.items() if count == 1]


def ordered(state: State, at: int, cards: Cards, chart: Chart) -> list[int]:
    """Return cards by ascending score."""
    return sorted(looked_at(state, at, cards), key=chart.scores.__getitem__)


def some(state: State, at: int, number: int, cards: Cards, end: str) -> Cards:
    """Return so many cards from the top or the bottom, from that end inward."""
    if not 0 <= number <= len(cards):
        state.fail(at, f"there are no {number} cards among {len(cards)}")
    looked_at(state, at, cards)
    inward = cards[::-1] if end == "top" else cards
    return list(inward[:number])


def run(  # noqa: PLR0913, PLR0917 (what the construct says)
    state: State, at: int, number: int, cards: Cards, chart: Chart, end: str
) -> list[int]:
    """Return the longest run of at least so many cards at one end, ascending; else no card."""
    scores = chart.scores
    found: list[int] = []
    least_score = greatest_score = 0
    seen: set[int] = set()
    inward = cards[::-1] if end == "top" else cards
    for count, card in enumerate(looked_at(state, at, inward), 1):
        score = scores[card]
        if score in seen:
            break
        least_score = min(least_score, score) if seen else score
        greatest_score = max(greatest_score, score) if seen else score
        seen.add(score)
        if greatest_score - least_score + 1 == count >= number:
            found = list(inward[:count])
    return sorted(found, key=scores.__getitem__)


def tuples(state: State, at: int, size: int, cards: Cards, chart: Chart) -> Sets:
    """Return every choice of so many cards of one score, by ascending score."""
    if size < 0:
        state.fail(at, f"there is no tuple of {size} cards")
    found: list[Cards] = []
    for _, equals in sorted(_by_score(state, at, cards, chart).items()):
        state.spend(at, comb(len(equals), size) * (size + LIST))
        found += map(list, combinations(equals, size))
    return found


def _by_score(state: State, at: int, cards: Cards, chart: Chart) -> dict[int, list[int]]:
    """Return the cards of each score."""
    found: dict[int, list[int]] = {}
    for card in looked_at(state, at, cards):
        found.setdefault(chart.scores[card], []).append(card)
    return found


def subsets(state: State, at: int, cards: Cards) -> Sets:
    """Return every subset, the empty one first."""
    if len(cards) > bounds.SUBSET:
        state.fail(at, f"there are {len(cards)} cards; it takes at most {bounds.SUBSET}")
    state.spend(at, (len(cards) + LIST) << len(cards))
    found: list[Cards] = [[]]
    for card in cards:
        found += [[*subset, card] for subset in found]
    return found


def runs(  # noqa: PLR0913, PLR0917 (what the construct says)
    state: State, at: int, length: int, cards: Cards, chart: Chart, which: str
) -> Sets:
    """Return runs of at least so many consecutive scores, one for each way to take equal cards.

    The largest are those that cannot be made longer; else they are all, each once.
    """
    groups = _by_score(state, at, cards, chart)
    found: list[Cards] = []
    for stretch in _stretches(sorted(groups)):
        shortest = max(length, 1, len(stretch) if which == "largest" else 0)
        for start in range(len(stretch) - shortest + 1):
            for end in range(start + shortest, len(stretch) + 1):
                span = [groups[score] for score in stretch[start:end]]
                state.spend(at, prod(map(len, span)) * (len(span) + LIST))
                found += map(list, product(*span))
    return found


def _stretches(scores: Sequence[int]) -> list[list[int]]:
    """Return ascending scores, cut where one is missing."""
    found: list[list[int]] = []
    for score in scores:
        if found and found[-1][-1] == score - 1:
            found[-1].append(score)
        else:
            found.append([score])
    return found


def partition(state: State, at: int, values: Sequence[str], sets: Sets) -> Sets:
    """Return the cards of all collections by their value of an attribute; it lists each card's."""
    found: dict[str, list[int]] = {}
    for card in joined(state, at, sets):
        found.setdefault(values[card], []).append(card)
    return list(found.values())


def indexed(state: State, at: int, whose: int, kind: str, name: str) -> list[int]:
    """Return the places of a name that ever had a card, the lowest index first."""
    looked_at(state, at, state.place_slots.keys)
    named = state.place_slots.named(whose, kind, name)
    return [place for place in named if state.piles[place] is not UNUSED]
