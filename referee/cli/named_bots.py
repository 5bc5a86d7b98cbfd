"""Finds a bot by what it is called: a directory, an archive, an example or a kept version."""

import re
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
_KEPT: Final = re.compile(r"[^/@]+@[^/]+|[0-9a-f]{8,64}")


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


def is_kept(name: str) -> bool:
    """Return whether a bot is named as one that a store keeps: NAME@VERSION, or its digest."""
    return _KEPT.fullmatch(name) is not None and not Path(name).exists()


def named_directory(name: str, db: str, closing: ExitStack) -> Path:
    """Return the directory of a bot, which may also be one that a store keeps.

    Raises:
        ConfigError: there is no bot.
    """
    if not is_kept(name):
        return submitted_directory(name, closing)
    store = closing.enter_context(open_store(db))
    bot = stored_bots.find_bot(store, name)
    kept = stored_bots.bundle(store, bot.digest)
    refuse_changed(bot, kept)
    return kept
