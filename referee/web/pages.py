"""Makes the pages, each from what is stored at that moment; where they go is not known here."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from math import ceil
from statistics import NormalDist
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.arena.fault import ROOM_NAMES
from referee.engine.cards import SEAT_NAMES
from referee.engine.dealing import commitment
from referee.engine.options import text
from referee.league.duel_names import key_of
from referee.league.table import LeagueTable, half_interval
from referee.reports.deals import both_rooms
from referee.reports.duels import lines
from referee.reports.entrants import entrant as entrant_report
from referee.reports.faults import ADVICE
from referee.scheduling.keys import DuelKey
from referee.scheduling.keys import pairing as pair_of
from referee.store.duels import stored_duels
from referee.text import counted, plain
from referee.web import addresses, card_text, charts, figures, hands
from referee.web.crosstable import grid
from referee.web.embedding import embedded
from referee.web.fairness import fairness
from referee.web.league_cache import Edition, LeagueCache
from referee.web.missing import Missing
from referee.web.names import called, shown

DUELS_A_PAGE: Final = 50
_FAULTS_SHOWN: Final = 50
_VOIDS_SHOWN: Final = 100
_WIDTH: Final = NormalDist().inv_cdf(0.975)


class Progress(NamedTuple):
    """How far a league is."""

    played: int
    planned: int
    at_most: bool
    running: bool
    seconds_left: float | None


class Pages:
    """The pages of a store, or, exported, of some of its leagues."""

    def __init__(self, almanac: LeagueCache, exported: Sequence[str] | None = None) -> None:
        """Take what they are made from; exported pages show no more than these leagues."""
        self._almanac = almanac
        self._exported = exported
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
            "linked": card_text.linked,
            "place": hands.place,
            "SEATS": hands.SEATS,
            "SEAT_NAMES": SEAT_NAMES,
            "ROOM_NAMES": ROOM_NAMES,
            "counted": counted,
            "served": exported is None,
            "upcard": version("upcard-referee"),
        }
        self._templates.filters |= {
            "called": called,
            "shown": shown,
            "plain": plain,
            "rule": text,
            "key": key_of,
            **figures.FILTERS,
        }

    def home(self) -> str:
        """Make the page a stranger sees first."""
        names = self._almanac.leagues() if self._exported is None else self._exported
        told = [(edition.table, self._progress(edition)) for edition in self._editions(names)]
        return self._page("home.html", addresses.HOME, leagues=told)

    def _editions(self, names: Sequence[str]) -> Iterator[Edition]:
        return (self._almanac.edition(name) for name in names)

    def league(self, name: str) -> str:
        """Make the page of a league: its table, and how it came about."""
        edition = self._almanac.edition(name)
        progress = self._progress(edition)
        # All who look on fetch it anew at the same moment, whenever a duel is over.
        what = "league, running" if progress.running else "league"
        return edition.once(what, lambda: self._league(edition, progress)).decode()

    def _league(self, edition: Edition, progress: Progress) -> bytes:
        table = edition.table
        rows = table.standings.rows
        return self._page(
            "league.html",
            addresses.league(table.league.name),
            table=table,
            progress=progress,
            fair=fairness(table),
            whiskers=charts.whiskers(rows),
            half=half_interval,
            changes=charts.rank_changes(rows, edition.snapshots, len(table.results)),
            history=charts.history(edition.snapshots, [row.entrant for row in rows]),
        ).encode()

    def _progress(self, edition: Edition) -> Progress:
        table = edition.table
        running = table.league.state == "open" and self._almanac.running(table.league.name)
        played, planned = table.played, table.planned  # which are counted each time
        left = planned - played - len(table.unplayed)
        return Progress(
            played,
            planned,
            table.league.plan.until is not None,
            running,
            left * edition.pace if running and edition.pace is not None else None,
        )

    def fairness(self, name: str) -> str:
        """Make the page that says why a league can be trusted, and how far."""
        table = self._almanac.edition(name).table
        return self._page(
            "fairness.html",
            addresses.fairness(name),
            table=table,
            fair=fairness(table),
            commitment=commitment,
            voids=table.voids[-_VOIDS_SHOWN:],
        )

    def crosstable(self, name: str) -> str:
        """Make the page on which each meets each; of a hundred bots it is ten thousand cells."""
        edition = self._almanac.edition(name)
        return edition.once("crosstable", lambda: self._crosstable(edition.table)).decode()

    def _crosstable(self, table: LeagueTable) -> bytes:
        here = addresses.crosstable(table.league.name)
        return self._page("crosstable.html", here, table=table, grid=grid(table)).encode()

    def entrant(self, name: str, number: int) -> str:
        """Make the page of a bot in a league."""
        edition = self._almanac.edition(name)
        table = edition.table
        if not 1 <= number <= len(table.league.entries):
            raise Missing(f"there is no entrant {number} in {name}")
        report = entrant_report(self._almanac.store, table, number)
        standing = next((row for row in table.standings.rows if row.entrant == number), None)
        return self._page(
            "entrant.html",
            addresses.entrant(name, number),
            table=table,
            told=report,
            standing=standing,
            half=half_interval,
            advice=ADVICE,
            kinds=Counter(fault["kind"] for fault in report["faults"]).most_common(),
            faults=report["faults"][-_FAULTS_SHOWN:],
            history=charts.own_history(edition.snapshots, number, _WIDTH),
        )

    def pairing(self, name: str, one: int, other: int, page: int = 1) -> str:
        """Make the page of a pairing, or one of several if it has many duels."""
        edition = self._almanac.edition(name)
        table = edition.table
        first, second = self._pair(table, one, other)
        every = edition.numbers.get((first, second), ())
        pages = max(1, ceil(len(every) / DUELS_A_PAGE))
        if not 1 <= page <= pages:
            raise Missing(f"this pairing has {counted(pages, 'page')}, and no page {page}")
        numbers = every[(page - 1) * DUELS_A_PAGE : page * DUELS_A_PAGE]
        span = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        duels = stored_duels(self._almanac.store, name, (first, second), span)
        return self._page(
            "pairing.html",
            addresses.pairing(name, first, second, page),
            table=table,
            first=first,
            second=second,
            cell=table.standings.cells.get((first, second)),
            duels=[*lines(table, duels)],
            page=page,
            pages=pages,
            voids=[void for void in table.voids if void.key[:2] == (first, second)],
        )

    def _pair(self, table: LeagueTable, one: int, other: int) -> tuple[int, int]:
        numbers = range(1, len(table.league.entries) + 1)
        if one == other or one not in numbers or other not in numbers:
            raise Missing(f"there is no pairing {one}-{other} in {table.league.name}")
        return pair_of(one, other)

    def duel(self, name: str, key: DuelKey) -> str:
        """Make the page of a duel: both rooms, and their replay."""
        edition = self._almanac.edition(name)
        table = edition.table
        if key.number not in edition.numbers.get(key[:2], ()):
            raise Missing(f"there is no such duel in {name}, or it is not over yet")
        span = range(key.number, key.number + 1)
        (line,) = lines(table, stored_duels(self._almanac.store, name, key[:2], span))
        one, other = map(shown, line.names)
        told = both_rooms(line.rooms, (one, other))
        here = addresses.duel(name, key)
        data = {
            "cards": f"{addresses.relative(here, 'static/cards')}/",
            "target": table.league.plan.terms.game.rules.target,
            "open": told["open"],
            "closed": told["closed"],
        }
        return self._page(
            "duel.html",
            here,
            table=table,
            line=line,
            told=told,
            tell=hands.told,
            data=embedded(data),
            **_neighbours(key, edition.numbers[key[:2]]),
        )

    def api(self, described: Mapping[str, Any]) -> str:
        """Make the page that tells programs what they may ask, from its OpenAPI description."""
        return self._page("api.html", "api/index.html", described=described)

    def trouble(self, here: str, status: int, heading: str, words: str) -> str:
        """Make the page that says why there is no other."""
        return self._page("trouble.html", here, status=status, heading=heading, words=words)

    def _page(self, template: str, here: str, **told: object) -> str:
        to: Callable[[str], str] = partial(addresses.relative, here)
        return self._templates.get_template(template).render(to=to, here=here, **told)


def _neighbours(key: DuelKey, numbers: Sequence[int]) -> Mapping[str, DuelKey | None]:
    """Return the duels of the pairing before this one and after it, by the numbers of all."""
    before = numbers[: bisect_left(numbers, key.number)]
    after = numbers[bisect_right(numbers, key.number) :]
    return {
        "before": key._replace(number=before[-1]) if before else None,
        "after": key._replace(number=after[0]) if after else None,
    }
