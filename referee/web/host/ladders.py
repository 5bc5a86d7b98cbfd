"""The tables of ladders, and the bots on them: for everybody."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

from referee.errors import ConfigError, NotFoundError
from referee.league.table import rating_text
from referee.ratings.standings import Cell
from referee.store.hosting_models import Ladder, LadderEntrant
from referee.store.ladders import ladder, ladder_snapshots, ladders
from referee.store.models import Snapshot
from referee.store.submissions import submissions
from referee.web.charts import history, own_history, whiskers
from referee.web.host.asking import Asked
from referee.web.host.ladder_tables import LadderTable
from referee.web.host.routes import Route

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

_SHOWN: Final = timedelta(days=120)
_EPOCHS: Final = 7
"""The last of a ladder that a bot's page links to."""
_WIDTH: Final = 1.96
"""Standard errors of half an interval."""


def found_ladder(host: "Host", asked: Asked) -> Ladder:
    """Return the ladder that is asked about.

    Raises:
        NotFoundError: there is none.
    """
    try:
        return ladder(host.store, asked.path("name"))
    except ConfigError as error:
        raise NotFoundError(str(error).partition(";")[0]) from None


def ladders_page(host: "Host", asked: Asked) -> Response:
    """List the ladders."""
    tables = [host.tables.table(each) for each in ladders(host.store)]
    return host.page(asked, "ladders", tables=tables, rating_text=rating_text)


def ladder_page(host: "Host", asked: Asked) -> Response:
    """Show the table of a ladder."""
    table, me = host.tables.table(found_ladder(host, asked)), asked.who.account
    mine = [each.number for each in table.play.entrants if me and each.account == me.id]
    # It takes long with many bots, and everybody looks at it.
    standings = table.rendered.get(str(mine), partial(_standings, host, table, mine, asked.now))
    return host.page(
        asked,
        "ladder",
        table=table,
        ladder=table.ladder,
        standings=standings.decode(),
        last=max((epoch.paired for epoch in table.play.epochs if epoch.paired), default=None),
    )


def _standings(host: "Host", table: LadderTable, mine: Sequence[int], now: datetime) -> bytes:
    rows = table.standings.rows
    snapshots = _snapshots(host, table.ladder, now)
    return host.pages.part(
        f"ladders/{table.ladder.name}/index.html",
        "ladder_standings",
        table=table,
        ladder=table.ladder,
        rating_text=rating_text,
        whiskers=whiskers(rows),
        history=history(snapshots, [row.entrant for row in rows]),
        rounds=table.play.rounds_of_each,
        mine=mine,
    )


def _snapshots(host: "Host", found: Ladder, now: datetime) -> list[Snapshot]:
    taken = ladder_snapshots(host.store, found, now - _SHOWN)
    return [Snapshot(each.at, each.duels, each.ratings) for each in taken]


def entrant_page(host: "Host", asked: Asked) -> Response:
    """Show a bot on a ladder: how it stands, and against whom."""
    table = host.tables.table(found_ladder(host, asked))
    entrant = chosen_entrant(table, asked.number("number"))
    standing = next((row for row in table.standings.rows if row.entrant == entrant.number), None)
    snapshots = _snapshots(host, table.ladder, asked.now)
    me = asked.who.account
    is_mine = me is not None and entrant.account == me.id
    own = submissions(host.store, account=me.id) if me and is_mine else []
    return host.page(
        asked,
        "ladder_entrant",
        table=table,
        ladder=table.ladder,
        entrant=entrant,
        standing=standing,
        rating_text=rating_text,
        history=own_history(snapshots, entrant.number, _WIDTH),
        opponents=_opponents(table, entrant),
        leagues=_leagues(table, entrant),
        submission=next((each for each in own if each.bot == entrant.bot.digest), None),
        versions=[
            each
            for each in table.play.entrants
            if each.bot.name == entrant.bot.name and each.account == entrant.account
        ],
    )


def chosen_entrant(table: LadderTable, number: int) -> LadderEntrant:
    """Return an entrant of a ladder by its number.

    Raises:
        NotFoundError: there is none.
    """
    if not 1 <= number <= len(table.play.entrants):
        raise NotFoundError(f"there is no bot {number} on {table.ladder.name}")
    return table.entrant(number)


def _opponents(table: LadderTable, entrant: LadderEntrant) -> list[tuple[LadderEntrant, Cell]]:
    """Return those it met, each with how it did against them, those met most often first."""
    cells = table.standings.cells
    found = [
        (table.entrant(other), cells[one, other]) for one, other in cells if one == entrant.number
    ]
    return sorted(found, key=lambda each: -(each[1].won + each[1].drawn + each[1].lost))


def _leagues(table: LadderTable, entrant: LadderEntrant) -> list[tuple[str, int]]:
    """Return the last epochs that it is in, and its number in their leagues."""
    epochs = [*zip(table.play.epochs, table.play.played, strict=True)][-_EPOCHS:]
    return [
        (epoch.league, in_league)
        for epoch, played in reversed(epochs)
        for in_league, on_ladder in played.numbers.items()
        if on_ladder == entrant.number
    ]


def _to_ladder(host: "Host", asked: Asked) -> Response:
    return RedirectResponse(f"/ladders/{found_ladder(host, asked).name}/", 303)


ROUTES: Final = (
    Route("GET", "/ladders/", ladders_page, None),
    Route("GET", "/ladders/{name}/", ladder_page, None),
    Route("GET", "/ladders/{name}", _to_ladder, None),
    Route("GET", "/ladders/{name}/entrants/{number:number}", entrant_page, None),
)
