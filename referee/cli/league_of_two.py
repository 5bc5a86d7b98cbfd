"""Makes the league in which a command lets two bots play, and the directory of its logs."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from referee.cli.build_options import BuildOptions
from referee.cli.duel_logs import log_files, prepare, write_logs
from referee.cli.duel_options import PlayOptions
from referee.cli.kept_store import kept_store
from referee.cli.named_bots import named_directory
from referee.engine.dealing import seed_from_text
from referee.examination.admission import candidates
from referee.league.head_to_head import NAME, names_of, start_duel
from referee.league.running import RunOptions
from referee.league.table import LeagueTable, league_table
from referee.store.database import Store
from referee.store.models import Plan

_LOGS: Final = "upcard-logs"


class LeagueOfTwo(NamedTuple):
    """A league of two bots that is ready to be played."""

    store: Store
    names: tuple[str, str]
    options: RunOptions
    logs: Path

    def table(self) -> LeagueTable:
        """Return its table as it stands."""
        called = dict(enumerate(self.names, start=1))
        return replace(league_table(self.store, NAME), names=called)

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
    first: str,
    second: str,
    plan: Plan,
    playing: PlayOptions,
    building: BuildOptions,
    *,
    roles: tuple[str, str] = ("A", "B"),
) -> Iterator[LeagueOfTwo]:
    """Make a league of two bots.

    Args:
        first: one, as it is named on the command line.
        second: the other.
        plan: what they play; its block is the most that a visit may have.
        playing: how they do.
        building: how they are built.
        roles: what tells them apart, if they have one name.

    Raises:
        ConfigError: one of them is no bot, or an option cannot be met.
    """
    seed = None if playing.seed is None else seed_from_text(playing.seed)
    bundle = building.bundle(sandboxed=not playing.unsafe_no_sandbox)
    now = datetime.now(UTC)
    with (
        _directories((first, second), playing.db) as directories,
        candidates(directories, now, bundle) as bots,
        kept_store(playing.keep, "upcard-duel-") as store,
    ):
        start_duel(store, bots, plan, now)
        names = names_of(bots, roles)
        logs = playing.logs or Path(_LOGS, "-vs-".join(each.bot.name for each in bots))
        prepare(logs, names, plan.terms.game)
        options = RunOptions(
            seed=seed,
            accepted=playing.accept_weak or (),
            sandboxed=not playing.unsafe_no_sandbox,
            logs=log_files(logs, names, plan.terms.game),
        )
        yield LeagueOfTwo(store, names, options, logs)


@contextmanager
def _directories(names: Sequence[str], db: str) -> Iterator[list[Path]]:
    """Find the directories of bots, some of which are there only so long."""
    with ExitStack() as closing:
        yield [named_directory(name, db, closing) for name in names]
