"""Runs a coroutine, and cancels it when a signal asks to stop."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Final, TypeVar

_Result = TypeVar("_Result")

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def handled_signals() -> list[signal.Signals]:
    """Return the signals to stop at, without those that our parent ignores."""
    return [each for each in STOP_SIGNALS if signal.getsignal(each) != signal.SIG_IGN]


def run_until_stopped(work: Coroutine[object, object, _Result]) -> _Result:
    """Run a coroutine to its end; a signal cancels it, and is a `KeyboardInterrupt` after that.

    An exception raised by a signal handler anywhere in it could leave a sandbox behind.
    """
    before = {each: signal.getsignal(each) for each in handled_signals()}
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
        # Once: a second cancellation would interrupt the cleaning up.
        if not stopped:
            task.cancel()
        stopped = True

    for each in handled_signals():
        loop.add_signal_handler(each, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        raise
