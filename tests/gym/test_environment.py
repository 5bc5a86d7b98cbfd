"""The environments do what PettingZoo wants of one, and what the referee does in a league."""

import sys
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from referee.engine.record import SeededDeal
from referee.engine.registry import preset
from referee.errors import ConfigError, IllegalAction
from referee.gym import euchre_v0, whist_v0
from referee.gym.environment import Environment, Observation
from referee.gym.table import Table
from referee.rpc.seat_views import SeatViews
from tests.examples_bots.duels import SEED, bot, duel
from upcard import Action, Bot, IllegalChoice, Rules, View
from upcard.encoding import EUCHRE_V0

RANDOM = bot("random", "Random")
STEADY = bot("steady", "Steady")
AGENTS = ("player_0", "player_1", "player_2", "player_3")
THREE_BOTS = dict.fromkeys(AGENTS[1:], RANDOM)
made_by = pytest.mark.parametrize("made", [euchre_v0, whist_v0], ids=["euchre", "whist"])
options = pytest.mark.parametrize(
    "chosen",
    [{}, {"hands": 1, "bots": THREE_BOTS}],
    ids=["match", "hand of one agent"],
)


class Cheat(Bot):
    def choose(self, view: View, legal: tuple[Action, ...]) -> Action:
        return next(card for card in map("play:{}".format, view.pack) if card not in legal)


class Witness(Bot):
    def __init__(self) -> None:
        self.seen: list[View] = []
        self.told: list[tuple[Action, ...]] = []

    def choose(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.seen.append(view)
        self.told.append(legal)
        return self.random.choice(legal)


class Decision(NamedTuple):
    agent: str
    observation: Observation
    action: int


class Episode(NamedTuple):
    decisions: list[Decision]
    rewards: dict[str, float]


def episode(env: Environment, seed: Any = None) -> Episode:  # noqa: ANN401 (NumPy's, too)
    """Play an episode at random."""
    rng = Random(0)
    env.reset(seed=seed)
    played = Episode([], dict.fromkeys(env.agents, 0.0))
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        played.rewards[agent] += reward
        if terminated:
            env.step(None)  # type: ignore[arg-type]  # what PettingZoo wants then
            continue
        assert observation is not None
        action = rng.choice(observation["action_mask"].nonzero()[0])
        played.decisions.append(Decision(agent, observation, action))
        env.step(action)
    return played


@made_by
@options
# It expects arrays, though observations with a mask are none in its own games either.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_pettingzoo_finds_nothing_wrong(made: ModuleType, chosen: dict[str, Any]) -> None:
    api_test(made.env(**chosen), num_cycles=40)


@made_by
@options
def test_a_seed_repeats_an_episode(made: ModuleType, chosen: dict[str, Any]) -> None:
    seed_test(lambda: made.env(**chosen), num_cycles=40)


def test_episodes_after_a_seed_are_repeated_and_differ() -> None:
    env = euchre_v0.env(hands=1)
    seeds = 7, np.int64(7)
    first, second = [[str(episode(env, each)) for each in (seed, None, None)] for seed in seeds]
    assert first == second
    assert len(set(first)) == 3


@made_by
def test_only_who_has_a_choice_is_asked(made: ModuleType) -> None:
    for decision in episode(made.env(hands=2), seed=1).decisions:
        assert decision.observation["action_mask"].sum() > 1


@made_by
def test_only_players_without_a_bot_are_asked(made: ModuleType) -> None:
    env = made.env(bots=THREE_BOTS, hands=2)
    assert env.possible_agents == ["player_0"]
    assert {decision.agent for decision in episode(env, seed=1).decisions} == {"player_0"}


def test_a_hand_is_rewarded_by_what_it_scores() -> None:
    won = [episode(euchre_v0.env(hands=1), seed).rewards for seed in range(20)]
    for rewards in won:
        ours = rewards["player_0"]
        assert rewards == dict(zip(AGENTS, (ours, -ours, ours, -ours), strict=True))
        assert abs(ours) in (1, 2, 4)


def test_an_episode_is_a_match_where_no_number_of_hands_is_given() -> None:
    decisions, rewards = episode(euchre_v0.env(rules={"target": 3}), seed=2)
    assert before_the_hand(decisions[0]) == (0, 0)
    last = decisions[-1]
    score = before_the_hand(last)
    assert max(score) < 3
    hand = rewards[last.agent] - (score[0] - score[1])
    assert max(score[0] + hand, score[1] - hand) >= 3


def before_the_hand(decision: Decision) -> tuple[int, int]:
    ours, theirs, _ = decision.observation["observation"][EUCHRE_V0.where["points"]]
    return int(ours), int(theirs)


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_bots_play_as_they_do_over_messages(name: str) -> None:
    game, bots = preset(name).game(), (STEADY, RANDOM)
    for number in range(3):
        hands = duel(game, bots, number).hands
        for room in (0, 1):
            seats = {seat: bots[(seat + room) % 2] for seat in range(4)}
            dealt = SeededDeal(SEED, f"duel {number}")
            score = Table(SeatViews(game), number % 4, dealt, seats, len(hands)).score
            assert score[room] - score[1 - room] == sum(points[room] for points in hands)


def test_a_bot_knows_what_it_knows_in_play() -> None:
    met: list[Witness] = []

    class Noted(Witness):
        def __init__(self) -> None:
            super().__init__()
            met.append(self)

    episode(euchre_v0.env(rules={"alone": False, "target": 4}, bots={"player_2": Noted}), seed=3)
    (witness,) = met
    assert (witness.seat, witness.rules) == (2, Rules(4, alone=False, stick_dealer=True))
    assert [view.turn for view in witness.seen] == sorted({view.turn for view in witness.seen})
    assert all(view.legal == legal for view, legal in zip(witness.seen, witness.told, strict=True))


def test_an_illegal_choice_of_a_bot_is_named() -> None:
    env = euchre_v0.env(bots=dict.fromkeys(AGENTS[1:], Cheat))
    with pytest.raises(IllegalChoice, match="the bot returned 'play:9C'; legal here: pass"):
        env.reset(seed=0)


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    env = euchre_v0.env()
    env.reset(seed=0)
    before = str(env.last())
    with pytest.raises(IllegalAction, match="'discard:9C' is not allowed at this point"):
        env.step(EUCHRE_V0.number("discard:9C"))
    assert str(env.last()) == before


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"rules": {"aloen": True}}, "aloen"),
        ({"bots": {"East": RANDOM}}, "there is no 'East'; the players are player_0, player_1"),
        ({"bots": {"player_1": Cheat()}}, "player_1 is played by a class of bots, not by <"),
        ({"bots": dict.fromkeys(AGENTS, RANDOM)}, "leave a player to the agent"),
        ({"hands": 0}, "at least one hand, not 0"),
    ],
    ids=["option", "player", "no class", "nobody left", "no hands"],
)
def test_what_cannot_be_played_is_refused(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        euchre_v0.env(**chosen)


def test_a_seed_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="a seed is from 0 to"):
        euchre_v0.env().reset(seed=-1)


def test_without_pettingzoo_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.gym.euchre_v0", "referee.gym.environment"):
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r"pip install 'upcard-referee\[gym\]'"):
        import_module("referee.gym.euchre_v0")
