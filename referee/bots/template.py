"""Creates a new bot from the template of an SDK."""

import os
import shutil
from pathlib import Path
from typing import Final

from referee.bots.sdks import BUILD_OUTPUT, Sdk
from referee.errors import ConfigError

_NAME: Final = "my-bot"
"""The name of the bot in a template."""


def write_template(sdk: Sdk, directory: Path, name: str, template: str = "") -> None:
    """Copy a template of an SDK, with the name of the new bot.

    Args:
        sdk: the SDK.
        directory: where it goes, which must not exist.
        name: what the bot is called.
        template: the directory of the template, below that of the SDK; if empty, its first one.

    Raises:
        ConfigError: the directory exists, or cannot be written.
    """
    if os.path.lexists(directory):
        raise ConfigError(f"{directory} exists; choose another name")
    if not directory.parent.is_dir():
        raise ConfigError(f"there is no directory {directory.parent}; make it first")
    try:
        shutil.copytree(
            sdk.directory / (template or sdk.template),
            directory,
            ignore=shutil.ignore_patterns(*BUILD_OUTPUT),
        )
        for path in directory.rglob("*"):
            if path.is_file():
                _rename(path, name)
    except OSError as error:
        why = error.strerror or "not all of the template can be copied"
        raise ConfigError(f"cannot write {directory}: {why}") from None


def _rename(path: Path, name: str) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in zip(_spellings(_NAME), _spellings(name), strict=True):
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def _spellings(name: str) -> tuple[str, str]:
    """Return a name as languages write it: `my-bot`, `my_bot`."""
    return name, name.replace("-", "_")
