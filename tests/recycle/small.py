"""Small programs, and what comes of them."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import pytest

from upcard.recycle import Place, Position, Program, ProgramError, read

DECK: Final = "(create deck (game vloc STOCK) (deck (RANK (A, K, Q)) (SUIT (H, S))))"
"""From the bottom: A-H, A-S, K-H, K-S, Q-H, Q-S."""
STOCK: Final = ["A-H", "A-S", "K-H", "K-S", "Q-H", "Q-S"]
POINTS: Final = "(set (game points PM) (((RANK : A) 3) ((RANK : K) 2) ((RANK : Q) 1)))"
RESULT: Final = Place(0, "vloc", "RESULT")


class Given(NamedTuple):
    """Randomness that is given: every shuffle leaves the order, and the draws come one by one."""

    draws: Sequence[int] = ()

    def shuffle(self, k: int, n: int) -> Sequence[int]:
        """Return the order as it is, whichever shuffle it is."""
        assert k >= 0
        return range(n)

    def below(self, k: int, n: int) -> int:
        """Return the draw that is given, or 0."""
        drawn = self.draws[k] if k < len(self.draws) else 0
        assert drawn < n
        return drawn


class Seeded(NamedTuple):
    """Randomness from a number."""

    seed: int

    def shuffle(self, k: int, n: int) -> Sequence[int]:
        """Return the `k`-th shuffle."""
        return Random(f"{self.seed} shuffle {k}").sample(range(n), n)

    def below(self, k: int, n: int) -> int:
        """Return the `k`-th other draw."""
        return Random(f"{self.seed} draw {k}").randrange(n)


def page(
    *parts: str,
    players: int = 2,
    teams: str = "",
    deck: str = DECK,
    declared: str = "",
    scoring: str = "max 0",
) -> str:
    """Return the text of a game that consists of those parts."""
    setup = f"(setup (create players {players}) {teams} {deck})"
    between = "\n  "
    return f"(game {declared} {setup}\n  {between.join(parts)}\n  (scoring {scoring}))\n"


def program(*parts: str, **options: object) -> Program:
    """Return a game that consists of those parts; for the options see `page`."""
    return read(page(*parts, **options))  # type: ignore[arg-type]


def started(*parts: str, draws: Sequence[int] = (), **options: object) -> Position:
    """Return a game at its first decision, or at its end."""
    return program(*parts, **options).start(Given(draws))


def done(*actions: str, **options: object) -> Position:
    """Return a game in which those actions were done, one after the other."""
    return started(f"(do ({' '.join(actions)}))", **options)  # type: ignore[arg-type]


def play_out(position: Position) -> None:
    """Take the first option at every decision."""
    while position.actor is not None:
        position.play(0)


def number(expression: str, *before: str, **options: object) -> int:
    """Return what an integer is, after some actions."""
    position = done(*before, f"(set (game sto RESULT) {expression})", **options)
    return position.numbers.get((0, "RESULT"), 0)


def text(expression: str, *before: str, **options: object) -> str:
    """Return what a string is, after some actions."""
    position = done(*before, f"(set (game str RESULT) {expression})", **options)
    return position.texts.get((0, "RESULT"), "")


def holds(condition: str, *before: str, **options: object) -> bool:
    """Return whether a condition is true, after some actions."""
    position = done(*before, f"({condition} (set (game sto RESULT) 1))", **options)
    return (0, "RESULT") in position.numbers


def names(position: Position, place: Place = RESULT) -> list[str]:
    """Return the cards of a place, bottom first."""
    game = position.program
    return [game.faces[game.cards[card]].name for card in position.cards_at(place)]


def cards(expression: str, *before: str, **options: object) -> list[str]:
    """Return the cards of a collection, after some actions."""
    remember = f"(all {expression} 'RESULT (remember 'RESULT (game mem RESULT)))"
    return names(done(*before, remember, **options), Place(0, "mem", "RESULT"))


def sets(expression: str, *before: str, **options: object) -> list[list[str]]:
    """Return the cards of each of several collections, after some actions."""
    remember = "(all 'RESULT 'CARD (remember 'CARD (top (game mem RESULT (game sto RESULT)))))"
    each = f"(all {expression} 'RESULT (do ({remember} (inc (game sto RESULT)))))"
    position = done(*before, each, **options)
    count = position.numbers.get((0, "RESULT"), 0)
    return [names(position, Place(0, "mem", "RESULT", index)) for index in range(count)]


def texts(position: Position) -> list[str]:
    """Return what the actor may do."""
    return [option.text for option in position.options]


def play(position: Position, option: str) -> Position:
    """Take the option of that text."""
    position.play(texts(position).index(option))
    return position


def refusal(text: str, numbering: int | None = None) -> str:
    """Return why a text is refused."""
    with pytest.raises(ProgramError) as caught:
        read(text, numbering)
    return str(caught.value)


def failure(*actions: str, **options: object) -> str:
    """Return why actions cannot be done."""
    with pytest.raises(ProgramError) as caught:
        done(*actions, **options)
    return str(caught.value)
