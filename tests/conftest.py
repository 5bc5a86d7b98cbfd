"""What holds for every test: which are quick, in which order they run, and how many at a time."""

import gc
import os
import signal
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from typing import Final, TypeVar

import pytest
from hypothesis import settings

# As the command does, before numpy is loaded: more threads of its algebra mostly wait, and busily.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from referee import beacon
from referee.store.opening import open_store
from tests.copies import shared_copies
from tests.examining import EXAMINED, share_examinations
from tests.remembering import remembering
from tests.sharing import shared

HERE: Final = Path(__file__).parent
MEMORY: Final = Path("/dev/shm")  # noqa: S108
"""A file system in memory."""
NOT_QUICK: Final = (
    # They play in sandboxes, or start bots or commands.
    *("cli/test_app.py", "cli/test_bots.py", "cli/test_check.py", "cli/test_demo.py"),
    *("cli/test_doctor.py", "cli/test_duel.py", "cli/test_fault.py", "cli/test_serve.py"),
    *("cli/test_deals_again.py", "cli/test_debugging.py"),
    *("cli/test_compare.py", "cli/test_try.py", "hostile", "launcher", "examination"),
    *("league/test_any_way.py", "league/test_channel.py", "league/test_running.py"),
    "rpc/test_sessions.py",
    *("sandbox", "soak", "test_readme.py"),
    # They build bots, or need another language.
    *("bots/test_building.py", "bots/test_build_environment.py", "bots/test_packages.py", "sdk"),
    # They connect to a scheduler.
    *("cluster/test_certificates.py", "cluster/test_engine.py"),
    # They start a browser, a database server, or processes to be killed.
    *("e2e", "store/test_kills.py", "web/test_postgres.py"),
    # They simulate much, read files of 64 MB or damaged ones, or check many signatures.
    *("examples_bots/test_steady.py", "ratings/test_calibration.py", "cli/test_memory.py"),
    *("publication/test_verification_strangers.py", "test_beacon.py"),
    *("cli/test_damaged_store.py", "league/test_importing.py"),
    # They go through many pages, learn, or play and copy all kinds of leagues for a few tests each.
    *("gym/test_learning.py", "league/test_rounds.py", "store/test_copies.py"),
    *("web/test_described.py", "web/test_sides.py", "web/test_strangers.py"),
    # They play ladders, or go through all that a host answers.
    *("hosting/test_commands.py", "hosting/test_course.py", "hosting/test_ladder_page.py"),
    *("hosting/test_ladders.py", "web/host"),
)
"""What `--quick` leaves out: directories and modules, besides the tests marked `slow`."""
LONGEST: Final = (
    *("sdk/test_own_tests.py", "e2e/test_soak.py", "sdk/test_languages.py", "sdk/test_strength.py"),
    *("e2e/pages", "e2e", "hostile/test_players.py", "league/test_running.py", "cli/test_demo.py"),
    *("hostile/test_floods.py",),
    *("examination", "cli/test_bots.py", "cli/test_try.py", "test_readme.py"),
    "cli/test_deals_again.py",
    *("hostile", "bots/test_building.py", "ratings/test_calibration.py", "sdk", "sandbox"),
    "hosting/test_course.py",
)
"""What is run first, so that no worker is left alone with it in the end."""
TOGETHER: Final = (
    *("e2e/pages", "cli/test_bots.py", "cli/test_demo.py", "cli/test_try.py"),
    "cli/test_deals_again.py",
    *("sdk/test_transcripts.py", "examination/test_examine.py", "bots/test_building.py"),
    "e2e/test_openid.py",
    *("hostile/test_attacks.py", "ratings/test_calibration.py", "sandbox/test_launcher.py"),
    "hosting/test_course.py",
)
"""Of these the directories and modules whose tests share what is expensive: each has one worker."""
Item = TypeVar("Item")

# A deadline is a timed assertion: it says more about the machine than about the code.
settings.register_profile("upcard", deadline=None)
settings.load_profile("upcard")

