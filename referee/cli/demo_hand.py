"""Shows one hand of a league: the one that an entrant won most by, and the other room's."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from referee.cli.hand_text import print_hand
from referee.cli.output import print_heading
from referee.engine.record import MatchRecord, ReplayedHand, replay
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.ratings.points import hand_margins
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import stored_duels
from referee.store.play import unpacked
from referee.text import counted


class _Swing(NamedTuple):
    margin: float
    """What A won with these cards, in points, less what B won with them."""
    key: DuelKey
    hand: int
    rooms: tuple[MatchRecord, ...]


def print_best_hand(store: Store, table: LeagueTable) -> None:
    """Print the hand that an entrant won most by, against another with the same cards."""
    swings = _swings(store, table)
    best = max(swings, key=lambda swing: swing.margin, default=None)
    if best is None:
        return
    opened, closed = (next(islice(replay(room), best.hand, None)) for room in best.rooms)
    first, second = (table.names[number] for number in best.key[:2])
    where = f"duel {duel_name(best.key)}, hand {best.hand + 1}"
    print_heading(f"One hand ({where}), with {first} North-South and {second} East-West")
    print_hand(opened, best.rooms[0].hands[best.hand], None)
    print(f"The same deal in the other room, with {second} North-South and {first} East-West:")
    print(_outcome(closed))


def _swings(store: Store, table: LeagueTable) -> Iterator[_Swing]:
    for duel in stored_duels(store, table.league.name):
        rooms = unpacked(duel.play, table.league.dealt(duel.key), table.league.plan.terms.game)
        for hand, margin in enumerate(hand_margins(rooms)):
            yield _Swing(margin, duel.key, hand, rooms)


def _outcome(played: ReplayedHand) -> str:
    ended = played.last.view(None).result
    assert ended is not None
    notes = ", ".join(note.replace("_", " ") for note in ended.notes)
    names = played.match.game.side_names
    points = "; ".join(
        f"{side} {counted(points, 'point')}"
        for side, points in zip(names, ended.points, strict=True)
        if points
    )
    return f"{points or 'no points'}{f' ({notes})' if notes else ''}"
