"""Builds bots from their sources, and keeps the results in the cache."""

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
from referee.bots.build_sandbox import (
    BuildDirectories,
    Tools,
    build_mode,
    machine,
    open_build_sandbox,
)
from referee.bots.build_space import build_directory
from referee.bots.cache import BuildProgress, cache_directory, locked, prune
from referee.bots.copying import copy_bundle, copy_sources
from referee.bots.digest import bundle_digest
from referee.bots.manifest import BUILT, MANIFEST, SDK_INSIDE, Manifest, read_manifest
from referee.bots.program import refuse_unrunnable
from referee.bots.sdks import Sdk, sdk_for
from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.files.writing import replace_directory
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.runtimes import find_runtimes

_LOG: Final = "log"
_KEEP: Final = 64
"""Results of builds that stay in the cache."""
_WANTS_NETWORK: Final = re.compile(
    rb"resolve host|could not resolve|name resolution|no such host|unknown host|offline"
    rb"|enotcached|eai_again|enotfound|network|goproxy|unreachable|connect"
    rb"|no matching distribution",
    re.IGNORECASE,
)
"""What compilers and package managers write when they have no network."""


class BuildLimits(NamedTuple):
    """What a build may use, besides the fixed limits of its sandbox."""

    seconds: float = 600
    network: bool = False


class Built(NamedTuple):
    """A bundle that is ready to play."""

    digest: str
    log: bytes = b""
    """What its build wrote, if it has one."""


async def make_bundle(
    directory: Path, copy: Path, limits: BuildLimits, progress: BuildProgress
) -> Built:
    """Copy a bot to where it is to play, or what is built of it in a sandbox.

    Raises:
        ConfigError: it is no bot, or cannot be built or play here.
        BuildFailed: the build failed, or its result cannot be a bundle.
    """
    runtimes = find_runtimes()
    manifest = read_manifest(directory, runtimes)
    if not manifest.build or (directory / BUILT).exists():
        return Built(copy_bundle(directory, copy))
    built = await build(directory, copy, limits, progress)
    refuse_unrunnable(directory / MANIFEST, copy, manifest.run, runtimes[manifest.runtime])
    return built


async def build(directory: Path, copy: Path, limits: BuildLimits, progress: BuildProgress) -> Built:
    """Build a bot in a sandbox, and copy the result.

    Raises:
        ConfigError: it cannot be built here.
        BuildFailed: the build failed, or its result cannot be a bundle.
    """
    with build_directory(cache_directory()) as (scratch, space):
        sources = copy_sources(directory, space / "bot")
        # The copy counts: the author's directory may change at any time.
        manifest = read_manifest(space / "bot")
        sdk = sdk_for(manifest.language)
        if sdk and sdk.missing:
            raise ConfigError(f"{manifest.name} cannot be built: {sdk.missing}")
        content = (space / "bot" / MANIFEST).read_bytes()
        job = _Job(manifest, content, scratch, space, sdk, limits)
        async with AsyncExitStack() as closing:
            sandboxes = await closing.enter_async_context(
                Sandboxes.open(build_mode(), files="shared")
            )
            opening = build_environment(sandboxes, sdk, progress) if sdk else None
            environment = await closing.enter_async_context(opening) if opening else None
            cached = _cached(sources, environment, directory if limits.network else None)
            await closing.enter_async_context(locked(cached, progress))
            if not _is_intact(cached):
                with progress(f"Building {manifest.name} {manifest.version}"):
                    log = await _build(sandboxes, job, environment)
                try:
                    _store(job, cached, log)
                except ConfigError as error:
                    raise BuildFailed(str(error), log) from None
            os.utime(cached)
            return Built(copy_bundle(cached / "bundle", copy), (cached / _LOG).read_bytes())


def copy_built(directory: Path, manifest: Manifest, copy: Path) -> str:
    """Copy the result of the author's own build, and return the digest of the copy."""
    if not manifest.result:
        return copy_bundle(directory, copy)
    with own_directory(cache_directory(), "copying-") as scratch:
        for name in (*manifest.result, MANIFEST):
            target = scratch / "bot" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            machine("cp", "-a", "--reflink=auto", "--", str(directory / name), str(target))
        return copy_bundle(scratch / "bot", copy)


def is_built(directory: Path, manifest: Manifest) -> bool:
    """Return whether the cache has the result of building a bot as it is now."""
    sdk = sdk_for(manifest.language)
    if sdk and (sdk.missing or not is_ready(sdk)):
        return False
    with own_directory(cache_directory(), "checking-") as scratch:
        sources = copy_sources(directory, scratch / "bot")
    return _is_intact(_cached(sources, sdk and prepared_environment(sdk), None))


