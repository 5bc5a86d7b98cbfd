"""The command `upcard`: one file for each of its words."""

from referee.cli.app import main

__all__ = ["main"]
