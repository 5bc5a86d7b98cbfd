"""A host under load: authors hand in while readers look on and a ladder plays.

`upcard host` is started on a store of its own, with a ladder of house bots that play without a
pause. First they are left alone, for as long as the load is to last. Then a newcomer is handed in,
and it is measured how long it takes until it is examined and has caught up with the others. Then
come the authors, each of whom hands a bot in at a moment of its own, and the readers, each of whom
looks at a page, waits, and looks at another. What is measured is how long a page takes, what became
of every submission, and how much slower the ladder was.

Authors and readers are on the same machine as the host, and take their time from the same cores.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import chain
from pathlib import Path
from random import Random
from shutil import copytree
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final, NamedTuple

import httpx2
from figures import Row, as_json, as_table

from referee.arena.limits import Terms
from referee.bots.archives import ArchiveLimits
from referee.bots.digest import bundle_digest
from referee.bots.packing import pack
from referee.engine.registry import preset
from referee.hosting.credentials import TOKEN, new_credential
from referee.hosting.ladder_history import LadderHistory
from referee.store.accounts import add_account, add_token
from referee.store.bots import add_bot
from referee.store.database import Store, writing
from referee.store.duels import finished
from referee.store.hosting_models import By, Ladder, LadderPlan, NewAccount, NewToken
from referee.store.jobs import queue
from referee.store.ladders import create_ladder, enter_ladder, ladder_entrants, ladder_epochs
from referee.store.models import Bot
from referee.store.opening import open_store
from referee.store.sources import source_file
from referee.store.submissions import IN_FLIGHT, submissions

EXAMPLE: Final = Path(__file__).parents[1] / "examples_bots" / "random"
HOUSE: Final = 20
CATCH_UP: Final = 12
PLAN: Final = LadderPlan(
    Terms(preset("euchre").game()), 4, timedelta(days=1), timedelta(0), catch_up=CATCH_UP
)
PAUSE: Final = 20.0
"""Seconds from one page of a reader to the next, on average."""
PATIENCE: Final = 3600.0
"""Seconds; only what hangs takes as long."""
PAGES: Final = (
    *("/", "/ladders/", *["/ladders/bench/"] * 4, "/leagues/bench-1/"),
    *(f"/ladders/bench/entrants/{number}" for number in range(1, HOUSE + 1, 4)),
)
"""What readers look at, each as often as it is here."""
SUBMIT: Final = "/api/v1/submissions"
PAGE: Final = 0.2
"""Seconds a page may take."""
NEWCOMER: Final = 1800.0
"""Seconds until a newcomer has a place."""
SLOWER: Final = 0.8


class Submitter(NamedTuple):
    """Who hands in, and what."""

    login: str
    token: str
    archive: bytes


class Load(NamedTuple):
    """What came of the load."""

    pages: dict[str, list[float]]
    """Seconds of each, by its address."""
    wrong: list[str]
    """Answers that were none."""
    told: dict[str, int]
    """The id of each author's submission."""


# The host


def example(place: Path, name: str) -> Path:
    """Write the example bot under another name."""
    copytree(EXAMPLE, place / name)
    manifest = place / name / "bot.toml"
    told = manifest.read_text().replace('name = "random"', f'name = "{name}"')
    manifest.write_text(told.replace("demo = true\n", ""))
    return place / name


def set_up(store: Store, place: Path) -> Ladder:
    """Make a ladder with its house bots."""
    now = datetime.now(UTC)
    ladder = create_ladder(store, "bench", PLAN, By(None, now))
    for number in range(1, HOUSE + 1):
        bundle = example(place, f"house-{number}")
        told = (bundle / "bot.toml").read_text()
        bot = Bot(
            *(bundle_digest(bundle), bundle.name, "1", "us", "python"),
            *(("euchre",), told, now),
        )
        add_bot(store, bot, bundle)
        with writing(store) as connection:
            enter_ladder(connection, ladder, bot, None, now)
    return ladder


def author(store: Store, place: Path, login: str) -> Submitter:
    """Make an account, its token and its bot."""
    now, drawn, out = datetime.now(UTC), new_credential(TOKEN), BytesIO()
    account = add_account(store, NewAccount(login, login.title()), By(None, now))
    until = now + timedelta(days=1)
    add_token(store, account, NewToken("bench", drawn.digest, ("read", "submit"), until), now)
    pack(example(place, login), out, ArchiveLimits())
    return Submitter(login, drawn.secret, out.getvalue())


