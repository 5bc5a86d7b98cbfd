"""Finds a game by the name of a preset or an example, or by the file of its program."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from referee.bots.package_data import data_directory
from referee.engine.recycle import Recycle
from referee.engine.recycle.game import read_program
from referee.engine.registry import PRESETS, Preset
from referee.errors import ConfigError
from referee.text import close_names, counted
from upcard.recycle import Program

SUFFIX: Final = ".rcy"
LARGEST: Final = 256 * 1024
"""Bytes of a file, all of it read to find the program in it."""
_EXAMINED: Final = ("crazy-eights", "kuhn-poker", "spades")
"""Examples of single players, of two, and of teams."""
EXAMPLES: Final = data_directory() / "examples_games"


def example_games() -> list[str]:
    """Return the names of the example games; a preset goes before an example of its name."""
    return sorted(found.stem for found in EXAMPLES.glob(f"*{SUFFIX}"))


def find_game(name: str) -> Preset:
    """Return a game by the name of a preset or an example, or by the path of a file.

    An example that is called as a preset is found with the suffix, as ``euchre.rcy``.

    Raises:
        ConfigError: there is no such game, or its program cannot be read.
    """
    return PRESETS[name] if name in PRESETS else game_in_file(program_file(name))


def is_program(name: str) -> bool:
    """Return whether a name is that of a file of a program, or of an example."""
    return name.endswith(SUFFIX) or name in example_games()


def program_file(name: str) -> Path:
    """Return the file of a program, by its path or by the name of an example.

    Raises:
        ConfigError: there is none.
    """
    if name in example_games():
        return EXAMPLES / f"{name}{SUFFIX}"
    path = Path(name)
    if _is_file(path):
        return path
    if path.name == name and path.suffix == SUFFIX and path.stem in example_games():
        return EXAMPLES / name
    if name in PRESETS:
        raise ConfigError(f"{name} is built in and has no program; choose {_either()}")
    raise ConfigError(_not_found(name[:200], path))


def examined_games(kinds: Collection[str]) -> list[Preset]:
    """Return the games by which a bot is examined that plays these kinds: all presets of them.

    Who plays games from programs is examined by a few of the examples.
    """
    presets = [preset for preset in PRESETS.values() if preset.kind.name in kinds]
    examples = _EXAMINED if Recycle.name in kinds else ()
    return [*presets, *(game_in_file(EXAMPLES / f"{name}{SUFFIX}") for name in examples)]


def all_games() -> Iterator[Preset]:
    """Yield every game that has a name: the presets, then the examples."""
    yield from PRESETS.values()
    for name in example_games():
        yield game_in_file(EXAMPLES / f"{name}{SUFFIX}")


def game_in_file(path: Path) -> Preset:
    """Read a game from the file of its program, by whose name it is called.

    Raises:
        ConfigError: it cannot be read; the message names the file, the line and the column.
    """
    program = program_in_file(path)
    chosen = {"name": path.stem, "program": program.text}
    try:
        Recycle.with_rules(chosen)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    players = f"{counted(program.players, 'player')}{' in teams' if program.teams else ''}"
    about = program.title or players
    return Preset(path.stem, Recycle, chosen, program.players - 1, about)


def program_in_file(path: Path) -> Program:
    """Read the program of a file; the lines of its messages are those of the file.

    Raises:
        ConfigError: it cannot be read; the message names the file, the line and the column.
    """
    page = program_text(path)
    try:
        return read_program(page)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def program_text(path: Path) -> str:
    """Return the text of a file, which is in UTF-8; a mark at its beginning is left out.

    Raises:
        ConfigError: it cannot be read, is too long, or is no text.
    """
    try:
        with path.open("rb") as file:
            read = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"cannot read {str(path)[:200]}: {why}") from None
    if len(read) > LARGEST:
        raise ConfigError(f"{path} is longer than {LARGEST} bytes, which is the most for a game")
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = read[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}: line {line} is not UTF-8; save the file as UTF-8") from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _not_found(name: str, path: Path) -> str:
    if path.suffix == SUFFIX:
        return f"there is no file {name}; name the file of a game's program"
    if close := close_names(name, [*PRESETS, *example_games()]):
        return f"there is no game {name!r}; did you mean {' or '.join(close)}?"
    return f"there is no game {name!r}; choose {', '.join(PRESETS)}, {_either()}"


def _either() -> str:
    return ", ".join([*example_games(), f"or name a {SUFFIX} file"])
