"""Checks a bot whatever it plays: how it answers, rests and leaves."""

from collections.abc import Awaitable, Callable, Sequence
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
    WARN,
    Check,
    CheckOutcome,
    Examiner,
    NotTried,
    Scenario,
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
_TablesScenario = Callable[[Asker, Sequence[Due]], Awaitable[CheckOutcome]]


async def protocol_checks(
    examiner: Examiner, preset: Preset, report: Callable[[Check], None]
) -> None:
    """Check everything that does not depend on the game."""
    game, dues, numbers = preset.game(), fresh_tables(preset), count(1)
    seat = examined_seat(game)

    def tables(size: int) -> list[Due]:
        """Return so many decisions at other tables, the same moments again if need be."""
        return [dues[n % len(dues)]._replace(table=next(numbers)) for n in range(size)]

    def at(size: int, scenario: _TablesScenario) -> Scenario:
        return lambda asker: scenario(asker, tables(size))

    async def batch(size: int, asker: Asker) -> CheckOutcome:
        if size > examiner.tables:
            return NotTried(f"it plays at {examiner.tables} tables at most")
        if size > _bearable(examiner):
            return NotTried(f"takes too long at {examiner.slowest:.1f} s a decision")
        return await _batch(asker, tables(size))

    async def pieces(asker: Asker) -> CheckOutcome:
        return await _pieces(asker, tables(min(64, examiner.tables, _bearable(examiner))))

    first, *others = [(f"a batch of {size}", partial(batch, size)) for size in _SIZES]
    groups: tuple[list[tuple[str, Scenario]], ...] = (
        [first],  # how slow the bot is, is known from here on
        [
            # First, for who answers twice or computes on would fail at whatever came next.
            ("every turn answered once", pieces),
            ("rests while nothing is asked", at(1, _idle)),
            *others,
            ("a table closes with a turn open", at(3, _closed)),
            ("leaves at the goodbye", at(1, _goodbye)),
        ],
        [("leaves when its stream ends", at(1, _hang_up))],
    )
    for scenarios in groups:
        await examiner.check(game, seat, scenarios, report)


def _bearable(examiner: Examiner) -> int:
    """Return how many decisions a slow bot may be asked for at once, so that there is an end."""
    return max(2, int(_PATIENCE / examiner.slowest)) if examiner.slowest else MOST_TABLES


def fresh_tables(preset: Preset) -> list[Due]:
    """Return moments of every kind, each at a table of its own."""
    seat = examined_seat(preset.game())
    moments = [moment for kind in positions(preset, seat, 8).values() for moment in kind]
    return at_tables(moments, count(1))


async def _batch(asker: Asker, dues: Sequence[Due]) -> CheckOutcome:
    choices = await asker.ask(dues)
    if isinstance(choices, Violation):
        return choices
    return f"answered, {asker.bot.slowest * 1000:.1f} ms a decision at the slowest"


async def _pieces(asker: Asker, dues: Sequence[Due]) -> CheckOutcome:
    answered = await asker.ask_in_pieces(dues)
    if isinstance(answered, Violation):
        return answered
    rested = await asker.bot.rest(_ECHO)
    # What it computes meanwhile is for another line.
    if isinstance(rested, Violation) and rested.kind != fault.CPU_LIMIT:
        return rested
    pieces = "in one piece" if answered.pieces == 1 else f"in {answered.pieces} pieces"
    return f"{len(dues)} of {len(dues)}, {pieces}"


async def _closed(asker: Asker, dues: Sequence[Due]) -> CheckOutcome:
    given_up, other, third = dues[:3]
    for due, wait in ((given_up, False), (other, True), (third, True)):
        choices = await asker.ask([due], wait=wait)
        if isinstance(choices, Violation):
            return choices
        asker.close(due.table)
    return "goes on at the next table"


async def _idle(asker: Asker, dues: Sequence[Due]) -> CheckOutcome:
    choices = await asker.ask(dues)
    if isinstance(choices, Violation):
        return choices
    used = await asker.bot.rest(_IDLE)
    if isinstance(used, Violation):
        return used
    return f"used {used:.2f} s of processor time; {IDLE_SECONDS:g} s are allowed at once"


async def _goodbye(asker: Asker, dues: Sequence[Due]) -> CheckOutcome:
    choices = await asker.ask(dues)
    if isinstance(choices, Violation):
        return choices
    asker.bot.link.send(codec.GOODBYE)
    ending = await asker.bot.left_within(_FAREWELL)
    if ending is None:
        why = f"did not close its stream and end within {_FAREWELL:g} s of the goodbye"
        return Violation(fault.PROTOCOL_ERROR, why)
    if (ending.how, ending.exit_code) != ("exited", 0):
        return Violation(fault.CRASHED, f"left, but not with exit code 0 ({ending.detail})")
    return "within a second, with exit code 0"


async def _hang_up(asker: Asker, dues: Sequence[Due]) -> CheckOutcome:
    choices = await asker.ask(dues)
    if isinstance(choices, Violation):
        return choices
    await asker.bot.close()
    if await asker.bot.left_within(_AFTER_HANGING_UP) is None:
        why = f"still ran {_AFTER_HANGING_UP:g} s after its stream had ended"
        return Violation(fault.PROTOCOL_ERROR, why)
    return f"within {_AFTER_HANGING_UP:g} s"


async def repeatable(examiner: Examiner, preset: Preset) -> Check:
    """Ask the same twice, the second time one at a time, and see whether it is answered alike."""
    name, game = "repeatable", preset.game()
    seat = examined_seat(game)
    every = fresh_tables(preset)
    dues = every[:: len(every) // _REPEATED or 1][:_REPEATED]
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
