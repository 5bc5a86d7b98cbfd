"""Euchre as a PettingZoo environment; observations and actions are `upcard.encoding.EUCHRE_V0`."""

from collections.abc import Mapping

from referee.engine.euchre import Euchre
from referee.gym.environment import Agent, Environment, wrapped
from upcard import Bot
from upcard.encoding import EUCHRE_V0


def env(
    rules: Mapping[str, object] | None = None,
    bots: Mapping[Agent, type[Bot]] | None = None,
    hands: int | None = None,
) -> Environment:
    """Return an environment.

    Args:
        rules: the options of the game by name, as `docs/rules/README.md` lists them.
        bots: who plays for some of the players, by agent; the others are the agents.
        hands: after how many an episode ends; None for a whole match.

    Raises:
        ConfigError: there is no such option, player or number of hands.
    """
    return wrapped(Euchre.with_rules(rules or {}), EUCHRE_V0, bots, hands)
