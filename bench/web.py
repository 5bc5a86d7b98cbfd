"""How fast pages are made of a league of 100 bots and 20,000 duels, and how large they are.

The league is written to a store of its own as a run would write it, so that every page can be made:
its duels are played by the rules, with ratings fitted on the way, faults and voids. Each of the
4950 pairings has played 4 duels of 5, and 200 of them the fifth; somebody goes on with it. A second
league, of Whist, is small and has what is longest: pairings that fill their page, and hands of 52
cards.

Pages are asked of the real application, in this process and without a network, as a browser asks:
they may be compressed, and the time that takes is theirs. Their size is that before. Right after
each page an empty one is asked of an application of the same framework that has nothing else, so
that the ratio of the two means something on any machine. Each page is asked once a round, and the
median of the rounds counts, so that what else the machine did at one moment does not. The load
average is printed: where others want the cores all the time, pages take longer, and only the
processor time beside means much.
"""

import argparse
import asyncio
import gzip
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from heapq import nlargest
from itertools import islice
from multiprocessing import get_context
from pathlib import Path, PurePosixPath
from random import Random
from statistics import fmean, median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

from fastapi import FastAPI
from figures import Row, as_json, as_table
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message

from referee.arena.duel import Duel, Timing
from referee.arena.fault import CRASHED, DECISION_TIMEOUT
from referee.arena.limits import Terms
from referee.bots.digest import bundle_digest
from referee.duel_checks import counts
from referee.engine.cards import Action, team
from referee.engine.game import State
from referee.engine.record import MatchRecord, Scoresheet
from referee.engine.registry import preset
from referee.ratings.fitting import fit
from referee.ratings.pairs import count_pairs
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import blocks, visits
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.duels import save_outcomes
from referee.store.leagues import begin_epoch, create_league
from referee.store.leases import Lease, lease
from referee.store.models import (
    Bot,
    Isolation,
    Plan,
    Side,
    Snapshot,
    StoredDuel,
    StoredFault,
    StoredVoid,
)
from referee.store.models import League as StoredLeague
from referee.store.opening import open_store
from referee.store.play import packed
from referee.store.snapshots import save_snapshot
from referee.web.app import create_app
from referee.web.serving import freeze_garbage
from referee.web.site import SitePage, site

if TYPE_CHECKING:
    from referee.ratings.results import Result


class Size(NamedTuple):
    """How large a league is."""

    name: str
    game: str
    entrants: int
    planned: int
    """Duels of each pairing."""
    duels: int
    snapshots: int
    voids: int


LARGE = Size("large", "euchre", 100, 5, 20_000, 60, 150)
SMALL = Size("small", "whist", 4, 200, 1200, 10, 0)
ASKED = 60
"""Different pages of a kind, where there are so many; the others are asked for as often."""
LONGEST = 10
"""Of the duels that are asked for, so many have the longest play of all."""
ROUNDS = 3
CHANGES = 3
TARGET = 0.1
"""Seconds for a page."""
REMADE = 1.0
"""Seconds for the first page after a change."""
LARGEST = 500_000
"""Bytes of a page."""
SEEN = 12
"""So many times as long as a table took to make, a change is certainly seen; see `LeagueCache`."""
DATA = "JSON"
"""Begins what is no page but an answer to programs."""
FAULTY = {7: 0.4, 50: 0.1}
"""How often these are at fault in a duel."""
SLIPS = 0.005
"""How often the others are."""
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
PACE = timedelta(seconds=2)
"""From one duel to the next."""
GUARANTEES = (
    *("bubblewrap", "filter", "own-uid", "namespaces", "privileges", "memory", "processes", "cpu"),
    *("cores", "open-files", "disk", "network", "vsock", "own-proc", "shared-memory", "tempo"),
)
HELD = Isolation(
    True,
    False,
    tuple({"name": each, "level": "enforced", "reason": "", "remedy": ""} for each in GUARANTEES),
)
WORDS = f"Traceback (most recent call last): bot.py, line 88, in choose: {'<Oh & ah> ' * 24}"


# The leagues


