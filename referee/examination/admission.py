"""Admits bots: what an author submits is copied, examined, and named by its digest."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Final, NamedTuple

from referee.arena.limits import TimeLimits
from referee.bots.copying import copy_bundle
from referee.bots.manifest import MANIFEST, read_manifest
from referee.bots.seating import SeatedBot
from referee.examination.examine import examine
from referee.examination.report_card import FAIL, Check
from referee.files.own_directory import own_directory
from referee.game_files import examined_games
from referee.rpc.launcher import Launcher
from referee.sandbox.runtimes import find_runtimes
from referee.store.models import Bot

Bundle = Callable[[Path, Path], str]
COPIES: Final = "upcard-bots-"
"""How the names of directories with copies of bots begin."""


class Candidate(NamedTuple):
    """A bot that was submitted."""

    bot: Bot
    """As it will be stored."""
    entrant: SeatedBot
    """As it sits down to be examined, from a copy that nobody changes."""


@contextmanager
def candidates(
    directories: Sequence[Path], now: datetime, bundle: Bundle = copy_bundle
) -> Iterator[list[Candidate]]:
    """Copy what is submitted, all of it before anything is examined.

    Args:
        directories: the bots'.
        now: when that is.
        bundle: makes of a directory what is to play, in another, and returns its digest.

    Raises:
        ConfigError: one of them is no bot, or not one that can play here.
    """
    with own_directory(Path(gettempdir()), COPIES) as copies:
        yield [
            _candidate(directory, Path(copies, str(number)), now, bundle)
            for number, directory in enumerate(directories)
        ]


def _candidate(directory: Path, copy: Path, now: datetime, bundle: Bundle) -> Candidate:
    runtimes = find_runtimes()
    read_manifest(directory, runtimes)
    digest = bundle(directory, copy)
    # What is wrong was said of the author's own file; what counts is what was copied.
    manifest = read_manifest(copy, runtimes)
    entrant = SeatedBot(manifest, copy, runtimes[manifest.runtime])
    return Candidate(bot_of_bundle(copy, digest, now), entrant)


def bot_of_bundle(bundle: Path, digest: str, now: datetime) -> Bot:
    """Return the bot whose files have a digest, as it will be stored.

    Raises:
        ConfigError: its manifest cannot be read, or it cannot play here.
    """
    manifest = read_manifest(bundle, find_runtimes())
    return Bot(
        digest,
        manifest.name,
        manifest.version,
        manifest.author,
        manifest.language,
        manifest.games,
        (bundle / MANIFEST).read_text(encoding="utf-8"),
        now,
    )


async def failures(launcher: Launcher, candidate: Candidate, limits: TimeLimits) -> list[Check]:
    """Examine a bot in every game it says it plays, and return the checks it fails."""
    manifest = candidate.entrant.manifest
    presets = examined_games(manifest.games)
    checks: list[Check] = []
    await examine(launcher, presets, limits, manifest.tables, checks.append)
    return [check for check in checks if check.verdict == FAIL]