# A signal that is ignored, as by `nohup` or in the background of a script, is ignored by all that
# is started: it would not stop.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# What is imported and collected stays to the end. To look through it for garbage takes a third of
# that time, and later as much of each test's as it has a part in what there is.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _examinations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    directory = shared(tmp_path_factory, "examinations", lambda _: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(EXAMINED, str(directory))
        share_examinations()
        yield


@pytest.fixture(scope="session", autouse=True)
def _signatures() -> Iterator[None]:
    """Check each signature of a beacon once in a process: that takes a quarter of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beacon, "is_signature", cache(beacon.is_signature))
        yield


@pytest.fixture(scope="session", autouse=True)
def _copies() -> Iterator[None]:
    with shared_copies():
        yield


@pytest.fixture(scope="session", autouse=True)
def _remembering() -> Iterator[None]:
    with remembering():
        yield


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with nothing in it, to be copied: to make one takes ten times as long."""
    found = tmp_path_factory.mktemp("empty") / "upcard.db"
    with open_store(str(found), create=True):
        return found


def pytest_configure(config: pytest.Config) -> None:
    # Where nothing is written to a disk, those that keep stores take half as long.
    if config.getoption("--quick") and os.access(MEMORY, os.W_OK):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out the tests that start a sandbox, a browser, a database server or another "
        "language, and others that take long",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # None leaves the decision to others.
    return True if config.getoption("--quick") and collection_path in _paths(NOT_QUICK) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if unstable := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        # Workers of pytest-xdist that collect different ids run no test at all.
        raise pytest.UsageError(f"{unstable[0]}: give the parameters ids that every run has")
    if config.getoption("--quick"):
        slow = [item for item in items if _is_slow(item)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not _is_slow(item)]
    items.sort(key=lambda item: _rank(item.path))
    count = sum(_rank(item.path) < len(LONGEST) for item in items)
    longest, rest = items[:count], items[count:]
    units = groupby(longest, key=lambda item: _together(item.path) or item)
    items[:] = spread(
        [[*unit] for _, unit in units],
        rest,
        getattr(config, "workerinput", {}).get("workercount", 1),
    )


def _is_slow(item: pytest.Item) -> bool:
    # The fixture `database` starts a server.
    names: list[str] = getattr(item, "fixturenames", [])
    return "database" in names or item.get_closest_marker("slow") is not None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at a time: all but the quick ones wait half of their time."""
    return len(os.sched_getaffinity(0)) * (1 if config.getoption("--quick") else 2)


def spread(longest: Sequence[Sequence[Item]], rest: Sequence[Item], workers: int) -> list[Item]:
    """Return all items in an order in which each worker begins with its share of the longest.

    At the beginning, xdist's `worksteal` gives each worker a part of the list, as it stands there;
    these parts are as equal as can be, and the larger ones are the last. Each worker begins
    elsewhere in its share: tests of one kind wait at the same time, and leave the processor idle.
    """
    count = sum(map(len, longest)) + len(rest)
    others, spread_out = iter(rest), list[Item]()
    for worker in range(workers):
        size = (count + worker) // workers
        units = longest[worker::workers]
        begin = len(units) * worker // workers
        share = [item for unit in (*units[begin:], *units[:begin]) for item in unit]
        spread_out += (*share, *islice(others, max(0, size - len(share))))
    return [*spread_out, *others]


@cache
def _together(path: Path) -> Path | None:
    """Return what of `TOGETHER` a module belongs to."""
    return next((place for place in _paths(TOGETHER) if place in (path, *path.parents)), None)


@cache
def _paths(names: tuple[str, ...]) -> list[Path]:
    return [HERE / name for name in names]


@cache
def _rank(path: Path) -> int:
    within = (place in (path, *path.parents) for place in _paths(LONGEST))
    return next((rank for rank, fits in enumerate(within) if fits), len(LONGEST))
