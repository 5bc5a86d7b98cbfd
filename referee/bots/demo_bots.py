"""Chooses the bots of `upcard demo`: examples that can play here and now."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.building import is_built
from referee.bots.digest import bundle_digest
from referee.bots.examples import EXAMPLES, example_names
from referee.bots.manifest import MANIFEST, Manifest, read_manifest, run_by
from referee.errors import ConfigError
from referee.sandbox.runtimes import find_runtimes

_MOST: Final = 5


class DemoBots(NamedTuple):
    """The examples that play, and those that do not."""

    playing: list[Path]
    """The bots' directories."""
    left_out: list[str]
    """Each with the reason."""


def choose_demo_bots(examples: Path = EXAMPLES, *, sandboxed: bool = True) -> DemoBots:
    """Choose at most five of the examples that are marked for it.

    Raises:
        ConfigError: there are not two of them.
    """
    runtimes = find_runtimes()
    chosen = DemoBots([], [])
    for name in reversed(example_names(examples)):
        manifest = read_manifest(examples / name)
        if not manifest.demo:
            continue
        why = _lacking(manifest, examples / name, runtimes, sandboxed=sandboxed)
        if not why and len(chosen.playing) == _MOST:
            why = f"{_MOST} bots are enough"
        if why:
            chosen.left_out.append(f"{name}: {why}")
        else:
            chosen.playing.append(examples / name)
    if len(chosen.playing) < 2:
        reasons = "; ".join(chosen.left_out)
        raise ConfigError(f"the demo needs two example bots that can play here ({reasons})")
    return chosen


def _lacking(
    manifest: Manifest, directory: Path, runtimes: Collection[str], *, sandboxed: bool
) -> str:
    """Return what a bot needs that is not here; nothing is built for the demo."""
    if manifest.runtime not in runtimes:
        return f"there is no {manifest.runtime} here that it could run on"
    if manifest.build and not sandboxed:
        return "without the sandbox nothing is built"
    if manifest.build and not is_built(directory, manifest):
        return f"it is not built yet; upcard check {directory.name} builds it"
    return ""


def demo_bundle(bundle: Callable[[Path, Path], str], directory: Path, copy: Path) -> str:
    """Make the bundle of a bot with the command that its author wants for the demo."""
    digest = bundle(directory, copy)
    manifest = read_manifest(copy)
    if not isinstance(manifest.demo, tuple):
        return digest
    path = copy / MANIFEST
    path.write_text(run_by(path.read_text(), manifest.demo))
    return bundle_digest(copy)
