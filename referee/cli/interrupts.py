"""Runs what awaits, and takes it down in good order when it is asked to stop."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Final, TypeVar

_Result = TypeVar("_Result")

STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heeded() -> list[signal.Signals]:
    """Return the signals to stop at; what whoever started us has us ignore stays ignored."""
    return [each for each in STOPS if signal.getsignal(each) != signal.SIG_IGN]


def run_until_stopped(work: Coroutine[object, object, _Result]) -> _Result:
    """Run work to its end; a signal lets it clean up, and then is a `KeyboardInterrupt`.

    A signal that came as an exception in the middle of anything could leave a sandbox behind.
    """
    before = {each: signal.getsignal(each) for each in heeded()}
    try:
        return asyncio.run(_until_stopped(work))
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


async def _until_stopped(work: Coroutine[object, object, _Result]) -> _Result:
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        # Once is enough: the second of two impatient ones would disturb the cleaning up.
        if not stopped:
            task.cancel()
        stopped = True

    for each in heeded():
        loop.add_signal_handler(each, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        raise
