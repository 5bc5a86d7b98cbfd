"""Moments of random matches, by the kind of decision that is due, to ask a bot about."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from referee.engine.cards import Action, Seat
from referee.engine.game import Game, State, is_trick_view
from referee.engine.match import Match
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import Preset

STUCK: Final = "dealer stuck"
ALONE: Final = "somebody alone"
_PASS: Final = Action("pass")
_PASSES: Final = 0.7
"""How often a pass is chosen where it may be: else a hand would hardly ever be named."""
_SEED: Final = bytes(32)
_MATCHES: Final = 60


class AskedPosition(NamedTuple):
    """A moment at which a seat is to act."""

    match: Match
    state: State


def examined_seat(game: Game) -> Seat:
    """Return the seat in which a bot is asked: the third, or the last where there are but two."""
    return min(2, len(game.seats) - 1)


def positions(preset: Preset, seat: Seat, each: int) -> dict[str, list[AskedPosition]]:
    """Return so many moments of each kind at which a seat is to act, in the order of a hand."""
    game, rng = preset.game(), Random(preset.name)  # noqa: S311 (it keeps no secret)
    found: dict[str, list[AskedPosition]] = {name: [] for name in (*game.decisions, STUCK, ALONE)}
    for number in range(_MATCHES):
        sheet = Scoresheet(game, game.first_dealer(number), SeededDeal(_SEED, f"check {number}"))
        while (state := sheet.state).actor is not None:
            if state.actor == seat:
                moments = found[_kind(state)]
                if len(moments) < each:
                    moments.append(AskedPosition(sheet.match, state.copy()))
            sheet.play(_drawn(rng, state.legal))
        if all(len(moments) == each for moments in found.values()):
            break
    return {kind: moments for kind, moments in found.items() if moments}


def _kind(state: State) -> str:
    if state.phase == "bidding" and _PASS not in state.legal:
        return STUCK
    view = state.view(state.actor)
    return ALONE if is_trick_view(view) and view.sits_out is not None else state.decision


def _drawn(rng: Random, legal: Sequence[Action]) -> Action:
    return _PASS if _PASS in legal and rng.random() < _PASSES else rng.choice(legal)
