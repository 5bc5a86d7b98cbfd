"""Learns euchre by playing against a bot, and makes a bot that plays by what it learnt.

    python examples_research/learn.py --out learner

It learns what each action is worth: what its side will score in the hand, less what the other side
will. It plays both partners, mostly by the action that seems worth most, and moves the worth of
each action it took towards what the hand brought. That is Monte Carlo control; what says the worth
is a network with one hidden layer, which is in `network`.
"""

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from network import Array, Network

import upcard
from referee.gym import euchre_v0
from referee.gym.environment import Environment, Observation

BOT = Path(__file__).with_name("learner")
"""The bot, without weights."""
BATCH = 256
"""From so many decisions it learns at a time."""
EXPLORED = 0.1
"""How often an action is drawn at random while it learns."""
FIRST_STEP, LAST_STEP = 3e-3, 3e-4
"""How far a weight moves at a time, in the beginning and in the end."""
MATCHES = 200
"""How many are played to see what it learnt, on cards it never saw."""
UNSEEN = 10**9
"""The seed of these; those of lessons are small."""

Choose = Callable[[Observation], int]


class RandomBot(upcard.Bot):
    """Do anything the rules allow."""

    def choose(
        self,
        view: upcard.View,  # noqa: ARG002 (it does not look)
        legal: tuple[upcard.Action, ...],
    ) -> upcard.Action:
        """Choose among the legal actions, each as likely as the next."""
        return self.random.choice(legal)


class Episode(NamedTuple):
    """What both partners did, and what it brought."""

    decisions: list[tuple[Array, int]]
    """What was observed, and the number of the action."""
    points: float
    """What their side scored, less what the other side did."""


def opponents(bot: type[upcard.Bot]) -> dict[str, type[upcard.Bot]]:
    """Return a bot for East and West."""
    return {"player_1": bot, "player_3": bot}


def play(env: Environment, choose: Choose) -> Episode:
    """Play an episode."""
    env.reset()
    played = Episode([], 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        if agent == "player_0":  # partners have the same rewards
            played = played._replace(points=played.points + reward)
        if over:
            env.step(None)  # type: ignore[arg-type]  # so PettingZoo wants it
            continue
        assert observation is not None
        action = choose(observation)
        played.decisions.append((observation["observation"], action))
        env.step(action)
    return played


def best(network: Network) -> Choose:
    """Return who always takes the action that seems worth most."""

    def choose(observation: Observation) -> int:
        worth = network.worth(observation["observation"])
        return int(np.where(observation["action_mask"] == 1, worth, -np.inf).argmax())

    return choose


def exploring(choose: Choose, random: Random) -> Choose:
    """Return who takes any action now and then."""

    def explore(observation: Observation) -> int:
        if random.random() < EXPLORED:
            return int(random.choice(observation["action_mask"].nonzero()[0]))
        return choose(observation)

    return explore


def learn(bot: type[upcard.Bot], hands: int, seed: int = 0) -> Network:
    """Train a network for so many hands against a bot."""
    env = euchre_v0.env(bots=opponents(bot), hands=1)
    env.reset(seed=seed)
    network = Network(np.random.default_rng(seed))
    choose = exploring(best(network), Random(seed))  # noqa: S311 (no secret)
    seen: list[Array] = []
    actions: list[int] = []
    brought: list[float] = []
    for hand in range(hands):
        decisions, points = play(env, choose)
        for observation, action in decisions:
            seen.append(observation)
            actions.append(action)
            brought.append(points)
        if len(actions) >= BATCH:
            step = FIRST_STEP + (LAST_STEP - FIRST_STEP) * hand / hands
            network.learn(np.array(seen), np.array(actions), np.array(brought), step)
            seen, actions, brought = [], [], []
    return network


def matches_won(network: Network, bot: type[upcard.Bot], matches: int) -> int:
    """Return how many matches it wins against a bot."""
    env = euchre_v0.env(bots=opponents(bot))
    env.reset(seed=UNSEEN)
    return sum(play(env, best(network)).points > 0 for _ in range(matches))


def main() -> None:
    """Learn, play matches, and write the bot."""
    parser = argparse.ArgumentParser(description="Learn euchre by playing against `random`.")
    parser.add_argument("--hands", type=int, default=10_000, help="to learn by (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="repeats a run (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("learner"), help="a bot (%(default)s)")
    chosen = parser.parse_args()
    network = learn(RandomBot, chosen.hands, chosen.seed)
    won = matches_won(network, RandomBot, MATCHES)
    print(f"learnt by {chosen.hands} hands; won {won} of {MATCHES} matches against random")
    shutil.copytree(BOT, chosen.out, dirs_exist_ok=True)
    network.write(chosen.out / "weights.json")
    print(f"{chosen.out}: a bot that plays by it")


if __name__ == "__main__":
    main()
