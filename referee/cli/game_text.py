"""A game in words: what it is called, and by which rules it is played."""

from referee.engine.game import Game
from referee.engine.options import text
from referee.text import plain


def game_name(game: Game) -> str:
    """Return what a game is called: one from a program has a name of its own."""
    return plain(game.title)


def with_rules(game: Game) -> str:
    """Return a game with its rules, without the program if it is from one."""
    rules = ", ".join(
        f"{name}={text(value)}"
        for name, value in game.rules._asdict().items()
        if not isinstance(value, str)
    )
    return f"{game_name(game)} ({rules})"
