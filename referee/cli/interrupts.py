"""Runs a coroutine, and cancels it when a signal asks to stop; lends the terminal to a bot."""

import asyncio
import signal
import sys
import termios
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

_Result = TypeVar("_Result")

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def handled_signals() -> list[signal.Signals]:
    """Return the signals to stop at, without those that our parent ignores or that are a bot's."""
    others = signal.SIG_IGN, _left_to_the_bot
    return [each for each in STOP_SIGNALS if signal.getsignal(each) not in others]


def _left_to_the_bot(_number: int, _frame: object) -> None:
    """Do nothing: all that run in the foreground of a terminal get an interrupt from there."""


@contextmanager
def lent_terminal() -> Iterator[None]:
    """Lend the terminal to a bot: Ctrl-C is for it, and in the end all modes are as before."""
    before, modes = signal.signal(signal.SIGINT, _left_to_the_bot), _modes()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if modes:
            _restore(modes)


def _modes() -> list[Any] | None:
    with suppress(termios.error, OSError, ValueError):
        return termios.tcgetattr(sys.stdin)
    return None


def _restore(modes: list[Any]) -> None:
    # A debugger that was killed may have left the foreground to another group than ours.
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    with suppress(termios.error):
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
    signal.signal(signal.SIGTTOU, before)


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
