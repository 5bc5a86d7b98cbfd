"""Whist with the last card dealt for trump, as `docs/rules/whist.md` describes it."""

from referee.engine.whist.game import Whist, WhistRules
from referee.engine.whist.hand import WhistView

__all__ = ["Whist", "WhistRules", "WhistView"]
