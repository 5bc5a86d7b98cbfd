"""Plays duels between two bots for the commands, and gathers all there is to tell of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Final, NamedTuple

from referee.arena.duel import DuelResult, Voided
from referee.arena.limits import Terms
from referee.arena.session import Outcome
from referee.bots.examples import find_bot
from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, SeatedBot, limited_to_bots
from referee.cli.interrupts import run_until_stopped
from referee.cli.progress import counting, waiting
from referee.engine.cards import Seat
from referee.errors import ConfigError, UpcardError
from referee.examination.admission import COPIES, Bundle
from referee.examination.guarantees import guaranteed_sandboxes
from referee.files.own_directory import own_directory
from referee.league.playing import numbered_duels, play_duels
from referee.sandbox.doctor import Guarantee
from referee.sandbox.runtimes import find_runtimes

_LABEL: Final = "duel"


class DuelRequest(NamedTuple):
    """What is to be played."""

    entrants: tuple[SeatedBot, SeatedBot]
    terms: Terms
    seed: bytes
    duels: int
    seed_given: bool = False
    strict: bool = False
    sandboxed: bool = True
    accepted: Sequence[str] = ()
    """The guarantees that may be missing."""


class Played(NamedTuple):
    """What came of it."""

    asked: DuelRequest
    guarantees: Sequence[Guarantee]
    results: Sequence[DuelResult]
    unplayed: Sequence[Voided]
    again: Sequence[Voided]
    """What was void, and was played again."""
    output: Mapping[tuple[int, Seat], bytes]
    """What each entrant's bot in each seat wrote."""

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called; two of the same name are told apart."""
        first, second = (entrant.name for entrant in self.asked.entrants)
        return (f"{first}-A", f"{second}-B") if first == second else (first, second)


@contextmanager
def bots(
    names: tuple[str, str], game: str, bundle: Bundle
) -> Iterator[tuple[SeatedBot, SeatedBot]]:
    """Find two bots, and make them ready where nobody changes them while they play."""
    with own_directory(Path(gettempdir()), COPIES) as kept:
        first, second = (
            _entrant(find_bot(name), Path(kept, str(number)), game, bundle)
            for number, name in enumerate(names)
        )
        yield first, second


def _entrant(directory: Path, copy: Path, game: str, bundle: Bundle) -> SeatedBot:
    runtimes = find_runtimes()
    manifest = read_manifest(directory, runtimes)
    if game not in manifest.games:
        plays = ", ".join(manifest.games)
        raise ConfigError(f"{manifest.name} does not play {game}; its bot.toml names {plays}")
    bundle(directory, copy)
    return SeatedBot(manifest, copy, runtimes[manifest.runtime])


def play(asked: DuelRequest, keep: Callable[[Played], None] | None = None) -> Played:
    """Play; what was played is handed to `keep` even if a signal ends it early."""
    try:
        return run_until_stopped(_play(asked, keep or _keep_nothing))
    except OSError as error:
        raise UpcardError(f"this machine could not let bots play: {error}") from None


def _keep_nothing(_: Played) -> None:
    pass


async def _play(asked: DuelRequest, keep: Callable[[Played], None]) -> Played:
    outcomes: list[Outcome] = []
    voided: list[Voided] = []
    async with guaranteed_sandboxes(
        asked.accepted,
        sandboxed=asked.sandboxed,
        strict=asked.strict,
        shown=waiting("Checking the sandbox"),
    ) as (sandboxes, guarantees):
        seating = BotLauncher(sandboxes, asked.entrants)
        try:
            await _play_all(asked, seating, outcomes, voided)
        finally:
            played = _played(asked, guarantees, outcomes, voided, seating.output)
            keep(played)
    return played


async def _play_all(
    asked: DuelRequest, seating: BotLauncher, outcomes: list[Outcome], voided: list[Voided]
) -> None:
    with counting("Playing", asked.duels) as one_more:

        def finished(outcome: Outcome) -> None:
            outcomes.append(outcome)
            one_more()

        duels = numbered_duels(asked.seed, _LABEL, asked.duels)
        terms = limited_to_bots(asked.terms, asked.entrants)
        await play_duels(terms, duels, seating, finished, voided.append)


def _played(
    asked: DuelRequest,
    guarantees: Sequence[Guarantee],
    outcomes: Sequence[Outcome],
    voided: Sequence[Voided],
    output: Mapping[tuple[int, Seat], bytes],
) -> Played:
    ordered = sorted(outcomes, key=lambda outcome: outcome.duel.number)
    return Played(
        asked,
        guarantees,
        [outcome for outcome in ordered if isinstance(outcome, DuelResult)],
        [outcome for outcome in ordered if isinstance(outcome, Voided)],
        voided,
        output,
    )
