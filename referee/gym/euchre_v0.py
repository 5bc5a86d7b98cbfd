"""Euchre as a PettingZoo environment; its encoding is `upcard.encoding.EUCHRE_V0`."""

from typing import Final

from referee.engine.euchre import Euchre
from referee.gym.environment import environments_of
from upcard.encoding import EUCHRE_V0

env: Final = environments_of(Euchre, EUCHRE_V0)
