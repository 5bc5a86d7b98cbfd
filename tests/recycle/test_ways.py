"""Options that are listed as they are, and options that are tried out, are the same."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.recycle.grown import Grower
from tests.recycle.small import Seeded
from upcard.recycle import Position, Program, ProgramError, read, seen, world
from upcard.recycle.pages import Page

DECISIONS = 25


def grown(seed: int) -> Program:
    """Return a program that can be read."""
    return read(Grower(seed).program())


def hand(program: Program, seed: int) -> Iterator[Position | str]:
    """Yield the one position of a random hand at each decision, and why it stops if it does."""
    random = Random(seed)
    try:
        position = program.start(Seeded(seed))
        for _ in range(DECISIONS):
            yield position
            if position.actor is None:
                break
            position.play(random.randrange(len(position.options)))
    except ProgramError as problem:
        yield str(problem)


def facts(position: Position) -> tuple[object, ...]:
    """Return all there is to know of a position."""
    stored = (position.numbers, position.texts, position.maps)
    drawn = (position.shuffles, position.draws, position.ties)
    return (position.places(), stored, drawn, position.flow, position.options, position.scores)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_programs_of_every_kind_go_the_same_both_ways(seed: int) -> None:
    program = grown(seed)
    tried = Program(Page(program.text), program.numbering, tries_all=True)
    for one, other in zip(hand(program, seed), hand(tried, seed), strict=True):
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
        else:
            assert facts(one) == facts(other)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150, 300))
def test_whatever_is_played_all_cards_are_somewhere_and_views_agree(seed: int) -> None:
    program = grown(seed)
    random = Random(seed)
    for position in hand(program, seed):
        if isinstance(position, str):
            break
        places = position.places()
        cards = [card for place in places if place.kind != "mem" for card in places[place]]
        assert sorted(cards) == list(range(len(program.cards)))
        for player in (None, *range(program.players)):
            view = seen(position, player)
            try:
                found = seen(world(program, view, random.randrange, Seeded(seed)), player)
            except ProgramError:
                continue  # what is asked of a card that is not seen may fail
            # Likewise the options may depend on such a card.
            assert found._replace(options=()) == view._replace(options=())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300, 400))
def test_a_copy_goes_on_as_the_position_would_and_leaves_it_alone(seed: int) -> None:
    for position in hand(grown(seed), seed):
        if isinstance(position, str) or position.actor is None:
            break
        before = facts(position)
        copied = position.copy()
        try:
            copied.play(0)
        except ProgramError:
            continue
        assert facts(position) == before
        again = position.copy()
        again.play(0)
        assert facts(again) == facts(copied)
