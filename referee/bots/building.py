"""Builds bots from what their authors wrote; what comes of it is kept until it changes."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from shlex import join
from typing import Final, NamedTuple

from referee.bots.build_environment import (
    BuildEnvironment,
    BuildFailed,
    build_environment,
    is_ready,
    prepared_environment,
)
from referee.bots.build_sandbox import BuildMount, Tools, build_mode, machine, open_build_sandbox
from referee.bots.cache import Progress, cache_directory, locked, prune
from referee.bots.copying import copy_bundle, copy_sources
from referee.bots.digest import bundle_digest
from referee.bots.manifest import BUILT, MANIFEST, SDK_INSIDE, Manifest, read_manifest
from referee.bots.sdks import Sdk, sdk_for
from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.files.writing import replace_directory
from referee.sandbox.launcher import Sandboxes

_KEPT: Final = 64
_WANTS_NETWORK: Final = re.compile(
    rb"resolve host|could not resolve|name resolution|no such host|unknown host|offline"
    rb"|enotcached|eai_again|enotfound|network|goproxy|unreachable|connect",
    re.IGNORECASE,
)
"""What compilers and package managers write when they have no network."""


class BuildLimits(NamedTuple):
    """What a build may use."""

    seconds: float = 600
    network: bool = False


async def build(directory: Path, copy: Path, allowed: BuildLimits, progress: Progress) -> str:
    """Build a bot in a sandbox, copy what is to play, and give the digest of that.

    Raises:
        ConfigError: it cannot be built here.
        WorkFailed: the build failed, or what came of it cannot be a bot.
    """
    with own_directory(cache_directory(), "building-") as scratch:
        sources = copy_sources(directory, scratch / "bot")
        # What counts is what was copied: the author's own directory may change any time.
        manifest = read_manifest(scratch / "bot")
        sdk = sdk_for(manifest.language)
        if sdk and sdk.missing:
            raise ConfigError(f"{manifest.name} cannot be built: {sdk.missing}")
        told = (scratch / "bot" / MANIFEST).read_bytes()
        job = _Job(manifest, told, scratch, sdk, allowed)
        async with AsyncExitStack() as closing:
            sandboxes = await closing.enter_async_context(Sandboxes.open(build_mode()))
            holding = build_environment(sandboxes, sdk, progress) if sdk else None
            ready = await closing.enter_async_context(holding) if holding else None
            kept = _kept(sources, ready, allowed)
            await closing.enter_async_context(locked(kept, progress))
            if not _is_sound(kept):
                with progress(f"Building {manifest.name} {manifest.version}"):
                    log = await _build(sandboxes, job, ready)
                try:
                    _keep(job, kept)
                except ConfigError as error:
                    raise BuildFailed(str(error), log) from None
            os.utime(kept)
            return copy_bundle(kept / "bundle", copy)


def copy_built(directory: Path, manifest: Manifest, copy: Path) -> str:
    """Copy what is to play of what its author built, and give the digest of that."""
    if not manifest.result:
        return copy_bundle(directory, copy)
    with own_directory(cache_directory(), "taking-") as scratch:
        for name in (*manifest.result, MANIFEST):
            target = scratch / "bot" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            machine("cp", "-a", "--reflink=auto", "--", str(directory / name), str(target))
        return copy_bundle(scratch / "bot", copy)


def is_built(directory: Path, manifest: Manifest) -> bool:
    """Return whether a bot has been built as it is now, so that it could play at once."""
    sdk = sdk_for(manifest.language)
    if sdk and (sdk.missing or not is_ready(sdk)):
        return False
    with own_directory(cache_directory(), "looking-") as scratch:
        sources = copy_sources(directory, scratch / "bot")
    return _is_sound(_kept(sources, sdk and prepared_environment(sdk), BuildLimits()))


async def prepare_builds(sdk: Sdk, progress: Progress) -> None:
    """Make ready what builds with an SDK need.

    Raises:
        WorkFailed: it could not be made.
    """
    async with (
        Sandboxes.open(build_mode()) as sandboxes,
        build_environment(sandboxes, sdk, progress),
    ):
        pass


class _Job(NamedTuple):
    manifest: Manifest
    told: bytes
    """The manifest's own words."""
    scratch: Path
    sdk: Sdk | None
    allowed: BuildLimits

    @property
    def project(self) -> Path:
        return self.scratch / "bot"


