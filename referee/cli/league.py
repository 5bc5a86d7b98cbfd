"""`upcard league`: creates leagues, runs them, and ends them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.beacon import choose_round
from referee.cli import arguments, league_deals, league_entrants, league_log, league_shards
from referee.cli.called import command
from referee.cli.cluster_options import Cluster, Tls, engine_of
from referee.cli.duel_options import AcceptWeak, Jobs, Unsafe
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_facts import print_facts, title
from referee.cli.league_log import head_text
from referee.cli.league_play import play_league
from referee.cli.league_shards import FAILED, FAULTY
from referee.cli.option_groups import with_groups
from referee.cli.output import print_json, print_table, with_progress
from referee.cli.standing_table import print_ratings
from referee.cli.store_options import Db
from referee.cli.terms_options import TermsOptions
from referee.engine.dealing import seed_from_text
from referee.errors import ConfigError, FileError
from referee.league.engine import Engine
from referee.league.entries import start_league
from referee.league.forecast import Forecast, forecast
from referee.league.pending import active_entrants
from referee.league.rounds import league_progress
from referee.league.running import RunOptions
from referee.league.table import LeagueFacts, LeagueTable, league_facts, league_table
from referee.publication.collecting import collect
from referee.publication.export import Exported, digest, export
from referee.ratings.stopping import By, Until
from referee.reports.facts import status as status_report
from referee.reports.ratings import ratings
from referee.store.database import Store
from referee.store.duels import results
from referee.store.leagues import league_names
from referee.store.leases import lease, lease_holder
from referee.store.log import append_export
from referee.store.models import NEVER_STARTED, Entry, Plan, Suspension
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain

_BY: Final = "rating"
_CONFIDENCE: Final = 0.95
_DUELS: Final = 100
_LONGEST: Final = 80
_MOST_DUELS: Final = 1_000_000

league = typer.Typer(help="Create leagues, run them, and end them.", no_args_is_help=True)


@league.command()
@with_groups
def create(
    name: Annotated[str, typer.Argument(metavar="LEAGUE", help="What the league is called.")],
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Who enters, of those that 'upcard bots list' shows; may be repeated. More can be "
            "entered later.",
        ),
    ] = None,
    duels: Annotated[
        int,
        typer.Option(
            min=1, max=_MOST_DUELS, help="How many duels each pair plays; a multiple of 4 is fair."
        ),
    ] = _DUELS,
    until_separated: Annotated[
        float | None,
        typer.Option(
            min=0.5,
            max=0.9999,
            metavar="P",
            help="Stop earlier once every two neighbours of the table are told apart, with this "
            "chance that no two equals are.",
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="top:K",
            help="Stop earlier once the first K places of the table are sure; by --until-separated "
            f"with another chance than {_CONFIDENCE}.",
        ),
    ] = None,
    by: Annotated[
        By | None,
        typer.Option(
            show_default=_BY,
            help="By what neighbours are told apart: their rating, or points a hand.",
        ),
    ] = None,
    adaptive: Annotated[
        bool,
        typer.Option(
            "--adaptive",
            help="With --until or --until-separated: after 8, 16, 32 … duels, only those pairs "
            "play on whose duels are needed to tell apart who is not, up to --duels each.",
        ),
    ] = False,
    block: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1024,
            help="Duels of a pair in one visit, at most; else so many that there are ten rounds of "
            "visits, where that costs no more than a tenth of the time.",
        ),
    ] = None,
    nonce: league_deals.Nonces = None,
    nonce_hash: league_deals.NonceHashes = None,
    beacon: league_deals.Beacon = None,
    db: Db = DEFAULT,
    *,
    terms: TermsOptions,
) -> None:
    """Create a league; what it is played on never changes after."""
    now = datetime.now(UTC)
    goal = _until(until_separated, until, by, adaptive=adaptive)
    plan = Plan(terms.terms(), duels, block or 0, goal)
    promises = league_deals.promises(nonce or (), nonce_hash or ())
    chosen = choose_round(beacon, now) if beacon else None
    with open_store(db) as store:
        created = start_league(store, name, plan, bot or (), now, promises=promises, beacon=chosen)
    entrants, next_ = counted(len(created.entries), "entrant"), "run"
    if chosen or nonce_hash:
        next_ = "open"
    print(f"{name}: {entrants}; {next_} it: {command('league', next_, name)}")


def _until(
    confidence: float | None, text: str | None, by: By | None, *, adaptive: bool
) -> Until | None:
    if confidence is not None or text is not None:
        top = None if text is None else _top(text)
        return Until(confidence or _CONFIDENCE, by or _BY, top, adaptive=adaptive)
    if by is not None or adaptive:
        option = "--by" if by is not None else "--adaptive"
        raise ConfigError(f"{option} is for --until-separated and --until; use it with one of them")
    return None


def _top(text: str) -> int:
    word, _, number = text.partition(":")
    if word != "top" or not (number.isascii() and number.isdigit() and 0 < len(number) < 5):
        raise ConfigError(f"--until {text[:40]!r} is no such goal; write top:3 for three places")
    if not int(number):
        raise ConfigError("--until top:0 has no place; write top:3 for three places")
    return int(number)


@league.command()
def run(
    name: LeagueName = None,
    jobs: Jobs = None,
    seed: league_deals.DealSeed = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be played.")
    ] = False,
    cluster: Cluster = None,
    tls: Tls = None,
    strict_exit: league_shards.StrictExit = False,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Play what is missing of a league, and show its table. To go on after any stop, run it again.

    SIGINT or SIGTERM stops after the duels in flight, a second one at once; nothing is lost. The
    exit code is 0 if all is played, 1 if some duels stay unplayed or all but one are suspended.
    """
    options = RunOptions(
        jobs,
        None if seed is None else seed_from_text(seed),
        accept_weak or (),
        sandboxed=not unsafe_no_sandbox,
    )
    with open_store(db) as store:
        name = chosen_league(store, name)
        if dry_run:
            _print_forecast(forecast(store, name, jobs), as_json=json)
            return
        with _engine(cluster, tls, options) as engine:
            play_league(store, name, options._replace(engine=engine))
        table = _show(store, name, as_json=json)
    if table.unplayed or len(active_entrants(table.league)) < 2:
        raise typer.Exit(FAILED)
    if strict_exit and any(any(result.faults) for result in table.results):
        raise typer.Exit(FAULTY)


