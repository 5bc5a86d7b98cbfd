"""Runs a bot in the process that the referee started for it."""

import os
import sys
from contextlib import suppress
from typing import Final, NoReturn

from upcard.bot import Bot
from upcard.errors import UpcardError

MOST_TABLES: Final = 256
_USAGE: Final = (
    "UPCARD_ADDRESS is not set: a bot is started by the referee. "
    "Try yours with `upcard try DIR`, where DIR is the directory with its bot.toml.\n"
)


def run(bot: type[Bot], *, tables: int = MOST_TABLES) -> NoReturn:
    """Play for the referee that started this process, then end the process.

    Args:
        bot: your class; each match gets an object of its own.
        tables: at how many tables at the same time, 1 to 256. Many are faster; with 1, every
            decision has the time limit for itself.
    """
    if not (isinstance(bot, type) and issubclass(bot, Bot)):
        raise UpcardError(f"upcard.run takes a class derived from upcard.Bot, not {bot!r:.80}")
    if not 1 <= tables <= MOST_TABLES:
        raise UpcardError(f"a bot sits at 1 to {MOST_TABLES} tables, not {tables}")
    address = os.environ.get("UPCARD_ADDRESS")
    if not address:
        sys.stderr.write(_USAGE)
        sys.exit(2)
    # Not before: only a bot at play needs gRPC, which takes long to load.
    from upcard.session import play  # noqa: PLC0415

    code = play(bot, address, os.environ.get("UPCARD_TOKEN", ""), tables)
    _end(code)


def _end(code: int) -> NoReturn:
    """Leave at once: gRPC's threads, or the bot's own, may keep an interpreter from ending."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
