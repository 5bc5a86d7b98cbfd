"""Examines a bot against the protocol and the rules, line by line of a report card."""

from collections.abc import Callable, Sequence
from functools import partial

from referee.arena.limits import TimeLimits
from referee.engine.registry import Preset
from referee.examination.examined_bot import repeat_void
from referee.examination.hello_checks import hello_checks
from referee.examination.play_checks import decision_checks, whole_matches
from referee.examination.protocol_checks import protocol_checks, repeatable
from referee.examination.report_card import FAIL, PASS, SKIP, Check, Examiner
from referee.rpc.launcher import Launcher


async def examine(
    launcher: Launcher,
    presets: Sequence[Preset],
    limits: TimeLimits,
    tables: int,
    report: Callable[[Check], None],
) -> None:
    """Report the lines of the card as they are found.

    Args:
        launcher: starts the bot, as its first entrant.
        presets: what it is asked to play.
        limits: how long it may take.
        tables: how many matches it can play at once, as its manifest has it.
        report: is called with each line.
    """
    examiner = Examiner(launcher, limits, tables)
    greeting = await repeat_void(lambda: hello_checks(examiner))
    for check in greeting:
        report(check)
    if any(check.verdict == FAIL for check in greeting):
        report(Check("everything else", SKIP, "not tried: it must say hello first"))
        return
    await protocol_checks(examiner, presets[0], report)
    for preset in presets:
        await decision_checks(examiner, preset, report)
        report(await repeat_void(partial(whole_matches, examiner, preset)))
    report(await repeat_void(lambda: repeatable(examiner, presets[0])))
    report(_decision_limit(examiner))


def _decision_limit(examiner: Examiner) -> Check:
    name, slowest = "decision limit", f"{examiner.slowest * 1000:.1f} ms"
    limit = f"{examiner.limits.decision:g} s"
    if examiner.too_slow:
        return Check(name, FAIL, f"took longer than {limit}", examiner.too_slow.evidence)
    return Check(name, PASS, f"{slowest} for its slowest decision, of {limit}")