@contextmanager
def _engine(cluster: str | None, tls: Path | None, options: RunOptions) -> Iterator[Engine | None]:
    """Return the engine of a cluster, if one was named."""
    if cluster is None:
        yield None
        return
    if options.jobs is not None:
        raise ConfigError("--jobs is for this machine; each 'upcard worker' has its own")
    with engine_of(cluster, tls)(options.accepted, options.sandboxed) as engine:
        yield engine


def _show(store: Store, name: str, *, as_json: bool) -> LeagueTable:
    """Print the table of a league, and the digest of its export; return the table."""
    table = league_table(store, name)
    if not as_json:
        print_ratings(table)
    published = digest(_collected(store, name))
    if as_json:
        print_json({**ratings(table), "export_digest": published})
    else:
        print(f"The digest of its export: {published}")
        print(head_text(*table.head))
    return table


def _collected(store: Store, name: str) -> Exported:
    """Collect all of a league, and show how far that is: it is a pass over every duel."""
    found, count = collect(store, name), len(results(store, name))
    return found._replace(duels=with_progress(iter(found.duels), count, "Collecting"))


def _print_forecast(to_come: Forecast, *, as_json: bool) -> None:
    if as_json:
        print_json(to_come._asdict())
        return
    if not to_come.duels:
        print("nothing is left to play")
        return
    pairings, sessions = counted(to_come.pairings, "pairing"), counted(to_come.sessions, "session")
    print(f"{counted(to_come.duels, 'duel')} to play, of {pairings}, in {sessions}")
    if to_come.seconds is None:
        print("how long that takes is not known before some duels of this game were played")
    else:
        print(f"as it went so far, that takes {timedelta(seconds=round(to_come.seconds))}")
    most = timedelta(seconds=round(to_come.most_seconds))
    print(f"the time limits allow {most}, if every bot uses all of its time")


