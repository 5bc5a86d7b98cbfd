"""Chooses the bots of the demonstration: examples that can play here and now."""

from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.examples import EXAMPLES, example_names
from referee.bots.manifest import Manifest, read_manifest
from referee.errors import ConfigError
from referee.sandbox.runtimes import find_runtimes

_MOST: Final = 5


class Cast(NamedTuple):
    """Who plays, and who does not."""

    playing: list[Path]
    """The bots' directories."""
    left_out: list[str]
    """Each with the reason."""


def cast(examples: Path = EXAMPLES) -> Cast:
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
        why = _lacking(manifest, examples / name, runtimes)
        if not why and len(chosen.playing) == _MOST:
            why = f"{_MOST} bots are enough"
        if why:
            chosen.left_out.append(f"{name}: {why}")
        else:
            chosen.playing.append(examples / name)
    if len(chosen.playing) < 2:
        reasons = f" ({'; '.join(chosen.left_out)})" if chosen.left_out else ""
        raise ConfigError(
            f"the example bots of the demo are in a clone of Upcard; run it there{reasons}"
        )
    return chosen


def _lacking(manifest: Manifest, directory: Path, runtimes: Collection[str]) -> str:
    """Say what a bot needs that is not here; nothing is built for a demonstration."""
    if manifest.runtime not in runtimes:
        return f"there is no {manifest.runtime} here that it could run on"
    if manifest.build and not any((directory / word).is_file() for word in manifest.run):
        return f"it is not built; its directory has the way: {' '.join(manifest.build)}"
    return ""
