"""The example bots play as they say: legally, repeatably, and steady far better than random."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.game import Game
from referee.engine.match import Match
from referee.engine.registry import preset
from tests.examples_bots.duels import bot, duel, play_hand, seated
from upcard import Bot

RANDOM = bot("random", "Random")
STEADY = bot("steady", "Steady")
HOUSE_RULES: Sequence[tuple[str, dict[str, object]]] = (
    ("euchre", {}),
    ("euchre", {"partner_must_go_alone": True}),
    ("euchre", {"stick_dealer": False}),
    ("euchre", {"alone": False, "stick_dealer": False, "target": 1}),
    ("euchre-280", {}),
    ("whist", {}),
)
games = pytest.mark.parametrize("game", [preset("euchre").game(), preset("whist").game()])
kinds = pytest.mark.parametrize("kind", [RANDOM, STEADY])


@games
@kinds
@pytest.mark.parametrize("number", range(3))
def test_a_duel_with_oneself_is_drawn_hand_by_hand(
    game: Game, kind: type[Bot], number: int
) -> None:
    played = duel(game, (kind, kind), number)
    assert [sum(both_rooms) for both_rooms in played.hands] == [0] * len(played.hands)
    assert sum(played.matches) == 1


@games
def test_a_copy_of_steady_is_no_other_player(game: Game) -> None:
    copy = bot("steady", "Steady")
    assert duel(game, (STEADY, copy), 0) == duel(game, (STEADY, STEADY), 0)


@settings(max_examples=60)
@given(
    house=st.sampled_from(HOUSE_RULES),
    random=st.randoms(use_true_random=False),
    dealer=st.integers(0, 3),
    points=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    partners=st.sampled_from([(STEADY, STEADY), (STEADY, RANDOM)]),
)
def test_steady_is_never_illegal(house, random, dealer, points, partners) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 (hypothesis draws them)
    game = preset(house[0]).game(house[1])
    deck = list(game.pack)
    random.shuffle(deck)
    seats = [seated(game, partners[seat % 2], "legal", seat) for seat in range(4)]
    assert play_hand(Match(game, dealer, points), seats, tuple(deck)).result is not None


@games
def test_steady_beats_random(game: Game) -> None:
    won = sum(sum(duel(game, (STEADY, RANDOM), number).matches) for number in range(40))
    assert won / 80 > 0.95
