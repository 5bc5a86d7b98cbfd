"""Makes a bot ready to play for the commands: copies it, or builds it if it has to be built."""

import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import join
from typing import Annotated, Any, Final, NamedTuple, TypeVar

import typer

from referee.bots.build_environment import BuildFailed
from referee.bots.building import BuildLimits, build, copy_built
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
Made = TypeVar("Made")


class BuildOptions(NamedTuple):
    """What may be chosen for building bots; each is an option of the command line."""

    build_network: Annotated[
        bool, typer.Option(help="Let builds reach the network, for packages that are not here.")
    ] = _ALLOWED.network
    build_limit: Annotated[
        float, typer.Option(min=1, max=7200, metavar="SECONDS", help="For building a bot.")
    ] = _ALLOWED.seconds

    def bundle(self, *, sandboxed: bool) -> Bundle:
        """Return what makes the bundles."""
        allowed = BuildLimits(self.build_limit, self.build_network)

        def made(directory: Path, copy: Path) -> str:
            runtimes = find_runtimes()
            manifest = read_manifest(directory, runtimes)
            if not manifest.build or (directory / BUILT).exists():
                return copy_bundle(directory, copy)
            if sandboxed:
                digest = _built(directory, copy, allowed)
            else:
                digest = _as_built_by_its_author(directory, manifest, copy)
            runtime = runtimes[manifest.runtime]
            refuse_unrunnable(directory / MANIFEST, copy, manifest.run, runtime)
            return digest

        return made


def _as_built_by_its_author(directory: Path, manifest: Manifest, copy: Path) -> str:
    """Without a sandbox nothing is built, so that no more is run than what plays."""
    missing = [name for name in manifest.result if not (directory / name).exists()]
    if missing:
        command = plain(join(manifest.build))
        raise ConfigError(
            f"there is no {missing[0]} in {directory}, and without the sandbox nothing is built; "
            f"run {command} there"
        )
    return copy_built(directory, manifest, copy)


def _built(directory: Path, copy: Path, allowed: BuildLimits) -> str:
    return work(build(directory, copy, allowed, doing), f"build {plain(str(directory))}")


def work(building: Coroutine[Any, Any, Made], what: str) -> Made:
    """Run a build to its end; if it fails, show what it wrote.

    Raises:
        WorkFailed: it failed.
        UpcardError: the machine did.
    """
    try:
        return run_until_stopped(building)
    except BuildFailed as failed:
        _show_log(failed.log)
        raise
    except OSError as error:
        raise UpcardError(f"this machine could not {what}: {error}") from None


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Return what is being built even where nothing can move: it may take minutes."""
    if not sys.stderr.isatty():
        print(f"{plain(what)} ...", file=sys.stderr, flush=True)
    with waiting(plain(what)):
        yield


def _show_log(log: bytes) -> None:
    """Show what a build wrote, as far as it is the end of it."""
    lines = log.decode(errors="replace").splitlines()
    if len(lines) > _LAST_LINES:
        print(f"... {len(lines) - _LAST_LINES} lines before", file=sys.stderr)
    for line in lines[-_LAST_LINES:]:
        print(plain(line), file=sys.stderr)
