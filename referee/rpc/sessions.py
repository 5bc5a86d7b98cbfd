"""Runs a session, room by room: sockets and processes, ticks, and the end of all of them."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from referee.arena.clock import TICK
from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.arena.place import Place
from referee.arena.room import Room
from referee.arena.session import Outcome, PairingSession
from referee.engine.cards import Seat
from referee.engine.seating import room_names, room_title
from referee.rpc.connection import Connection, FrameWatcher, RoomContext
from referee.rpc.launcher import Launcher, Process
from referee.rpc.server import serve_seat, socket_directory


async def play_session(  # noqa: PLR0913 (each is a port of its own)
    terms: Terms,
    duels: Sequence[Duel],
    launcher: Launcher,
    finished: Callable[[Outcome], None],
    *,
    half_played: Callable[[Duel], None] = lambda _: None,
    wind_up: asyncio.Event | None = None,
    asked: FrameWatcher | None = None,
    debugged: tuple[int, Seat] | None = None,
) -> None:
    """Play duels to the end, and pass each to `finished` as soon as it is over.

    Each room has processes of its own, and those of the next one are started when those of the one
    before are gone. Once `wind_up` is set, no other duel is begun. `half_played` takes each duel of
    which half of the matches are over. `asked` is called with every frame that is sent. The time of
    the process that is `debugged`, that of an entrant in a seat, does not count.

    Raises:
        UpcardError: the process that is debugged has failed.
    """
    clock = asyncio.get_running_loop().time
    session = PairingSession(
        terms, duels, clock, _table_number, finished, half_played=half_played, untimed=debugged
    )
    winding_up = asyncio.ensure_future(_wind_up(session, wind_up))
    try:
        for room in session.rooms():
            started = _Started(launcher)
            await _play_room(room, terms, started, asked, debugged)
            if not started.are_gone:
                where = room_title(room_names(terms.game)[room.number])
                session.void(f"a process of the {where} could not be ended")
    finally:
        await _cancel((winding_up,))


class _Started:
    """A launcher that remembers what it started."""

    def __init__(self, launcher: Launcher) -> None:
        """Start processes by another launcher."""
        self._launcher = launcher
        self._processes: list[Process] = []

    async def start(self, entrant: int, seat: Seat, socket: Path, token: str) -> Process:
        """Start the bot of an entrant for a seat."""
        process = await self._launcher.start(entrant, seat, socket, token)
        self._processes.append(process)
        return process

    @property
    def are_gone(self) -> bool:
        """Whether nothing is left of any process."""
        return all(process.is_gone for process in self._processes)


async def _play_room(
    room: Room,
    terms: Terms,
    launcher: Launcher,
    asked: FrameWatcher | None,
    debugged: tuple[int, Seat] | None,
) -> None:
    done = asyncio.Event()

    def proceed() -> None:
        if room.finished:
            done.set()
        elif not terms.beat:
            room.ask_due()

    shared = RoomContext(room, terms, launcher, proceed, asked, debugged)
    with socket_directory() as directory:
        # A bot can read the name of its socket, and must not learn its seat from it.
        names = secrets.SystemRandom().sample(ascii_lowercase, len(terms.game.seats))
        connections = [
            _connection(shared, seat, directory / name) for seat, name in enumerate(names)
        ]
        async with AsyncExitStack() as stack:
            for each in connections:
                await stack.enter_async_context(serve_seat(each.play, each.socket, each.relay))
            ended = asyncio.ensure_future(done.wait())
            working = [asyncio.ensure_future(each.run()) for each in connections]
            working.append(asyncio.ensure_future(_tick(shared, connections)))
            if terms.beat:
                working.append(asyncio.ensure_future(_release(room, terms.beat)))
            try:
                await _first_to_end((ended, *working))
                await asyncio.gather(*(each.say_goodbye() for each in connections))
            finally:
                await _cancel((ended, *working))


def _table_number() -> int:
    return 1 + secrets.randbelow(2**32 - 1)


async def _release(room: Room, beat: float) -> None:
    """Ask what is due on the beat only."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    while True:
        await asyncio.sleep(beat - (loop.time() - start) % beat)
        room.ask_due()


async def _wind_up(session: PairingSession, asked: asyncio.Event | None) -> None:
    if asked:
        await asked.wait()
        session.wind_up()


def _connection(shared: RoomContext, seat: Seat, socket: Path) -> Connection:
    created: list[Connection] = []

    def player(place: Place) -> Connection:
        created.append(Connection(shared, place, socket))
        return created[0]

    shared.room.place(player, seat)
    return created[0]


async def _tick(shared: RoomContext, connections: Sequence[Connection]) -> None:
    while True:
        await asyncio.sleep(TICK)
        for connection in connections:
            connection.tick()
        shared.room.tick()
        shared.proceed()


async def _first_to_end(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Wait until the room is over, or something of ours has failed."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _cancel(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
