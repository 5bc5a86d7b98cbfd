"""A referee that only says what was written beforehand, to measure the bot that hears it.

It speaks in bytes over the same socket, and starts the bot in the same sandbox, as a session does;
but it knows nothing of the game, and all it does with an answer is to count it. So what it costs
itself is little, and the same for every bot.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import gettempdir
from time import perf_counter
from typing import NamedTuple

from referee.arena.limits import MOST_TABLES, SKIP_FORCED, Terms
from referee.bots.seating import BotLauncher
from referee.engine.cards import Seat
from referee.engine.game import State
from referee.engine.match import Match
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import preset
from referee.files.own_directory import own_directory
from referee.rpc.codec import GOODBYE, encode_frame, encode_turn, encode_welcome
from referee.rpc.server import Stream, serve_socket
from referee.sandbox import statistics
from referee.sandbox.sandbox import Sandbox
from upcard.v1.referee_pb2 import PlayRequest

SEAT: Seat = 0
"""Where the bot sits."""
TERMS = Terms(preset("euchre").game())
SAMPLE = 2048
"""Decisions of random matches that are asked for again and again."""
LONGEST = 120
"""Seconds for all of it."""
_LAST_WORDS = 1.0
"""Seconds for the end of a process when its stream has ended, or was said goodbye to."""
_WRAPPERS = 1
"""Processes of a sandbox that are not the bot's."""


class ScriptedFrame(NamedTuple):
    """A message that asks for decisions."""

    data: bytes
    turns: range


class Script(NamedTuple):
    """What is said to a bot."""

    first: ScriptedFrame
    """One turn, at one table."""
    warming: Sequence[ScriptedFrame]
    """Frames like those that are measured, but before them."""
    many: Sequence[ScriptedFrame]
    """A turn at each of the most tables there can be."""
    alone: Sequence[ScriptedFrame]
    """One turn each, at the one table that is left."""


class Measured(NamedTuple):
    """What one process of a bot took; in seconds and bytes."""

    hello: float
    """From the start of its sandbox until it presented itself."""
    first: float
    """And until its first decision."""
    alone: float
    """For a decision, when there is one in a frame; the median."""
    many: float
    """For a decision, when there are as many in a frame as there can be; over all frames."""
    cpu: float
    """The bot's own processor time for one of those."""
    memory: int
    """The most it ever held, by the end of those."""


class GoneError(Exception):
    """The bot did not stay to the end."""


def script(warming: int, many: int, alone: int) -> Script:
    """Write so many frames of each kind."""
    decisions = list(islice(_decisions(), SAMPLE))
    tables = range(1, MOST_TABLES + 1)
    numbers = count()
    asked = 1

    def frame(at: range, opened: Sequence[int] = (), closed: Sequence[int] = ()) -> ScriptedFrame:
        nonlocal asked
        number, turns = next(numbers), range(asked, asked + len(at))
        asked = turns.stop
        data = encode_frame(
            [(table, table) for table in opened],
            [
                encode_turn(turn, table, 0, *decisions[(number + 31 * table) % SAMPLE])
                for turn, table in zip(turns, at, strict=True)
            ],
            [(table, "played", (10, 8)) for table in closed],
        )
        return ScriptedFrame(data, turns)

    one = tables[:1]
    return Script(
        frame(one, opened=one),
        [frame(tables, opened=tables[1:]), *(frame(tables) for _ in range(warming))],
        [frame(tables) for _ in range(many)],
        [frame(one, closed=tables[1:]), *(frame(one) for _ in range(alone))],
    )


def _decisions() -> Iterator[tuple[Match, State]]:
    """Return what one seat is asked in matches that are played at random, one after the other."""
    choose = Random(0).choice
    for number in count():
        sheet = Scoresheet(TERMS.game, number % 4, SeededDeal(bytes(32), f"bench {number}"))
        while (actor := sheet.state.actor) is not None:
            if actor == SEAT and len(sheet.state.legal) >= SKIP_FORCED:
                yield sheet.match, sheet.state.copy()
            sheet.play(choose(sheet.state.legal))


