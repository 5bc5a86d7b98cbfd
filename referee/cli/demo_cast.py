"""Chooses the bots of the demonstration: examples that can play here and now."""

from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.building import is_built
from referee.bots.digest import bundle_digest
from referee.bots.examples import EXAMPLES, example_names
from referee.bots.manifest import MANIFEST, Manifest, read_manifest, run_by
from referee.cli.called import command
from referee.errors import ConfigError
from referee.examination.admission import Bundle
from referee.sandbox.runtimes import find_runtimes

_MOST: Final = 5


class Cast(NamedTuple):
    """Who plays, and who does not."""

    playing: list[Path]
    """The bots' directories."""
    left_out: list[str]
    """Each with the reason."""


def cast(examples: Path = EXAMPLES, *, sandboxed: bool = True) -> Cast:
    """Choose at most five of the examples that are marked for it.

    Raises:
        ConfigError: there are not two of them.
    """
    runtimes = find_runtimes()
    chosen = Cast([], [])
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
    """Return what a bot needs that is not here; nothing is built for a demonstration."""
    if manifest.runtime not in runtimes:
        return f"there is no {manifest.runtime} here that it could run on"
    if manifest.build and not sandboxed:
        return "without the sandbox nothing is built"
    if manifest.build and not is_built(directory, manifest):
        return f"it is not built yet; {command('check', directory.name)} builds it"
    return ""


def bundled_for_demo(bundle: Bundle, directory: Path, copy: Path) -> str:
    """Make a bundle of a bot that runs as its author wants it to in a demonstration."""
    digest = bundle(directory, copy)
    manifest = read_manifest(copy)
    if not isinstance(manifest.demo, tuple):
        return digest
    path = copy / MANIFEST
    path.write_text(run_by(path.read_text(), manifest.demo))
    return bundle_digest(copy)
