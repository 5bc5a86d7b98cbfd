"""The games there are, and the presets to choose them by."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

from referee.engine.cards import Seat
from referee.engine.euchre import Euchre
from referee.engine.game import Game
from referee.engine.recycle import Recycle
from referee.engine.whist import Whist
from referee.errors import ConfigError

_Found = TypeVar("_Found")


class Preset(NamedTuple):
    """A game by the name people ask for, with the options and first dealer it is played with."""

    name: str
    kind: type[Game]
    chosen: Mapping[str, object]
    first_dealer: Seat
    meaning: str

    def game(self, chosen: Mapping[str, object] | None = None) -> Game:
        """Make the game; `chosen` options go before the preset's own."""
        return self.kind.with_rules({**self.chosen, **(chosen or {})})


GAMES: Final[Mapping[str, type[Game]]] = {kind.name: kind for kind in (Euchre, Whist, Recycle)}

PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("euchre", Euchre, {}, 3, "alone allowed, dealer stuck, to 10"),
        Preset("euchre-280", Euchre, {"alone": False}, 0, "the EECS 280 course's: nobody alone"),
        Preset("whist", Whist, {}, 3, "last card dealt is trump, to 10"),
    )
}


def preset(name: str) -> Preset:
    """Find a preset by its name."""
    return _find(PRESETS, name)


def kind(name: str) -> type[Game]:
    """Find a game by its name."""
    return _find(GAMES, name)


def _find(among: Mapping[str, _Found], name: str) -> _Found:
    found = among.get(name)
    if found is None:
        message = f"there is no game {name[:80]!r}; choose {_either(among)}"
        raise ConfigError(message)
    return found


def _either(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"
