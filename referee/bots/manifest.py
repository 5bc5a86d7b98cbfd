"""Reads `bot.toml`, the manifest of a bot: what it is and how it runs."""

import json
import os
import re
import stat
import tomllib
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import permutations
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from referee.bots.program import refuse_unrunnable
from referee.engine.registry import GAMES
from referee.errors import ConfigError
from referee.sandbox.mounts import Runtime
from referee.sandbox.runtimes import HOW_TO_GET

MANIFEST: Final = "bot.toml"
MOST_BYTES: Final = 65536
BUILT: Final = ".upcard-built"
"""A file that marks a bundle as the result of a build."""
SDK_INSIDE: Final = ".upcard"
"""Where a build finds the SDK of its language, below the directory of the bot."""
_RESERVED: Final = (MANIFEST, BUILT, SDK_INSIDE)
_KEY_OF: Final = re.compile(r"\s*([A-Za-z0-9_-]{1,40})\s*=")
_RUNTIMES: Final = {
    "python": "python",
    "javascript": "node",
    "typescript": "node",
    "node": "node",
    "java": "java",
    "kotlin": "java",
    "ruby": "ruby",
}
"""The runtime of each language that has one; compiled programs run on `native`."""


class Manifest(NamedTuple):
    """The content of a manifest."""

    name: str
    version: str
    author: str
    language: str
    runtime: str
    """The name of what is mounted for it beside its own directory."""
    run: tuple[str, ...]
    """The program and its arguments."""
    build: tuple[str, ...]
    """The command that builds it; empty if it needs none."""
    result: tuple[str, ...]
    """The files and directories that play once it is built; all of them if none is named."""
    games: tuple[str, ...]
    tables: int
    """How many matches it can play at the same time."""
    demo: bool | tuple[str, ...]
    """Whether it takes part in the demo, or the command that runs it there."""
    memory_mib: int | None
    """The memory it asks for, if any."""


class _Key(NamedTuple):
    must_be: str
    is_valid: Callable[[Any], bool]
    default: object = ...
    """The value of a key that is left out; `...` if it is required."""


def _text(most: int) -> _Key:
    def is_valid(value: object) -> bool:
        return isinstance(value, str) and 0 < len(value) <= most and value.isprintable()

    return _Key(f"a text of 1 to {most} printable characters", is_valid)


def _matching(pattern: str, must_be: str) -> _Key:
    def is_valid(value: object) -> bool:
        return isinstance(value, str) and re.fullmatch(pattern, value) is not None

    return _Key(must_be, is_valid)


def _number(least: int, most: int, default: int | None) -> _Key:
    def is_valid(value: object) -> bool:
        return type(value) is int and least <= value <= most  # True is no number

    return _Key(f"a whole number from {least} to {most}", is_valid, default)


def _is_command(value: object) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= 32 and all(map(_is_word, value))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 1000 and "\0" not in value


def _are_result_paths(value: object) -> bool:
    if not isinstance(value, list) or not _is_command(value):
        return False
    paths = [PurePosixPath(word) for word in value]
    apart = not any(one.is_relative_to(other) for one, other in permutations(paths, 2))
    return apart and all(map(_is_below, paths))


def _is_below(path: PurePosixPath) -> bool:
    return (
        bool(path.parts)
        and not path.is_absolute()
        and ".." not in path.parts
        and path.parts[0] not in _RESERVED
    )


def _are_games(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(name, str) and name in GAMES for name in value) and (
        len(set(value)) == len(value)
    )


_COMMAND: Final = "a list of 1 to 32 texts, the program and its arguments"
_KEYS: Final[Mapping[str, _Key]] = {
    "name": _matching(
        r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}",
        "1 to 40 letters, digits, - _ or ., the first a letter or a digit",
    ),
    "version": _text(40),
    "author": _text(100),
    "language": _text(40),
    "runtime": _matching(r"[a-z][a-z0-9_.-]{0,39}", "the name of a runtime")._replace(default=None),
    "run": _Key(_COMMAND, _is_command),
    "build": _Key(_COMMAND, _is_command, ()),
    "result": _Key(
        "a list of 1 to 32 paths below the bot's directory, none within another",
        _are_result_paths,
        (),
    ),
    "games": _Key(f"a list of one or more of {', '.join(GAMES)}, none twice", _are_games),
    "tables": _number(1, 256, 1),
    "demo": _Key(
        "true, false or a command",
        lambda value: isinstance(value, bool) or _is_command(value),
        False,
    ),
    "memory_mib": _number(64, 4096, None),
}


