"""Every decision of a match becomes a row that says what was seen, done and won."""

import tracemalloc
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

from referee.datasets.decisions import PlayedMatch, encoding_of, write_dataset
from referee.datasets.npz import Array
from referee.engine.record import Forfeit, MatchRecord, SeededDeal, play_match, replay
from referee.engine.registry import preset
from referee.errors import ConfigError
from referee.gym import euchre_v0, whist_v0
from referee.gym.environment import Environment

RULES = {"target": 4}
games = pytest.mark.parametrize("name", ["euchre", "whist"])


def played(name: str, number: int = 0) -> PlayedMatch:
    """Return a match in which everybody takes the action with the highest number."""
    game = preset(name).game(RULES)
    dealt = SeededDeal(bytes(32), "episode 0")
    record = play_match(
        game, 0, dealt, lambda state: max(state.legal, key=encoding_of(game).number)
    )
    return again(record, number)


def again(record: MatchRecord, number: int = 0) -> PlayedMatch:
    return PlayedMatch(number, record, list(replay(record)), duel=5, room=1, entrants=(7, 9))


def written(path: Path, *matches: PlayedMatch) -> dict[str, Array]:
    write_dataset(path, encoding_of(matches[0].record.game), matches, ["", "ada"])
    with np.load(path) as arrays:
        return dict(arrays)


def in_environment(env: Environment) -> dict[str, Array]:
    """Play the same match as an episode; return what its agents observed and did."""
    seen: list[dict[str, Array]] = []
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        assert observation is not None
        if terminated:
            break
        action = observation["action_mask"].nonzero()[0][-1]
        seen.append({**observation, "action": action, "seat": np.array(int(agent[-1]))})
        env.step(action)
    return {name: np.array([each[name] for each in seen]) for name in seen[0]}


@games
def test_a_row_is_what_an_agent_would_observe_and_do(name: str, tmp_path: Path) -> None:
    env = {"euchre": euchre_v0, "whist": whist_v0}[name].env(rules=RULES)
    expected, arrays = in_environment(env), written(tmp_path / "x.npz", played(name))
    assert len(expected["seat"]) > 20
    for column, values in expected.items():
        assert np.array_equal(arrays[column], values), column


@games
def test_a_row_says_what_came_of_it(name: str, tmp_path: Path) -> None:
    match = played(name)
    arrays = written(tmp_path / "x.npz", match)
    results = np.array([hand.result.points for hand in match.record.hands])
    side = arrays["seat"] % 2
    rows = results[arrays["hand"]]
    assert set(arrays["hand"]) == set(range(len(results)))
    assert np.array_equal(
        arrays["points"], np.where(side, rows[:, 1] - rows[:, 0], rows[:, 0] - rows[:, 1])
    )
    assert np.array_equal(arrays["won"], side == np.argmax(match.record.score))


def test_a_row_says_where_it_comes_from(tmp_path: Path) -> None:
    arrays = written(tmp_path / "x.npz", played("euchre"), played("euchre", number=1))
    side = arrays["seat"] % 2
    assert np.array_equal(arrays["entrant"], np.where(side, 9, 7))
    assert np.array_equal(arrays["opponent"], np.where(side, 7, 9))
    assert (set(arrays["duel"]), set(arrays["room"])) == ({5}, {1})
    assert np.array_equal(arrays["match"], np.repeat([0, 1], len(side) // 2))
    assert (str(arrays["encoding"]), list(arrays["entrants"])) == ("euchre_v0", ["", "ada"])


def test_a_hand_that_was_not_played_out_has_no_rows(tmp_path: Path) -> None:
    whole = played("euchre").record
    *hands, last = whole.hands
    score = tuple(whole.score[side] - last.result.points[side] for side in (0, 1))
    forfeit = Forfeit(last.actions[-1][0], last.actions[:-1])
    record = whole._replace(hands=tuple(hands), score=score, forfeit=forfeit)
    arrays = written(tmp_path / "x.npz", again(record))
    assert max(arrays["hand"]) == len(hands) - 1
    assert np.array_equal(arrays["won"], arrays["seat"] % 2 != forfeit.seat % 2)


def test_the_same_matches_make_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        written(tmp_path / name, played("whist"), played("whist", number=1))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_many_matches_take_no_more_memory_than_a_few(tmp_path: Path) -> None:
    match = played("whist")

    def peak(count: int) -> int:
        tracemalloc.start()
        write_dataset(tmp_path / "x", encoding_of(match.record.game), repeat(match, count), [])
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)
    assert peak(12) < 1.5 * peak(2)


def test_a_match_of_another_game_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="match 2 is of whist; euchre_v0 has no place for it"):
        written(tmp_path / "x", played("euchre"), played("whist", number=1))
    assert not list(tmp_path.iterdir())
