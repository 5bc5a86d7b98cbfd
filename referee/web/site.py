"""Writes the pages of a league to a directory, to open from disk or put on any web server."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from referee.engine.recycle import Recycle
from referee.errors import ConfigError
from referee.files.copying import copy_tree
from referee.files.writing import whole_directory
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import pairings
from referee.store.database import Store
from referee.web import addresses
from referee.web.league_cache import LeagueCache
from referee.web.pages import DUELS_A_PAGE, Pages

STATIC: Final = Path(__file__).with_name("static")
_SERVED_ONLY: Final = {"htmx", "live.js"}
"""Static files that only served pages need."""
_MARKER: Final = ".upcard-site"
"""The file that marks a site, which may be replaced."""


class SitePage(NamedTuple):
    """A page that is not rendered yet."""

    address: str
    render: Callable[[], str]


class Site(NamedTuple):
    """The pages of a league."""

    total: int
    """How many pages there are."""
    pages: Iterable[SitePage]


def site(store: Store, league: str) -> Site:
    """Return the pages of a league as it is now."""
    cache = LeagueCache(store, once=True)
    table = cache.edition(league).table
    numbers = [entry.number for entry in table.league.entries]
    duels = [DuelKey(*result[:3]) for result in table.results]
    lengths = Counter(dict.fromkeys(pairings(numbers), 0))
    lengths.update(key[:2] for key in duels)
    parts = [
        (one, other, page)
        for (one, other), count in lengths.items()
        for page in range(1, max(1, -(-count // DUELS_A_PAGE)) + 1)
    ]
    renderer = Pages(cache, exported=(league,))
    files = []
    if isinstance(table.league.plan.terms.game, Recycle):
        files.append(SitePage(addresses.program(league), partial(renderer.program, league)))
    if renderer.has_graph(league):
        files.append(SitePage(addresses.graph(league), partial(renderer.graph, league)))
    pages = chain(files, _pages(renderer, league, numbers, parts, duels))
    return Site(5 + len(files) + len(numbers) + len(parts) + len(duels), pages)


def _pages(
    pages: Pages,
    name: str,
    numbers: Iterable[int],
    parts: Iterable[tuple[int, int, int]],
    duels: Iterable[DuelKey],
) -> Iterator[SitePage]:
    yield SitePage(addresses.HOME, pages.home)
    yield SitePage(addresses.league(name), partial(pages.league, name))
    yield SitePage(addresses.fairness(name), partial(pages.fairness, name))
    yield SitePage(addresses.game(name), partial(pages.game, name))
    yield SitePage(addresses.crosstable(name), partial(pages.crosstable, name))
    for number in numbers:
        yield SitePage(addresses.entrant(name, number), partial(pages.entrant, name, number))
    for one, other, page in parts:
        address = addresses.pairing(name, one, other, page)
        yield SitePage(address, partial(pages.pairing, name, one, other, page))
    for key in duels:
        yield SitePage(addresses.duel(name, key), partial(pages.duel, name, key))


def write(directory: Path, pages: Iterable[SitePage]) -> None:
    """Write a site to a directory that is new, empty or an earlier site; it appears all at once.

    Raises:
        ConfigError: there is something else.
        FileError: it cannot be written.
    """
    with whole_directory(directory, _refuse_other) as part:
        copy_tree(STATIC, part / "static", lambda path: path.name in _SERVED_ONLY)
        (part / _MARKER).touch()
        for page in pages:
            path = part / page.address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page.render(), encoding="utf-8")


def _refuse_other(directory: Path) -> None:
    if not (directory / _MARKER).is_file():
        raise ConfigError(
            f"{directory} is not empty and not a site; name a new directory, or empty this one"
        )
