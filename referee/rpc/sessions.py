"""The room with all the tables: one session's sockets, its beat, and its end."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final

from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.arena.place import Place
from referee.arena.session import TICK, Outcome, Session
from referee.engine.cards import SEATS, Seat
from referee.files.own_directory import own_directory
from referee.rpc.connection import Connection, SessionContext
from referee.rpc.launcher import Launcher
from referee.rpc.server import serve_socket

PLACES: Final = tuple((entrant, seat) for entrant in (0, 1) for seat in SEATS)
"""Entrant and seat of every process of a session."""


async def play_session(
    terms: Terms,
    duels: Sequence[Duel],
    launcher: Launcher,
    finished: Callable[[Outcome], None],
    wind_up: asyncio.Event | None = None,
) -> None:
    """Play duels to the end; each is handed to `finished` as soon as it is over.

    Once `wind_up` is set, no other duel is begun.
    """
    loop = asyncio.get_running_loop()
    over = asyncio.Event()

    def written_down(outcome: Outcome) -> None:
        finished(outcome)
        if session.over:
            over.set()

    session = Session(terms, duels, loop.time, _table_number, written_down)
    shared = SessionContext(
        session, terms, launcher, _on_the_beat if terms.beat else session.deal_out
    )
    with own_directory(Path(gettempdir()), "upcard-seats-") as directory:
        lines = [
            _seated(shared, place, directory / f"seat{number}")
            for number, place in enumerate(PLACES)
        ]
        async with AsyncExitStack() as stack:
            for line in lines:
                await stack.enter_async_context(serve_socket(line.play, line.socket))
            ended = asyncio.ensure_future(over.wait())
            working = [asyncio.ensure_future(line.live()) for line in lines]
            working.append(asyncio.ensure_future(_watch_clocks(shared)))
            if terms.beat:
                working.append(asyncio.ensure_future(_release(session, terms.beat)))
            if wind_up:
                working.append(asyncio.ensure_future(_wind_up(session, wind_up, over)))
            try:
                await _first_to_end((ended, *working))
                await asyncio.gather(*(line.say_goodbye() for line in lines))
            finally:
                await _cancel((ended, *working))


def _table_number() -> int:
    return 1 + secrets.randbelow(2**32 - 1)


def _on_the_beat() -> None:
    """Do nothing at once: turns are released on the beat."""


async def _release(session: Session, beat: float) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    while True:
        await asyncio.sleep(beat - (loop.time() - start) % beat)
        session.deal_out()


async def _wind_up(session: Session, asked: asyncio.Event, over: asyncio.Event) -> None:
    await asked.wait()
    session.wind_up()
    if session.over:
        over.set()
    await over.wait()


def _seated(shared: SessionContext, place: tuple[int, Seat], socket: Path) -> Connection:
    entrant, seat = place
    lines: list[Connection] = []

    def player(seated: Place) -> Connection:
        lines.append(Connection(shared, seated, socket))
        return lines[0]

    shared.session.place(player, entrant, seat)
    return lines[0]


async def _watch_clocks(shared: SessionContext) -> None:
    while True:
        await asyncio.sleep(TICK)
        shared.session.tick()
        shared.deal_out()


async def _first_to_end(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Wait until the session is over, or something of ours has failed."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _cancel(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
