"""Plays the strongest example against a plain one for long enough to see how much stronger it is.

They play a league of two in a store that is thrown away. Both matches of a duel are dealt the same
cards, so what one says is no news after the other: the interval takes the duel as one result.
"""

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, stdev
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from referee.arena.limits import Terms
from referee.bots.digest import bundle_digest
from referee.bots.examples import EXAMPLES
from referee.bots.manifest import read_manifest
from referee.cli.build_options import BuildOptions
from referee.cli.league_play import play_league
from referee.engine.dealing import SEED_BYTES
from referee.engine.registry import PRESETS
from referee.errors import UpcardError
from referee.examination.admission import Bundle, candidates
from referee.league.entries import start_league
from referee.league.running import RunOptions
from referee.league.table import LeagueTable, league_table
from referee.scheduling.round_robin import LARGEST_VISIT
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.sdk.polyglot import run_as

STRONG: Final = "dreamer"
PLAIN: Final = "steady"
ENOUGH: Final = 500
"""Duels from which on it is judged."""
SHARE: Final = 0.60
"""Of all matches the strong one has to win so many, at least."""
LOWER_END: Final = 0.55
"""And the interval has to lie above this."""
USUAL: Final = "euchre"
"""The game that is judged."""
USUAL_MS: Final = 10
"""The time for a decision that is judged, which is the strong one's own."""
_WIDTH: Final = NormalDist().inv_cdf(0.975)
_NAME: Final = "strength"
_STOPPED: Final = 130


class Wanted(NamedTuple):
    """What is to be played."""

    duels: int = ENOUGH
    game: str = USUAL
    jobs: int = 2
    seed: int = 1
    budget_ms: int | None = None
    """What the strong one may think at a decision, if not what its own bot.toml says."""
    samples: int | None = None
    """How many hands it dreams of instead, however long that takes; so it always plays the same."""

    @property
    def is_usual(self) -> bool:
        """Whether the bounds are about this."""
        is_usual_time = self.samples is None and self.budget_ms in (None, USUAL_MS)
        return self.game == USUAL and is_usual_time

    @property
    def thinking(self) -> tuple[str, ...]:
        """How the strong one is told how long to think; not at all if it is as it is."""
        if self.samples is not None:
            return ("--samples", str(self.samples))
        return () if self.budget_ms is None else ("--budget-ms", str(self.budget_ms))


class Share(NamedTuple):
    """What part of all matches was won, with its 95 % interval."""

    share: float
    low: float
    high: float


class StrengthOutcome(NamedTuple):
    """What came of it."""

    wanted: Wanted
    wins: Sequence[int]
    """How many of the two matches of each duel the strong one won."""
    faults: tuple[int, int]
    """Its own, and the plain one's."""
    unplayed: int
    """Duels that were void too often."""

    @property
    def is_sound(self) -> bool:
        """Whether all was played, and nobody was at fault."""
        return not any(self.faults) and not self.unplayed and bool(self.wins)

    @property
    def is_judged(self) -> bool:
        """Whether it is what the bounds are about, and enough to say who is stronger."""
        return self.wanted.is_usual and len(self.wins) >= ENOUGH

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.is_sound and (not self.is_judged or is_stronger(share_of(self.wins)))


def share_of(wins: Sequence[int]) -> Share:
    """Return the share of matches won, by how many of the two of each duel were."""
    shares = [of_two / 2 for of_two in wins]
    share = fmean(shares)
    if len(shares) < 2:
        return Share(share, 0.0, 1.0)
    half = float(_WIDTH * stdev(shares) / len(shares) ** 0.5)
    return Share(share, max(0.0, share - half), min(1.0, share + half))


def is_stronger(share: Share) -> bool:
    """Say whether a share keeps both bounds."""
    return share.share >= SHARE and share.low > LOWER_END


def soak(wanted: Wanted, *, as_json: bool) -> int:
    """Play and tell; give the exit code."""
    try:
        outcome = play(wanted)
    except UpcardError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return _STOPPED
    print(json.dumps(_facts(outcome), indent=2) if as_json else _summary(outcome))
    return 0 if outcome.ok else 1