async def prepare_builds(sdk: Sdk, progress: BuildProgress) -> None:
    """Prepare the build environment of an SDK.

    Raises:
        BuildFailed: it could not be prepared.
    """
    async with (
        Sandboxes.open(build_mode(), files="shared") as sandboxes,
        build_environment(sandboxes, sdk, progress),
    ):
        pass


class _Job(NamedTuple):
    manifest: Manifest
    content: bytes
    """The manifest as it was written."""
    scratch: Path
    space: Path
    """For what the build writes."""
    sdk: Sdk | None
    limits: BuildLimits

    @property
    def project(self) -> Path:
        return self.space / "bot"


def _cached(sources: str, environment: BuildEnvironment | None, fetched_for: Path | None) -> Path:
    """Return the cache entry of a build, named for all that its result is known to depend on.

    Args:
        sources: their digest.
        environment: the build environment, if the language has one.
        fetched_for: the bot's directory, if the build may reach the network. What it fetches
            may differ from time to time, so nobody else with the same sources gets the result.
    """
    key = environment.key if environment else ""
    parts = (sources, key, str(fetched_for and fetched_for.resolve()), *_machine())
    return cache_directory() / "builds" / sha256("\n".join(parts).encode()).hexdigest()


def _machine() -> Iterator[str]:
    """Yield the version of Python and of the libraries of this machine."""
    yield sys.version
    with suppress(OSError):
        libraries = Path("/etc/ld.so.cache").stat()
        yield f"{libraries.st_size} {libraries.st_mtime_ns}"


def _is_intact(cached: Path) -> bool:
    try:
        is_whole = (cached / _LOG).is_file()
        return is_whole and bundle_digest(cached / "bundle") == (cached / "digest").read_text()
    except (OSError, ConfigError):
        return False


async def _build(sandboxes: Sandboxes, job: _Job, environment: BuildEnvironment | None) -> bytes:
    """Run the build command, and return what it wrote."""
    command, limits = job.manifest.build, job.limits
    home = job.space / "home"
    if environment:
        machine("cp", "-a", "--reflink=auto", str(environment.home), str(home))
    sdk = environment and environment.sdk
    directories = BuildDirectories(job.project, home, sdk, disk=job.scratch)
    with open_build_sandbox(sandboxes, directories) as sandbox:
        step = await sandbox.run(command, _tools(job.sdk, limits))
    if step.failure:
        what = f"the build of {job.manifest.name} failed: {step.failure} ({join(command)})"
        if not limits.network and _WANTS_NETWORK.search(step.log):
            what += "; it has no network; where it needs one, add --build-network"
        raise BuildFailed(what, step.log)
    return step.log


def _tools(sdk: Sdk | None, limits: BuildLimits) -> Tools:
    if sdk is None:
        return Tools({}, None, limits.network, limits.seconds)
    variables = {**sdk.environment, **({} if limits.network else sdk.offline)}
    return Tools(variables, sdk.tool_chain(), limits.network, limits.seconds)


def _store(job: _Job, cached: Path, log: bytes) -> None:
    """Write the result to the cache, with the manifest as its author wrote it."""
    result, bundle = job.space / "result", job.scratch / "cached" / "bundle"
    result.mkdir()
    manifest = job.manifest
    for name in manifest.result or _everything(job.project):
        _move(job.project, name, result, manifest.name)
    (result / MANIFEST).write_bytes(job.content)
    (result / BUILT).touch()
    bundle.parent.mkdir()
    try:
        digest = copy_bundle(result, bundle)
    except ConfigError as error:
        where = f"what was built of {manifest.name}"
        raise ConfigError(str(error).replace(str(result), where)) from None
    (bundle.parent / "digest").write_text(digest)
    (bundle.parent / _LOG).write_bytes(log)
    replace_directory(bundle.parent, cached, job.scratch / "earlier")
    prune([path for path in cached.parent.glob("*/") if path != cached], _KEEP - 1)


def _everything(project: Path) -> list[str]:
    reserved = (MANIFEST, SDK_INSIDE, BUILT)
    return [path.name for path in project.iterdir() if path.name not in reserved]


def _move(project: Path, name: str, result: Path, bot: str) -> None:
    source, target = project / name, result / name
    # A link on the path could lead out of the bot's directory.
    if any((project / above).is_symlink() for above in PurePosixPath(name).parents):
        raise ConfigError(f"{name}, a result of {bot}, is behind a link; it must not be")
    if not os.path.lexists(source):
        raise ConfigError(f"the build of {bot} made no {name}, which bot.toml names as a result")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
