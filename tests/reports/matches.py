"""Matches played at random in every game there is, for what is told of them."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Final

from referee.engine.game import Game, State
from referee.engine.record import MatchRecord, Scoresheet, SeededDeal
from referee.engine.registry import PRESETS, preset

# Hands are thrown in only where the dealer is not stuck.
HOUSE: Final[Mapping[str, object]] = {"stick_dealer": False, "partner_must_go_alone": True}
GAMES: Final = {
    **{name: each.game() for name, each in PRESETS.items()},
    "euchre, house rules": preset("euchre").game(HOUSE),
}
_MATCHES: Final = 6


@cache
def matches(name: str) -> list[MatchRecord]:
    """Play some matches; in some of them everybody is shy, so that hands are thrown in."""
    return [match(GAMES[name], number) for number in range(_MATCHES)]


@cache
def forfeited(name: str) -> list[MatchRecord]:
    """Play some matches that somebody forfeits: at once, within a hand, or far on."""
    return [match(GAMES[name], number, stop) for number, stop in enumerate((0, 1, 20, 75))]


def match(game: Game, number: int, stop: int | None = None, *, luck: Any = 0) -> MatchRecord:  # noqa: ANN401 (any seed)
    """Play a match, forfeited after so many actions if it comes to that."""
    random = Random(f"{number} {luck}")
    shy = 0.9 if number % 3 == 0 else 0.0
    sheet = Scoresheet(game, number % 4, SeededDeal(bytes(32), str(number)))

    def choose(state: State) -> None:
        first = random.random() < shy
        sheet.play(state.legal[0] if first else random.choice(state.legal))

    played = 0
    while sheet.state.actor is not None:
        if played == stop:
            return sheet.record(forfeited_by=sheet.state.actor)
        choose(sheet.state)
        played += 1
    return sheet.record()
