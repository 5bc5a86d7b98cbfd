"""What is compiled does the same as a plain interpreter of the same program."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.recycle.grown import Grower
from tests.recycle.interpreter import Cycle, Failure, Interpreter, Table
from tests.recycle.small import Seeded
from upcard.recycle import Position, ProgramError, read
from upcard.recycle.outline import read_outline
from upcard.recycle.pages import Page

DECISIONS = 20
FAILED = "something cannot be done"
TOO_MUCH = "more than"
Facts = tuple[object, ...]


def of_table(table: Table, options: int | None) -> Facts:
    """Return all there is to know of a position of the interpreter, and how many options it has."""
    spots = {spot: tuple(cards) for spot, cards in table.spots.items()}
    stored = {key: value for key, value in table.stored.items() if value}
    drawn = (table.shuffles, table.draws, table.ties)
    return spots, stored, drawn, table.cycles, tuple(table.scores), options


def of_position(position: Position) -> Facts:
    """Return the same of a position of the compiled program."""
    stored: dict[tuple[object, ...], object] = {}
    for family, values in (("sto", position.numbers), ("str", position.texts)):
        stored |= {(family, *key): value for key, value in values.items()}
    for key, awards in position.maps.items():
        stored["points", *key] = {award.attributes: award.points for award in awards}
    cycles = {
        "player": cycle(position.player_now, position.player_next),
        "team": cycle(position.team_now, position.team_next),
    }
    drawn = (position.shuffles, position.draws, position.ties)
    options = None if position.actor is None else len(position.options)
    spots = {tuple(place): cards for place, cards in position.places().items()}
    return spots, stored, drawn, cycles, position.scores or (), options


def cycle(now: list[int], queued: list[int]) -> list[Cycle]:
    return [Cycle(one, None if two < 0 else two) for one, two in zip(now, queued, strict=True)]


def interpreted(text: str, seed: int) -> Iterator[Facts | str]:
    """Yield what a random hand comes to, decision by decision."""
    random = Random(seed)
    hand = Interpreter(read_outline(Page(text), None), Seeded(seed)).hand()
    try:
        table, options = next(hand)
        for _ in range(DECISIONS):
            yield of_table(table, None if options is None else len(options))
            if options is None:
                break
            table, options = hand.send(random.choice(options))
    except Failure:
        yield FAILED


def compiled(text: str, seed: int) -> Iterator[Facts | str]:
    """Yield the same of the compiled program."""
    random = Random(seed)
    try:
        position = read(text).start(Seeded(seed))
        for _ in range(DECISIONS):
            yield of_position(position)
            if position.actor is None:
                break
            position.play(random.choice(range(len(position.options))))
    except ProgramError as problem:
        yield TOO_MUCH if TOO_MUCH in str(problem) else FAILED


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000, 1_250))
def test_a_program_goes_as_it_is_interpreted(seed: int) -> None:
    text = Grower(seed).program()
    others = interpreted(text, seed)
    for facts in compiled(text, seed):
        if facts == TOO_MUCH:  # the interpreter knows no bounds
            break
        assert facts == next(others)
