"""Plays leagues with bots that are tasks of their worker.

A bot takes a tenth of a second of processor time to start in its sandbox, and a visit starts eight.
Tests of what a league makes of what bots do need none of that: only the sandbox and the process are
left out here, while sessions, sockets and messages are those of any league.
"""

import runpy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import format_exc
from typing import Any, Final
from unittest.mock import patch

import grpc

import upcard
from referee.bots.seating import SeatedBot
from referee.engine.cards import Seat
from referee.league import visit
from tests.rpc.bot_tasks import OWN_CONNECTION, BotTask, End
from upcard.answering import Tables
from upcard.pieces import Pieces
from upcard.v1.referee_pb2 import Answers, Frame, Hello, PlayRequest, PlayResponse, Welcome

Player = Callable[[Frame], Iterator[bytes]]
"""Answers a frame by messages."""


@contextmanager
def bots_as_tasks() -> Iterator[None]:
    """Run the bots of all visits in this process as tasks."""
    with patch.object(visit, "BotLauncher", _Launcher):
        yield


class _Launcher:
    """Starts the bots of a session as tasks."""

    def __init__(
        self, _: object, entrants: tuple[SeatedBot, SeatedBot], **_options: object
    ) -> None:
        self._players = [_player(entrant) for entrant in entrants]

    async def start(self, entrant: int, _: Seat, socket: Path, token: str) -> "_Bot":
        return _Bot(self._players[entrant], socket, token)


def _player(bot: SeatedBot) -> Callable[[Welcome], Player]:
    """Return how a bot plays: a hostile one by its name, any other as its program says."""
    name = bot.manifest.run[-1]
    if name in _HOSTILE:
        return lambda _: _HOSTILE[name]
    with patch.object(upcard, "run") as run:
        runpy.run_path(str(bot.bundle / name))
    return lambda welcome: _Sound(Tables(run.call_args.args[0], welcome))


class _Sound:
    """Plays by the SDK."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, frame: Frame) -> Iterator[bytes]:
        pieces = list[Answers]()
        try:
            self._tables.answer(frame, _OnePiece(pieces.append))
        finally:
            for piece in pieces:
                yield PlayRequest(answers=piece).SerializeToString()


class _OnePiece(Pieces):
    """Answers without a thread that sends what is finished: the loop waits for the decisions."""

    def begin(self, _: int) -> None:
        super().begin(1)


def _illegal(frame: Frame) -> Iterator[bytes]:
    turns = [turn.turn_id for turn in frame.turns]
    answers = Answers(turn_ids=turns, choices=[99] * len(turns))
    yield PlayRequest(answers=answers).SerializeToString()


def _garbage(_: Frame) -> Iterator[bytes]:
    yield b"\xff" * 100


_HOSTILE: Final = {"illegal": _illegal, "garbage": _garbage}


class _Bot(BotTask):
    """Plays until the goodbye, or fails."""

    def __init__(self, player: Callable[[Welcome], Player], socket: Path, token: str) -> None:
        super().__init__()
        self._player = player
        self._output = b""
        self.run(self._play(f"unix:{socket}", token))

    def output(self) -> bytes:
        return self._output

    async def _play(self, address: str, token: str) -> None:
        code = 0
        async with grpc.aio.insecure_channel(address, OWN_CONNECTION) as channel:
            stream: Any = channel.stream_stream("/upcard.v1.RefereeService/Play", None, None)()
            try:
                await self._answer(stream, token)
            except Exception:  # noqa: BLE001 (whatever goes wrong in a bot)
                self._output, code = format_exc().encode(), 1
        self.ended.set_result(End("exited", code, detail=f"it ended with exit code {code}"))

    async def _answer(self, stream: Any, token: str) -> None:  # noqa: ANN401 (a call of bytes)
        hello = Hello(token=token, protocol_revision=1, sdk="task", tables=256)
        await stream.write(PlayRequest(hello=hello).SerializeToString())
        play = self._player(PlayResponse.FromString(await stream.read()).welcome)
        while isinstance(data := await stream.read(), bytes):
            response = PlayResponse.FromString(data)
            if response.HasField("frame"):
                for message in play(response.frame):
                    await stream.write(message)
            if response.HasField("goodbye"):
                await stream.done_writing()