class DuelsToPlay(NamedTuple):
    """Duels to play."""

    league: StoredLeague
    keys: Sequence[DuelKey]


class Written(NamedTuple):
    """A league that is in the store."""

    size: Size
    keys: Sequence[DuelKey]
    longest: Sequence[DuelKey]


class WrittenLeagues(NamedTuple):
    """Both leagues, and that we go on with the large one."""

    store: Store
    hold: Lease
    large: Written
    small: Written


@contextmanager
def written() -> Iterator[WrittenLeagues]:
    """Write both leagues to a store of their own."""
    with TemporaryDirectory() as directory, open_store(f"{directory}/s.db", create=True) as store:
        digests = [_kept(store, Path(directory, "bot"), each + 1) for each in range(LARGE.entrants)]
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            leagues = [_write(store, digests, size, pool) for size in (SMALL, LARGE)]
        _tell("")
        with lease(store, LARGE.name) as held:
            small, large = leagues
            yield WrittenLeagues(store, held, large, small)


def _kept(store: Store, bundle: Path, number: int) -> str:
    """Keep a bot; the names of some are as long as they may be, and two versions share a name."""
    words = "counts-every-trump-and-forgets-it" if number % 3 == 0 else "bot"
    name, version = f"{words}-{number - (number % 10 == 0)}", f"2026.5.{number}"
    bundle.mkdir(exist_ok=True)
    (bundle / "bot.py").write_text(f"# {name} {version}\n")
    digest = bundle_digest(bundle)
    author, language = f"Somebody from Team {number % 30}", ("python", "rust", "c++")[number % 3]
    bot = Bot(digest, name, version, author, language, ("euchre", "whist"), "", NOW)
    add_bot(store, bot, bundle)
    return digest


