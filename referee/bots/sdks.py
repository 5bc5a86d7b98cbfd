"""Reads what each SDK says of itself: which languages it serves, how their bots are built.

An SDK is a directory below `sdk/` with an `sdk.toml`; for a language that it serves in another way,
there is an `sdk-<language>.toml` beside it. A bot in a language that has none is built with the
programs of the machine.
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
_ABOUT: Final = ("*/sdk.toml", "*/sdk-*.toml")
BUILD_OUTPUT: Final = ("__pycache__", "build", "node_modules", "target", "Cargo.lock")
"""What the builds of an SDK itself leave in its directory."""
_SECONDS: Final = 60
_NUMBERS: Final = re.compile(r"\d+(\.\d+)*")
_ROOT: Final = "/"
"""Where programs are run: in the directory of a bot some would obey its files."""
PATH: Final = "/usr/local/bin:/usr/bin:/bin"
"""The search path of builds."""


class ToolchainProgram(NamedTuple):
    """A program of a tool chain."""

    name: str
    get: str
    """How to install it."""
    minimum: str = ""
    """The oldest version that works, if that matters."""
    version: str = "--version"
    """The argument with which it prints its version."""


class Sdk(NamedTuple):
    """The SDK of a language, and how bots in it are built."""

    language: str
    aliases: tuple[str, ...]
    """Other names of the language."""
    directory: Path
    programs: tuple[ToolchainProgram, ...]
    home: tuple[str, ...]
    """A command that prints the directory of the tool chain, if it may be outside /usr."""
    environment: Mapping[str, str]
    offline: Mapping[str, str]
    """Variables that are added for a build without a network."""
    prepare: tuple[tuple[str, ...], ...]
    """Commands that prepare the build environment, with the network."""
    test: tuple[str, ...]
    """The command that runs the tests of a new bot, where it is built."""
    setup: str
    """What an author runs once on her own machine, as a line for a shell; empty if nothing."""
    test_at_home: str
    """The line for a shell that runs the tests there."""
    template: str
    """The directory with the bot that `upcard new` copies, below its own."""
    templates: Mapping[str, str]
    """Those for bots of other kinds, by kind."""

    @property
    def missing(self) -> str:
        """Which of its programs are missing and how to install them; empty if none is."""
        missing = [each for each in self.programs if shutil.which(each.name) is None]
        if missing:
            return "; ".join(f"there is no program {each.name}: {each.get}" for each in missing)
        try:
            path = self.path()
            return "; ".join(filter(None, (_unusable(each, path) for each in self.programs)))
        except ConfigError as error:
            return str(error)

    def tool_chain(self) -> Path | None:
        """Return the directory of the tool chain; None if it is among the programs of the machine.

        Raises:
            ConfigError: the tool chain does not print one.
        """
        return _home(self.home) if self.home else None

    def path(self) -> str:
        """Return the search path of builds with this SDK.

        Raises:
            ConfigError: the tool chain does not print its directory.
        """
        directory = self.tool_chain()
        return f"{directory}/bin:{PATH}" if directory else PATH


def _home(command: tuple[str, ...]) -> Path:
    # Python is the one that runs this, not the first in the search path.
    program = sys.executable if command[0] == "python" else command[0]
    directory = Path(_output(program, *command[1:]).strip())
    if not directory.is_absolute() or not directory.is_dir() or _holds_home(directory):
        raise ConfigError(f"{' '.join(command)} prints no directory of a tool chain; fix that")
    return directory.resolve()


def _holds_home(directory: Path) -> bool:
    return Path.home().is_relative_to(directory)


def _unusable(program: ToolchainProgram, path: str) -> str:
    """Return why builds cannot use a program that is installed, and what to do."""
    found = shutil.which(program.name, path=path)
    if found is None:
        return f"the program {program.name} is outside /usr, which builds do not see: {program.get}"
    if not program.minimum:
        return ""
    version = _NUMBERS.search(_output(found, program.version))
    if version and _numbers(version[0]) >= _numbers(program.minimum):
        return ""
    return f"{program.name} {version[0] if version else ''} is too old: {program.get}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@cache
def _output(*command: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 (a program of this machine)
            command, cwd=_ROOT, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ConfigError(f"{' '.join(command)} does not work: {error}; fix that") from None
    return done.stdout


@cache
def sdks(directory: Path = SDKS) -> tuple[Sdk, ...]:
    """Return the SDKs by language."""
    return tuple(sorted(_sdk(about) for names in _ABOUT for about in directory.glob(names)))


def sdk_for(language: str, directory: Path = SDKS) -> Sdk | None:
    """Return the SDK of a language, by any of its names; None if it has none."""
    name = language.lower()
    return next((sdk for sdk in sdks(directory) if name in (sdk.language, *sdk.aliases)), None)


def _sdk(about: Path) -> Sdk:
    fields: dict[str, Any] = tomllib.loads(about.read_text(encoding="utf-8"))
    return Sdk(
        fields["language"],
        tuple(fields.get("aliases", ())),
        about.parent,
        tuple(ToolchainProgram(**each) for each in fields.get("programs", ())),
        tuple(fields.get("home", ())),
        fields.get("environment", {}),
        fields.get("offline", {}),
        tuple(tuple(command) for command in fields.get("prepare", ())),
        tuple(fields.get("test", ())),
        fields.get("setup", ""),
        fields.get("test-at-home", join(fields.get("test", ()))),
        fields.get("template", "template"),
        fields.get("templates", {}),
    )
