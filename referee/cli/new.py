"""`upcard new`: creates a bot from the template of a language."""

import re
from pathlib import Path
from shlex import quote
from typing import Annotated, Final

import typer

from referee.bots.manifest import SDK_INSIDE
from referee.bots.package_data import page
from referee.bots.sdks import Sdk, sdk_for, sdks
from referee.bots.template import write_template
from referee.cli.called import command
from referee.errors import ConfigError

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 40
_EECS280: Final = "eecs280"
"""The kind of template for a Player of the course."""
_TAKEN: Final = frozenset(
    (
        *("all", "clean", "help", "install", "package", "test"),  # to CMake
        *("alloc", "build", "core", "deps", "examples", "incremental", "std"),  # to cargo
        "upcard",
    )
)
"""Names that have another meaning in some tool chain."""


def new(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Its name in lower case, and its new directory."),
    ],
    language: Annotated[
        str,
        typer.Option(
            "--language", "-l", metavar="LANGUAGE", help="The programming language; else Python."
        ),
    ] = "",
    eecs280: Annotated[
        bool, typer.Option("--eecs280", help="In C++, for a Player.cpp of the course EECS 280.")
    ] = False,
) -> None:
    """Create a bot from a template: a small player with a test, ready to build and play."""
    sdk, template = _eecs280(language) if eecs280 else (_sdk(language or "python"), "")
    directory = Path(name)
    called = directory.name
    if len(called) > _LONGEST or not _NAME.fullmatch(called):
        raise ConfigError(
            f"{called[:80]!r} cannot be a bot's name; take up to {_LONGEST} small letters and "
            "digits, a letter first, with single hyphens between"
        )
    if called in _TAKEN:
        raise ConfigError(f"{called} means something else to tool chains; choose another name")
    write_template(sdk, directory, called, template)
    if sdk.prepare or sdk.setup:
        (directory / SDK_INSIDE).symlink_to(sdk.directory)
    _print_next(sdk, directory)


def _sdk(language: str) -> Sdk:
    sdk = sdk_for(language)
    if sdk is not None:
        return sdk
    names = ", ".join(each.language for each in sdks())
    raise ConfigError(
        f"there is no SDK for {language[:80]!r}; choose from {names}, or write a bot in any other "
        f"language by {page('protocol.md')}"
    )


def _eecs280(language: str) -> tuple[Sdk, str]:
    sdk = _sdk(language or "cpp")
    if _EECS280 in sdk.templates:
        return sdk, sdk.templates[_EECS280]
    raise ConfigError(f"a Player of EECS 280 is in C++; leave out --language {language}")


def _print_next(sdk: Sdk, directory: Path) -> None:
    place = quote(str(directory))
    print(f"{place} is a bot in {sdk.language}; its README.md has the next steps:")
    if sdk.setup:
        print(f"  # once, for your own tools:\n  (cd {place} && {sdk.setup})")
    print(f"  # its own tests:\n  (cd {place} && {sdk.test_at_home})")
    print(f"  # does it keep to the rules and the protocol?\n  {command('check', directory)}")
    print(f"  # how does it play against a sound player?\n  {command('try', directory)}")
    if sdk.missing:
        print(f"to build it you still need: {sdk.missing}")
