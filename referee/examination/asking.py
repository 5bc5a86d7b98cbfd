"""Asks one bot for decisions in frames, as a session does: matches begin, turns, matches end."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from referee.arena.fault import Violation
from referee.arena.player import VOIDED, Closed
from referee.engine.game import State
from referee.engine.match import Match
from referee.examination.examined_bot import AskedDecision, ExaminedBot, FrameAnswer
from referee.examination.positions import AskedPosition
from referee.rpc import codec


class Due(NamedTuple):
    """A decision that is due in a match."""

    table: int
    seed: int
    """The match's random bits for this bot."""
    match: Match
    state: State


class Asker:
    """Asks one bot, and remembers which matches the bot knows of."""

    def __init__(self, bot: ExaminedBot) -> None:
        """Begin with no match."""
        self.bot = bot
        self._turn = 0
        self._opened: set[int] = set()
        self._closed: list[Closed] = []
        self._no_score: tuple[int, ...] = (0, 0)

    def close(self, table: int, reason: str = VOIDED, score: tuple[int, ...] | None = None) -> None:
        """Announce in the next frame that a match is over."""
        if table in self._opened:
            self._opened.remove(table)
            self._closed.append(Closed(table, reason, score or self._no_score))

    def close_all(self) -> None:
        """Announce in the next frame that all matches are over."""
        for table in sorted(self._opened):
            self.close(table)

    async def ask(self, dues: Sequence[Due], *, wait: bool = True) -> list[int] | Violation:
        """Ask in one frame; return the choices in the same order, or nothing if not to wait."""
        answer = await self.ask_in_pieces(dues, wait=wait)
        if isinstance(answer, Violation):
            return answer
        first = self._turn - len(dues) + 1
        return [answer.choices[first + n] for n in range(len(dues))] if wait else []

    async def ask_in_pieces(
        self, dues: Sequence[Due], *, wait: bool = True
    ) -> FrameAnswer | Violation:
        """Ask in one frame; return the answer as it came."""
        opened = [(due.table, due.seed) for due in dues if due.table not in self._opened]
        self._opened.update(table for table, _ in opened)
        turns = dict(zip(self._next_turns(len(dues)), dues, strict=True))
        encoded = [
            codec.encode_turn(turn, due.table, 0, due.match, due.state)
            for turn, due in turns.items()
        ]
        for due in dues:
            self._no_score = (0,) * len(due.match.score)
        by_side = any(due.match.game.name in codec.SCORED_BY_SIDE for due in dues)
        frame = codec.encode_frame(opened, encoded, self._closed, by_side=by_side)
        self._closed = []
        asked = {turn: AskedDecision(len(due.state.legal)) for turn, due in turns.items()}
        return await self.bot.ask(frame, asked, None if wait else ())

    def _next_turns(self, count: int) -> Iterable[int]:
        first = self._turn + 1
        self._turn += count
        return range(first, first + count)


def at_tables(moments: Sequence[AskedPosition], tables: Iterator[int]) -> list[Due]:
    """Return each moment as a decision in a match of its own, at the next of the tables."""
    rng = Random(len(moments))  # noqa: S311 (it keeps no secret)
    return [Due(next(tables), rng.getrandbits(64), *moment) for moment in moments]
