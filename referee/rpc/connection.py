"""The arena's player over gRPC: one place of a room, and the bot that is started for it."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from referee.arena.fault import FaultKind, Violation
from referee.arena.limits import MOST_TABLES, Terms
from referee.arena.place import Place
from referee.arena.player import Closed, Opened, Turn
from referee.arena.room import Room
from referee.engine.cards import Seat
from referee.errors import ConfigError, UpcardError
from referee.rpc import codec
from referee.rpc.launcher import Launcher
from referee.rpc.link import Link
from referee.rpc.relay import Relay
from referee.rpc.server import Stream
from referee.rpc.transcript import TranscriptEvidence

MOST_RECORDED: Final = 3
"""Processes of a place of which evidence is taken for every kind of fault; of later ones only for a
kind that the place had not had before, and of the last one of those that never started."""
_FIRST_TURNS: Final = 8
"""Turns of the first frame of a game whose views may be of any size; later ones have up to twice as
many as the one before."""
_FRAME_BYTES: Final = 4 << 20
"""Bytes that the turns of a frame of such a game should have at most, by the largest turn so far.
An SDK takes four times as many."""
FrameWatcher = Callable[[Place, Sequence[Opened], Sequence[Turn]], None]
"""Called for an entrant and a seat with what a frame opens and asks."""


class RoomContext(NamedTuple):
    """What all connections of a room share."""

    room: Room
    terms: Terms
    launcher: Launcher
    proceed: Callable[[], None]
    """To be called when there may be something to ask, or the room may be over."""
    asked: FrameWatcher | None = None
    debugged: tuple[int, Seat] | None = None
    """The entrant and the seat of a process that somebody looks into, if there is one."""


class Connection:
    """A place of a room, with a link to each bot that is started for it."""

    def __init__(self, shared: RoomContext, place: Place, socket: Path) -> None:
        """Serve a place; its bot dials the socket."""
        self.socket = socket
        self.relay = Relay()
        self._shared = shared
        self._by_side = shared.terms.game.name in codec.SCORED_BY_SIDE
        self.most_turns = _FIRST_TURNS if self._by_side else MOST_TABLES
        """How many turns the next frame may have: more each time, while they are small."""
        self._largest = 1
        """Bytes of the largest turn so far."""
        self._room = shared.room
        self._place = place
        self._link = Link(self, self.relay)
        self._processes = 1
        """How many it has had."""
        self._kinds: set[FaultKind] = set()
        """Of the faults of all of them."""

    # What the room asks

    def send(
        self, opened: Sequence[Opened], turns: Sequence[Turn], closed: Sequence[Closed]
    ) -> None:
        """Send a frame to the bot."""
        written = [codec.encode_turn(*turn) for turn in turns]
        if self._by_side:
            self._largest = max(self._largest, *map(len, written))
            fitting = max(1, _FRAME_BYTES // self._largest)
            self.most_turns = min(2 * self.most_turns, MOST_TABLES, fitting)
        self._link.send(codec.encode_frame(opened, written, closed, by_side=self._by_side))
        if self._shared.asked:
            self._shared.asked(self._place, opened, turns)

    def send_fault(self, kind: str, table: int, turn: int, explanation: str) -> None:
        """Send the bot a notice of what it did wrong, for its author."""
        self._link.send(codec.encode_fault(kind, table, turn, explanation))

    def restart(self) -> None:
        """Abandon the process; another is started."""
        self._link.abandoned.set()

    def freeze(self) -> None:
        """Stop the process from running until it is thawed."""
        self._link.freeze()

    def thaw(self) -> None:
        """Resume the process."""
        self._link.thaw()

    def cpu_seconds(self) -> float:
        """Return the processor time the process has used."""
        return self._link.cpu_seconds()

    def waited_seconds(self) -> float:
        """Return the time the process could have run and got no processor."""
        return self._link.waited_seconds()

    def cores(self) -> int:
        """Return on how many processors the process may run at once."""
        return self._link.cores()

    def referee_seconds(self) -> float:
        """Return the processor time that the referee has spent on the process."""
        return self._link.referee_seconds()

    def created_since(self, moment: float) -> int:
        """Return how many processes the process has created since a moment."""
        return self._link.created_since(moment)

    def evidence(self, kind: FaultKind, *, always: bool = False) -> TranscriptEvidence | None:
        """Return what is known of the process, if it is to be kept for a fault of a kind.

        A place may have many processes; so what is kept of them is bounded for the place as well,
        but for what is to be kept always.
        """
        is_new = kind not in self._kinds
        self._kinds.add(kind)
        if self._processes > MOST_RECORDED and not (is_new or always):
            return None
        return self._link.evidence_of(kind)

    # What the bot does

    def joined(self, hello: codec.Hello) -> None:
        """Welcome the bot, and let it play."""
        terms = self._shared.terms
        tables = min(hello.tables, terms.tables)
        self._link.send(codec.encode_welcome(terms, self._place.seat, tables))
        self._room.joined(self._place, tables)
        self._shared.proceed()

    def answered(self, answers: codec.Answers) -> None:
        """Pass answers on to the session."""
        self._room.answered(self._place, answers.turn_ids, answers.choices)
        self._shared.proceed()

    def failed(self, violation: Violation) -> None:
        """Pass a violation on to the session; a process that is debugged ends it.

        Raises:
            UpcardError: it is debugged.
        """
        if (self._place.entrant, self._place.seat) == self._shared.debugged:
            raise UpcardError(f"the bot that was debugged failed: {violation.explanation}")
        self._room.failed(self._place, violation)
        self._shared.proceed()

    def leaves(self) -> None:
        """Pass on that the bot is gone."""
        self._room.leaves(self._place)

    def lost(self, reason: str) -> None:
        """Pass on that the bot is gone through nobody's fault."""
        self._room.lost(self._place, reason)
        self._shared.proceed()

    # Its life

    async def play(self, _: AsyncIterator[bytes], stream: Stream) -> None:
        """Serve a stream."""
        await self._link.serve(stream)

    def tick(self) -> None:
        """Look whether the bot reads what it is sent."""
        self._link.tick()

    async def run(self) -> None:
        """Start the bot, and start it again as long as the room asks for that."""
        link = self._link
        while True:
            try:
                if await self._start(link):
                    await link.watch()
            finally:
                await link.stop()
            await link.abandoned.wait()
            link = self._link = Link(self, self.relay)
            self._processes += 1

    async def _start(self, link: Link) -> bool:
        place = self._place
        try:
            await link.start(self._shared.launcher, place.entrant, place.seat, self.socket)
        except ConfigError:
            raise
        except (UpcardError, OSError, TimeoutError) as error:
            self._room.lost(place, f"its sandbox could not be started: {error}")
            return False
        if not link.hello:  # on a machine that is busy it may have come before
            self._room.started(place)
        return True

    async def say_goodbye(self) -> None:
        """End the stream in good order; a bot that does not leave is killed."""
        await self._link.say_goodbye()
