"""Checks a bot whatever it plays: how it answers, rests and leaves."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Final

from referee.arena import fault
from referee.arena.fault import Violation
from referee.arena.limits import IDLE_SECONDS, MOST_TABLES
from referee.engine.registry import Preset
from referee.examination.asking import Asker, Due, at_tables
from referee.examination.examined_bot import ExaminedBot
from referee.examination.positions import examined_seat, positions
from referee.examination.report_card import (
    PASS,
    SKIP,
    WARN,
    Check,
    CheckOutcome,
    Examiner,
    violation_text,
)
from referee.rpc import codec

_SIZES: Final = (1, 2, 64, 256)
_PATIENCE: Final = 20.0
"""Seconds that the answer to one frame may take."""
_IDLE: Final = 1.0
_ECHO: Final = 0.2
"""Seconds in which an answer that is given twice would come."""
_FAREWELL: Final = 1.0
_AFTER_HANGING_UP: Final = 2.0
_REPEATED: Final = 32


async def protocol_checks(
    examiner: Examiner, preset: Preset, report: Callable[[Check], None]
) -> None:
    """Check everything that does not depend on the game."""
    game, dues = preset.game(), fresh_tables(preset)
    seat = examined_seat(game)
    for size in _SIZES:
        name, batch = f"a batch of {size}", partial(_batch, dues=_many(dues, size))
        if size > examiner.tables:
            report(Check(name, SKIP, f"it plays at {examiner.tables} tables at most"))
        elif size > _bearable(examiner):
            report(Check(name, SKIP, f"takes too long at {examiner.slowest:.1f} s a decision"))
        else:
            report(await examiner.check(name, game, seat, batch))
    some = _many(dues, min(64, examiner.tables, _bearable(examiner)))
    for name, scenario in (
        ("every turn answered once", partial(_pieces, dues=some)),
        ("a table closes with a turn open", partial(_closed, dues=dues)),
        ("rests while nothing is asked", partial(_idle, dues=dues[:1])),
        ("leaves at the goodbye", partial(_goodbye, dues=dues[:1])),
        ("leaves when its stream ends", partial(_hang_up, dues=dues[:1])),
    ):
        report(await examiner.check(name, game, seat, scenario))


def _bearable(examiner: Examiner) -> int:
    """Return how many decisions a slow bot may be asked for at once, so that there is an end."""
    return max(2, int(_PATIENCE / examiner.slowest)) if examiner.slowest else MOST_TABLES


def fresh_tables(preset: Preset) -> list[Due]:
    """Return moments of every kind, each at a table of its own."""
    seat = examined_seat(preset.game())
    moments = [moment for kind in positions(preset, seat, 8).values() for moment in kind]
    return at_tables(moments, count(1))


def _many(dues: Sequence[Due], count: int) -> list[Due]:
    """Return so many, the same moments again at other tables if need be."""
    return [dues[n % len(dues)]._replace(table=n + 1) for n in range(count)]


async def _batch(bot: ExaminedBot, dues: Sequence[Due]) -> CheckOutcome:
    choices = await Asker(bot).ask(dues)
    if isinstance(choices, Violation):
        return choices
    return f"answered, {bot.slowest * 1000:.1f} ms a decision at the slowest"


async def _pieces(bot: ExaminedBot, dues: Sequence[Due]) -> CheckOutcome:
    answered = await Asker(bot).ask_in_pieces(dues)
    if isinstance(answered, Violation):
        return answered
    rested = await bot.rest(_ECHO)
    # What it computes meanwhile is for another line.
    if isinstance(rested, Violation) and rested.kind != fault.CPU_LIMIT:
        return rested
    pieces = "in one piece" if answered.pieces == 1 else f"in {answered.pieces} pieces"
    return f"{len(dues)} of {len(dues)}, {pieces}"


async def _closed(bot: ExaminedBot, dues: Sequence[Due]) -> CheckOutcome:
    asker = Asker(bot)
    given_up, other, third = dues[:3]
    for due, wait in ((given_up, False), (other, True), (third, True)):
        choices = await asker.ask([due], wait=wait)
        if isinstance(choices, Violation):
            return choices
        asker.close(due.table)
    return "goes on at the next table"


async def _idle(bot: ExaminedBot, dues: Sequence[Due]) -> CheckOutcome:
    choices = await Asker(bot).ask(dues)
    if isinstance(choices, Violation):
        return choices
    used = await bot.rest(_IDLE)
    if isinstance(used, Violation):
        return used
    return f"used {used:.2f} s of processor time; {IDLE_SECONDS:g} s are allowed at once"


async def _goodbye(bot: ExaminedBot, dues: Sequence[Due]) -> CheckOutcome:
    choices = await Asker(bot).ask(dues)
    if isinstance(choices, Violation):
        return choices
    bot.link.send(codec.GOODBYE)
    ending = await bot.left_within(_FAREWELL)
    if ending is None:
        why = f"did not close its stream and end within {_FAREWELL:g} s of the goodbye"
        return Violation(fault.PROTOCOL_ERROR, why)
    if (ending.how, ending.exit_code) != ("exited", 0):
        return Violation(fault.CRASHED, f"left, but not with exit code 0 ({ending.detail})")
    return "within a second, with exit code 0"


async def _hang_up(bot: ExaminedBot, dues: Sequence[Due]) -> CheckOutcome:
    choices = await Asker(bot).ask(dues)
    if isinstance(choices, Violation):
        return choices
    await bot.close()
    if await bot.left_within(_AFTER_HANGING_UP) is None:
        why = f"still ran {_AFTER_HANGING_UP:g} s after its stream had ended"
        return Violation(fault.PROTOCOL_ERROR, why)
    return f"within {_AFTER_HANGING_UP:g} s"


async def repeatable(examiner: Examiner, preset: Preset) -> Check:
    """Ask the same twice, the second time one at a time, and see whether it is answered alike."""
    name, game = "repeatable", preset.game()
    seat = examined_seat(game)
    dues = fresh_tables(preset)[:: len(fresh_tables(preset)) // _REPEATED or 1][:_REPEATED]
    answers: list[list[int]] = []
    for size in (min(examiner.tables, _REPEATED), 1):
        async with examiner.start(seat) as bot:
            wrong = await examiner.greet(bot, game, seat)
            choices = wrong or await _in_frames(bot, dues, size)
            examiner.slowest = max(examiner.slowest, bot.slowest)
            if isinstance(choices, Violation):
                return Check(
                    name, WARN, f"not known: {violation_text(choices)}", bot.link.evidence()
                )
            answers.append(choices)
    others = sum(first != second for first, second in zip(*answers, strict=True))
    if others:
        why = f"no: {others} of {len(dues)} decisions were others the second time"
        return Check(name, WARN, f"{why}; draw from the table's seed alone")
    return Check(name, PASS, "yes: the same tables are played the same way, whatever the batch")


async def _in_frames(bot: ExaminedBot, dues: Sequence[Due], size: int) -> list[int] | Violation:
    asker, choices = Asker(bot), []
    for first in range(0, len(dues), size):
        some = await asker.ask(dues[first : first + size])
        if isinstance(some, Violation):
            return some
        choices += some
        asker.close_all()
    return choices
