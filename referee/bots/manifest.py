"""Reads `bot.toml`, in which an author says what her bot is and how it runs."""

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
"""A file that says of a bundle that it came of a build, so that nothing is left to be done."""
SDK_INSIDE: Final = ".upcard"
"""Where a bot that is built finds the SDK of its language, below its own directory."""
_KEY_OF: Final = re.compile(r"\s*([A-Za-z0-9_-]{1,40})\s*=")
_OURS: Final = (MANIFEST, BUILT, SDK_INSIDE)
_RUNTIMES: Final = {
    "python": "python",
    "javascript": "node",
    "typescript": "node",
    "node": "node",
    "java": "java",
    "kotlin": "java",
    "ruby": "ruby",
}
"""The runtime of a language that has one; what is compiled needs none and is `native`."""


class Manifest(NamedTuple):
    """What a bot says of itself."""

    name: str
    version: str
    author: str
    language: str
    runtime: str
    """What is mounted for it beside its own directory."""
    run: tuple[str, ...]
    """The program and its arguments."""
    build: tuple[str, ...]
    """The same for building it; empty if that is not needed."""
    result: tuple[str, ...]
    """What of it plays when it is built: files and directories; all there is if none is named."""
    games: tuple[str, ...]
    tables: int
    """At how many tables it can sit at the same time."""
    demo: bool | tuple[str, ...]
    """Whether it takes part in the demonstration; how it is run there, if not as always."""
    memory_mib: int | None
    """What it needs, if it says so."""


class _Key(NamedTuple):
    must_be: str
    fits: Callable[[Any], bool]
    default: object = ...
    """What stands for it where it is not said; some must be."""


def _text(most: int) -> _Key:
    def fits(value: object) -> bool:
        return isinstance(value, str) and 0 < len(value) <= most and value.isprintable()

    return _Key(f"a text of 1 to {most} printable characters", fits)


def _matching(pattern: str, must_be: str) -> _Key:
    def fits(value: object) -> bool:
        return isinstance(value, str) and re.fullmatch(pattern, value) is not None

    return _Key(must_be, fits)


def _number(least: int, most: int, default: int | None) -> _Key:
    def fits(value: object) -> bool:
        return type(value) is int and least <= value <= most  # True is no number

    return _Key(f"a whole number from {least} to {most}", fits, default)


def _is_command(value: object) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= 32 and all(map(_is_word, value))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 1000 and "\0" not in value


def _are_places(value: object) -> bool:
    if not isinstance(value, list) or not _is_command(value):
        return False
    places = [PurePosixPath(word) for word in value]
    apart = not any(one.is_relative_to(other) for one, other in permutations(places, 2))
    return apart and all(map(_is_below, places))


def _is_below(place: PurePosixPath) -> bool:
    return (
        bool(place.parts)
        and not place.is_absolute()
        and ".." not in place.parts
        and place.parts[0] not in _OURS
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
        "a list of 1 to 32 paths below the bot's directory, none within another", _are_places, ()
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
        ConfigError: it cannot be read, or says what it must not.
    """
    path = directory / MANIFEST
    told = _parsed(path, _content(directory, path))
    for name in told:
        if name not in _KEYS:
            keys = ", ".join(_KEYS)
            raise ConfigError(f"{path}: {_shown(name)} is no key of a manifest; those are {keys}")
    chosen = {name: _chosen(path, name, key, told) for name, key in _KEYS.items()}
    manifest = Manifest(**chosen)
    runtime = manifest.runtime or runtime_for(manifest.language)
    if runtimes is not None and runtime not in runtimes:
        raise ConfigError(f"{path}: {_without(runtime, runtimes)}")
    if runtimes is not None and not (manifest.build and not (directory / BUILT).exists()):
        refuse_unrunnable(path, directory, manifest.run, runtimes[runtime])
    return manifest._replace(runtime=runtime)


def run_by(told: str, words: Sequence[str]) -> str:
    """Return a manifest's text with another command to run the bot by.

    Raises:
        ConfigError: it is not written in a way in which that can be replaced.
    """
    line = f"run = {json.dumps(words)}"  # which TOML writes in the same way
    changed, count = re.subn(r"(?m)^run *= *\[.*\]$", lambda _: line, told)
    if count != 1:
        raise ConfigError(f"{MANIFEST}: run must be on one line of its own")
    return changed


def runtime_for(language: str) -> str:
    """Return the runtime of bots in a language that name none."""
    return _RUNTIMES.get(language.lower(), "native")


def _without(runtime: str, runtimes: Collection[str]) -> str:
    if runtime in HOW_TO_GET:
        return f"the runtime {runtime} is not on this machine; {HOW_TO_GET[runtime]}"
    return f"runtime must be {' or '.join(sorted(runtimes))}, not {_shown(runtime)}"


def _chosen(path: Path, name: str, key: _Key, told: Mapping[str, Any]) -> Any:  # noqa: ANN401 (as TOML has it)
    if name not in told:
        if key.default is ...:
            raise ConfigError(f"{path}: {name} is missing; it must be {key.must_be}")
        return key.default
    value = told[name]
    if not key.fits(value):
        raise ConfigError(f"{path}: {name} must be {key.must_be}, not {_shown(value)}")
    return tuple(value) if isinstance(value, list) else value


def _shown(value: object) -> str:
    """Show what was said, on one line and shortened."""
    try:
        shown = repr(value)
    except ValueError:  # a number with more digits than Python writes
        return "that"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _content(directory: Path, path: Path) -> bytes:
    """Read the file; what is at its place may be anything, and must not keep us waiting."""
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
