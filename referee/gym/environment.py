"""A card game as PettingZoo's AEC interface has it: one agent after the other."""

from collections.abc import Callable, Mapping, Sequence
from secrets import randbits
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from referee.engine.cards import Action, team
from referee.engine.dealing import SEED_BYTES
from referee.engine.game import Game
from referee.engine.record import SeededDeal
from referee.errors import ConfigError
from referee.gym.table import Table
from referee.rpc.seat_views import SeatViews
from upcard import Bot
from upcard.encoding import Encoding

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError:
    raise ImportError(
        "referee.gym needs pettingzoo; install it with: pip install 'upcard-referee[gym]'"
    ) from None

Agent = str
Observation = dict[str, npt.NDArray[Any]]
Environment = AECEnv[Agent, Observation, int]

AGENTS: Final[tuple[Agent, ...]] = tuple(f"player_{seat}" for seat in range(4))
"""North, East, South and West; partners are two apart."""


class CardEnvironment(Environment):
    """A match, or its first hands; the agents are the seats for which no bot plays.

    An observation has the bytes of the encoding under ``"observation"``, and under
    ``"action_mask"`` a 1 for each action that is legal. The reward of an agent is what its side
    scores in a hand, less what the other side does; it comes when the hand is over. An episode
    begins with the first decision of an agent: what was scored before is not rewarded.
    """

    render_mode = None

    def __init__(
        self,
        game: Game,
        encoding: Encoding,
        bots: Mapping[Agent, type[Bot]],
        hands: int | None,
    ) -> None:
        """Seat the bots.

        Raises:
            ConfigError: there is no such seat, no agent is left, or there would be no hand.
        """
        _refuse_unplayable(bots, hands)
        self.metadata = {"name": encoding.name, "render_modes": [], "is_parallelizable": False}
        self.possible_agents = [agent for agent in AGENTS if agent not in bots]
        self._encoding = encoding
        self._views = SeatViews(game)
        self._bots = {AGENTS.index(agent): kind for agent, kind in bots.items()}
        self._hands = hands
        self._seed = randbits(64)
        self._episode = -1
        self.observation_spaces = {agent: _observations(encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: _actions(encoding) for agent in self.possible_agents}

    def observation_space(self, agent: Agent) -> Space[Observation]:
        """Return what an agent may observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> Space[int]:
        """Return the numbers of all actions."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 (PettingZoo wants any to be taken)
    ) -> None:
        """Begin an episode; a seed fixes its cards, and those of the episodes after it.

        Raises:
            ConfigError: the seed is below 0 or too large.
            IllegalChoice: a bot returned what is not legal.
        """
        if seed is not None:
            self._seed, self._episode = _checked(seed), -1
        self._table = self._dealt()
        while self._table.over:  # before any agent had a choice
            self._table = self._dealt()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: Agent) -> Observation:
        """Return what an agent sees now; after the end, what it saw before the last action."""
        seat = AGENTS.index(agent)
        view = self._table.view(seat)
        legal = view.legal if seat == self._table.actor else ()
        return {
            "observation": np.frombuffer(self._encoding.observe(view), np.uint8),
            "action_mask": np.frombuffer(self._encoding.mask(legal), np.int8),
        }

    def step(self, action: int | None) -> None:
        """Play the action of the agent that is to act, and then on to the next decision.

        Raises:
            IllegalAction: the action is not legal now.
            IllegalChoice: a bot returned what is not legal.
        """
        agent = self.agent_selection
        if action is None or self.terminations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]  # it takes nothing but None
            return
        points = self._table.play(Action(self._encoding.actions[action]))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent: _reward(points, agent) for agent in self.agents}
        self._accumulate_rewards()
        self._select()

    def _dealt(self) -> Table:
        self._episode += 1
        game = self._views.game
        dealers = game.dealers
        return Table(
            self._views,
            dealers[(self._seed + self._episode) % len(dealers)],
            SeededDeal(self._seed.to_bytes(SEED_BYTES), f"episode {self._episode}"),
            self._bots,
            self._hands,
        )

    def _select(self) -> None:
        """Select the agent that is to act; at the end any, to be told of it."""
        actor = self._table.actor
        if actor is None:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0] if actor is None else AGENTS[actor]


def environments_of(kind: type[Game], encoding: Encoding) -> Callable[..., Environment]:
    """Return what makes environments of a game."""

    def env(
        rules: Mapping[str, object] | None = None,
        bots: Mapping[Agent, type[Bot]] | None = None,
        hands: int | None = None,
    ) -> Environment:
        """Return an environment, in wrappers which refuse numbers and calls that make no sense.

        Args:
            rules: the options of the game by name, as `docs/rules/README.md` lists them.
            bots: who plays for some of the players, by agent; the others are the agents.
            hands: after how many an episode ends; None for a whole match.

        Raises:
            ConfigError: there is no such option, player or number of hands.
        """
        game = kind.with_rules(rules or {})
        return OrderEnforcingWrapper(
            AssertOutOfBoundsWrapper(CardEnvironment(game, encoding, bots or {}, hands))
        )

    return env


def _refuse_unplayable(bots: Mapping[Agent, type[Bot]], hands: int | None) -> None:
    for agent, kind in bots.items():
        if agent not in AGENTS:
            raise ConfigError(f"there is no {agent!r:.80}; the players are {', '.join(AGENTS)}")
        if not (isinstance(kind, type) and issubclass(kind, Bot)):
            raise ConfigError(f"{agent} is played by a class of bots, not by {kind!r:.80}")
    if len(bots) == len(AGENTS):
        raise ConfigError("bots play for everybody; leave a player to the agent")
    if hands is not None and hands < 1:
        raise ConfigError(f"an episode has at least one hand, not {hands}; None is a whole match")


def _checked(seed: int) -> int:
    if 0 <= seed < 1 << 8 * SEED_BYTES:
        return int(seed)  # it may be NumPy's
    raise ConfigError(f"a seed is from 0 to 2**{8 * SEED_BYTES} - 1, not {seed}")


def _actions(encoding: Encoding) -> Space[Any]:
    return Discrete(len(encoding.actions))


def _observations(encoding: Encoding) -> Space[Any]:
    most = np.frombuffer(encoding.most, np.uint8)
    return Dict(
        {
            "observation": Box(np.zeros_like(most), most, dtype=np.uint8),
            "action_mask": Box(0, 1, (len(encoding.actions),), np.int8),
        }
    )


def _reward(points: Sequence[int], agent: Agent) -> float:
    own = team(AGENTS.index(agent))
    return float(points[own] - points[1 - own])
