"""Examines a bot against the protocol and the rules, line by line of a report card."""

from collections.abc import Callable, Sequence

from referee.arena.limits import TimeLimits
from referee.engine.registry import Preset
from referee.league.hello_checks import hello_lines
from referee.league.marks import FAIL, PASS, SKIP, Desk, Mark
from referee.league.play_checks import decision_lines, whole_matches
from referee.league.protocol_checks import protocol_lines, repeatable
from referee.rpc.launcher import Launcher


async def examine(
    launcher: Launcher,
    presets: Sequence[Preset],
    limits: TimeLimits,
    tables: int,
    report: Callable[[Mark], None],
) -> None:
    """Hand on the lines of the card as they are found.

    Args:
        launcher: starts the bot, as its first entrant.
        presets: what it is asked to play.
        limits: how long it may take.
        tables: at how many tables it can sit, as its manifest has it.
        report: takes each line.
    """
    desk = Desk(launcher, limits, tables)
    greeting = await hello_lines(desk)
    for mark in greeting:
        report(mark)
    if any(mark.verdict == FAIL for mark in greeting):
        report(Mark("everything else", SKIP, "not tried: it must say hello first"))
        return
    await protocol_lines(desk, presets[0], report)
    for preset in presets:
        await decision_lines(desk, preset, report)
        report(await whole_matches(desk, preset))
    report(await repeatable(desk, presets[0]))
    report(_decision_limit(desk))


def _decision_limit(desk: Desk) -> Mark:
    name, slowest = "decision limit", f"{desk.slowest * 1000:.1f} ms"
    limit = f"{desk.limits.decision:g} s"
    if desk.too_slow:
        return Mark(name, FAIL, f"took longer than {limit}", desk.too_slow.evidence)
    return Mark(name, PASS, f"{slowest} for its slowest decision, of {limit}")
