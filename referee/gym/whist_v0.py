"""Whist as a PettingZoo environment; its encoding is `upcard.encoding.WHIST_V0`."""

from typing import Final

from referee.engine.whist import Whist
from referee.gym.environment import environments_of
from upcard.encoding import WHIST_V0

env: Final = environments_of(Whist, WHIST_V0)
