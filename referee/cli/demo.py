"""`upcard demo`: what there is to see, in under a minute."""

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Final

import typer

from referee.arena.duel import DuelResult
from referee.arena.limits import Terms
from referee.bots.examples import EXAMPLES, example_names
from referee.bots.manifest import Manifest, read_manifest
from referee.cli.duel_figures import all_faults
from referee.cli.duel_options import AcceptWeak, Unsafe
from referee.cli.duel_report import show_faults, show_result
from referee.cli.output import counted, print_heading
from referee.cli.playing import Asked, Played, bots, play
from referee.cli.telling import tell_hand
from referee.engine.cards import TEAM_NAMES
from referee.engine.record import ReplayedHand, replay
from referee.engine.registry import preset
from referee.errors import ConfigError
from referee.ratings.points import hand_margins
from referee.sandbox.doctor import Guarantee

FAULTY: Final = 3
_GAMES: Final = ("euchre", "whist")
_DUELS: Final = 50
_SEED: Final = bytes(32)


def demo(accept_weak: AcceptWeak = None, unsafe_no_sandbox: Unsafe = False) -> None:
    """Let two bots play euchre and whist, each seat in a sandbox of its own; tell one hand."""
    shown = [read_manifest(EXAMPLES / name) for name in reversed(example_names())]
    pairs = list(combinations([manifest for manifest in shown if manifest.demo], 2))
    if not pairs:
        raise ConfigError("the example bots of the demo are in a clone of Upcard; run it there")
    played: list[Played] = []
    for game in _GAMES:
        for pair in pairs:
            if all(game in manifest.games for manifest in pair):
                held = played[0].guarantees if played else ()
                played.append(_play(game, pair, accept_weak or [], held, unsafe=unsafe_no_sandbox))
    _tell(played[0])
    if any(map(all_faults, played)):
        raise typer.Exit(FAULTY)


def _play(
    game: str,
    pair: tuple[Manifest, Manifest],
    accepted: Sequence[str],
    held: Sequence[Guarantee],
    *,
    unsafe: bool,
) -> Played:
    first, second = (manifest.name for manifest in pair)
    terms = Terms(preset(game).game())
    with bots((str(EXAMPLES / first), str(EXAMPLES / second)), game) as entrants:
        asked = Asked(entrants, terms, _SEED, _DUELS, sandboxed=not unsafe)
        played = play(asked._replace(accepted=accepted, held=held))
    print_heading(f"{game}: {counted(_DUELS, 'duel')}, every deal played from both sides")
    show_result(played)
    show_faults(played, None)
    return played


def _tell(played: Played) -> None:
    """Tell the hand of which one made most, where the other held the very same cards."""
    found = [
        (margin, -result.duel.number, -hand, result)
        for result in played.results
        for hand, margin in enumerate(hand_margins(result.rooms))
    ]
    if not found:
        return
    _, _, hand, result = max(found)
    opened, closed = (_hand(result, room, -hand) for room in (0, 1))
    first, second = played.names
    print_heading(f"One hand, with {first} North-South and {second} East-West")
    tell_hand(opened, None)
    print(f"The same deal in the other room, with {second} North-South and {first} East-West:")
    print(_outcome(closed))


def _hand(result: DuelResult, room: int, hand: int) -> ReplayedHand:
    return next(islice(replay(result.rooms[room]), hand, None))


def _outcome(played: ReplayedHand) -> str:
    ended = played.last.view(None).result
    assert ended is not None
    notes = ", ".join(note.replace("_", " ") for note in ended.notes)
    points = "; ".join(
        f"{TEAM_NAMES[team]} {counted(points, 'point')}"
        for team, points in enumerate(ended.points)
        if points
    )
    return f"{points or 'no points'}{f' ({notes})' if notes else ''}"
