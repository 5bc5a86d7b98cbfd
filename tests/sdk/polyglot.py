"""The languages of bots: for each its example and its probe, built as any bot is built."""

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from referee.bots.build_environment import build_environment
from referee.bots.build_sandbox import (
    BuildDirectories,
    Tools,
    build_mode,
    machine,
    open_build_sandbox,
)
from referee.bots.copying import copy_sources
from referee.bots.examples import EXAMPLES
from referee.bots.manifest import MANIFEST, read_manifest, run_by
from referee.bots.sdks import Sdk, sdk_for
from referee.cli.build_options import BuildOptions
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.runtimes import HOW_TO_GET, find_runtimes

HERE = Path(__file__).parent
REQUIRED = "UPCARD_ALL_LANGUAGES"
"""Where this is set, a language that is not there is a failure."""


class Language(NamedTuple):
    """How one language is tried."""

    name: str
    example: str
    quickly: tuple[str, ...] = ()
    """How its example is run where it shall not think for long, and shall do the same again."""
    has_sdk: bool = True
    sends_while_deciding: bool = True
    """Whether what is finished is sent while a decision takes its time."""


LANGUAGES = (
    Language("python", "steady"),
    # It has one thread, and that is the bot's.
    Language("javascript", "nimble", sends_while_deciding=False),
    Language("go", "counter"),
    Language("rust", "dreamer", ("target/release/dreamer", "--samples", "6")),
    Language("java", "patient"),
    Language("cpp", "brisk"),
    Language("ruby", "plain", has_sdk=False),
)
SDKS = tuple(language for language in LANGUAGES if language.has_sdk)


def named(language: Language) -> str:
    """Name a case."""
    return language.name


def example(language: Language, place: Path) -> Path:
    """Build the example of a language at a new place."""
    bundle = built(EXAMPLES / language.example, place)
    if language.quickly:
        run_as(bundle, language.quickly)
    return bundle


def probe(language: Language, place: Path) -> Path:
    """Build the probe of a language at a new place."""
    directory = {"javascript": "node"}.get(language.name, language.name)
    return built(HERE / directory / "probe", place)


def told(does: str, bundle: Path) -> Path:
    """Return a probe, changed to do what is named."""
    run_as(bundle, (*read_manifest(bundle).run[:-1], does))
    return bundle


def built(directory: Path, place: Path) -> Path:
    """Make a bot ready to play at a new place."""
    manifest = read_manifest(directory)
    if manifest.runtime not in find_runtimes():
        absent(f"the runtime {manifest.runtime}: {HOW_TO_GET[manifest.runtime]}")
    if sdk_for(manifest.language):
        present_sdk(manifest.language)
    BuildOptions().bundle(sandboxed=True)(directory, place)
    return place


def present_sdk(language: str) -> Sdk:
    """Return the SDK of a language; one whose tools are not here is passed over."""
    sdk = sdk_for(language)
    assert sdk
    if sdk.missing:
        absent(sdk.missing)
    return sdk


async def run_tests(sdk: Sdk, directory: Path, place: Path) -> tuple[str, str]:
    """Run the tests of a new bot where it would be built."""
    home, project = place / "home", place / "project"
    copy_sources(directory, project)
    async with (
        Sandboxes.open(build_mode(), files="shared") as sandboxes,
        build_environment(sandboxes, sdk, lambda _: nullcontext()) as ready,
    ):
        machine("cp", "-a", str(ready.home), str(home))
        tools = Tools({**sdk.environment, **sdk.offline}, sdk.tool_chain(), False, 300)
        with open_build_sandbox(sandboxes, BuildDirectories(project, home, ready.sdk)) as seat:
            work = await seat.run(sdk.test, tools)
    return work.failure, work.log.decode()


def absent(what: str) -> NoReturn:
    """Pass over a language that this machine does not have, unless it must."""
    if os.environ.get(REQUIRED):
        pytest.fail(what)
    pytest.skip(what)


def run_as(bundle: Path, words: tuple[str, ...]) -> None:
    """Change the command in a bot's manifest."""
    path = bundle / MANIFEST
    path.write_text(run_by(path.read_text(), words))


def command(bundle: Path) -> list[str]:
    """Return how a bot is run without a sandbox, with the options that its runtime has in one."""
    manifest = read_manifest(bundle)
    word, *more = manifest.run
    if word != manifest.runtime:
        return [str(bundle / word), *more]
    _, *options = find_runtimes()[word].interpreter(word, SandboxLimits())
    return [sys.executable if word == "python" else word, *options, *more]
