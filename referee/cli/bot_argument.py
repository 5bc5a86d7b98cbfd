"""The argument that names a bot to play: its directory, an example, or one that a store keeps."""

import re
from pathlib import Path
from typing import Final

from referee.bots.copying import refuse_changed
from referee.bots.examples import find_bot
from referee.bots.manifest import MANIFEST
from referee.store import bots as stored_bots
from referee.store.opening import open_store

BOT: Final = (
    "the directory of its bot.toml, the name of an example, or NAME@VERSION (or 8 digits or more "
    "of its digest) of one that the store keeps"
)
_KEPT: Final = re.compile(r"[^/@]+@[^/]+|[0-9a-f]{8,64}")


def is_kept(name: str) -> bool:
    """Return whether a name means a bot of the store, as it was when it was added."""
    return _KEPT.fullmatch(name) is not None and not Path(name, MANIFEST).is_file()


def bot_directory(name: str, db: str) -> Path:
    """Return the directory of a bot; nothing may be changed in that of one of the store.

    Raises:
        ConfigError: there is none.
        FileError: its files in the store are not as they were.
    """
    if not is_kept(name):
        return find_bot(name)
    with open_store(db, read_only=True) as store:
        bot = stored_bots.find_bot(store, name)
        files = stored_bots.bundle(store, bot.digest)
        refuse_changed(bot, files)
        return files
