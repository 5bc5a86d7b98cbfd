"""What every game keeps, whatever its rules: those of the registry, and the examples in RECYCLE."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.engine.cards import Action
from referee.engine.game import Game
from referee.engine.record import from_json, replay, to_json
from referee.errors import IllegalAction
from tests.conformance.playing import GAMES, deals, matches, states, views

ROOT = Path(__file__).parents[2]
IN_ANOTHER_PROCESS = """
import json, sys
from referee.engine.record import to_json
from tests.conformance.playing import GAMES, matches
written = {name: [*map(to_json, matches(game)[:2])] for name, game in GAMES.items()}
print(json.dumps(written))
"""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def test_somebody_acts_until_the_hand_is_over(game: Game) -> None:
    for state in states(game):
        assert (
            (state.actor in range(len(game.seats))) == (state.result is None) == bool(state.legal)
        )


def test_a_hand_ends_within_the_bound_it_declares(game: Game) -> None:
    for first, player in deals(game):
        state = first
        for _ in range(game.longest_hand):
            if state.actor is not None:
                state = state.play(player.choose(state))
        assert state.result is not None


@pytest.mark.slow
def test_every_action_that_is_not_listed_is_refused(game: Game) -> None:
    for state in states(game, 4):
        for action in set(game.actions) - set(state.legal):
            with pytest.raises(IllegalAction):
                state.apply(action)


@pytest.mark.slow
def test_a_refused_action_changes_nothing(game: Game) -> None:
    for state in states(game, 4):
        before = views(state, game)
        for action in set(game.actions) - set(state.legal):
            with pytest.raises(IllegalAction):
                state.play(action)
        assert views(state, game) == before


@pytest.mark.parametrize("token", ["", "play", "play:", "play:1C", "PASS", "pass ", "play:9c"])
def test_what_is_no_action_of_the_game_is_refused(game: Game, token: str) -> None:
    for state in states(game, 2):
        with pytest.raises(IllegalAction):
            state.apply(Action(token))


def test_no_action_is_listed_twice(game: Game) -> None:
    for state in states(game):
        assert len(set(state.legal)) == len(state.legal)


@pytest.mark.slow
def test_apply_leaves_the_state_as_it_was(game: Game) -> None:
    for state in states(game, 12):
        before = views(state, game)
        for action in state.legal:
            state.apply(action)
        assert views(state, game) == before


@pytest.mark.slow
def test_play_in_place_gives_what_apply_gives(game: Game) -> None:
    for first, player in deals(game):
        pure, in_place = first, first.copy()
        while pure.actor is not None:
            action = player.choose(pure)
            pure, in_place = pure.apply(action), in_place.play(action)
            assert views(pure, game) == views(in_place, game)


@pytest.mark.slow
def test_a_copy_played_on_does_not_touch_the_original(game: Game) -> None:
    for state in states(game, 12):
        before = views(state, game)
        other = state.copy()
        while other.actor is not None:
            other = other.play(other.legal[-1])
        assert views(state, game) == before


def test_every_decision_is_of_a_kind_the_game_declares_and_after_the_hand_none_is(
    game: Game,
) -> None:
    for state in states(game):
        assert (state.decision in game.decisions) == (state.actor is not None)


def test_every_note_is_one_the_game_declares(game: Game) -> None:
    for state in states(game):
        assert state.result is None or set(state.result.notes) <= set(game.notes)


@pytest.mark.slow
def test_only_the_seat_to_act_sees_its_choices(game: Game) -> None:
    for state in states(game):
        for seat in range(len(game.seats)):
            assert state.view(seat).legal == (state.legal if seat == state.actor else ())


def test_a_match_ends_within_the_bound_it_declares(game: Game) -> None:
    for record in matches(game):
        assert len(record.hands) <= game.longest_match


def test_the_score_is_the_sum_of_the_hands_uncapped(game: Game) -> None:
    for record in matches(game):
        for side, points in enumerate(record.score):
            assert sum(hand.result.points[side] for hand in record.hands) == points


def test_the_first_dealer_is_the_one_asked_for(game: Game) -> None:
    for number, record in enumerate(matches(game)):
        assert record.hands[0].dealer == game.first_dealer(number)


def test_the_deal_moves_on_after_every_hand(game: Game) -> None:
    for record in matches(game):
        for hand, following in zip(record.hands, record.hands[1:], strict=False):
            assert following.dealer == game.next_dealer(hand.dealer)


def test_a_record_read_back_is_the_record_written(game: Game) -> None:
    for record in matches(game):
        assert from_json(to_json(record)) == record


def test_a_record_replays_to_the_same_results(game: Game) -> None:
    for record in matches(game):
        results = [hand.last.result for hand in replay(record)]
        assert results == [hand.result for hand in record.hands]


def test_every_word_of_a_tally_is_one_the_game_declares(game: Game) -> None:
    hands = (hand for record in matches(game) for hand in record.hands)
    words = {word for hand in hands for tally in game.tally(hand) for word in tally}
    assert {"hands", "points"} <= words <= set(game.counted)


def test_no_word_is_declared_twice(game: Game) -> None:
    assert len(set(game.counted)) == len(game.counted)


def test_a_figure_divides_what_is_counted_by_what_is_counted(game: Game) -> None:
    words = {word for figure in game.figures for word in (figure.counted, figure.over)}
    assert words
    assert words <= set(game.counted)


@pytest.mark.slow
def test_listing_what_may_be_done_twice_gives_the_same_and_changes_nothing(game: Game) -> None:
    for state in states(game, 2):
        before = views(state, game)
        assert state.copy().legal == state.legal == state.copy().legal
        assert views(state, game) == before


def test_every_place_in_a_match_is_taken_from_the_first_one_on(game: Game) -> None:
    for record in matches(game):
        places = sorted(record.places)
        assert len(places) == len(game.side_names)
        assert all(place == places.index(place) for place in places)


def test_the_deal_moves_partners_onto_partners(game: Game) -> None:
    moved = [game.sides[game.next_dealer(seat)] for seat in range(len(game.seats))]
    assert len({*zip(game.sides, moved, strict=True)}) == len(game.side_names)


@pytest.mark.slow
def test_another_process_plays_the_same_from_the_same_deal_and_answers() -> None:
    # Another process hashes text in another way.
    played = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )
    theirs = json.loads(played.stdout)
    for name, game in GAMES.items():
        assert theirs[name] == [*map(to_json, matches(game)[:2])]
