"""Runs a session: its sockets and processes, its ticks, and its end."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from referee.arena.clock import TICK
from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.arena.place import Place
from referee.arena.session import Outcome, Session
from referee.engine.cards import SEATS, Seat
from referee.rpc.connection import Asked, Connection, SessionContext
from referee.rpc.launcher import Launcher
from referee.rpc.server import serve_socket, socket_directory

PLACES: Final = tuple((entrant, seat) for entrant in (0, 1) for seat in SEATS)
"""Entrant and seat of every process of a session."""


async def play_session(  # noqa: PLR0913 (each is a port of its own)
    terms: Terms,
    duels: Sequence[Duel],
    launcher: Launcher,
    finished: Callable[[Outcome], None],
    *,
    wind_up: asyncio.Event | None = None,
    asked: Asked | None = None,
) -> None:
    """Play duels to the end, and pass each to `finished` as soon as it is over.

    Once `wind_up` is set, no other duel is begun. `asked` is called with every frame that is sent.
    """
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def hand_on(outcome: Outcome) -> None:
        finished(outcome)
        if session.finished:
            done.set()

    session = Session(terms, duels, loop.time, _table_number, hand_on)
    shared = SessionContext(
        session, terms, launcher, _wait_for_beat if terms.beat else session.ask_due, asked
    )
    with socket_directory() as directory:
        connections = [
            _connection(shared, place, directory / f"seat{number}")
            for number, place in enumerate(PLACES)
        ]
        async with AsyncExitStack() as stack:
            for each in connections:
                await stack.enter_async_context(serve_socket(each.play, each.socket))
            ended = asyncio.ensure_future(done.wait())
            working = [asyncio.ensure_future(each.run()) for each in connections]
            working.append(asyncio.ensure_future(_tick(shared, connections)))
            if terms.beat:
                working.append(asyncio.ensure_future(_release(session, terms.beat)))
            if wind_up:
                working.append(asyncio.ensure_future(_wind_up(session, wind_up, done)))
            try:
                await _first_to_end((ended, *working))
                await asyncio.gather(*(each.say_goodbye() for each in connections))
            finally:
                await _cancel((ended, *working))


def _table_number() -> int:
    return 1 + secrets.randbelow(2**32 - 1)


def _wait_for_beat() -> None:
    """Do nothing at once: turns are released on the beat."""


async def _release(session: Session, beat: float) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    while True:
        await asyncio.sleep(beat - (loop.time() - start) % beat)
        session.ask_due()


async def _wind_up(session: Session, asked: asyncio.Event, done: asyncio.Event) -> None:
    await asked.wait()
    session.wind_up()
    if session.finished:
        done.set()
    await done.wait()


def _connection(shared: SessionContext, place: tuple[int, Seat], socket: Path) -> Connection:
    entrant, seat = place
    created: list[Connection] = []

    def player(place: Place) -> Connection:
        created.append(Connection(shared, place, socket))
        return created[0]

    shared.session.place(player, entrant, seat)
    return created[0]


async def _tick(shared: SessionContext, connections: Sequence[Connection]) -> None:
    while True:
        await asyncio.sleep(TICK)
        for connection in connections:
            connection.tick()
        shared.session.tick()
        shared.ask_due()


async def _first_to_end(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Wait until the session has finished, or something of ours has failed."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _cancel(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
