"""What people are shown of duels: who won, how fast, what went wrong and where to look."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from referee.cli.called import command
from referee.cli.duel_logs import (
    GUARANTEES,
    MATCHES,
    OUTPUT,
    FaultFile,
    log_file,
    never_started_file,
)
from referee.cli.league_facts import UNSANDBOXED, game_text, sandbox_text
from referee.cli.output import print_table
from referee.engine.seating import room_title, rooms
from referee.league.duel_names import duel_number, key_of, number_in
from referee.league.table import LeagueTable
from referee.reports.duels import FaultReport, TimingReport
from referee.reports.entrants import SlowDecision
from referee.reports.faults import NumberedFault
from referee.reports.head_to_head import HeadToHead
from referee.reports.points import Points
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid
from referee.text import counted, plain

_MOST_FAULTS: Final = 8
_LONGEST: Final = 300


def print_report(
    table: LeagueTable, report: HeadToHead, logs: Path, bundles: Mapping[int, FaultFile]
) -> None:
    """Print all of it."""
    _print_result(table, report)
    _print_slowest(report)
    _print_costly_deals(report)
    print_faults(report["faults"], logs, bundles)
    _print_suspensions(table, logs)
    print_voids(table.voids, table.unplayed)
    _print_logs(table, report, logs)


def _print_result(table: LeagueTable, report: HeadToHead) -> None:
    print(game_text(table.league))
    for epoch in table.league.epochs:
        print(f"seed {epoch.seed.hex()}{' (given)' if epoch.seed_given else ''}")
    mark = "" if table.sandboxed else f"{UNSANDBOXED}: "
    duels = len(table.results)
    matches = duels * len(rooms(table.league.plan.terms.game))
    print_table(
        f"{mark}{' against '.join(table.names.values())}",
        ("", "duels", "won", "drawn", "lost", "matches won", "points a hand"),
        (
            (
                side["name"],
                *map(str, (duels, side["won"], side["drawn"], side["lost"])),
                f"{side['matches_won']} of {matches}",
                _points(side["points_per_hand"]),
            )
            for side in report["bots"]
        ),
    )
    if (alike := report["identical"]) is not None:
        print(f"{alike:.1%} of the hands were played alike, call by call and card by card")
    if stopped := report["hands_stopped"]:
        print(f"hands that could not go on, scored as they stood: {stopped}; a replay says why")


def _points(points: Points) -> str:
    if points["mean"] is None:
        return "no hand in all rooms"
    if points["plus_or_minus"] is None:
        return f"{points['mean']:+.3f}"
    return f"{points['mean']:+.3f} ± {points['plus_or_minus']:.3f}"


def _print_slowest(report: HeadToHead) -> None:
    found = [(side["name"], slow) for side in report["bots"] for slow in side["slowest"]]
    if found:
        print("Slowest decisions")
    for name, slow in found:
        took = f"{slow['seconds'] * 1000:.1f} ms"
        print(f"  {name:<20} {took:>10}  {_where(slow)}, {slow['decision']}")


def _print_costly_deals(report: HeadToHead) -> None:
    if report["costly_deals"]:
        print(
            f"Deals that cost {plain(report['bots'][0]['name'])} most, and where the rooms parted"
        )
    for deal in report["costly_deals"]:
        parted = deal["parted"]
        did = "; ".join(
            f"{plain(choice['bot'])} {plain(choice['says'])} ({room_title(choice['room'])})"
            for choice in parted["choices"]
        )
        where = f"duel {duel_number(deal['duel'])}, hand {deal['hand']}, {parted['decision']}"
        print(f"  {deal['margin']:+.1f}  {where}: as {parted['seat']} {did}")


def _where(found: SlowDecision | NumberedFault) -> str:
    return f"duel {duel_number(found['duel'])}, {_place(found)}"


def _place(found: TimingReport | FaultReport) -> str:
    return f"{room_title(found['room'])}, hand {found['hand']}, {found['seat']}"


def print_faults(
    faults: Sequence[NumberedFault], logs: Path, bundles: Mapping[int, FaultFile]
) -> None:
    """Print each kind of fault once: whose, where, why, and how to rerun it."""
    kinds = _alike(faults)
    for alike in kinds[:_MOST_FAULTS]:
        first = alike[0]
        print(f"{first['entrant']}: {_cost(first, len(alike))}")
        print(f"  {_where(first)}: {_short(first['explanation'])}")
        print(f"  {first['advice']}")
        bundle = next((bundles[n] for each in alike if (n := each["number"]) in bundles), None)
        if bundle and bundle.last_line:
            print(f"  the last line it wrote: {_short(bundle.last_line)}")
        file = log_file(logs, first["entrant"], first["seat"])
        print(f"  all it wrote: {plain(str(file))}")
        if bundle:
            print(f"  {plain(command('fault', 'show', bundle.file))}")
    if len(kinds) > _MOST_FAULTS:
        print(f"and {len(kinds) - _MOST_FAULTS} more; --json lists them all")


def _print_suspensions(table: LeagueTable, logs: Path) -> None:
    """Print why an entrant plays no more, and what its author needs if it never started."""
    for entrant, suspension in table.suspensions.items():
        name = plain(table.names[entrant])
        print(f"{name} was suspended: {_short(suspension.reason)}")
        file = never_started_file(logs, entrant)
        if file.exists():
            print(f"  {plain(command('fault', 'show', file))}")


def _cost(fault: NumberedFault, times: int) -> str:
    kind = fault["kind"].upper()
    cost = "cost the match" if fault["forfeits"] else "made it play its first legal action"
    return f"{kind} {cost}" if times == 1 else f"{kind} {times} times; each {cost}; the first:"


def _short(words: str) -> str:
    return plain(words)[:_LONGEST]


def _alike(faults: Sequence[NumberedFault]) -> list[list[NumberedFault]]:
    """Put the faults of one cause together: those that differ only in numbers."""

    def cause(fault: NumberedFault) -> tuple[str, str, str, bool]:
        words = re.sub(r"\d+", "0", fault["explanation"])
        return fault["entrant"], fault["kind"], words, fault["forfeits"]

    groups = [[*group] for _, group in groupby(sorted(faults, key=cause), key=cause)]
    return sorted(groups, key=lambda group: group[0]["number"])


def print_voids(voids: Sequence[StoredVoid], unplayed: Sequence[DuelKey]) -> None:
    """Print how many duels nobody is to blame for, once for each reason."""
    last = {void.key: void for void in voids if void.key in unplayed}
    again = [void for void in voids if void is not last.get(void.key)]
    for why, times in Counter(void.reason for void in again).items():
        were = "was" if times == 1 else "were"
        _print_void(f"{counted(times, 'duel')} {were} void and played again", why)
    for why, times in Counter(void.reason for void in last.values()).items():
        _print_void(f"{counted(times, 'duel')} could not be played", why)


def _print_void(what: str, why: str) -> None:
    print(f"{what}, by nobody's fault: {_short(why)}")


def _print_logs(table: LeagueTable, report: HeadToHead, logs: Path) -> None:
    print(f"What the bots wrote: {plain(str(logs / OUTPUT))}")
    if replay := _replay(table, report, logs / MATCHES):
        print(f"A duel, card by card: {plain(replay)}")
    for held, _ in table.isolations:
        print(f"{sandbox_text(held)}: {plain(str(logs / GUARANTEES))}")


def _replay(table: LeagueTable, report: HeadToHead, matches: Path) -> str:
    """Return the command that shows the hand that cost most, else a duel; nothing without any."""

    def replay(duel: str, *words: object) -> str:
        # In the file, a duel that is played again has its old number.
        number = number_in(table.league.dealt(key_of(duel)).duel)
        return command("replay", matches, number, *words)

    if deals := report["costly_deals"]:
        return replay(deals[0]["duel"], "--hand", deals[0]["hand"])
    duels = sorted((duel["duel"] for duel in report["duels"]), key=duel_number)
    return replay(duels[0]) if duels else ""
