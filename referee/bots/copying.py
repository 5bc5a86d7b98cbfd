"""Copies bots where nobody changes them, and compares the copies before they play."""

from pathlib import Path
from typing import Final

from referee.bots.digest import Excluded, bundle_digest, refuse_unfit
from referee.errors import ConfigError
from referee.files.copying import copy_tree
from referee.store.models import Bot

_NEVER_COPIED: Final = (".git", ".upcard", ".venv", "__pycache__", "upcard-logs")
"""What tools leave in an author's directory, and is no part of her bot."""
_BUILD_OUTPUT: Final = ("build", "node_modules", "target", "Cargo.lock")
"""What her own builds leave at the top of it; the sandboxed build begins without that."""


def copy_bundle(directory: Path, copy: Path) -> str:
    """Copy a bot, readable by the uids it will run as, and return the digest of the copy.

    Raises:
        ConfigError: it cannot be copied, is too large, or holds what a bundle must not.
    """
    return _copy_checked(directory, copy, is_never_copied)


def copy_sources(directory: Path, copy: Path) -> str:
    """Copy the sources of a bot in the same way, without the output of earlier builds."""
    return _copy_checked(directory, copy, is_no_source)


def is_never_copied(path: Path) -> bool:
    """Return whether something below an author's directory is no part of her bot."""
    return path.name in _NEVER_COPIED


def is_no_source(path: Path) -> bool:
    """Return whether something below an author's directory is nothing to build her bot from."""
    # Further down, packages that are part of the bot may have directories of these names.
    return str(path) in _BUILD_OUTPUT or is_never_copied(path)


def _copy_checked(directory: Path, copy: Path, excluded: Excluded) -> str:
    refuse_unfit(directory, excluded)
    try:
        copy_tree(directory, copy, excluded)
    except OSError as error:
        at = Path(error.filename or directory)
        named = at if at.is_relative_to(directory) else directory
        raise ConfigError(f"cannot copy {named}: {error.strerror or error}") from None
    try:
        # Refused now, not when a fault needs the digest.
        return bundle_digest(copy)
    except ConfigError as error:
        raise ConfigError(str(error).replace(str(copy), str(directory))) from None


def refuse_changed(bot: Bot, bundle: Path) -> None:
    """Check that a stored bundle is what was added.

    Raises:
        ConfigError: it has changed, is missing or cannot be read.
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
