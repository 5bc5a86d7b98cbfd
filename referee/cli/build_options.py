"""The options for building bots, and the progress and the log of a build on a terminal."""

import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import join
from typing import Annotated, Any, Final, NamedTuple, TypeVar

import typer

from referee.bots.build_environment import BuildFailed
from referee.bots.building import BuildLimits, copy_built, make_bundle
from referee.bots.copying import copy_bundle
from referee.bots.manifest import BUILT, MANIFEST, Manifest, read_manifest
from referee.bots.program import refuse_unrunnable
from referee.cli.interrupts import run_until_stopped
from referee.cli.progress import waiting
from referee.errors import ConfigError, UpcardError
from referee.examination.admission import Bundle
from referee.sandbox.runtimes import find_runtimes
from referee.text import plain

_LAST_LINES: Final = 60
_ALLOWED: Final = BuildLimits()
Built = TypeVar("Built")


class BuildOptions(NamedTuple):
    """The options for building bots."""

    build_network: Annotated[
        bool, typer.Option(help="Let builds reach the network, for packages that are not here.")
    ] = _ALLOWED.network
    build_limit: Annotated[
        float, typer.Option(min=1, max=7200, metavar="SECONDS", help="For building a bot.")
    ] = _ALLOWED.seconds

    def bundle(self, *, sandboxed: bool) -> Bundle:
        """Return the function that makes the bundle of a bot: copies it, or builds it first."""
        allowed = BuildLimits(self.build_limit, self.build_network)

        def bundle(directory: Path, copy: Path) -> str:
            if sandboxed:
                return _made(directory, copy, allowed)
            return _taken(directory, copy)

        return bundle


def _made(directory: Path, copy: Path, allowed: BuildLimits) -> str:
    making = make_bundle(directory, copy, allowed, show_build)
    return run_build(making, f"build {plain(str(directory))}").digest


def _taken(directory: Path, copy: Path) -> str:
    """Take what its author built: without a sandbox nothing is run but what plays."""
    runtimes = find_runtimes()
    manifest = read_manifest(directory, runtimes)
    if not manifest.build or (directory / BUILT).exists():
        return copy_bundle(directory, copy)
    digest = _take_built(directory, manifest, copy)
    refuse_unrunnable(directory / MANIFEST, copy, manifest.run, runtimes[manifest.runtime])
    return digest


def _take_built(directory: Path, manifest: Manifest, copy: Path) -> str:
    missing = [name for name in manifest.result if not (directory / name).exists()]
    if missing:
        command = plain(join(manifest.build))
        raise ConfigError(
            f"there is no {missing[0]} in {directory}, and without the sandbox nothing is built; "
            f"run {command} there"
        )
    return copy_built(directory, manifest, copy)


def run_build(building: Coroutine[Any, Any, Built], what: str) -> Built:
    """Run a build to its end; if it fails, show what it wrote.

    Raises:
        BuildFailed: it failed.
        UpcardError: this machine could not run it.
    """
    try:
        return run_until_stopped(building)
    except BuildFailed as failed:
        _show_log(failed.log)
        raise
    except OSError as error:
        raise UpcardError(f"this machine could not {what}: {error}") from None


@contextmanager
def show_build(what: str) -> Iterator[None]:
    """Show what is being built, also where there is no terminal: it may take minutes."""
    if not sys.stderr.isatty():
        print(f"{plain(what)} ...", file=sys.stderr, flush=True)
    with waiting(plain(what)):
        yield


def _show_log(log: bytes) -> None:
    """Show the end of what a build wrote."""
    lines = log.decode(errors="replace").splitlines()
    if len(lines) > _LAST_LINES:
        print(f"... {len(lines) - _LAST_LINES} lines before", file=sys.stderr)
    for line in lines[-_LAST_LINES:]:
        print(plain(line), file=sys.stderr)