async def measure(seating: BotLauncher, said: Script) -> Measured:
    """Start a bot, and have the whole conversation with it.

    Raises:
        GoneError: the bot did not stay to the end.
        TimeoutError: all of it took far too long.
    """
    with own_directory(Path(gettempdir()), "upcard-seats-") as directory:
        talk = _Talk(said)
        async with asyncio.timeout(LONGEST), serve_socket(talk.play, directory / "seat"):
            talk.began = perf_counter()
            sandbox = await seating.start(0, SEAT, directory / "seat", "a token")
            try:
                talk.started.set_result(sandbox)
                return await _outcome(talk, sandbox)
            finally:
                await sandbox.stop()


async def _outcome(talk: "_Talk", sandbox: Sandbox) -> Measured:
    ended = asyncio.ensure_future(sandbox.ended)
    await asyncio.wait((ended, talk.measured), return_when=asyncio.FIRST_COMPLETED)
    await asyncio.wait((ended,), timeout=_LAST_WORDS)
    if talk.measured.done():
        return talk.measured.result()
    raise GoneError(f"{ended.result().detail}\n{sandbox.output().decode(errors='replace')}")


class _Talk:
    """One conversation."""

    def __init__(self, said: Script) -> None:
        loop = asyncio.get_running_loop()
        self.began = 0.0
        self.started: asyncio.Future[Sandbox] = loop.create_future()
        self.measured: asyncio.Future[Measured] = loop.create_future()
        self._said = said

    async def play(self, _: AsyncIterator[bytes], stream: Stream) -> None:
        """Serve the one stream of the bot."""
        try:
            self.measured.set_result(await self._talk(stream))
        except GoneError:
            return  # how its process ends says more
        except Exception as error:  # noqa: BLE001 (it is raised where the outcome is awaited)
            self.measured.set_exception(error)

    async def _talk(self, stream: Stream) -> Measured:
        await _heard(stream)
        hello = perf_counter() - self.began
        await stream.write(encode_welcome(TERMS, SEAT, MOST_TABLES))
        await _ask(stream, self._said.first)
        first = perf_counter() - self.began
        sandbox = await self.started
        await _ask_all(stream, self._said.warming)
        cpu = sandbox.cpu_seconds()
        many = await _ask_all(stream, self._said.many)
        cpu = sandbox.cpu_seconds() - cpu
        memory = _peak(sandbox)
        alone = await _ask_all(stream, self._said.alone)
        await stream.write(GOODBYE)
        decisions = sum(len(frame.turns) for frame in self._said.many)
        return Measured(hello, first, median(alone), sum(many) / decisions, cpu / decisions, memory)


async def _ask_all(stream: Stream, frames: Sequence[ScriptedFrame]) -> list[float]:
    return [await _ask(stream, frame) for frame in frames]


async def _ask(stream: Stream, frame: ScriptedFrame) -> float:
    """Ask, and give the seconds until all is answered."""
    answered: list[int] = []
    began = perf_counter()
    await stream.write(frame.data)
    while len(answered) < len(frame.turns):
        answered += PlayRequest.FromString(await _heard(stream)).answers.turn_ids
    taken = perf_counter() - began
    assert sorted(answered) == [*frame.turns], "the bot answers what was not asked"
    return taken


async def _heard(stream: Stream) -> bytes:
    data = await stream.read()
    if not isinstance(data, bytes):
        raise GoneError
    return data


def _peak(sandbox: Sandbox) -> int:
    """Return the most memory that the bot's processes held at a time, each for itself."""
    assert sandbox.pid
    return sum(map(_peak_of, statistics.descendants(sandbox.pid)[_WRAPPERS:]))


def _peak_of(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return 1024 * int(line.split()[1])
