"""The duels of a league as lines for a terminal; a table would have to be built whole."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from referee.arena.duel import Timing
from referee.cli.called import command
from referee.cli.league_facts import title
from referee.engine.game import Game
from referee.engine.record import MatchRecord
from referee.engine.seating import room_names, rooms
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.reports.duels import DuelLine, where
from referee.store.models import StoredFault, StoredVoid
from referee.text import counted, plain

_LONGEST: Final = 300
_MOST_SHOWN: Final = 2
"""Rooms whose scores are shown; of more a line would be too long."""


def print_duels(table: LeagueTable, lines: Iterable[DuelLine], *, with_faults: bool) -> None:
    """Print them as they come; with faults, also what each of these was."""
    widest = max((len(name) for name in table.names.values()), default=0)
    print(title(table))
    scores = "".join(f"{name:>6} " for name in _shown(table.league.plan.terms.game))
    header = f"{scores}{'points':>7} {'slowest':>11}"
    print(f"{'duel':<8} {'won':>{widest + 2}}-{'lost':<{widest + 2}} {header}  faults")
    none = True
    for line in lines:
        none = False
        print(_line(line, widest))
        if with_faults:
            for fault in line.duel.faults:
                print(f"  {_fault(line, fault)}")
    print("No duels" if none else f"{_LEGEND}{command('replay')} LEAGUE DUEL")


_LEGEND: Final = (
    "Matches won and scores are of the one to the left first; points are its own in a hand;\n"
    "slowest decisions in milliseconds. A duel card by card: "
)


def _line(line: DuelLine, widest: int) -> str:
    duel = line.duel
    first, second = map(plain, line.names)
    won, lost = line.matches
    result = f"{first:>{widest}} {won}-{lost} {second:<{widest}}"
    points = f"{duel.margin / duel.hands:+.2f}" if duel.hands else "-"
    shown = range(len(_shown(line.game)))
    scores = "".join(f"{_score(line.rooms[room], room):>6} " for room in shown)
    slowest = "/".join(map(_milliseconds, line.slowest))
    text = f"{duel_name(duel.key):<8} {result} {scores}{points:>7} {slowest:>11}  {_faults(line)}"
    return text.rstrip()


def _shown(game: Game) -> Sequence[str]:
    """Return the rooms whose scores are shown: where there are two of each, sides and rooms."""
    names = room_names(game)
    return names if len(names) == len(game.side_names) == _MOST_SHOWN else ()


def _score(record: MatchRecord, room: int) -> str:
    """Write the score of two sides, A's first."""
    points = zip(rooms(record.game)[room], record.score, strict=True)
    return "-".join(str(scored) for _, scored in sorted(points))


def _milliseconds(timing: Timing | None) -> str:
    return f"{timing.seconds * 1000:.1f}" if timing else "-"


def _faults(line: DuelLine) -> str:
    kinds = Counter((line.at_fault(fault), fault.kind) for fault in line.duel.faults)
    return ", ".join(
        f"{plain(name)} {kind.upper()}" + (f" {times} times" if times > 1 else "")
        for (name, kind), times in kinds.items()
    )


def _fault(line: DuelLine, fault: StoredFault) -> str:
    cost = "cost the match" if fault.forfeits else "its first legal action was played"
    who, place = plain(line.at_fault(fault)), where(line.game, fault)
    return f"{who} {fault.kind.upper()}, {place}, {cost}: {_short(fault.explanation)}"


def print_voids(table: LeagueTable, voids: Sequence[StoredVoid], *, each: bool) -> None:
    """Print what nobody is to blame for: every time, or only how often and why."""
    if each:
        if not voids:
            print("No voids")
        for void in voids:
            print(_void(table, void))
        return
    for reason, times in Counter(void.reason for void in voids).items():
        print(f"{counted(times, 'void')}, by nobody's fault: {_short(reason)}")
    given_up = {void.key for void in voids} & {*table.unplayed}
    if given_up:
        unplayed = ", ".join(map(duel_name, sorted(given_up)))
        print(f"{counted(len(given_up), 'duel')} could not be played: {unplayed}")


def _void(table: LeagueTable, void: StoredVoid) -> str:
    key = void.key
    names = f"{plain(table.names[key.first])} against {plain(table.names[key.second])}"
    came = "unplayed" if key in table.unplayed else "void"
    return (
        f"{duel_name(key):<8} {names}, {void.at:%Y-%m-%d %H:%M:%S}, {came}: {_short(void.reason)}"
    )


def _short(words: str) -> str:
    return plain(words)[:_LONGEST]