@league.command()
def status(name: LeagueName = None, json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """Show how far leagues are, who is in them, and who runs them."""
    with open_store(db) as store:
        names = league_names(store) if name is None else [name]
        found = [(league_facts(store, each), lease_holder(store, each)) for each in names]
    if json:
        print_json([status_report(table, by) for table, by in found])
    elif not found:
        print(f"there is no league yet; create one: {command('league', 'create')} LEAGUE")
    else:
        for table, by in found:
            _print_status(table, by)


def _print_status(table: LeagueFacts, by: str | None) -> None:
    print_facts(table)
    if by:
        print(f"being run by {by}")
    header = ("entrant", "version", "digest", "epoch", "withdrawn", "suspended")
    print_table(title(table), header, (_entry_row(table, each) for each in table.league.entries))
    print(head_text(*table.head))


def _entry_row(table: LeagueFacts, entry: Entry) -> tuple[str, ...]:
    withdrawn = f"{entry.withdrawn:%Y-%m-%d %H:%M}" if entry.withdrawn else ""
    return (
        plain(table.names[entry.number]),
        plain(entry.bot.version),
        entry.bot.digest[:12],
        str(entry.epoch or "not begun"),
        withdrawn,
        plain(_suspended(table.suspensions.get(entry.number))),
    )


def _suspended(found: Suspension | None) -> str:
    if found is None:
        return ""
    if found.after == NEVER_STARTED:
        return found.reason[:_LONGEST]
    return f"after duel {found.after + 1}: {found.reason}"


league.command()(league_log.log)
for _command in (league_entrants.add_bot, league_entrants.withdraw, league_entrants.reinstate):
    league.command()(_command)
league.command("open")(league_deals.open_epoch)
league.command("reveal")(league_deals.reveal_nonce)
league.command("beacon")(league_deals.bring_round)
league.command("deal")(league_deals.deal_epoch)
league.command("play")(league_shards.play)
league.command("import")(league_shards.import_shards)


@league.command()
def close(name: league_entrants.Name, db: Db = DEFAULT) -> None:
    """End a league before all is played: what it has is final, and its seeds are shown."""
    with open_store(db) as store, lease(store, name) as own:
        league_progress(own).close()
    print(f"{name} is closed; publish it: {command('league', 'export', name)} DIR")


@league.command("export")
def export_league(
    name: league_entrants.Name,
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Where it is written; new, or empty.")
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Also, or only, write it as pages, to open there or to publish; new, empty, or "
            "an earlier site, which is replaced.",
        ),
    ] = None,
    db: Db = DEFAULT,
) -> None:
    """Publish a league: files from which anybody can check all of it by 'upcard verify', or pages.

    The seeds are in it only once the league is complete or closed.
    """
    if directory is None and site is None:
        raise ConfigError("name a directory for the files, or one for the pages by --site")
    with open_store(db) as store:
        if directory is not None:
            published = export(directory, _collected(store, name))
            print(f"{directory}: digest {published}")
            _log_export(store, name, published)
            print(f"check it: {command('verify', directory, '--digest', published)}")
        if site is not None:
            _write_site(store, name, site)


def _log_export(store: Store, name: str, published: str) -> None:
    """Append the export to the log, if the store can be written."""
    try:
        append_export(store, name, published, datetime.now(UTC))
    except FileError as error:
        print(f"the log has no entry of this: {error}", file=sys.stderr)


def _write_site(store: Store, name: str, directory: Path) -> None:
    # It brings all that pages are made with, which no other of these commands needs.
    from referee.web.addresses import HOME  # noqa: PLC0415
    from referee.web.site import site, write  # noqa: PLC0415

    planned = site(store, name)
    write(directory, with_progress(iter(planned.pages), planned.total, "Writing"))
    print(f"{directory}: {counted(planned.total, 'page')}; open {directory / HOME}")