@contextmanager
def hosted(db: Path, jobs: int | None) -> Iterator[str]:
    """Start a host, and return its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("upcard")), "host"]
    command += ["--db", str(db), "--port", str(port), *(["--jobs", str(jobs)] if jobs else [])]
    # In a session of its own, as a service is.
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


# What is measured


def speed(store: Store, ladder: Ladder, since: datetime, until: datetime) -> float:
    """Return how many duels a second a ladder has played in some time."""
    epochs = ladder_epochs(store, ladder)
    duels = sum(since <= at < until for each in epochs for at in finished(store, each.league))
    return duels / (until - since).total_seconds()


def alone(store: Store, ladder: Ladder, seconds: float) -> float:
    """Return the speed of an undisturbed ladder, from its second round on."""
    while max(_rounds(store, ladder, 1), default=0) < 1:
        sleep(1)
    began = datetime.now(UTC)
    sleep(seconds)
    return speed(store, ladder, began, datetime.now(UTC))


def _rounds(store: Store, ladder: Ladder, number: int) -> list[int]:
    """Return how many rounds an entrant has played to their ends."""
    play = LadderHistory(store).play(ladder)
    row = next((row for row in play.standings().rows if row.entrant == number), None)
    return [row.duels // PLAN.round_duels] if row else []


def newcomer(store: Store, ladder: Ladder, url: str, who: Submitter) -> tuple[float, float]:
    """Hand a bot in; return the seconds until it plays, and until it has caught up."""
    began, plays = monotonic(), 0.0
    _hand_in(url, who)
    while monotonic() < began + PATIENCE:
        entrants = [each for each in ladder_entrants(store, ladder) if each.account is not None]
        if entrants and not plays:
            plays = monotonic() - began
        if entrants and max(_rounds(store, ladder, entrants[0].number), default=0) >= CATCH_UP:
            return plays, monotonic() - began
        sleep(1)
    raise TimeoutError("the newcomer has not caught up")


def _hand_in(url: str, who: Submitter) -> int:
    answer = httpx2.post(url + SUBMIT, content=who.archive, headers=_headers(who))
    answer.raise_for_status()
    return int(answer.json()["id"])


def _headers(who: Submitter) -> dict[str, str]:
    return {"Authorization": f"Bearer {who.token}", "Content-Type": "application/octet-stream"}


async def load(url: str, authors: Sequence[Submitter], readers: int, seconds: float) -> Load:
    """Simulate authors who hand in, and readers, for some time."""
    came = Load({page: [] for page in PAGES}, [], {})
    until, random = monotonic() + seconds, Random(1)
    # The server closes what was idle for 5 seconds; browsers ask again where they meet that.
    unlimited = httpx2.Limits(
        max_connections=None, max_keepalive_connections=None, keepalive_expiry=3.0
    )
    async with httpx2.AsyncClient(base_url=url, timeout=60.0, limits=unlimited) as client:

        async def hands_in(who: Submitter, wait: float) -> None:
            await asyncio.sleep(wait)
            try:
                answer = await client.post(SUBMIT, content=who.archive, headers=_headers(who))
                answer.raise_for_status()
                came.told[who.login] = answer.json()["id"]
            except httpx2.HTTPError as error:
                came.wrong.append(f"{who.login}: {error!r}")

        async def reads() -> None:
            await asyncio.sleep(random.uniform(0, PAUSE))
            while monotonic() < until:
                began, page = monotonic(), random.choice(PAGES)
                try:
                    answer = await client.get(page)
                    answer.raise_for_status()
                    came.pages[page].append(monotonic() - began)
                except httpx2.HTTPError as error:
                    came.wrong.append(repr(error))
                await asyncio.sleep(random.uniform(0, 2 * PAUSE))

        await asyncio.gather(
            *(hands_in(each, random.uniform(0, seconds)) for each in authors),
            *(reads() for _ in range(readers)),
        )
    return came


def lost(store: Store, came: Load, authors: Sequence[Submitter]) -> int:
    """Return how many submissions are not there, or wait for nothing."""
    waiting = {job.subject for job in queue(store) if job.kind == "examine"}
    kept = {
        each.id
        for each in submissions(store, most=10**6)
        if source_file(store.files, each.source).is_file()
        and (each.id in waiting or each.state not in IN_FLIGHT)
    }
    return sum(came.told.get(each.login) not in kept for each in authors)


def measure(authors: int, readers: int, minutes: float, jobs: int | None) -> list[Row]:
    """Measure all of it."""
    with (
        TemporaryDirectory() as directory,
        open_store(f"{directory}/upcard.db", create=True) as store,
    ):
        place = Path(directory)
        ladder = set_up(store, place)
        first, *people = (author(store, place, f"author-{n}") for n in range(authors + 1))
        with hosted(place / "upcard.db", jobs) as url:
            before = alone(store, ladder, 60 * minutes)
            _tell(f"{before:.2f} duels a second alone")
            plays, caught_up = newcomer(store, ladder, url, first)
            _tell(f"a newcomer plays after {plays:.0f} s, and has caught up after {caught_up:.0f}")
            began = datetime.now(UTC)
            came = asyncio.run(load(url, people, readers, 60 * minutes))
            after = speed(store, ladder, began, datetime.now(UTC))
            _tell(f"{after:.2f} duels a second under load")
            gone = lost(store, came, people)
        _tell(*came.wrong[:5], f"load average: {os.getloadavg()[0]:.1f}")
    for page, took in came.pages.items():
        if took:
            _tell(
                f"{page}: {len(took)} times, median {median(took):.3f} s, at most {max(took):.3f}"
            )
    slowest = quantiles(chain.from_iterable(came.pages.values()), n=20)[-1]
    _tell(f"95 % of all pages within {slowest:.3f} s")
    return [
        Row("95th percentile of a page, against 200 ms", slowest / PAGE, "at_most", 1.0),
        Row("answers that were none", len(came.wrong), "at_most", 0.0),
        Row("submissions lost", gone, "at_most", 0.0),
        Row("duels a second under load, against without", after / before, "at_least", SLOWER),
        Row("time of a newcomer, against 30 minutes", caught_up / NEWCOMER, "at_most", 1.0),
    ]


def _tell(*lines: str) -> None:
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure a host under load.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--authors", type=int, default=200, help="who hand in (default: 200)")
    parser.add_argument("--readers", type=int, default=500, help="who look on (default: 500)")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the load (default: 10)")
    parser.add_argument("--jobs", type=int, help="workers of the host")
    asked = parser.parse_args()
    rows = measure(asked.authors, asked.readers, asked.minutes, asked.jobs)
    print(as_json(rows) if asked.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
