"""Finds a bot by what it is called: a directory, an archive, an example or a kept version."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from referee.bots.archives import ArchiveLimits, is_archive, only_directory, unpack
from referee.bots.copying import refuse_changed
from referee.bots.examples import find_bot
from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.store import bots as stored_bots
from referee.store.opening import open_store

_UNPACKED: Final = "upcard-unpacked-"
_VERSION: Final = "@"
"""It is in the name of every version that is kept."""


def submitted_directory(name: str, closing: ExitStack) -> Path:
    """Return the directory of a bot, unpacked if it is named by its archive.

    Raises:
        ConfigError: there is no bot.
    """
    archive = Path(name)
    if not archive.is_file() or not is_archive(archive):
        return find_bot(name)
    own = closing.enter_context(own_directory(Path(gettempdir()), _UNPACKED))
    try:
        unpack(archive, own / "bot", ArchiveLimits())
    except ConfigError as error:
        raise ConfigError(f"{archive}: {error}") from None
    return only_directory(own / "bot")


def named_directory(name: str, db: str, closing: ExitStack) -> Path:
    """Return the directory of a bot, which may also be a NAME@VERSION that a store keeps.

    Raises:
        ConfigError: there is no bot.
    """
    if _VERSION not in name or Path(name).exists():
        return submitted_directory(name, closing)
    store = closing.enter_context(open_store(db))
    bot = stored_bots.find_bot(store, name)
    kept = stored_bots.bundle(store, bot.digest)
    refuse_changed(bot, kept)
    return kept