def read_manifest(directory: Path, runtimes: Mapping[str, Runtime] | None = None) -> Manifest:
    """Read a bot's manifest.

    Where `runtimes` are given, its runtime must be one of them and, if the bot does not have to be
    built first, its program one that can run there.

    Raises:
        ConfigError: it cannot be read, or a value in it is not allowed.
    """
    path = directory / MANIFEST
    values = _parsed(path, _content(directory, path))
    for name in values:
        if name not in _KEYS:
            keys = ", ".join(_KEYS)
            raise ConfigError(f"{path}: {_shown(name)} is no key of a manifest; they are {keys}")
    valid = {name: _value(path, name, key, values) for name, key in _KEYS.items()}
    manifest = Manifest(**valid)
    runtime = manifest.runtime or runtime_for(manifest.language)
    if runtimes is not None and runtime not in runtimes:
        raise ConfigError(f"{path}: {_missing_runtime(runtime, runtimes)}")
    if runtimes is not None and not (manifest.build and not (directory / BUILT).exists()):
        refuse_unrunnable(path, directory, manifest.run, runtimes[runtime])
    return manifest._replace(runtime=runtime)


def run_by(manifest: str, command: Sequence[str]) -> str:
    """Return the text of a manifest with another `run` command.

    Raises:
        ConfigError: `run` is not on one line of its own.
    """
    line = f"run = {json.dumps(command)}"  # as TOML writes it too
    changed, count = re.subn(r"(?m)^run *= *\[.*\]$", lambda _: line, manifest)
    if count != 1:
        raise ConfigError(f"{MANIFEST}: run must be on one line of its own")
    return changed


def runtime_for(language: str) -> str:
    """Return the runtime of bots in a language, if their manifests name none."""
    return _RUNTIMES.get(language.lower(), "native")


def _missing_runtime(runtime: str, runtimes: Collection[str]) -> str:
    if runtime in HOW_TO_GET:
        return f"the runtime {runtime} is not on this machine; {HOW_TO_GET[runtime]}"
    return f"runtime must be {' or '.join(sorted(runtimes))}, not {_shown(runtime)}"


def _value(path: Path, name: str, key: _Key, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 (as TOML has it)
    if name not in values:
        if key.default is ...:
            raise ConfigError(f"{path}: {name} is missing; it must be {key.must_be}")
        return key.default
    value = values[name]
    if not key.is_valid(value):
        raise ConfigError(f"{path}: {name} must be {key.must_be}, not {_shown(value)}")
    return tuple(value) if isinstance(value, list) else value


def _shown(value: object) -> str:
    """Return a value as text, on one line and shortened."""
    try:
        shown = repr(value)
    except ValueError:  # a number with more digits than Python writes
        return "that"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _content(directory: Path, path: Path) -> bytes:
    """Read the file, which may be anything: opening it must not block."""
    if not directory.is_dir():
        raise ConfigError(
            f"{directory}: is not a directory; name the one with the bot's {MANIFEST}"
        )
    try:
        with open(path, "rb", opener=_open) as file:
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            content = file.read(MOST_BYTES + 1) if regular else None
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; every bot has one") from None
    except OSError as error:
        why = "is a symbolic link" if path.is_symlink() else f"cannot be read: {error.strerror}"
        raise ConfigError(f"{path}: {why}; it must be a file") from None
    if content is None:
        raise ConfigError(f"{path}: is not a file; it must be one")
    if len(content) > MOST_BYTES:
        raise ConfigError(f"{path}: is larger than {MOST_BYTES} bytes; it must not be")
    return content


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


def _parsed(path: Path, content: bytes) -> dict[str, Any]:
    try:
        if content.startswith(BOM_UTF8):
            raise ConfigError(
                f"{path}: line 1 begins with a byte-order mark; save it as UTF-8 without one"
            )
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}: line {line} is not UTF-8; TOML must be") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {_where(error, content)}") from None
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: is not TOML that a bot needs: too deep or too long") from None


def _where(error: tomllib.TOMLDecodeError, content: bytes) -> str:
    """Return the line and the key of an error, and what it is."""
    says, lines = " ".join(str(error).split())[:200], content.decode().splitlines()
    found = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", says)
    if found is None:
        return f"is not TOML: {says}"
    number = int(found[2])
    key = _KEY_OF.match(lines[number - 1])
    where = f"line {number}{f', {key[1]}' if key else ''}"
    if found[1] == "Cannot overwrite a value":
        return f"{where}: the key is there already; keep one"
    return f"{where}: is not TOML: {found[1]}"
