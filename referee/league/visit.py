"""Plays one visit to a pairing: a session in a worker's process, far from the store.

A visit is all that is needed to play it, wherever that is; its outcomes are sent on a channel as
soon as they are known.
"""

import asyncio
import atexit
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache
from typing import Final, NamedTuple

from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.arena.session import Outcome
from referee.bots.seating import BotLauncher, Debugged, SeatedBot, limited_to_bots
from referee.league.bot_logs import BotLogs, LogFiles
from referee.league.channel import (
    HalfPlayed,
    NeverStarted,
    Send,
    VisitId,
    connect,
)
from referee.league.stored_duels import Writer
from referee.rpc.sessions import play_session
from referee.sandbox.launcher import Files, Sandboxes
from referee.sandbox.modes import Mode
from referee.sandbox.private_files import PrivateFiles, private_files
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredDuel, StoredOutcome

_DOUBT: Final = 1.0
"""Seconds for which a fault, a void or a failed start is not sent. Who stops a league may signal
the bots as well, as the manager of a service does; then it is nobody's doing, and is played again.
"""


class Visit(NamedTuple):
    """What is played in a visit."""

    id: VisitId
    terms: Terms
    numbers: tuple[int, int]
    """A's in the league, and B's."""
    bots: tuple[SeatedBot, SeatedBot]
    digests: tuple[str, str]
    """Of their files."""
    duels: tuple[Duel, ...]
    logs: LogFiles | None = None
    """The files that what bots write goes to as it comes; nowhere if there are none."""
    debugged: Debugged | None = None
    """The bot that its author looks into, if there is one."""


class WorkerSettings(NamedTuple):
    """How visits are played on this machine."""

    mode: Mode | None
    """How bots are isolated; none if they are not."""
    shared_files: bool
    """Whether bots share the files of the machine; else each has its own copies."""
    channel: str
    """The address of the channel on which outcomes are sent."""


def play_visit(visit: Visit, settings: WorkerSettings) -> None:
    """Play a visit; return when all of its outcomes are sent."""
    asyncio.run(_connect_and_play(visit, settings))


async def _connect_and_play(visit: Visit, settings: WorkerSettings) -> None:
    async with connect(settings.channel, visit.id) as (send, wind_up):
        await _play(visit, settings, send, wind_up)


async def _play(visit: Visit, settings: WorkerSettings, send: Send, wind_up: asyncio.Event) -> None:
    writer = Writer(visit.numbers, visit.bots, visit.digests, visit.terms)
    doubtful: list[asyncio.Future[None]] = []

    def finished(outcome: Outcome) -> None:
        stored = writer.written(outcome, datetime.now(UTC))
        if isinstance(stored, StoredDuel) and not stored.faults:
            send(stored)
        else:
            doubtful.append(asyncio.ensure_future(send_unless_stopped(stored)))

    async def send_unless_stopped(stored: StoredOutcome | NeverStarted) -> None:
        try:
            async with asyncio.timeout(_DOUBT):
                await wind_up.wait()
        except TimeoutError:
            send(stored)

    def half_played(duel: Duel) -> None:
        send(HalfPlayed(DuelKey(*visit.numbers, duel.number)))

    files: Files | PrivateFiles = "shared" if settings.shared_files else _private_files()
    async with Sandboxes.open(
        settings.mode, unsafe=settings.mode is None, files=files
    ) as sandboxes:
        terms = limited_to_bots(visit.terms, visit.bots)
        logs = BotLogs(visit.logs or {}, visit.duels)
        debugged = visit.debugged
        launcher = BotLauncher(sandboxes, visit.bots, output=logs.output, debugged=debugged)
        await play_session(
            terms,
            visit.duels,
            launcher,
            finished,
            half_played=half_played,
            wind_up=wind_up,
            asked=logs.asked,
            debugged=debugged and debugged.place,
        )
        await asyncio.gather(*doubtful)


@cache
def _private_files() -> PrivateFiles:
    """Return the copies of this worker, which are used again in its next visit."""
    closing = ExitStack()
    atexit.register(closing.close)
    return closing.enter_context(private_files())
