"""Three-card poker comes out as it can be worked out: by all deals and all ways to play them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Final, NamedTuple

import pytest

from tests.recycle.random_play import GAMES
from upcard.recycle import Place, Position, Program, read

Law = dict[tuple[int, ...], Fraction]
"""How likely each score of the players is."""
Strategy = dict[tuple[str, str], Fraction]
"""How often a player with a card bets where she may check (``"BET"``), or calls (``"CALL"``)."""
Strategies = tuple[Strategy, Strategy]

NEVER: Final = Fraction(0)
ALWAYS: Final = Fraction(1)
HALF: Final = Fraction(1, 2)
THIRD: Final = Fraction(1, 3)
VALUE: Final = Fraction(-1, 18)
"""What the first player wins on average when both play as well as can be."""
BOLDNESS: Final = (NEVER, Fraction(1, 5), THIRD)
"""How often the first player bets a jack; the best strategies differ in that."""


class Ordered(NamedTuple):
    """Shuffles cards into one order."""

    order: Sequence[int]

    def shuffle(self, k: int, n: int) -> Sequence[int]:
        assert (k, n) == (0, 3)
        return self.order

    def below(self, k: int, n: int) -> int:
        raise AssertionError(f"draw {k} of {n}: nothing is drawn at random")


@pytest.fixture(scope="module")
def kuhn() -> Program:
    return read((GAMES / "kuhn-poker.rcy").read_text(encoding="utf-8"))


def at_random() -> Strategy:
    return dict.fromkeys(product(("JACK", "QUEEN", "KING"), ("BET", "CALL")), HALF)


def first_at_best(boldness: Fraction) -> Strategy:
    return {
        ("JACK", "BET"): boldness,
        ("QUEEN", "BET"): NEVER,
        ("KING", "BET"): 3 * boldness,
        ("JACK", "CALL"): NEVER,
        ("QUEEN", "CALL"): boldness + THIRD,
        ("KING", "CALL"): ALWAYS,
    }


def second_at_best() -> Strategy:
    return {
        ("JACK", "BET"): THIRD,
        ("QUEEN", "BET"): NEVER,
        ("KING", "BET"): ALWAYS,
        ("JACK", "CALL"): NEVER,
        ("QUEEN", "CALL"): THIRD,
        ("KING", "CALL"): ALWAYS,
    }


def certain() -> Iterator[Strategy]:
    """Yield every strategy that leaves nothing to chance."""
    situations = list(at_random())
    for chances in product((NEVER, ALWAYS), repeat=len(situations)):
        yield dict(zip(situations, chances, strict=True))


def law(program: Program, strategies: Strategies) -> Law:
    """Return the exact distribution of the scores, with all deals equally likely."""
    deals = list(permutations(range(3)))
    total: Law = {}
    for order in deals:
        for scores, chance in _ends(program, program.start(Ordered(order)), strategies):
            total[scores] = total.get(scores, NEVER) + chance / len(deals)
    return total


def value(program: Program, strategies: Strategies) -> Fraction:
    """Return what the first player wins on average."""
    outcomes = law(program, strategies).items()
    return sum((scores[0] * chance for scores, chance in outcomes), NEVER)


def _ends(
    program: Program, position: Position, strategies: Strategies
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    if position.actor is None:
        assert position.scores is not None
        yield position.scores, ALWAYS
        return
    (card,) = position.cards_at(Place(position.actor + 1, "iloc", "HAND"))
    name = program.faces[program.cards[card]].name
    strategy = strategies[position.actor]
    for index, option in enumerate(position.options):
        (said,) = (str(step.value) for step in option.steps)
        bold = strategy[name, {"CHECK": "BET", "FOLD": "CALL"}.get(said, said)]
        chance = bold if said in {"BET", "CALL"} else 1 - bold
        if chance:
            after = position.copy()
            after.play(index)
            for scores, chance_after in _ends(program, after, strategies):
                yield scores, chance * chance_after


def test_random_play_has_the_distribution_that_is_known(kuhn: Program) -> None:
    assert law(kuhn, (at_random(), at_random())) == {
        (-2, 2): Fraction(3, 16),
        (-1, 1): Fraction(1, 4),
        (1, -1): Fraction(3, 8),
        (2, -2): Fraction(3, 16),
    }


def test_two_options_are_offered_at_each_decision(kuhn: Program) -> None:
    """So that random play is the law above."""
    position = kuhn.start(Ordered((0, 1, 2)))
    waiting, counts = [position], set()
    while waiting:
        position = waiting.pop()
        if position.actor is not None:
            counts.add(len(position.options))
        for index in range(len(position.options)):
            after = position.copy()
            after.play(index)
            waiting.append(after)
    assert counts == {2}


@pytest.mark.parametrize("boldness", BOLDNESS)
def test_the_best_strategies_are_worth_what_is_known(kuhn: Program, boldness: Fraction) -> None:
    assert value(kuhn, (first_at_best(boldness), second_at_best())) == VALUE


def test_nobody_does_better_than_that_against_them(kuhn: Program) -> None:
    assert max(value(kuhn, (first, second_at_best())) for first in certain()) == VALUE
    assert min(value(kuhn, (first_at_best(THIRD), second)) for second in certain()) == VALUE