def play(wanted: Wanted) -> StrengthOutcome:
    """Play all duels.

    Raises:
        UpcardError: a bot could not be built, or they could not play.
    """
    with (
        TemporaryDirectory(prefix="upcard-strength-") as place,
        open_store(f"{place}/upcard.db", create=True) as store,
    ):
        _found(store, wanted)
        seed = Random(wanted.seed).randbytes(SEED_BYTES)
        play_league(store, _NAME, RunOptions(wanted.jobs, seed))
        return _came(wanted, league_table(store, _NAME))


def _found(store: Store, wanted: Wanted) -> None:
    now = datetime.now(UTC)
    bots = [EXAMPLES / STRONG, EXAMPLES / PLAIN]
    with candidates(bots, now, _bundle(wanted.thinking)) as handed_in:
        for candidate in handed_in:
            add_bot(store, candidate.bot, candidate.entrant.bundle)
    block = min(LARGEST_VISIT, -(-wanted.duels // wanted.jobs))
    plan = Plan(Terms(PRESETS[wanted.game].game()), wanted.duels, block)
    start_league(store, _NAME, plan, [STRONG, PLAIN], now)


def _came(wanted: Wanted, table: LeagueTable) -> StrengthOutcome:
    strong, plain = (sum(result.faults[entrant] for result in table.results) for entrant in (0, 1))
    wins = [result.wins for result in table.results]
    return StrengthOutcome(wanted, wins, (strong, plain), len(table.unplayed))


def _bundle(thinking: tuple[str, ...]) -> Bundle:
    """Return what builds them, and lets the strong one think for so long."""
    build = BuildOptions().bundle(sandboxed=True)

    def made(directory: Path, copy: Path) -> str:
        digest = build(directory, copy)
        if not thinking or directory.name != STRONG:
            return digest
        program, *_ = read_manifest(copy).run
        run_as(copy, (program, *thinking))
        return bundle_digest(copy)

    return made


def _facts(outcome: StrengthOutcome) -> dict[str, object]:
    return {
        "strong": STRONG,
        "plain": PLAIN,
        "game": outcome.wanted.game,
        "budget_ms": outcome.wanted.budget_ms,
        "duels": len(outcome.wins),
        "matches": 2 * len(outcome.wins),
        "won": sum(outcome.wins),
        **(share_of(outcome.wins)._asdict() if outcome.wins else {}),
        "faults": dict(zip((STRONG, PLAIN), outcome.faults, strict=True)),
        "unplayed": outcome.unplayed,
        "judged": outcome.is_judged,
        "ok": outcome.ok,
    }


def _summary(outcome: StrengthOutcome) -> str:
    lines = []
    if outcome.wins:
        share, low, high = share_of(outcome.wins)
        lines.append(
            f"{STRONG} ({_thought(outcome.wanted)}) won {sum(outcome.wins)} of "
            f"{2 * len(outcome.wins)} matches of {outcome.wanted.game} against {PLAIN}: "
            f"{share:.1%}, 95 % interval {low:.1%} to {high:.1%}"
        )
    if any(outcome.faults):
        lines.append(f"faults: {STRONG} {outcome.faults[0]}, {PLAIN} {outcome.faults[1]}")
    if outcome.unplayed:
        lines.append(f"void too often to be played: {outcome.unplayed}")
    lines.append(_verdict(outcome))
    return "\n".join(lines)


def _thought(wanted: Wanted) -> str:
    return " ".join(wanted.thinking) or f"{USUAL_MS} ms a decision"


def _verdict(outcome: StrengthOutcome) -> str:
    bounds = f"at least {SHARE:.0%}, and the interval above {LOWER_END:.0%}"
    if not outcome.is_judged:
        return f"not judged; {ENOUGH} duels of {USUAL} at {USUAL_MS} ms have to be {bounds}"
    return f"it has to be {bounds}: {'kept' if is_stronger(share_of(outcome.wins)) else 'MISSED'}"
