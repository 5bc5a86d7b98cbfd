"""Bots that live in the test's own process, as tasks that a session takes for processes."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, NamedTuple

OWN_CONNECTION: Final = (("grpc.use_local_subchannel_pool", 1),)
"""Options of a bot's channel; else bots of one process share connections, as no others do."""


class End(NamedTuple):
    how: str
    exit_code: int | None = None
    limit: str | None = None
    detail: str = "ended"


class BotTask:
    """A bot as a task, which uses no processor as far as anybody can tell."""

    _task: asyncio.Future[None]

    def __init__(self) -> None:
        self.ended: asyncio.Future[End] = asyncio.get_running_loop().create_future()

    def run(self, bot: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.ensure_future(bot)

    def output(self) -> bytes:
        return b"last words"

    def cpu_seconds(self) -> float:
        return 0.0

    def waited_seconds(self) -> float:
        return 0.0

    def cores(self) -> int:
        return 1

    def created_since(self, _moment: float) -> int:
        return 0

    def freeze(self) -> None:
        """It cannot be frozen."""

    def thaw(self) -> None:
        """Nor thawed."""

    def watching_seconds(self) -> float:
        return 0.0

    @property
    def is_gone(self) -> bool:
        return self._task.done()

    async def stop(self) -> End:
        # A call of gRPC may swallow a cancellation that comes just as it fails.
        while not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task], timeout=0.1)
        if not self._task.cancelled():
            self._task.exception()
        if not self.ended.done():
            self.ended.set_result(End("stopped"))
        return self.ended.result()
