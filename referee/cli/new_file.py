"""Writes the files that commands leave where somebody works, over none that is there."""

from pathlib import Path

from referee.errors import ConfigError, FileError


def write_new_file(path: Path, content: bytes, advice: str, *, replace: bool = False) -> None:
    """Write a file.

    Args:
        path: the file.
        content: all of it.
        advice: what to do if there is one already.
        replace: whether one that is there is replaced.

    Raises:
        ConfigError: there is one, and it is not to be replaced.
        FileError: it cannot be written.
    """
    try:
        with path.open("wb" if replace else "xb") as file:
            file.write(content)
    except FileExistsError:
        raise ConfigError(f"{path} is there already; {advice}") from None
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
