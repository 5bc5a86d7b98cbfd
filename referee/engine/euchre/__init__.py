"""Euchre with 24 cards, as `docs/rules/euchre.md` describes it."""

from referee.engine.euchre.game import Euchre, EuchreRules
from referee.engine.euchre.hand import EuchreView

__all__ = ["Euchre", "EuchreRules", "EuchreView"]
