"""Plays one visit to a pairing: a session in a referee's process, far from the store.

A visit is all that is needed to play it, wherever that is; whatever comes of it is told through a
sink as soon as it is known.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.arena.session import Outcome
from referee.bots.seating import BotLauncher, SeatedBot, limited_to_bots
from referee.league.channel import StoredOutcome, connect
from referee.league.stored_duels import Writer
from referee.rpc.sessions import play_session
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.modes import Mode
from referee.store.models import StoredDuel

_DOUBT: Final = 1.0
"""Seconds for which a fault or a void is not told. Who stops a league may signal the bots as well,
as the manager of a service does; then it is nobody's doing, and the duel is played again."""


class Visit(NamedTuple):
    """What a referee is given."""

    terms: Terms
    numbers: tuple[int, int]
    """A's in the league, and B's."""
    bots: tuple[SeatedBot, SeatedBot]
    digests: tuple[str, str]
    """Of their files."""
    duels: tuple[Duel, ...]
    mode: Mode | None
    """How bots are kept apart; none if they are not."""
    sink: str
    """The address of who wants to know."""


def play_visit(visit: Visit) -> None:
    """Play it, and come back when there is no more to tell."""
    with connect(visit.sink) as (tell, ear):
        asyncio.run(_play(visit, tell, ear))


async def _play(visit: Visit, tell: Callable[[StoredOutcome], None], ear: int) -> None:
    writer = Writer(visit.numbers, visit.bots, visit.digests, visit.terms)
    wind_up = asyncio.Event()
    loop = asyncio.get_running_loop()
    doubtful: list[asyncio.Future[None]] = []

    def hear() -> None:
        # Only one thing is ever said there; and whoever hangs up wants nothing more either.
        loop.remove_reader(ear)
        wind_up.set()

    def finished(outcome: Outcome) -> None:
        told = writer.written(outcome, datetime.now(UTC))
        if isinstance(told, StoredDuel) and not told.faults:
            tell(told)
        else:
            doubtful.append(asyncio.ensure_future(tell_unless_stopped(told)))

    async def tell_unless_stopped(told: StoredOutcome) -> None:
        try:
            async with asyncio.timeout(_DOUBT):
                await wind_up.wait()
        except TimeoutError:
            tell(told)

    loop.add_reader(ear, hear)
    strict = visit.terms.beat > 0
    async with Sandboxes.open(visit.mode, unsafe=visit.mode is None, strict=strict) as sandboxes:
        terms = limited_to_bots(visit.terms, visit.bots)
        await play_session(
            terms, visit.duels, BotLauncher(sandboxes, visit.bots), finished, wind_up
        )
        await asyncio.gather(*doubtful)
