"""Puts decisions to one bot in frames, as a session would: tables open, turns, tables close."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from referee.arena.player import VOIDED, Closed
from referee.engine.game import State
from referee.engine.match import Match
from referee.examination.positions import Position
from referee.rpc import codec
from referee.rpc.conversation import Answered, Conversation
from referee.rpc.judging import Violation


class Due(NamedTuple):
    """A decision that is due at a table."""

    table: int
    seed: int
    """The table's random bits for this bot."""
    match: Match
    state: State


class Asker:
    """What a bot knows of its tables."""

    def __init__(self, talk: Conversation) -> None:
        """Begin with no table."""
        self.talk = talk
        self._turn = 0
        self._sits_at: set[int] = set()
        self._closed: list[Closed] = []

    def close(self, table: int, reason: str = VOIDED, score: tuple[int, int] = (0, 0)) -> None:
        """Let the next frame say that a match is over."""
        if table in self._sits_at:
            self._sits_at.remove(table)
            self._closed.append(Closed(table, reason, score))

    def close_all(self) -> None:
        """Let the next frame say that all are over."""
        for table in sorted(self._sits_at):
            self.close(table)

    async def ask(self, dues: Sequence[Due], *, wait: bool = True) -> list[int] | Violation:
        """Ask in one frame; give the choices in the same order, or nothing if not to wait."""
        answered = await self.ask_in_pieces(dues, wait=wait)
        if isinstance(answered, Violation):
            return answered
        first = self._turn - len(dues) + 1
        return [answered.choices[first + n] for n in range(len(dues))] if wait else []

    async def ask_in_pieces(
        self, dues: Sequence[Due], *, wait: bool = True
    ) -> Answered | Violation:
        """Do the same, and tell how the answer came."""
        opened = [(due.table, due.seed) for due in dues if due.table not in self._sits_at]
        self._sits_at.update(table for table, _ in opened)
        turns = dict(zip(self._next_turns(len(dues)), dues, strict=True))
        encoded = [
            codec.encode_turn(turn, due.table, 0, due.match, due.state)
            for turn, due in turns.items()
        ]
        frame = codec.encode_frame(opened, encoded, self._closed)
        self._closed = []
        legal = {turn: len(due.state.legal) for turn, due in turns.items()}
        return await self.talk.ask(frame, legal, None if wait else ())

    def _next_turns(self, count: int) -> Iterable[int]:
        first = self._turn + 1
        self._turn += count
        return range(first, first + count)


def at_tables(moments: Sequence[Position], first: int) -> list[Due]:
    """Put each moment at a table of its own."""
    rng = Random(first)  # noqa: S311 (it keeps no secret)
    return [
        Due(first + number, rng.getrandbits(64), *moment) for number, moment in enumerate(moments)
    ]