def _write(store: Store, digests: Sequence[str], size: Size, pool: ProcessPoolExecutor) -> Written:
    """Write a league, in the order in which a run plays it."""
    plan = Plan(Terms(preset(size.game).game()), size.planned, 1)
    create_league(store, size.name, plan, digests[: size.entrants], NOW)
    numbers = range(1, size.entrants + 1)
    rounds = blocks(numbers, visits(size.planned, 1))
    keys = list(islice((key for block in rounds for key in block.keys), size.duels))
    steps = -(-len(keys) // size.snapshots)
    parts = [keys[begin : begin + steps] for begin in range(0, len(keys), steps)]
    results: list[Result] = []
    lengths: dict[DuelKey, int] = {}
    with lease(store, size.name) as held:
        league = begin_epoch(store, held, bytes(32), seed_given=False, now=NOW)
        for key in Random(1).sample(keys, size.voids):
            void = StoredVoid(key, "the referee was late by 0.31 s, on its own", NOW)
            save_outcomes(store, held, [void], HELD)
        for duels in pool.map(play, [DuelsToPlay(league, part) for part in parts]):
            for each in duels:
                duel = each._replace(finished=NOW + PACE * len(results))
                assert save_outcomes(store, held, [duel], HELD)
                results.append(duel.result)
                lengths[duel.key] = len(duel.play)
            rated = fit(numbers, count_pairs(results)).ratings
            now, told = NOW + PACE * len(results), {each: (*rated[each],) for each in numbers}
            save_snapshot(store, held, Snapshot(now, len(results), told))
            _tell(f"{size.name}: {len(results)} of {len(keys)} duels written")
    return Written(size, keys, nlargest(LONGEST, keys, key=lengths.__getitem__))


def play(job: DuelsToPlay) -> list[StoredDuel]:
    """Play duels as they come out of a run."""
    return [_duel(job.league, key) for key in job.keys]


def _duel(league: StoredLeague, key: DuelKey) -> StoredDuel:
    random = Random(f"{key}")
    dealer = league.plan.terms.game.first_dealer(key.number)
    duel = Duel(key.number, league.dealt(key), dealer)
    at_fault = [each if random.random() < FAULTY.get(each, SLIPS) else 0 for each in key[:2]]
    first, second = key[:2]
    rooms = (
        _match(league, duel, (first, second), at_fault[0], random),
        _match(league, duel, (second, first), at_fault[1], random),
    )
    return StoredDuel(
        key,
        packed(rooms),
        *counts(rooms),
        (_side(rooms, 0, random), _side(rooms, 1, random)),
        tuple(_faults(rooms, at_fault, random)),
        NOW,
    )


def _match(
    league: StoredLeague, duel: Duel, seated: tuple[int, int], at_fault: int, random: Random
) -> MatchRecord:
    """Play a match; who is at fault forfeits the second hand."""
    sheet = Scoresheet(league.plan.terms.game, duel.first_dealer, duel.dealt)
    while (actor := sheet.state.actor) is not None:
        own = seated[team(actor)]
        if own == at_fault and sheet.match.hand == 1:
            return sheet.record(forfeited_by=actor)
        sheet.play(_choice(sheet.state, own * 37 % 100 / 200, random))
    return sheet.record()


def _choice(state: State, skill: float, random: Random) -> Action:
    """Choose by a simple rule as often as somebody is skilled, and else by chance."""
    return max(state.legal, key=_worth) if random.random() < skill else random.choice(state.legal)


@cache
def _worth(action: Action) -> int:
    """Pass, play the highest card and lay the lowest away."""
    verb, _, what = action.partition(":")
    rank = "23456789TJQKA".find(what[:1])
    return {"play": rank, "discard": -rank, "pass": 1}.get(verb, 0)


def _side(rooms: tuple[MatchRecord, MatchRecord], entrant: int, random: Random) -> Side:
    tallies: Counter[str] = Counter()
    for room, record in enumerate(rooms):
        for hand in record.hands:
            tallies.update(record.game.tally(hand)[entrant ^ room])
    room = random.randrange(2)
    seat, trick = (entrant ^ room) + 2 * random.randrange(2), random.randrange(1, 6)
    return Side(tallies, Timing(random.expovariate(200), room, 0, seat, f"trick {trick}"))


def _faults(
    rooms: tuple[MatchRecord, MatchRecord], at_fault: Sequence[int], random: Random
) -> Iterator[StoredFault]:
    for room, (record, entrant) in enumerate(zip(rooms, at_fault, strict=True)):
        if record.forfeit:
            kind, hand = random.choice((CRASHED, DECISION_TIMEOUT)), len(record.hands)
            seat, bundle = record.forfeit.seat, random.randbytes(2000)
            yield StoredFault(kind, entrant, seat, room, hand, WORDS, True, bundle)


# The pages


class Answer(NamedTuple):
    """What came back, and after how many seconds."""

    seconds: float
    cpu: float
    """Processor time in it."""
    size: int
    sent: int
    """How many bytes there were, compressed."""


class PageCost(NamedTuple):
    """A page that was asked once a round."""

    seconds: float
    cpu: float
    slowest: float
    ratio: float
    """To an empty page, asked right after it."""
    size: int
    sent: int


class Figures(NamedTuple):
    """All that was measured."""

    found: Mapping[str, Sequence[PageCost]]
    """For each kind of page."""
    empty: float
    remade: float
    """Seconds for the first page after a change."""
    site: Mapping[str, tuple[int, float]]
    """How many pages are in a directory of a site, and processor time of one of them."""


def pages(large: Written, small: Written) -> dict[str, list[str]]:
    """Return the addresses of each kind of page, and of each kind of answer to programs."""
    random = Random(2)
    numbers = [*random.sample(range(1, LARGE.entrants + 1), ASKED - len(FAULTY)), *FAULTY]
    pairs = [f"{key.first}-{key.second}" for key in random.sample(large.keys, ASKED)]
    duels = [*large.longest, *random.sample(large.keys, ASKED - LONGEST)]
    full = sorted({f"{key.first}-{key.second}" for key in small.keys})
    whist = [*small.longest, *random.sample(small.keys, ASKED - LONGEST)]
    at, whist_at = f"/leagues/{LARGE.name}", f"/leagues/{SMALL.name}"
    api, whist_api = f"/api/v1{at}", f"/api/v1{whist_at}"
    named = {
        "home": ["/"],
        "league": [f"{at}/"],
        "crosstable": [f"{at}/pairings/"],
        "fairness": [f"{at}/fairness.html"],
        "entrant": [f"{at}/entrants/{number}.html" for number in numbers],
        "pairing": [f"{at}/pairings/{pair}.html" for pair in pairs],
        "pairing of 50 duels": [f"{whist_at}/pairings/{pair}.html" for pair in full],
        "duel": [f"{at}/duels/{one}-{other}-{number + 1}.html" for one, other, number in duels],
        "duel of whist": [
            f"{whist_at}/duels/{one}-{other}-{number + 1}.html" for one, other, number in whist
        ],
        "api": ["/api/"],
        "JSON of the leagues": ["/api/v1/leagues"],
        "JSON of a league": [api],
        "JSON of a history": [f"{api}/history"],
        "JSON of a crosstable": [f"{api}/crosstable"],
        "JSON of an entrant": [f"{api}/entrants/{number}" for number in numbers],
        "JSON of a pairing": [f"{api}/pairings/{pair}/duels" for pair in pairs],
        "JSON of 200 duels": [f"{whist_api}/pairings/{pair}/duels?most=200" for pair in full],
        "JSON of a duel": [
            f"{api}/pairings/{one}-{other}/duels/{number + 1}" for one, other, number in duels
        ],
    }
    # Of a kind that has few pages, each is asked more often.
    return {kind: addresses * (ASKED // len(addresses)) for kind, addresses in named.items()}


def empty() -> FastAPI:
    """Make an application that does nothing."""
    app = FastAPI()

    @app.get("/")
    def page() -> HTMLResponse:
        return HTMLResponse("")

    return app


async def ask(app: ASGIApp, address: str) -> Answer:
    """Ask for a page as a browser does, when nobody else asks."""
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), (b"accept-encoding", b"gzip, deflate, br")],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }
    began, used = perf_counter(), process_time()
    await app(scope, receive, send)
    seconds, cpu = perf_counter() - began, process_time() - used
    start, *rest = messages
    assert start["status"] == 200, (address, start)
    sent = b"".join(message["body"] for message in rest)
    compressed = (b"content-encoding", b"gzip") in start["headers"]
    return Answer(seconds, cpu, len(gzip.decompress(sent) if compressed else sent), len(sent))


