"""What every game described in RECYCLE keeps besides: cards are conserved, and hidden ones are."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from referee.engine.game import State
from referee.engine.recycle import Recycle, RecycleView
from tests.conformance.playing import DESCRIBED, states
from upcard.recycle import seen, world

MEMORY = "mem"


@pytest.fixture(params=DESCRIBED)
def game(request: pytest.FixtureRequest) -> Recycle:
    described = DESCRIBED[request.param]
    assert isinstance(described, Recycle)
    return described


def views(state: State, game: Recycle) -> Iterator[RecycleView]:
    for seat in (*range(len(game.seats)), None):
        view = state.view(seat)
        assert isinstance(view, RecycleView)
        yield view


@pytest.mark.slow
def test_every_card_lies_in_one_place_at_every_moment(game: Recycle) -> None:
    for state in states(game):
        for view in views(state, game):
            sizes = [each.size for each in view.seen.places if each.place.kind != MEMORY]
            assert sum(sizes) == len(game.program.cards)


@pytest.mark.slow
def test_nobody_sees_a_card_more_often_than_there_are_cards_of_its_face(game: Recycle) -> None:
    there_are = Counter(game.program.cards)
    for state in states(game):
        for view in views(state, game):
            places = (each for each in view.seen.places if each.place.kind != MEMORY)
            assert Counter(face for each in places for face in each.faces or ()) <= there_are


@pytest.mark.slow
def test_spectators_see_no_place_that_any_seat_does_not(game: Recycle) -> None:
    for state in states(game):
        *seats, spectators = views(state, game)
        shown = {each.place for each in spectators.seen.places if each.faces is not None}
        for view in seats:
            hidden = {each.place for each in view.seen.places if each.faces is None}
            owners = {each.place for each in view.seen.places if each.place.kind == "oloc"}
            assert not shown & hidden - owners


@pytest.mark.slow
def test_hidden_cards_dealt_anew_leave_my_view_and_my_choices_as_they_are(game: Recycle) -> None:
    """The cards that a seat cannot see change places; it sees, and may do, what it did before."""
    random = Random(0)
    for state in states(game, 2):
        for view in views(state, game):
            if view.seen.player is not None and state.actor is not None:
                dealt = world(game.program, view.seen, random.randrange, Dealing(random))
                assert seen(dealt, view.seen.player) == view.seen


class Dealing:
    """Draws of a hand that goes on in another world."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def shuffle(self, k: int, n: int) -> list[int]:  # noqa: ARG002 (each is new)
        return self._random.sample(range(n), n)

    def below(self, k: int, n: int) -> int:  # noqa: ARG002 (likewise)
        return self._random.randrange(n)
