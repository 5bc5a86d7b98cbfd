"""Begins a new bot from what its language's SDK has for that."""

import shutil
from pathlib import Path
from typing import Final

from referee.bots.sdks import TEMPLATE, Sdk
from referee.errors import ConfigError

_CALLED: Final = "my-bot"
"""What the template's bot is called."""


def write_template(sdk: Sdk, directory: Path, name: str) -> None:
    """Copy the template under a bot's own name.

    Raises:
        ConfigError: the directory is there already, or cannot be written.
    """
    try:
        shutil.copytree(sdk.directory / TEMPLATE, directory)
    except FileExistsError:
        raise ConfigError(f"{directory} is there already; choose another name") from None
    except OSError as error:
        raise ConfigError(f"cannot write {directory}: {error.strerror}") from None
    for path in directory.rglob("*"):
        if path.is_file():
            _rename(path, name)


def _rename(path: Path, name: str) -> None:
    text = path.read_text(encoding="utf-8")
    for ours, theirs in zip(_spellings(_CALLED), _spellings(name), strict=True):
        text = text.replace(ours, theirs)
    path.write_text(text, encoding="utf-8")


def _spellings(name: str) -> tuple[str, str, str]:
    """Give a name as languages write it: `my-bot`, `my_bot`, `MyBot`."""
    words = name.replace("_", "-").replace(".", "-").split("-")
    return name, "_".join(words), "".join(word[:1].upper() + word[1:] for word in words)
