"""What the page of a game tells besides random play."""

import re
from typing import Final

from referee.engine.game import Game
from referee.engine.recycle import Recycle
from referee.engine.seating import room_names

_UNFIT: Final = re.compile(r"[^a-z0-9]+")


def told(game: Game) -> dict[str, object]:
    """Return what the template needs of a game."""
    described = isinstance(game, Recycle)
    return {
        "game": game,
        "described": described,
        "rooms": room_names(game),
        "rules": [
            (name, value)
            for name, value in game.rules._asdict().items()
            if not isinstance(value, str)
        ],
        "seats_of": [
            [name for name, own in zip(game.seat_names, game.sides, strict=True) if own == side]
            for side in range(len(game.side_names))
        ],
        "lines": game.rules.program.splitlines() if isinstance(game, Recycle) else (),
        "file_name": f"{_file_stem(game.title)}.rcy",
    }


def _file_stem(title: str) -> str:
    return _UNFIT.sub("-", title.lower()).strip("-") or "game"
