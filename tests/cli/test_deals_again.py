"""`--deal` and `replay --with`: deals are played again, and bots that are kept play."""

import re
from collections.abc import Iterator
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.engine.record import MatchRecord
from referee.examination.admission import candidates
from referee.record_file import read_records
from referee.store.bots import add_bot
from referee.store.opening import open_store
from tests.cli.bots import FIRST, Ran, run, write_bot
from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league

LAST = "return legal[-1] if view.phase == 'playing' else legal[0]"
PLAYED = ("club", "1-2/1")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a league of two kept bots, of which there is a newer one that plays otherwise."""
    place = tmp_path_factory.mktemp("again")
    write_bot(place / "mine", FIRST)
    write_bot(place / "yours", FIRST, name="yours")
    newer = write_bot(place / "newer", LAST) / "bot.toml"
    newer.write_text(newer.read_text().replace('version = "1"', 'version = "2"'))
    bots = [place / name for name in ("mine", "yours", "newer")]
    with (
        open_store(str(place / "upcard.db"), create=True) as store,
        candidates(bots, datetime.now(UTC)) as found,
    ):
        for each in found:
            add_bot(store, each.bot, each.entrant.bundle)
    words = ("--bot", "mine@1", "--bot", "yours", "--duels", 1)
    assert run(place, "league", "create", "club", *words).code == 0
    assert run(place, "league", "run", "club", "--jobs", 1).code == 0
    return place


def records(directory: Path, logs: str) -> list[MatchRecord]:
    return list(read_records(directory / "upcard-logs" / logs / "duels.jsonl"))


@pytest.fixture(scope="module")
def same(directory: Path) -> Ran:
    """Play the same deals with the same bots."""
    return run(directory, "duel", "mine@1", "./yours", "--deal", "club/1-2/1", "--json")


@pytest.fixture(scope="module")
def other(directory: Path, same: Ran) -> Ran:
    """Play them with the newer version in the place of the older."""
    assert same.code == 0
    return run(directory, "replay", *PLAYED, "--with", "mine@2")


def test_bots_that_play_the_same_deals_play_the_same_duel(directory: Path, same: Ran) -> None:
    assert (same.code, same.json()["again"]) == (0, [])
    opened, closed = records(directory, "mine@1-vs-yours-again")
    assert opened.dealt == closed.dealt
    with chdir(directory):
        scores = same.json()["duels"][0]["scores"]
    assert scores == {"open": [*opened.score], "closed": [*closed.score]}


def test_a_kept_bot_is_called_by_its_version(same: Ran, other: Ran) -> None:
    assert [bot["name"] for bot in same.json()["bots"]] == ["mine@1", "yours"]
    assert re.search(r"│ mine@2  +│     1 │", other.out)


def test_a_bot_of_the_same_name_takes_the_place_of_the_older(other: Ran) -> None:
    assert (other.code, "mine@2 against yours@1" in other.out) == (0, True)


def test_where_it_parts_from_what_was_played_is_told(directory: Path, other: Ran) -> None:
    before = records(directory, "mine@1-vs-yours-again")
    now = records(directory, "mine@2-vs-yours@1-again")
    found = [
        f"{room} room, hand {number}"
        for room, earlier, later in zip(("open", "closed"), before, now, strict=True)
        for number, (one, two) in enumerate(zip(earlier.hands, later.hands, strict=False), start=1)
        if one.actions != two.actions
    ]
    told = re.findall(r"^(\w+ room, hand \d+), [\w ]+$", other.out, re.MULTILINE)
    assert told == found
    assert (
        f" played both times, {len(found)} went otherwise than in duel 1-2/1 of club" in other.out
    )


def test_both_choices_and_the_situation_are_told(other: Ran) -> None:
    parted = re.search(
        r"\n  before      as (\w+) mine (.+)\n  now         as (\w+) mine@2 (.+)\n  .+; hand \d+; "
        r"score .+\n  you         (\w+); \w+ deals\n  your hand   .+\n",
        other.out,
    )
    assert parted
    before_seat, before, now_seat, now, you = parted.groups()
    assert before_seat == now_seat == you
    assert before != now


def test_the_hand_that_it_names_can_be_replayed(
    directory: Path, other: Ran, upcard: Upcard
) -> None:
    (shown,) = re.findall(r"card by card: \S+ (replay .*)", other.out)
    with chdir(directory):
        assert upcard(*shown.split()).code == 0


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """Write a league that is not over."""
    write_league(tmp_path / "upcard.db", duels=4, played=2)
    with chdir(tmp_path):
        yield tmp_path


@pytest.mark.usefixtures("secret")
def test_deals_of_a_seed_that_is_secret_are_not_played_again(upcard: Upcard) -> None:
    said = upcard("duel", "random", "steady", "--deal", "1-2/1")
    assert said.code == 2
    assert said.err.startswith("upcard: club still deals from its seed, which is secret; play its")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("duel random steady --deal nothing", "a duel that was played is named like LEAGUE/1-2/17"),
        ("duel random steady --deal gone.jsonl/1", "there is no file gone.jsonl"),
        ("duel random steady --deal club/1-2/1 --duels 2", "--deal is one duel, dealt as it was"),
        ("duel random steady --deal club/1-2/1 --game whist", "--deal says what is played; leave"),
        ("duel mine@3 steady", "there is no bot 'mine@3'; choose mine@1 or mine@2"),
        ("try mine@1 --debug", "--debug runs your bot where you change its files; name its dir"),
        ("replay club 1 --with random", "say whose place it takes: --instead-of 'mine' or --inst"),
        ("replay club 1 --with random --room open", "--with plays a whole duel; leave out --room"),
        (
            "replay club 1 --instead-of mine",
            "--instead-of, --accept-weak and --unsafe-no-sandbox are",
        ),
        ("replay club --with random", "--with is for a duel of a league; name the DUEL too, as"),
        (
            "replay upcard-logs/mine@1-vs-yours-again/duels.jsonl 1 --with random",
            "a file does not keep the bots; name the other one: upcard duel random OTHER --deal FI",
        ),
    ],
)
@pytest.mark.usefixtures("same")
def test_what_cannot_be_played_again_is_refused(
    directory: Path, upcard: Upcard, words: str, says: str
) -> None:
    with chdir(directory):
        said = upcard(*words.split())
    assert (said.code, said.err[: len(says) + 8]) == (2, f"upcard: {says}")
