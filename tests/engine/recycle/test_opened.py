"""A hand with every card open, and who is told what of a move."""

from collections.abc import Sequence
from unittest.mock import patch

import pytest

from referee.engine.cards import Card
from referee.engine.game import State
from referee.engine.recycle import Recycle, RecycleView, move_of, opened
from referee.engine.recycle.hand import RecycleHand
from referee.engine.recycle.opened import OpenHand, PlaceName, ToldMove, ValueName

PASSING = """(game (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ACE, KING, QUEEN, JACK)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))
    (set (game sto ROUND) 1)
    (set (game str MOOD) CALM)
    (set (game points ROUND) (((RANK : ACE) 4)))))
  (choice ((
    any ((current player) iloc HAND) 'C (move 'C (top ((current player) hloc LAID))))))
  (choice ((move (top (game iloc STOCK)) (top (game vloc SHOWN)))))
  (choice ((move (top (game vloc SHOWN)) (top ((current player) hloc LAID)))))
  (scoring max ((current player) sto SCORE)))"""

EVERYWHERE = """(game (setup
    (create players 3)
    (create deck (game vloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P)))))
  (do (
    (remember (top (game vloc STOCK)) (top (game mem SEEN)))
    (all player 'P (remember (top (game vloc STOCK)) (top ('P mem SEEN))))
    (move (top (game vloc STOCK)) (top (game iloc A)))
    (move (top (game vloc STOCK)) (top (game hloc A)))
    (move (top (game vloc STOCK)) (top (game oloc A)))
    (all player 'P (move (top (game vloc STOCK)) (top ('P iloc A))))
    (all player 'P (move (top (game vloc STOCK)) (top ('P hloc A))))
    (all player 'P (move (top (game vloc STOCK)) (top ('P oloc A))))
    (all player 'P (move (top (game vloc STOCK)) (top ('P vloc A))))))
  (choice ((turn pass)))
  (scoring max 0))"""


@pytest.fixture
def first() -> State:
    """Deal a hand in which seat 2 is the first player."""
    game = Recycle.with_rules({"name": "passing", "program": PASSING})
    return game.start((Card("00" * 32),), 0)


def place(owner: str, kind: str, name: str) -> PlaceName:
    return PlaceName(owner, kind, name, 0)


def played(state: State, times: int = 1) -> tuple[OpenHand, ToldMove]:
    """Play the first action so many times; return what lies where, and what was told last."""
    for _ in range(times):
        before = opened(state)
        move = move_of(state, state.legal[0])
        state = state.play(state.legal[0])
    return opened(state), move.told(before, opened(state))


def test_the_hands_belong_to_the_seats_of_the_table(first: State) -> None:
    hands = [name.owner for name in opened(first).places if name.name == "HAND"]
    assert sorted(hands) == ["1", "2"]


def test_every_card_is_open(first: State) -> None:
    cards = [card for found in opened(first).places.values() for card in found.cards]
    assert sorted(cards) == ["ACE", "JACK", "KING", "QUEEN"]


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        (place("table", "iloc", "STOCK"), ()),
        (place("2", "iloc", "HAND"), (1,)),
        (place("1", "iloc", "HAND"), (0,)),
    ],
)
def test_each_place_says_who_sees_it(first: State, name: PlaceName, seats: Sequence[int]) -> None:
    assert opened(first).places[name].seen_by == seats


def test_each_kind_of_place_is_seen_by_those_whose_views_show_it() -> None:
    game = Recycle.with_rules({"name": "everywhere", "program": EVERYWHERE})
    state = game.start((Card("00" * 32),), 0)
    found = opened(state).places
    assert len({(name.owner, name.kind) for name in found}) == 4 * 5
    for seat in range(3):
        view = state.view(seat)
        assert isinstance(view, RecycleView)
        shown = [place.faces is not None for place in view.seen.places]
        assert [seat in place.seen_by for place in found.values()] == shown


def test_no_view_is_made_of_a_hand_to_open_it(first: State) -> None:
    with patch.object(RecycleHand, "view", side_effect=AssertionError):
        assert opened(first).places


def test_values_of_one_name_are_told_apart(first: State) -> None:
    assert opened(first).stored == {
        ValueName("table", "sto", "ROUND"): 1,
        ValueName("table", "str", "MOOD"): "CALM",
        ValueName("table", "points", "ROUND"): "ACE 4",
    }


def test_only_who_sees_a_card_is_told_which_one_moves(first: State) -> None:
    card = opened(first).places[place("2", "iloc", "HAND")].cards[0]
    _, told = played(first)
    assert told == ToldMove(
        (1,), f"moves {card} from HAND to LAID", "moves a card from HAND to LAID"
    )


def test_a_card_that_nobody_saw_before_is_named_by_nobody(first: State) -> None:
    _, told = played(first, 2)
    words = "moves a card from the table’s STOCK to the table’s SHOWN"
    assert told == ToldMove((0, 1), words, words)


def test_a_card_that_was_open_is_told_to_all(first: State) -> None:
    found, told = played(first, 3)
    assert told.seats == (0, 1)
    assert found.places[place("2", "hloc", "LAID")].seen_by == ()
