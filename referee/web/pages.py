"""Renders the pages, each from what is stored at that moment; other modules serve or write them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from math import ceil
from statistics import NormalDist
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.engine.options import text
from referee.engine.record import MatchRecord
from referee.engine.recycle import Recycle
from referee.engine.seating import room_names, room_title
from referee.errors import NotFoundError
from referee.league.bot_logs import Logged
from referee.league.duel_names import key_of
from referee.league.table import LeagueTable, plays_on_text, rating_text
from referee.reports.deals import every_deal
from referee.reports.duels import lines, where
from referee.reports.entrants import entrant as entrant_report
from referee.reports.faults import ADVICE
from referee.reports.ratings import reason_of
from referee.scheduling.keys import DuelKey
from referee.scheduling.keys import pairing as pair_of
from referee.store.duels import stored_duels
from referee.store.models import Isolation
from referee.text import counted, plain
from referee.web import addresses, card_text, charts, duel_page, formatting, game_page
from referee.web.crosstable import grid
from referee.web.game_statistics import GameStatistics
from referee.web.league_cache import Edition, LeagueCache

DUELS_A_PAGE: Final = 50
_FAULTS_SHOWN: Final = 50
_VOIDS_SHOWN: Final = 100
_WIDTH: Final = NormalDist().inv_cdf(0.975)


class ShownProgress(NamedTuple):
    """How many duels of a league are played, and how long the rest will take."""

    played: int
    planned: int
    at_most: bool
    running: bool
    seconds_left: float | None


class Fairness(NamedTuple):
    """What shows how far a league can be trusted, in one line."""

    commitment: str | None
    """To the first of its seeds; None before there is one."""
    seeds: int
    seed_revealed: bool
    enforced: int
    """How many guarantees of the sandbox held in every duel."""
    guarantees: int
    voids: int
    unplayed: int


OwnLogs = Callable[[MatchRecord], Logged]
"""Returns what bots logged in the duel of a match."""


class Pages:
    """The pages of a store, or of the leagues that are exported."""

    def __init__(
        self,
        cache: LeagueCache,
        exported: Sequence[str] | None = None,
        *,
        hosted: bool = False,
        logged: OwnLogs | None = None,
    ) -> None:
        """Load the templates.

        Args:
            cache: what pages are rendered from.
            exported: the only leagues that exported pages show.
            hosted: whether people can sign in.
            logged: what bots logged in a duel, for a reader who is their author.
        """
        self._cache = cache
        self._logged = logged or _nothing_logged
        self._exported = exported
        self._statistics = GameStatistics(at_once=exported is not None)
        self._templates = Environment(
            loader=PackageLoader("referee.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {
            "at": addresses,
            "card": card_text.card_text,
            "card_link": card_text.card_link,
            "replay_link": duel_page.replay_link,
            "hand_steps": duel_page.hand_steps,
            "SEATS": duel_page.SEATS,
            "where": where,
            "room_names": room_names,
            "counted": counted,
            "reason_of": reason_of,
            "served": exported is None,
            "hosted": hosted,
            "upcard": version("upcard-referee"),
        }
        self._templates.filters |= {
            "plain": plain,
            "option": text,
            "key": key_of,
            "room_key": duel_page.room_key,
            "room_title": room_title,
            **formatting.FILTERS,
        }

    def home(self) -> str:
        """Render the first page, which lists the leagues."""
        if self._exported is None:
            overviews = self._cache.glances()
        else:
            overviews = [self._cache.edition(name).overview for name in self._exported]
        running = self._cache.running_leagues()
        return self.render("home.html", addresses.HOME, leagues=overviews, running=running)

    def league(self, name: str) -> str:
        """Render the page of a league: its table, and the history of the ratings."""
        edition = self._cache.edition_at_once(name)
        if edition is None:
            glance = self._cache.glance(name)
            here = addresses.league(name)
            return self.render("league_soon.html", here, glance=glance, table=glance.league)
        progress = self._progress(edition)
        # All readers request it at the same moment, whenever a duel is over.
        key = "league, running" if progress.running else "league"
        return edition.rendered.get(key, lambda: self._league(edition, progress)).decode()

    def _league(self, edition: Edition, progress: ShownProgress) -> bytes:
        table = edition.table
        rows = table.standings.rows
        return self.render(
            "league.html",
            addresses.league(table.league.name),
            table=table,
            progress=progress,
            plays_on=plays_on_text(table),
            fair=fairness(table),
            whiskers=charts.whiskers(rows),
            rating_text=rating_text,
            changes=charts.rank_changes(rows, edition.snapshots, len(table.results)),
            history=charts.history(edition.snapshots, [row.entrant for row in rows]),
        ).encode()

    def _progress(self, edition: Edition) -> ShownProgress:
        table = edition.table
        running = table.league.state == "open" and self._cache.running(table.league.name)
        played, planned = table.played, table.planned  # which are counted each time
        left = planned - played - len(table.unplayed)
        return ShownProgress(
            played,
            planned,
            table.league.plan.until is not None,
            running,
            left * edition.pace if running and edition.pace is not None else None,
        )

    def fairness(self, name: str) -> str:
        """Render the page about what makes the league fair: seeds, sandbox and voids."""
        table = self._cache.edition(name).table
        return self.render(
            "fairness.html",
            addresses.fairness(name),
            table=table,
            fair=fairness(table),
            voids=table.voids[-_VOIDS_SHOWN:],
        )

    def game(self, name: str) -> str:
        """Render the page of the game that a league plays: its program, and random play."""
        table = self._cache.edition(name).table
        game = table.league.plan.terms.game
        statistics = self._statistics.of(game)
        return self.render(
            "game.html",
            addresses.game(name),
            table=table,
            statistics=statistics,
            branching=statistics and charts.branching(statistics.summary.stretches),
            **game_page.told(game),
        )

    def program(self, name: str) -> str:
        """Return the program that describes the game of a league.

        Raises:
            NotFoundError: none does.
        """
        game = self._cache.edition(name).table.league.plan.terms.game
        if not isinstance(game, Recycle):
            raise NotFoundError(f"{game.title} is built in and has no program")
        return game.rules.program

    def has_graph(self, name: str) -> bool:
        """Whether there is a drawing of the game of a league, and already."""
        game = self._cache.edition(name).table.league.plan.terms.game
        if not isinstance(game, Recycle):
            return False
        statistics = self._statistics.of(game)
        return statistics is not None and statistics.graph is not None

    def graph(self, name: str) -> str:
        """Return the drawing of how the cards of a game move.

        Raises:
            NotFoundError: there is none, or not yet.
        """
        statistics = self._statistics.of(self._cache.edition(name).table.league.plan.terms.game)
        if statistics is None or statistics.graph is None:
            raise NotFoundError("there is no drawing of this game, or not yet")
        return statistics.graph

    def crosstable(self, name: str) -> str:
        """Render the crosstable, which for a hundred bots has ten thousand cells."""
        edition = self._cache.edition(name)
        return edition.rendered.get("crosstable", lambda: self._crosstable(edition.table)).decode()

    def _crosstable(self, table: LeagueTable) -> bytes:
        here = addresses.crosstable(table.league.name)
        return self.render("crosstable.html", here, table=table, grid=grid(table)).encode()

    def entrant(self, name: str, number: int) -> str:
        """Render the page of a bot in a league."""
        edition = self._cache.edition(name)
        table = edition.table
        if not 1 <= number <= len(table.league.entries):
            raise NotFoundError(f"there is no entrant {number} in {name}")
        report = entrant_report(self._cache.store, table, number)
        standing = next((row for row in table.standings.rows if row.entrant == number), None)
        return self.render(
            "entrant.html",
            addresses.entrant(name, number),
            table=table,
            report=report,
            standing=standing,
            rating_text=rating_text,
            advice=ADVICE,
            kinds=Counter(fault["kind"] for fault in report["faults"]).most_common(),
            faults=report["faults"][-_FAULTS_SHOWN:],
            history=charts.own_history(edition.snapshots, number, _WIDTH),
        )

    def pairing(self, name: str, one: int, other: int, page: int = 1) -> str:
        """Render one page of the duels of a pairing."""
        edition = self._cache.edition(name)
        table = edition.table
        first, second = self._pair(table, one, other)
        every = edition.numbers.get((first, second), ())
        pages = max(1, ceil(len(every) / DUELS_A_PAGE))
        if not 1 <= page <= pages:
            raise NotFoundError(f"this pairing has {counted(pages, 'page')}, and no page {page}")
        numbers = every[(page - 1) * DUELS_A_PAGE : page * DUELS_A_PAGE]
        span = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        duels = stored_duels(self._cache.store, name, (first, second), span)
        return self.render(
            "pairing.html",
            addresses.pairing(name, first, second, page),
            table=table,
            first=first,
            second=second,
            cell=table.standings.cells.get((first, second)),
            alike=table.share_alike(first, second),
            duels=[*lines(table, duels)],
            page=page,
            pages=pages,
            voids=[void for void in table.voids if void.key[:2] == (first, second)],
        )

    def _pair(self, table: LeagueTable, one: int, other: int) -> tuple[int, int]:
        numbers = range(1, len(table.league.entries) + 1)
        if one == other or one not in numbers or other not in numbers:
            raise NotFoundError(f"there is no pairing {one}-{other} in {table.league.name}")
        return pair_of(one, other)

    def duel(self, name: str, key: DuelKey) -> str:
        """Render the page of a duel: its rooms, and their replay."""
        edition = self._cache.edition(name)
        table = edition.table
        if key.number not in edition.numbers.get(key[:2], ()):
            raise NotFoundError(f"there is no such duel in {name}, or it is not over yet")
        span = range(key.number, key.number + 1)
        (line,) = lines(table, stored_duels(self._cache.store, name, key[:2], span))
        one, other = map(formatting.short_name, line.names)
        rooms = self._cache.rooms(line, (one, other))
        matches = rooms if isinstance(rooms, list) else [rooms["open"], rooms["closed"]]
        deals = every_deal(matches, line.rooms)
        here = addresses.duel(name, key)
        described = isinstance(line.game, Recycle)
        shown = described or "tricks" in line.game.counted
        data = duel_page.replay_data(line.game, matches, [deal.parting for deal in deals])
        logged = duel_page.logged_lines(line.game, matches, self._logged(line.rooms[0]))
        if logged:
            data["logged"] = logged
        data["cards"] = f"{addresses.relative(here, 'static/cards')}/"
        data["game"] = addresses.relative(here, addresses.game(name))
        return self.render(
            "duel.html",
            here,
            table=table,
            line=line,
            matches=matches,
            deals=deals,
            rooms=None if isinstance(rooms, list) else rooms,
            logged=logged,
            described=described,
            target=line.game.rules._asdict().get("target"),
            named=duel_page.seat_names(line.game),
            replay=duel_page.script_json(data) if shown else "",
            **duel_page.neighbours(key, edition.numbers[key[:2]]),
        )

    def api(self, description: Mapping[str, Any]) -> str:
        """Render the documentation of the API from its OpenAPI description."""
        return self.render("api.html", "api/index.html", description=description)

    def error(self, here: str, status: int, heading: str, message: str) -> str:
        """Render the page of an error."""
        return self.render("error.html", here, status=status, heading=heading, message=message)

    def render(self, template: str, here: str, **values: object) -> str:
        """Render a template as the page of an address."""
        to: Callable[[str], str] = partial(addresses.relative, here)
        return self._templates.get_template(template).render(to=to, here=here, **values)


def _nothing_logged(_: MatchRecord) -> Logged:
    return {}


def fairness(table: LeagueTable) -> Fairness:
    """Return what shows how far a league can be trusted."""
    epochs = table.league.epochs
    isolations = [isolation for isolation, _ in table.isolations]
    names = {each["name"] for isolation in isolations for each in isolation.guarantees}
    return Fairness(
        epochs[0].commitment if epochs else None,
        len(epochs),
        bool(epochs) and epochs[0].revealed,
        sum(_always_enforced(name, isolations) for name in names),
        len(names),
        len(table.voids),
        len(table.unplayed),
    )


def _always_enforced(name: str, isolations: Sequence[Isolation]) -> bool:
    return all(
        any(each["name"] == name and each["level"] == "enforced" for each in isolation.guarantees)
        for isolation in isolations
    )