async def ask_all(
    app: ASGIApp, wanted: Mapping[str, Sequence[str]]
) -> tuple[dict[str, list[PageCost]], float]:
    """Ask for all pages, and for an empty one after each; give what is found, and the latter."""
    nothing = empty()
    for addresses in wanted.values():
        await ask(app, addresses[0])  # to warm up
        await ask(nothing, "/")
    asked: list[list[tuple[Answer, float]]] = []
    for number in range(ROUNDS):
        asked.append(
            [
                (await ask(app, address), (await ask(nothing, "/")).seconds)
                for addresses in wanted.values()
                for address in addresses
            ]
        )
        _tell(f"round {number + 1} of {ROUNDS} asked, load {os.getloadavg()[0]:.1f}")
    _tell("")
    each = map(_found, zip(*asked, strict=True))
    found = {kind: list(islice(each, len(addresses))) for kind, addresses in wanted.items()}
    return found, median(seconds for answers in asked for _, seconds in answers)


def _found(rounds: Sequence[tuple[Answer, float]]) -> PageCost:
    answers = [answer for answer, _ in rounds]
    return PageCost(
        median(answer.seconds for answer in answers),
        median(answer.cpu for answer in answers),
        max(answer.seconds for answer in answers),
        median(answer.seconds / nothing for answer, nothing in rounds),
        answers[0].size,
        answers[0].sent,
    )


async def ask_after_changes(app: ASGIApp, leagues: WrittenLeagues) -> float:
    """Ask for a league's page when something has changed, which it then shows."""
    taken = []
    address, seconds = f"/leagues/{LARGE.name}/", REMADE
    for key in leagues.large.keys[:CHANGES]:
        void = StoredVoid(key, "a cable was loose", NOW)
        save_outcomes(leagues.store, leagues.hold, [void], HELD)
        await asyncio.sleep(SEEN * seconds)
        seconds = (await ask(app, address)).seconds
        taken.append(seconds)
    return median(taken)


