"""A Player of EECS 280, unchanged, is told what a game would tell it, and plays in a sandbox."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copytree

import pytest

from referee.bots.examples import EXAMPLES
from referee.bots.sdks import sdk_for
from referee.engine.cards import Seat
from referee.engine.euchre.hand import EuchreView
from referee.engine.record import HandRecord, ReplayedHand, replay
from referee.record_file import read_records
from tests.cli.bots import SEED, run
from tests.sdk.polyglot import built, run_as, run_tests

HERE = Path(__file__).parent
GAME = ("--game", "euchre-280", "--seed", SEED)
Calls = tuple[str, ...]

SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}
RANKS = dict(zip("9TJQKA", ("Nine", "Ten", "Jack", "Queen", "King", "Ace"), strict=True))


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(HERE / "cpp" / "eecs280", tmp_path_factory.mktemp("student") / "bundle")


def words(card: str) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


class Course:
    """What the course's program tells the Player of a seat in a hand, as it goes on."""

    def __init__(self, seat: Seat, hand: ReplayedHand) -> None:
        view = hand.first.view(seat)
        assert isinstance(view, EuchreView)
        self.seat, self.dealer, self.upcard = seat, view.dealer, view.turned
        self.calls = [f"add_card({words(card)})" for card in sorted(view.hand, key=by_suit)]
        self.said = 0
        self.trick: list[str] = []
        self.trump = ""

    def act(self, seat: Seat, action: str) -> None:
        """Note an action, before it is taken."""
        verb, _, what = action.partition(":")
        if seat == self.seat:
            self.calls.append(self.call(verb))
        if verb == "play":
            self.trick = [*self.trick, what] if len(self.trick) < 3 else []
        elif verb != "discard":
            self.said += 1
            self.trump = SUITS[what or self.upcard[1]]

    def call(self, verb: str) -> str:
        """Return how the Player is asked."""
        if verb == "play" and self.trick:
            return f"play_card({words(self.trick[0])}, {self.trump})"
        if verb == "play":
            return f"lead_card({self.trump})"
        if verb == "discard":
            return f"add_and_discard({words(self.upcard)})"
        is_dealer, round_ = int(self.seat == self.dealer), self.said // 4 + 1
        return f"make_trump({words(self.upcard)}, {is_dealer}, {round_})"


def by_suit(card: str) -> tuple[str, int]:
    return card[1], "9TJQKA".index(card[0])


def told(
    seat: Seat, hand: ReplayedHand, record: HandRecord, *, ask_forced: bool
) -> Iterator[Calls]:
    """Yield what each Player of a seat is told in a hand.

    After a discard that is a second one as well, which shows by its leads what it has kept.
    """
    course, state, asked = Course(seat, hand), hand.first.copy(), 0
    for actor, action in record.actions:
        choices = len(state.legal)
        state = state.play(action)
        course.act(actor, action)
        if actor != seat or (choices == 1 and not ask_forced):
            continue
        asked = len(course.calls)
        if action.startswith("discard"):
            yield (*course.calls, *[f"lead_card({course.trump})"] * 5)
    if asked:
        yield tuple(course.calls[:asked])


def expected(duels: Path, *, ask_forced: bool) -> dict[Seat, Counter[Calls]]:
    """Return by seat what its Players are told: in the open rooms those of North and South."""
    found: dict[Seat, Counter[Calls]] = defaultdict(Counter)
    for number, match in enumerate(read_records(duels)):
        for hand, played in zip(replay(match), match.hands, strict=True):
            for seat in (number % 2, number % 2 + 2):
                found[seat].update(told(seat, hand, played, ask_forced=ask_forced))
    return found


def logged(text: str) -> Counter[Calls]:
    """Return what each Player of a process wrote that it was told."""
    players: dict[str, list[str]] = defaultdict(list)
    for number, call in re.findall(r"Player (\d+) \w+: (.*)", text):
        players[number].append(call)
    return Counter(map(tuple, players.values()))


@pytest.mark.parametrize("options", [(), ("--ask-forced",)], ids=["as usual", "asked all"])
def test_a_player_gets_the_calls_of_a_real_game(
    student: Path, options: Sequence[str], tmp_path: Path
) -> None:
    ran = run(tmp_path, "duel", student, "steady", *GAME, "--duels", 8, *options)
    assert ran.code == 0, ran.err
    wanted = expected(ran.logs("student-vs-steady", "duels.jsonl"), ask_forced=bool(options))
    for seat, name in enumerate(("north", "east", "south", "west")):
        output = ran.logs("student-vs-steady", "output", f"student-{name}.log")
        assert logged(output.read_text()) == wanted[seat]
    everything = str(wanted)
    # A dealer who takes the upcard, and one who is stuck.
    assert all(call in everything for call in ("add_and_discard", ", 1, 2)"))


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        ("Revokes", r"play_card\(.*\) returned .*, which does not follow suit, and .* would"),
        (
            "Asserts",
            (
                r"Player.cpp:\d+: .* Assertion `hand.size\(\) < 4' failed\.\n(.*\n)*"
                r".*did not return from play_card\(.*\), holding .*: SIGABRT, as by an assert"
            ),
        ),
        ("Typo", r'Player_factory\("\w+", "Typo"\) made no Player: is "Typo" a strategy'),
    ],
)
def test_its_author_reads_which_call_failed(
    student: Path, strategy: str, words: str, tmp_path: Path
) -> None:
    bot = copytree(student, tmp_path / "bot")
    run_as(bot, ("build/bot", strategy))
    ran = run(tmp_path, "duel", bot, "random", *GAME, "--duels", 1, "--json")
    assert ran.code == 3
    logs = "".join(path.read_text() for path in tmp_path.rglob("output/*.log"))
    assert re.search(words, logs)


def test_a_new_bot_for_a_player_builds_and_passes_its_own_tests(tmp_path: Path) -> None:
    assert run(tmp_path, "new", "owl", "--eecs280").code == 0
    built(tmp_path / "owl", tmp_path / "bundle")
    sdk = sdk_for("cpp")
    assert sdk
    failure, log = asyncio.run(run_tests(sdk, tmp_path / "owl", tmp_path))
    assert not failure, log


@pytest.mark.parametrize(("better", "worse"), [("shrewd", "simple"), ("simple", "random")])
def test_an_example_beats_another_beyond_its_interval(
    better: str, worse: str, tmp_path: Path
) -> None:
    two = [built(EXAMPLES / name, tmp_path / name) for name in (better, worse)]
    ran = run(tmp_path, "duel", *two, *GAME, "--duels", 24, "--json")
    assert ran.code == 0, ran.err
    points = ran.json()["bots"][0]["points_per_hand"]
    assert points["mean"] > points["plus_or_minus"]
