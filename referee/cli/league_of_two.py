"""Makes the league in which a command lets two bots play, and the directory of its logs."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from referee.cli.build_options import BuildOptions
from referee.cli.debug_options import NOT_DEBUGGED, DebugOptions
from referee.cli.duel_logs import log_files, prepare, write_logs
from referee.cli.duel_options import PlayOptions
from referee.cli.kept_store import kept_store
from referee.cli.named_bots import is_kept, named_directory
from referee.cli.played_duels import PlayedDuel
from referee.engine.dealing import seed_from_text
from referee.errors import ConfigError
from referee.examination.admission import Bundle, candidates
from referee.league.head_to_head import NAME, names_of, start_duel
from referee.league.running import RunOptions
from referee.league.table import LeagueTable, league_table
from referee.store.database import Store
from referee.store.models import Plan

_LOGS: Final = "upcard-logs"
_AGAIN: Final = "-again"
"""How their directory ends where deals are played again: those of the first time stay."""


class Contest(NamedTuple):
    """Which bots play what."""

    bots: tuple[str, str]
    """As they are named on the command line."""
    plan: Plan
    """Its block is the most that a visit may have."""
    roles: tuple[str, str] = ("A", "B")
    """What tells them apart, if they have one name."""
    again: PlayedDuel | None = None
    """The duel whose deals are played again."""


class LeagueOfTwo(NamedTuple):
    """A league of two bots that is ready to be played."""

    store: Store
    names: tuple[str, str]
    options: RunOptions
    logs: Path

    def table(self) -> LeagueTable:
        """Return its table as it stands."""
        found, called = league_table(self.store, NAME), dict(enumerate(self.names, start=1))
        league = found.league._replace(again=self.options.again)
        return replace(found, league=league, names=called)

    @contextmanager
    def logs_if_stopped(self) -> Iterator[None]:
        """Write the logs if somebody stops what is done."""
        try:
            yield
        except KeyboardInterrupt:
            write_logs(self.logs, self.store, self.table())
            raise


@contextmanager
def league_of_two(
    contest: Contest,
    playing: PlayOptions,
    building: BuildOptions,
    debugging: DebugOptions = NOT_DEBUGGED,
) -> Iterator[LeagueOfTwo]:
    """Make a league of two bots.

    Args:
        contest: which bots, and what they play.
        playing: how they do.
        building: how they are built.
        debugging: how the first is looked into, if it is.

    Raises:
        ConfigError: one of them is no bot, or an option cannot be met.
    """
    seed = None if playing.seed is None else seed_from_text(playing.seed)
    deals = contest.again and contest.again.deals
    kept = [is_kept(name) for name in contest.bots]
    if debugging.debug and kept[0]:
        raise ConfigError("--debug runs your bot where you change its files; name its directory")
    game, now = contest.plan.terms.game, datetime.now(UTC)
    with (
        _directories(contest.bots, playing.db) as directories,
        candidates(directories, now, _bundle(playing, building, debugging, directories[0])) as bots,
        kept_store(playing.keep, "upcard-duel-") as store,
    ):
        debugged = debugging.debugged(bots[0].entrant.manifest, directories[0], game)
        start_duel(store, bots, contest.plan, now)
        names = names_of(bots, contest.roles, kept)
        logs = playing.logs or Path(_LOGS, "-vs-".join(names) + (_AGAIN if deals else ""))
        prepare(logs, names, game)
        options = RunOptions(
            seed=deals.dealt.seed if deals else seed,
            accepted=playing.accept_weak or (),
            sandboxed=not playing.unsafe_no_sandbox,
            logs=log_files(logs, names, game),
            debugged=debugged,
            again=deals,
        )
        yield LeagueOfTwo(store, names, options, logs)


def _bundle(
    playing: PlayOptions, building: BuildOptions, debugging: DebugOptions, first: Path
) -> Bundle:
    """Return what makes the bundles: of a bot that is debugged, all seats play its own build."""
    usual = building.bundle(sandboxed=not playing.unsafe_no_sandbox)
    if not debugging.debug:
        return usual
    own = building.bundle(sandboxed=False)
    return lambda directory, copy: (own if directory == first else usual)(directory, copy)


@contextmanager
def _directories(names: Sequence[str], db: str) -> Iterator[list[Path]]:
    """Find the directories of bots, some of which are there only so long."""
    with ExitStack() as closing:
        yield [named_directory(name, db, closing) for name in names]