def export(store: Store) -> dict[str, tuple[int, float]]:
    """Make some of each kind of page of a site."""
    kinds: dict[str, list[SitePage]] = {}
    for page in site(store, LARGE.name).pages:
        kinds.setdefault(PurePosixPath(page.address).parent.name or "home", []).append(page)
    random = Random(3)
    return {
        kind: (len(every), fmean(map(_seconds, random.sample(every, min(ASKED, len(every))))))
        for kind, every in kinds.items()
    }


def _seconds(page: SitePage) -> float:
    used = process_time()
    page.render()
    return process_time() - used


async def _asked(leagues: WrittenLeagues) -> tuple[dict[str, list[PageCost]], float, float]:
    app = create_app(leagues.store)
    freeze_garbage()
    found, nothing = await ask_all(app, pages(leagues.large, leagues.small))
    return found, nothing, await ask_after_changes(app, leagues)


def measure() -> Figures:
    """Write the leagues, and ask for everything."""
    with written() as leagues:
        return Figures(*asyncio.run(_asked(leagues)), export(leagues.store))


# The figures


def rows(figures: Figures) -> Iterator[Row]:
    """Return what has a bound, and the ratios that are only told."""
    for kind, found in figures.found.items():
        yield Row(
            f"95 % of {kind}, of 100 ms",
            _most(page.seconds for page in found) / TARGET,
            "at_most",
            1.0,
        )
    yield Row("first page after a change, of 1 s", figures.remade / REMADE, "at_most", 1.0)
    for kind, found in figures.found.items():
        largest = max(page.size for page in found) / LARGEST
        if kind.startswith(DATA):
            yield Row(f"largest {kind}, of 500 kB", largest)
        else:
            yield Row(f"largest {kind}, of 500 kB", largest, "at_most", 1.0)
    for kind, found in figures.found.items():
        yield Row(f"{kind} against an empty page", median(page.ratio for page in found))


def _most(figures: Iterable[float]) -> float:
    return quantiles(figures, n=20, method="inclusive")[-1]


def plain(figures: Figures) -> Iterator[str]:
    """Yield the figures as lines of text, in milliseconds and kilobytes."""
    yield f"{'':20}  median   95 %  of the processor  slowest  of empty  largest  compressed"
    for kind, found in figures.found.items():
        times = (
            median(page.seconds for page in found),
            _most(page.seconds for page in found),
            _most(page.cpu for page in found),
            max(page.slowest for page in found),
        )
        middle, most, cpu, slowest = (seconds * 1000 for seconds in times)
        ratio = median(page.ratio for page in found)
        size, sent = max((page.size / 1000, page.sent / 1000) for page in found)
        yield (
            f"{kind:20}  {middle:6.1f} {most:6.1f} {cpu:17.1f}   {slowest:6.1f}  {ratio:8.1f}  "
            f"{size:7.1f}  {sent:10.1f}"
        )
    yield f"{'empty':20}  {figures.empty * 1000:6.1f}"
    yield f"first page after a change: {figures.remade * 1000:.0f} ms"
    for kind, (count, seconds) in figures.site.items():
        yield f"pages of a site in {kind}: {count}, {seconds * 1000:.1f} ms each"
    whole = sum(count * seconds for count, seconds in figures.site.values())
    yield f"pages of a site: {sum(count for count, _ in figures.site.values())}, {whole:.0f} s"


def _tell(words: str) -> None:
    """Show how far it is, in place of what was shown before."""
    print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure how fast pages are made.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    figures = measure()
    print("\n".join(plain(figures)), file=sys.stderr)
    told = list(rows(figures))
    print(as_json(told) if wanted.json else as_table(told))
    return 0 if all(row.ok for row in told) else 1


if __name__ == "__main__":
    sys.exit(main())
