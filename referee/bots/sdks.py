"""Reads what each SDK says of itself: which languages it serves, how their bots are built.

Each is a directory below `sdk/` with an `sdk.toml`. A language without one needs none, as Python,
whose SDK is in the runtime, or has none: then a bot is built with what the machine has.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shlex import join
from typing import Any, Final, NamedTuple

from referee.bots.package_data import data_directory
from referee.errors import ConfigError

SDKS: Final = data_directory() / "sdk"
ABOUT: Final = "sdk.toml"
BUILD_OUTPUT: Final = ("__pycache__", "build", "node_modules", "target", "Cargo.lock")
"""What an SDK's own builds leave in it."""
TEMPLATE: Final = "template"
"""What a new bot begins as, in each of them."""
_SECONDS: Final = 60
_NUMBERS: Final = re.compile(r"\d+(\.\d+)*")
_NOWHERE: Final = "/"
"""Where programs are asked: in a bot's own directory some would do what its files say."""
PATH: Final = "/usr/local/bin:/usr/bin:/bin"
"""Where builds find the programs of the machine."""


class Program(NamedTuple):
    """A part of a tool chain."""

    name: str
    get: str
    """How to get it."""
    minimum: str = ""
    """The oldest version that will do, if that matters."""
    version: str = "--version"
    """The word by which it tells its version."""


class Sdk(NamedTuple):
    """What bots in a language are built with."""

    language: str
    aliases: tuple[str, ...]
    """Other words for the language."""
    directory: Path
    programs: tuple[Program, ...]
    home: tuple[str, ...]
    """A command that tells where the tool chain is, if it may be anywhere."""
    environment: Mapping[str, str]
    offline: Mapping[str, str]
    """What is added to the environment of a build that cannot reach the network."""
    prepare: tuple[tuple[str, ...], ...]
    """Commands, run with the network, that leave in the workbench what builds need without it."""
    test: tuple[str, ...]
    """Runs the tests that a new bot begins with, where it is built."""
    setup: str
    """What an author runs at home first, and once; a line for a shell, or nothing."""
    test_at_home: str
    """What runs the tests there."""

    @property
    def missing(self) -> str:
        """Return which of its programs are missing and how to get them; nothing if none is."""
        missing = [each for each in self.programs if shutil.which(each.name) is None]
        if missing:
            return "; ".join(f"there is no program {each.name}: {each.get}" for each in missing)
        try:
            path = self.path()
            return "; ".join(filter(None, (_unfit(each, path) for each in self.programs)))
        except ConfigError as error:
            return str(error)

    def tool_chain(self) -> Path | None:
        """Ask where the tool chain is, if that has to be asked.

        Raises:
            ConfigError: it does not say.
        """
        return _home(self.home) if self.home else None

    def path(self) -> str:
        """Return where builds find the programs.

        Raises:
            ConfigError: the tool chain does not say where it is.
        """
        place = self.tool_chain()
        return f"{place}/bin:{PATH}" if place else PATH


def _home(command: tuple[str, ...]) -> Path:
    # Python is ourselves, not whatever goes by that name.
    program = sys.executable if command[0] == "python" else command[0]
    place = Path(_told(program, *command[1:]).strip())
    if not place.is_absolute() or not place.is_dir() or Path.home().is_relative_to(place):
        raise ConfigError(f"{' '.join(command)} names no directory of a tool chain; mend that")
    return place.resolve()


def _unfit(program: Program, path: str) -> str:
    """Return why builds cannot use a program that is there, and what to do."""
    found = shutil.which(program.name, path=path)
    if found is None:
        where = "is where builds do not see it, outside of /usr"
        return f"the program {program.name} {where}: {program.get}"
    if not program.minimum:
        return ""
    told = _NUMBERS.search(_told(found, program.version))
    if told and _numbers(told[0]) >= _numbers(program.minimum):
        return ""
    return f"{program.name} {told[0] if told else ''} is too old: {program.get}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@cache
def _told(*command: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 (a program of this machine)
            command, cwd=_NOWHERE, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ConfigError(f"{' '.join(command)} does not work: {error}; mend that") from None
    return done.stdout


@cache
def sdks(place: Path = SDKS) -> tuple[Sdk, ...]:
    """Return the SDKs by language."""
    return tuple(sorted(map(_sdk, place.glob(f"*/{ABOUT}"))))


def sdk_for(language: str, place: Path = SDKS) -> Sdk | None:
    """Return the SDK of a language, by any of its names; None if it has none."""
    word = language.lower()
    return next((sdk for sdk in sdks(place) if word in (sdk.language, *sdk.aliases)), None)


def _sdk(about: Path) -> Sdk:
    told: dict[str, Any] = tomllib.loads(about.read_text(encoding="utf-8"))
    return Sdk(
        told["language"],
        tuple(told.get("aliases", ())),
        about.parent,
        tuple(Program(**each) for each in told.get("programs", ())),
        tuple(told.get("home", ())),
        told.get("environment", {}),
        told.get("offline", {}),
        tuple(tuple(command) for command in told.get("prepare", ())),
        tuple(told.get("test", ())),
        told.get("setup", ""),
        told.get("test-at-home", join(told.get("test", ()))),
    )
