"""Writes and reads bots, and finds them by what a person calls them."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from referee.errors import ConfigError, FileError
from referee.store.bundles import copied, place_of, put, there
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.models import Bot
from referee.store.rows import BOT
from referee.text import close_names

_COLUMNS: Final = [BOT.c[field] for field in Bot._fields]
_SHORTEST: Final = 8
"""Digits of a digest by which a bot may be named."""
_MOST_NAMED: Final = 10
_DIGITS: Final = frozenset("0123456789abcdef")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def add_bot(store: Store, bot: Bot, bundle_dir: Path) -> bool:
    """Store a bot with a copy of its bundle, which was checked and has the bot's digest.

    Returns:
        whether it was not there yet.
    """
    with copied(store.files, bot.digest, bundle_dir) as copy:
        try:
            with writing(store) as connection:
                # The row comes first: a process that adds the same bot at this moment waits for it.
                connection.execute(insert(BOT), bot._asdict())
                put(copy, store.files, bot.digest)
        except IntegrityError:
            if not there(store.files, bot.digest):
                put(copy, store.files, bot.digest)
            return False
    return True


def bots(store: Store) -> list[Bot]:
    """Return all bots, the latest added last."""
    with reading(store) as connection:
        return bots_in(connection)


def bots_in(connection: Connection) -> list[Bot]:
    """Return all bots that a transaction sees."""
    return [bot_of(row) for row in connection.execute(select(*_COLUMNS).order_by(BOT.c.id))]


def find_bot(store: Store, text: str) -> Bot:
    """Find a bot by NAME (the last that was added), NAME@VERSION, or the start of its digest.

    Raises:
        ConfigError: there is none, or what was said may mean several.
    """
    every = bots(store)
    named = [bot for bot in every if bot.name == text]
    if named:
        return named[-1]
    found = [bot for bot in every if bot.at_version == text or _starts(bot, text)]
    if len(found) > 1:
        digests = " or ".join(bot.digest[:12] for bot in found)
        raise ConfigError(
            f"{text[:80]!r} may be {len(found)} bots; name one by its digest: {digests}"
        )
    if not found:
        raise ConfigError(f"there is no bot {text[:80]!r}; {_choices(every, text)}")
    return found[0]


def bundle(store: Store, digest: str) -> Path:
    """Return the directory of a bot's bundle, in which nothing may be changed.

    Raises:
        FileError: it is not there, though it should be.
    """
    if not there(store.files, digest):
        raise FileError(
            f"the bundle of bot {digest[:12]} is missing in {store.files}; add it again"
        )
    return place_of(store.files, digest)


def _starts(bot: Bot, text: str) -> bool:
    return len(text) >= _SHORTEST and _DIGITS.issuperset(text) and bot.digest.startswith(text)


def _choices(every: Sequence[Bot], text: str) -> str:
    """Name bots to choose from: the versions of that name, names much like it, or the latest."""
    versions = [bot.at_version for bot in every if bot.name == text.partition("@")[0]]
    if versions:
        return f"choose {' or '.join(versions[-_MOST_NAMED:])}"
    latest = list(dict.fromkeys(bot.name for bot in reversed(every)))
    names = close_names(text[:80], latest) or latest[:_MOST_NAMED]
    return f"choose {' or '.join(names)}" if names else "add one: upcard bots add DIR"


def bot_of(columns: Iterable[Any]) -> Bot:
    """Return a bot of its columns.

    Raises:
        TypeError: they are damaged.
        ValueError: likewise.
    """
    digest, name, version, author, language, games, manifest, added = columns
    if type(games) is not list or not {*map(type, games)} <= {str}:
        raise TypeError(games)
    # It names a directory, so nothing else will do.
    if not _DIGEST.fullmatch(digest):
        raise ValueError(digest)
    found = digest, name, version, author, language, tuple(games), manifest, added
    return exact(Bot, found)
