"""`upcard ladder`: creates ladders, shows their tables, and ends them."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.asking import ask
from referee.cli.called import command
from referee.cli.duel_options import AcceptWeak, Unsafe
from referee.cli.option_groups import with_groups
from referee.cli.organiser import by_command
from referee.cli.output import one_format, print_csv, print_json, print_rows, print_table
from referee.cli.store_options import Db
from referee.cli.terms_options import TermsOptions
from referee.errors import ConfigError
from referee.hosting.finals import make_final
from referee.hosting.ladder_history import LadderHistory, LadderPlay, ladder_names
from referee.league.table import rating_text
from referee.ratings.standings import Standing
from referee.store.bots import find_bot
from referee.store.database import Store, writing
from referee.store.hosting_models import Ladder, LadderPlan, LadderState
from referee.store.ladders import (
    create_ladder,
    enter_ladder,
    ladder_entrants,
    ladders,
    set_ladder_state,
)
from referee.store.ladders import ladder as find_ladder
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain
from referee.timespan import timespan

ladder = typer.Typer(help="Create ladders, and show their tables.", no_args_is_help=True)

_HEADER: Final = (
    *("rank", "number", "name", "version", "owner", "rating", "rating_low", "rating_high"),
    *("conservative", "duels", "won", "drawn", "lost", "points_per_hand", "faults", "digest"),
)
_SHORTEST: Final = timedelta(minutes=1)
Name = Annotated[str, typer.Argument(metavar="LADDER", help="The name of the ladder.")]


@ladder.command()
@with_groups
def create(
    name: Annotated[str, typer.Argument(metavar="LADDER", help="What the ladder is called.")],
    house: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="A house bot, of those that 'upcard bots list' shows; may be repeated. Their mean "
            "rating is 25, so that a rating means the same from week to week.",
        ),
    ] = None,
    epoch: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="How long one league of the ladder lasts; then its seed is published. As 12h, 1d.",
        ),
    ] = "1d",
    interval: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="From one round to the next, as 90s or 10m; 0s is without a pause.",
        ),
    ] = "10m",
    round_duels: Annotated[
        int,
        typer.Option(min=1, max=128, help="Duels of a pair in a round; a multiple of 4 is fair."),
    ] = 4,
    catch_up: Annotated[
        int, typer.Option(min=0, max=200, help="Rounds that a newcomer plays at once.")
    ] = 12,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    db: Db = DEFAULT,
    *,
    terms: TermsOptions,
) -> None:
    """Create a ladder: a league without end, which takes new bots at any time.

    'upcard host' plays it. How it is played never changes after.
    """
    lasts, pause = _timespan(epoch, "--epoch"), _timespan(interval, "--interval")
    if lasts < _SHORTEST:
        raise ConfigError("an epoch lasts a minute at least")
    plan = LadderPlan(
        terms.terms(),
        round_duels,
        lasts,
        pause,
        catch_up,
        tuple(accept_weak or ()),
        sandboxed=not unsafe_no_sandbox,
    )
    with open_store(db, create=True) as store:
        bots = [find_bot(store, each) for each in house or ()]
        game = plan.terms.game.name
        for bot in bots:
            if game not in bot.games:
                raise ConfigError(f"{bot.name} does not play {game}")
        made = create_ladder(store, name, plan, by_command())
        with writing(store) as connection:
            for bot in bots:
                enter_ladder(connection, made, bot, None, made.created)
    print(f"{name}: {counted(len(bots), 'house bot')}; host it: {command('host')}")


def _timespan(text: str, option: str) -> timedelta:
    found = timespan(text)
    if found is None:
        raise ConfigError(f"{option} takes a time, as 90s, 10m, 12h or 1d; not {text[:40]!r}")
    return found


@ladder.command("list")
def list_ladders(json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """List the ladders."""
    with open_store(db) as store:
        rows = [
            (each.name, each.state, each.plan.terms.game.title, _active(store, each))
            for each in ladders(store)
        ]
    header = ("ladder", "state", "game", "bots")
    print_rows("ladder", header, rows, json=json)


def _active(store: Store, found: Ladder) -> int:
    return sum(each.state == "active" for each in ladder_entrants(store, found))


@ladder.command()
def show(
    name: Name, json: arguments.AsJson = False, csv: arguments.AsCsv = False, db: Db = DEFAULT
) -> None:
    """Show the table of a ladder, by all that was played on it."""
    one_format(json, csv)
    with open_store(db) as store:
        play = LadderHistory(store).play(find_ladder(store, name))
    called, standings = ladder_names(play), play.standings()
    rows = [_row(row, play, called[row.entrant]) for row in standings.rows]
    if json:
        print_json([dict(zip(_HEADER, row, strict=True)) for row in rows])
    elif csv:
        print_csv(_HEADER, rows)
    else:
        duels = counted(len(play.results), "duel")
        print(f"{play.ladder.name}: {play.ladder.state}; {duels} in {len(play.epochs)} epochs")
        shown = [
            [
                row.ranks.text,
                plain(called[row.entrant]),
                plain(play.entrants[row.entrant - 1].owner or "house"),
                rating_text(row),
                str(row.duels),
            ]
            for row in standings.rows
        ]
        print_table("", ("rank", "bot", "owner", "rating", "duels"), shown)


def _row(row: Standing, play: LadderPlay, name: str) -> tuple[object, ...]:
    entrant = play.entrants[row.entrant - 1]
    low, high = row.interval
    return (
        *(row.ranks.text, row.entrant, name, entrant.bot.version, entrant.owner or ""),
        *(round(row.rating.mean, 3), low and round(low, 3), high and round(high, 3)),
        *(round(row.rating.conservative, 3), row.duels, row.won, row.drawn, row.lost),
        *(row.points.mean, row.faults, entrant.bot.digest),
    )


@ladder.command()
def freeze(name: Name, db: Db = DEFAULT) -> None:
    """Take no more submissions; what is there plays on."""
    _set_state(db, name, "frozen")


@ladder.command("open")
def open_(name: Name, db: Db = DEFAULT) -> None:
    """Take submissions again."""
    _set_state(db, name, "open")


@ladder.command()
def end(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    db: Db = DEFAULT,
) -> None:
    """End a ladder for good: nothing is played any more, and the last seed is published."""
    if not yes:
        ask(f"End {name} for good?")
    _set_state(db, name, "ended")


def _set_state(db: str, name: str, state: LadderState) -> None:
    with open_store(db) as store:
        set_ladder_state(store, find_ladder(store, name), state, by_command())
    print(f"{name} is {state}")


@ladder.command()
def final(
    name: Name,
    league: Annotated[
        str, typer.Argument(metavar="LEAGUE", help="What the league of the final is called.")
    ],
    top: Annotated[int, typer.Option(min=2, max=1000, help="How many of the best play.")] = 8,
    duels: Annotated[
        int,
        typer.Option(
            min=1, max=10**6, help="How many duels each pair plays; a multiple of 4 is fair."
        ),
    ] = 100,
    house: Annotated[
        bool, typer.Option("--house", help="House bots may be among them, too.")
    ] = False,
    db: Db = DEFAULT,
) -> None:
    """Create the final of a season: a league in which the best of a frozen ladder all meet.

    It is an ordinary league: 'upcard league run' plays it.
    """
    with open_store(db) as store:
        found = find_ladder(store, name)
        made = make_final(store, found, league, top, duels, house=house, now=datetime.now(UTC))
    names = ", ".join(plain(entry.bot.name) for entry in made.entries)
    print(f"{league}: {names}; run it: {command('league', 'run', league)}")
