"""Random legal self-play, and what it adds up to: the measure of a game before any bot exists."""

from referee.simulation.play import simulate
from referee.simulation.summary import Spread, Summary

__all__ = ["Spread", "Summary", "simulate"]