def _kept(sources: str, ready: BuildEnvironment | None, allowed: BuildLimits) -> Path:
    """Return the place for what comes of a build, by all that it depends on, as far as we know."""
    parts = (sources, ready.key if ready else "", str(allowed.network), *_machine())
    return cache_directory() / "builds" / sha256("\n".join(parts).encode()).hexdigest()


def _machine() -> Iterator[str]:
    """Yield what is built for from the next one: our Python, and the libraries there are."""
    yield sys.version
    with suppress(OSError):
        libraries = Path("/etc/ld.so.cache").stat()
        yield f"{libraries.st_size} {libraries.st_mtime_ns}"


def _is_sound(kept: Path) -> bool:
    try:
        return bundle_digest(kept / "bundle") == (kept / "digest").read_text()
    except (OSError, ConfigError):
        return False


async def _build(sandboxes: Sandboxes, job: _Job, ready: BuildEnvironment | None) -> bytes:
    """Run the build, and give what it wrote."""
    command, allowed = job.manifest.build, job.allowed
    home = job.scratch / "home"
    if ready:
        machine("cp", "-a", "--reflink=auto", str(ready.home), str(home))
    place = BuildMount(job.project, home, ready and ready.sdk)
    with open_build_sandbox(sandboxes, place) as seat:
        work = await seat.work(command, _tools(job.sdk, allowed))
    if work.failure:
        what = f"the build of {job.manifest.name} failed: {work.failure} ({join(command)})"
        if not allowed.network and _WANTS_NETWORK.search(work.log):
            what += "; it has no network; where it needs one, add --build-network"
        raise BuildFailed(what, work.log)
    return work.log


def _tools(sdk: Sdk | None, allowed: BuildLimits) -> Tools:
    if sdk is None:
        return Tools({}, None, allowed.network, allowed.seconds)
    environment = {**sdk.environment, **({} if allowed.network else sdk.offline)}
    return Tools(environment, sdk.tool_chain(), allowed.network, allowed.seconds)


def _keep(job: _Job, kept: Path) -> None:
    """Put by what is to play, with the manifest as its author wrote it."""
    result, bundle = job.scratch / "result", job.scratch / "kept" / "bundle"
    result.mkdir()
    manifest = job.manifest
    for name in manifest.result or _everything(job.project):
        _take(job.project, name, result, manifest.name)
    (result / MANIFEST).write_bytes(job.told)
    (result / BUILT).touch()
    bundle.parent.mkdir()
    try:
        digest = copy_bundle(result, bundle)
    except ConfigError as error:
        where = f"what was built of {manifest.name}"
        raise ConfigError(str(error).replace(str(result), where)) from None
    (bundle.parent / "digest").write_text(digest)
    replace_directory(bundle.parent, kept, job.scratch / "earlier")
    prune([place for place in kept.parent.glob("*/") if place != kept], _KEPT - 1)


def _everything(project: Path) -> list[str]:
    ours = (MANIFEST, SDK_INSIDE, BUILT)
    return [path.name for path in project.iterdir() if path.name not in ours]


def _take(project: Path, name: str, result: Path, bot: str) -> None:
    prepared_environment, target = project / name, result / name
    # Its author may have put a link on the way there, to lead us out of what is hers.
    if any((project / above).is_symlink() for above in PurePosixPath(name).parents):
        raise ConfigError(f"{name}, a result of {bot}, is behind a link; it must not be")
    if not os.path.lexists(prepared_environment):
        raise ConfigError(f"the build of {bot} made no {name}, which bot.toml names as a result")
    target.parent.mkdir(parents=True, exist_ok=True)
    prepared_environment.rename(target)
