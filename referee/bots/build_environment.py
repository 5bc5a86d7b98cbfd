"""Prepares, once for each SDK, what builds of its bots need, so that they need no network.

A build environment is the home directory that the SDK's `prepare` commands leave behind: packages,
fetched and compiled as far as the template of a new bot needs them. Every build gets a copy.
"""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.build_sandbox import BuildDirectories, Tools, open_build_sandbox
from referee.bots.cache import BuildProgress, cache_directory, locked, prune
from referee.bots.sdks import BUILD_OUTPUT, Sdk
from referee.bots.template import write_template
from referee.errors import UpcardError
from referee.files.own_directory import own_directory
from referee.files.writing import replace_directory
from referee.sandbox.launcher import Sandboxes

_SECONDS: Final = 1800
_COMPLETE: Final = "complete"
"""A file that is written last, with the number of the others."""
_KEEP: Final = 2
"""Environments kept of each language: of this version of its SDK, and of another one."""
_PROXY_VARIABLES: Final = (
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
)
"""How this machine reaches the network. The build of a bot does not get them."""


class BuildFailed(UpcardError):
    """A command of a build failed."""

    def __init__(self, what: str, log: bytes) -> None:
        """Store what failed, and what it wrote."""
        super().__init__(what)
        self.log = log


class BuildEnvironment(NamedTuple):
    """The directory of what builds in a language need."""

    directory: Path

    @property
    def key(self) -> str:
        """The name that changes with the SDK and its tool chain."""
        return self.directory.name

    @property
    def home(self) -> Path:
        """The home directory of which each build gets a copy."""
        return self.directory / "home"

    @property
    def sdk(self) -> Path:
        """The copy of the SDK."""
        return self.directory / "sdk"

    @property
    def is_complete(self) -> bool:
        """Whether it was prepared to the end, and no file has been removed since."""
        try:
            return (self.directory / _COMPLETE).read_text() == str(_count(self.directory))
        except OSError:
            return False


@asynccontextmanager
async def build_environment(
    sandboxes: Sandboxes, sdk: Sdk, progress: BuildProgress
) -> AsyncIterator[BuildEnvironment]:
    """Lock the build environment of an SDK for use.

    If there is none, it is prepared first, which needs the network and takes a minute or so.

    Raises:
        BuildFailed: it could not be prepared.
    """
    environment = prepared_environment(sdk)
    while True:
        async with locked(environment.directory, progress, shared=True):
            if environment.is_complete:
                os.utime(environment.directory)
                yield environment
                return
        async with locked(environment.directory, progress):
            if not environment.is_complete:
                with progress(
                    f"Preparing to build bots in {sdk.language}, once: it fetches packages"
                ):
                    await _prepare(sandboxes, sdk, environment)


def is_ready(sdk: Sdk) -> bool:
    """Return whether the build environment of an SDK has been prepared."""
    return prepared_environment(sdk).is_complete


def prepared_environment(sdk: Sdk) -> BuildEnvironment:
    """Return where the build environment of an SDK is once it has been prepared."""
    key = f"{sdk.language}-{_digest(sdk)[:16]}"
    return BuildEnvironment(cache_directory() / "environments" / key)


def _count(directory: Path) -> int:
    return sum(len(names) + len(below) for _, below, names in os.walk(directory))


async def _prepare(sandboxes: Sandboxes, sdk: Sdk, environment: BuildEnvironment) -> None:
    with own_directory(cache_directory(), "making-") as scratch:
        new, project = BuildEnvironment(scratch / "environment"), scratch / "bot"
        new.home.mkdir(parents=True)
        shutil.copytree(sdk.directory, new.sdk, ignore=_excluded)
        write_template(sdk, project, "my-bot")
        proxies = {name: os.environ[name] for name in _PROXY_VARIABLES if name in os.environ}
        variables = {**proxies, **sdk.environment}
        tools = Tools(variables, sdk.tool_chain(), network=True, seconds=_SECONDS)
        with open_build_sandbox(sandboxes, BuildDirectories(project, new.home, new.sdk)) as sandbox:
            for command in sdk.prepare:
                step = await sandbox.run(command, tools)
                if step.failure:
                    what = f"cannot prepare to build bots in {sdk.language}: {step.failure}"
                    raise BuildFailed(
                        f"{what} ({' '.join(command)}); is there a network?", step.log
                    )
        (new.directory / _COMPLETE).touch()
        (new.directory / _COMPLETE).write_text(str(_count(new.directory)))
        replace_directory(new.directory, environment.directory, scratch / "earlier")
    others = set(environment.directory.parent.glob(f"{sdk.language}-*/")) - {environment.directory}
    prune(others, _KEEP - 1)


def _excluded(directory: str, names: list[str]) -> list[str]:
    """Return the output of the SDK's own builds, and broken links such as editors make."""
    return [name for name in names if name in BUILD_OUTPUT or not Path(directory, name).exists()]


def _digest(sdk: Sdk) -> str:
    digest = sha256()
    for part in _parts(sdk):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def _parts(sdk: Sdk) -> Iterator[bytes]:
    """Yield what an environment depends on: the SDK's files, and the programs of its tool chain."""
    for directory, below, names in os.walk(sdk.directory, followlinks=True):
        below[:] = sorted(name for name in below if name not in BUILD_OUTPUT)
        for name in sorted(names):
            path = Path(directory, name)
            if name in BUILD_OUTPUT or not path.is_file():
                continue  # such as a link that an editor left
            yield os.fsencode(path.relative_to(sdk.directory))
            yield path.read_bytes()
    for program in sdk.programs:
        found = Path(shutil.which(program.name, path=sdk.path()) or os.devnull).resolve()
        status = found.stat()
        yield f"{found} {status.st_size} {status.st_mtime_ns}".encode()
