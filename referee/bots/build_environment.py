"""Makes ready, once for each SDK, all that its bots' builds need, so that they need no network.

A workbench is what the SDK's own preparations leave behind: packages fetched, and compiled as far
as a new bot compiles them. Every build works on a copy.
"""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.build_sandbox import BuildMount, Tools, open_build_sandbox
from referee.bots.cache import Progress, cache_directory, locked, prune
from referee.bots.sdks import BUILD_OUTPUT, Sdk
from referee.bots.template import write_template
from referee.errors import UpcardError
from referee.files.own_directory import own_directory
from referee.files.writing import replace_directory
from referee.sandbox.launcher import Sandboxes

_SECONDS: Final = 1800
_WHOLE: Final = "whole"
"""A file that is written last, and says how many there are."""
_KEPT: Final = 2
"""For each language: this clone's, and that of another one or of yesterday."""
_PASSED_ON: Final = (
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
)
"""What says how this machine reaches the network; no bot's build is told."""


class BuildFailed(UpcardError):
    """A command of a build failed."""

    def __init__(self, what: str, log: bytes) -> None:
        """Say what failed, and keep what it wrote."""
        super().__init__(what)
        self.log = log


class BuildEnvironment(NamedTuple):
    """What is ready for the builds of a language."""

    place: Path

    @property
    def key(self) -> str:
        """Return it from all others: what was made of another SDK or tool chain is another one."""
        return self.place.name

    @property
    def home(self) -> Path:
        """Where that is of which each build begins with a copy."""
        return self.place / "home"

    @property
    def sdk(self) -> Path:
        """Where the SDK is, as it was."""
        return self.place / "sdk"

    @property
    def is_whole(self) -> bool:
        """Whether it was made to the end, and nobody has removed a part of it since."""
        try:
            return (self.place / _WHOLE).read_text() == str(_count(self.place))
        except OSError:
            return False


@asynccontextmanager
async def build_environment(
    sandboxes: Sandboxes, sdk: Sdk, progress: Progress
) -> AsyncIterator[BuildEnvironment]:
    """Hold the workbench of an SDK; made first, which needs the network and takes a minute or so.

    Raises:
        WorkFailed: it could not be made.
    """
    ready = prepared_environment(sdk)
    while True:
        async with locked(ready.place, progress, shared=True):
            if ready.is_whole:
                os.utime(ready.place)
                yield ready
                return
        async with locked(ready.place, progress):
            if not ready.is_whole:
                with progress(
                    f"Making ready to build bots in {sdk.language}, once: it fetches packages"
                ):
                    await _make(sandboxes, sdk, ready)


def is_ready(sdk: Sdk) -> bool:
    """Return whether the workbench of an SDK has been made."""
    return prepared_environment(sdk).is_whole


def prepared_environment(sdk: Sdk) -> BuildEnvironment:
    """Return where the workbench of an SDK is once it has been made."""
    key = f"{sdk.language}-{_digest(sdk)[:16]}"
    return BuildEnvironment(cache_directory() / "environments" / key)


def _count(place: Path) -> int:
    return sum(len(names) + len(below) for _, below, names in os.walk(place))


async def _make(sandboxes: Sandboxes, sdk: Sdk, ready: BuildEnvironment) -> None:
    with own_directory(cache_directory(), "making-") as scratch:
        whole = scratch / "environment"
        home, copy, project = whole / "home", whole / "sdk", scratch / "bot"
        home.mkdir(parents=True)
        shutil.copytree(sdk.directory, copy, ignore=_left_out)
        write_template(sdk, project, "my-bot")
        known = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment = {**known, **sdk.environment}
        tools = Tools(environment, sdk.tool_chain(), network=True, seconds=_SECONDS)
        with open_build_sandbox(sandboxes, BuildMount(project, home, copy)) as seat:
            for command in sdk.prepare:
                work = await seat.work(command, tools)
                if work.failure:
                    what = f"cannot make ready to build bots in {sdk.language}: {work.failure}"
                    raise BuildFailed(
                        f"{what} ({' '.join(command)}); is there a network?", work.log
                    )
        (whole / _WHOLE).touch()
        (whole / _WHOLE).write_text(str(_count(whole)))
        replace_directory(whole, ready.place, scratch / "earlier")
    others = ready.place.parent.glob(f"{sdk.language}-*/")
    prune([place for place in others if place != ready.place], _KEPT - 1)


def _left_out(directory: str, names: list[str]) -> list[str]:
    """Leave out what the SDK's own builds made, and links that lead nowhere, as editors make."""
    return [name for name in names if name in BUILD_OUTPUT or not Path(directory, name).exists()]


def _digest(sdk: Sdk) -> str:
    digest = sha256()
    for part in _parts(sdk):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def _parts(sdk: Sdk) -> Iterator[bytes]:
    """Yield all that a workbench is made of: the SDK's files, and the programs that builds find."""
    for directory, below, names in os.walk(sdk.directory, followlinks=True):
        below[:] = sorted(name for name in below if name not in BUILD_OUTPUT)
        for name in sorted(names):
            path = Path(directory, name)
            if name in BUILD_OUTPUT or not path.is_file():
                continue  # a link that an editor left, for one
            yield os.fsencode(path.relative_to(sdk.directory))
            yield path.read_bytes()
    for program in sdk.programs:
        found = Path(shutil.which(program.name, path=sdk.path()) or os.devnull).resolve()
        status = found.stat()
        yield f"{found} {status.st_size} {status.st_mtime_ns}".encode()
