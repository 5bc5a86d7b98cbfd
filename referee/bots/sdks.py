"""What the SDKs of a clone say of themselves: which languages they serve, how their bots are built.

Each is a directory below `sdk/` with an `sdk.toml`. A language without one needs none, as Python,
whose SDK is in the runtime, or has none: then a bot is built with what the machine has.
"""

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

SDKS: Final = Path(__file__).parents[2] / "sdk"
"""Where a clone has them."""
ABOUT: Final = "sdk.toml"
TEMPLATE: Final = "template"
"""What a new bot begins as, in each of them."""
_SECONDS: Final = 60


class Program(NamedTuple):
    """A part of a tool chain."""

    name: str
    get: str
    """How to get it."""


class Sdk(NamedTuple):
    """What bots in a language are built with."""

    language: str
    also: tuple[str, ...]
    """Other words for the language."""
    directory: Path
    programs: tuple[Program, ...]
    home: tuple[str, ...]
    """A command that tells where the tool chain is, if it may be anywhere."""
    environment: Mapping[str, str]
    offline: Mapping[str, str]
    """What is added to the environment of a build that cannot reach the network."""
    warm: tuple[tuple[str, ...], ...]
    """Commands, run with the network, that leave in the workbench what builds need without it."""
    test: tuple[str, ...]
    """Runs the tests that a new bot begins with."""
    once: tuple[str, ...]
    """What an author runs once at home before that, if anything."""

    @property
    def lacking(self) -> str:
        """Say which of its programs are missing and how to get them; nothing if none is."""
        missing = [each for each in self.programs if shutil.which(each.name) is None]
        return "; ".join(f"there is no program {each.name}: {each.get}" for each in missing)

    def tool_chain(self) -> Path | None:
        """Ask where the tool chain is, if that has to be asked."""
        if not self.home:
            return None
        # Python is ourselves, not whatever goes by that name.
        program = sys.executable if self.home[0] == "python" else self.home[0]
        told = subprocess.run(  # noqa: S603 (a program of this machine)
            (program, *self.home[1:]), capture_output=True, text=True, timeout=_SECONDS, check=True
        )
        return Path(told.stdout.strip()).resolve()


@cache
def sdks(place: Path = SDKS) -> tuple[Sdk, ...]:
    """List the SDKs of a clone by language; there are none without one."""
    return tuple(sorted(map(_sdk, place.glob(f"*/{ABOUT}"))))


def sdk_for(language: str, place: Path = SDKS) -> Sdk | None:
    """Find the SDK of a language, by any of its words."""
    word = language.lower()
    return next((sdk for sdk in sdks(place) if word in (sdk.language, *sdk.also)), None)


def _sdk(about: Path) -> Sdk:
    told: dict[str, Any] = tomllib.loads(about.read_text(encoding="utf-8"))
    return Sdk(
        told["language"],
        tuple(told.get("also", ())),
        about.parent,
        tuple(Program(**each) for each in told.get("programs", ())),
        tuple(told.get("home", ())),
        told.get("environment", {}),
        told.get("offline", {}),
        tuple(tuple(command) for command in told.get("warm", ())),
        tuple(told.get("test", ())),
        tuple(told.get("once", ())),
    )
