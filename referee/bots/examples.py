"""Finds a bot by its directory or by the name of an example."""

from pathlib import Path
from typing import Final

from referee.bots.manifest import MANIFEST
from referee.bots.package_data import data_directory
from referee.errors import ConfigError
from referee.text import close_names

EXAMPLES: Final = data_directory() / "examples_bots"


def example_names(examples: Path = EXAMPLES) -> list[str]:
    """Return the names of the example bots."""
    return sorted(found.parent.name for found in examples.glob(f"*/{MANIFEST}"))


def find_bot(name: str, examples: Path = EXAMPLES) -> Path:
    """Return the directory of a bot: the one of that path, else the example of that name.

    Raises:
        ConfigError: there is neither.
    """
    directory = Path(name)
    try:
        if (directory / MANIFEST).is_file():
            return directory.resolve()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"cannot look for a bot in {name[:200]}: {why}") from None
    names = example_names(examples)
    if name in names:
        return examples / name
    raise ConfigError(_not_found(name[:200] or ".", directory, names))


def _not_found(name: str, directory: Path, names: list[str]) -> str:
    choose = f"or choose an example: {', '.join(names)}" if names else "as the author's guide says"
    if directory.is_dir():
        return f"{name} has no {MANIFEST}; write one, {choose}"
    if directory.exists():
        return f"{name} is not a directory; name the one with its {MANIFEST}, {choose}"
    if close := close_names(name, names):
        return f"there is no bot {name!r}; did you mean {' or '.join(close)}?"
    return f"there is no bot {name!r}; name the directory with its {MANIFEST}, {choose}"
