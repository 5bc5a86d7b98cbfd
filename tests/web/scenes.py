"""Stores with a league of every kind, and ways to read every page of them."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx2 as httpx
from sqlalchemy import update
from starlette.testclient import TestClient

from referee.arena.limits import Terms
from referee.cli.duel_logs import log_file, write_logs
from referee.league.table import league_table
from referee.scheduling.keys import DuelKey
from referee.store.bots import find_bot
from referee.store.database import Store, writing
from referee.store.duels import rooms
from referee.store.leagues import create_league, league, set_state, withdraw
from referee.store.leases import lease
from referee.store.models import Plan, Snapshot
from referee.store.opening import open_store
from referee.store.rows import FAULT
from referee.store.snapshots import save_snapshot
from referee.web.app import create_app
from tests.cli.leagues import NOW, bots, write_league
from tests.table import euchre

_Result = TypeVar("_Result")
EVIDENCE: Final = b"WHAT-THE-BOT-WROTE"
"""Stands in the bundle of every fault."""


class League(NamedTuple):
    """What a league that is written has; the same in every store here."""

    name: str
    entrants: int
    duels: int


CLUB: Final = League("club", 3, 4)
"""Is open and goes on."""
NEW: Final = League("new", 2, 0)
"""Is open, and nothing is played."""
EMPTY: Final = League("empty", 0, 0)
"""Has nobody in it."""
LOGGED: Final = "<b>seven trumps</b>"
"""What a bot logged."""
LOGGED_DUEL: Final = "leagues/club/duels/1-2-2.html"
"""The address of the duel in which it did."""
NORTH_SOUTH: Final = (0, 2)
CUP: Final = League("cup", 3, 2)
"""Is complete."""


def write_open(place: Path) -> None:
    """Write the leagues that are open; in the one that goes on there is something of everything."""
    write_league(
        place,
        bots(("ada", "bert", "carl")),
        name=CLUB.name,
        duels=6,
        played=CLUB.duels,
        faulty={2},
        voids=[DuelKey(1, 2, 4)],
    )
    with open_store(str(place)) as store:
        with writing(store) as connection:
            connection.execute(update(FAULT).values(bundle=EVIDENCE))
        with lease(store, CLUB.name) as ours:
            for duels, lead in ((4, 1.0), (8, -1.0), (12, 2.0)):
                ratings = {1: (25 + lead, 1.0), 2: (25 - lead, 1.0), 3: (25.0, 1.0)}
                save_snapshot(store, ours, Snapshot(NOW, duels, ratings))
        plan = Plan(Terms(euchre()), 4, 128)
        create_league(
            store, NEW.name, plan, [_digest(store, each) for each in ("ada", "carl")], NOW
        )
        create_league(store, EMPTY.name, plan, [], NOW)


def _digest(store: Store, name: str) -> str:
    return find_bot(store, name).digest


def write_over(place: Path) -> None:
    """Write a league that is complete, which one entrant has left."""
    write_league(place, bots(("ada", "bert", "carl")), name=CUP.name, duels=CUP.duels)
    with open_store(str(place)) as store:
        withdraw(store, CUP.name, 3, NOW)
        with lease(store, CUP.name) as ours:
            set_state(store, ours, "complete")


def copied(place: Path, directory: Path) -> Path:
    """Copy a store that is written to."""
    shutil.copytree(place.parent, directory, dirs_exist_ok=True)
    return directory / place.name


def write_logged(place: Path) -> None:
    """Write a league with the logs of its duels, in which A said one thing in the open room."""
    write_league(place, duels=2)
    logs = place.parent / "logs"
    (logs / "output").mkdir(parents=True)
    with open_store(str(place)) as store:
        write_logs(logs, store, league_table(store, "club"))
    move, seat = logged_move(place)
    said = f"[duel 2, open room, hand 1, move {move}, turn 9] {LOGGED}\n"
    log_file(logs, "ada", seat).write_text(said)


def logged_move(place: Path) -> tuple[int, str]:
    """Return the first move of A in that hand, from 1, and in which seat it was made."""
    with open_store(str(place)) as store:
        found = league(store, "club")
        record = rooms(store, found, DuelKey(1, 2, 1))[0]
    numbered = enumerate(record.hands[0].actions, start=1)
    return next(
        (move, record.game.seat_names[seat]) for move, (seat, _) in numbered if seat in NORTH_SOUTH
    )


@contextmanager
def served(place: Path, *hosts: str) -> Iterator[TestClient]:
    """Serve a store to a client that gets every answer, also that to what went wrong."""
    with open_store(str(place)) as store, client(store, *hosts) as asks:
        yield asks


@contextmanager
def client(store: Store, *hosts: str) -> Iterator[TestClient]:
    """Serve an open store."""
    app = create_app(store, hosts or ("*",))
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as asks:
        yield asks


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        for name, value in attrs:
            if name in {"href", "src", "hx-get"} and value is not None:
                self.links.append(value)
            if name == "id" and value is not None:
                self.ids.append(value)


_read = lru_cache(maxsize=256)(_Links)


def links(page: str) -> list[str]:
    """Return all that a page links to or loads."""
    return _read(page).links


def all_ids(page: str) -> list[str]:
    """Return the ids in a page, each as often as it is there."""
    return _read(page).ids


def ids(page: str) -> set[str]:
    """Return the ids in a page."""
    return {*all_ids(page)}


Answers = Mapping[str, httpx.Response]
Headers = httpx.Headers


def crawled(asks: TestClient, start: str = "/") -> Answers:
    """Read a page and all that is to be reached from it."""
    answers: dict[str, httpx.Response] = {}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here in answers:
            continue
        answers[here] = answer = asks.get(here)
        if is_page(answer):
            found = (urldefrag(urljoin(here, link)).url for link in links(answer.text))
            waiting += [each for each in found if not urlsplit(each).netloc]
    return answers


def is_page(answer: httpx.Response) -> bool:
    return answer.headers.get("content-type", "").startswith("text/html")


def data(page: str) -> Any:  # noqa: ANN401 (as it comes)
    """Read what the page of a duel has for its replay."""
    found = re.search(
        '<script type="application/json" id="duel-data">(.*?)</script>', page, re.DOTALL
    )
    assert found
    return json.loads(found[1])


def in_threads(call: Callable[[], _Result]) -> list[_Result]:
    """Call a function in eight threads at once."""
    start, found = Barrier(8), list[_Result]()

    def run() -> None:
        start.wait()
        found.append(call())

    threads = [Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    return found
