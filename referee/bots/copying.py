"""Keeps a bot as it was handed in: copied where nobody changes it, and compared before it plays."""

from pathlib import Path
from typing import Final

from referee.bots.digest import Excluded, bundle_digest, refuse_unfit
from referee.errors import ConfigError
from referee.files.copying import copy_tree
from referee.store.models import Bot

_LEFT_AT_HOME: Final = (".git", ".upcard", ".venv", "__pycache__", "upcard-logs")
"""What lies about in an author's directory, and is no part of her bot."""
_MADE: Final = ("build", "node_modules", "target", "Cargo.lock")
"""What her own builds leave at the top of it; a build of ours begins without that."""


def copy_bundle(directory: Path, copy: Path) -> str:
    """Copy a bot so that the strangers it will run as can read it, and give the copy's digest.

    Raises:
        ConfigError: it cannot be copied, is too large, or holds what has no place in a bundle.
    """
    return _copied(directory, copy, _is_left_at_home)


def copy_sources(directory: Path, copy: Path) -> str:
    """Copy what a bot is built from, likewise, without what was built of it before."""
    return _copied(directory, copy, _is_made_or_left)


def _is_left_at_home(path: Path) -> bool:
    return path.name in _LEFT_AT_HOME


def _is_made_or_left(path: Path) -> bool:
    # Further down, packages that she brings along may have directories of these names.
    return str(path) in _MADE or _is_left_at_home(path)


def _copied(directory: Path, copy: Path, without: Excluded) -> str:
    refuse_unfit(directory, without)
    try:
        copy_tree(directory, copy, without)
    except OSError as error:
        at = Path(error.filename or directory)
        named = at if at.is_relative_to(directory) else directory
        raise ConfigError(f"cannot copy {named}: {error.strerror or error}") from None
    try:
        # What is strange is refused before it is played, not when a fault needs the digest.
        return bundle_digest(copy)
    except ConfigError as error:
        raise ConfigError(str(error).replace(str(copy), str(directory))) from None


def refuse_changed(bot: Bot, bundle: Path) -> None:
    """Refuse a kept bundle that is no longer what was added.

    Raises:
        ConfigError: it was changed, is gone or cannot be read.
    """
    try:
        why = "" if bundle_digest(bundle) == bot.digest else f"{bundle}: something in it changed"
    except ConfigError as error:
        why = str(error)
    if why:
        who = f"{bot.name} {bot.version} ({bot.digest[:12]})"
        raise ConfigError(
            f"{who} is not as it was added: {why}; remove {bundle} and add the same bot again, or "
            "withdraw it from its leagues"
        )
