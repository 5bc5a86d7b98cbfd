"""Every line of the report card fails for the bot that deserves it, and for no other."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.arena import fault
from referee.arena.fault import Violation
from referee.arena.limits import TimeLimits
from referee.engine.registry import PRESETS
from referee.examination.asking import Asker
from referee.examination.examine import examine
from referee.examination.examined_bot import ExaminedBot
from referee.examination.hello_checks import hello_checks
from referee.examination.play_checks import decision_checks, whole_matches
from referee.examination.positions import ALONE, STUCK, positions
from referee.examination.protocol_checks import protocol_checks, repeatable
from referee.examination.report_card import (
    FAIL,
    PASS,
    SKIP,
    WARN,
    Check,
    CheckOutcome,
    Examiner,
    NotTried,
    Scenario,
)
from tests.examination.plain import PlainLauncher

TINY = str(Path(__file__).with_name("tiny_bots.py"))
EUCHRE, WHIST = PRESETS["euchre"], PRESETS["whist"]
AT_ONCE = 4

BEGINS = {
    "says nothing": ["says hello in time"],
    "answers first": ["hello: message"],
    "has another token": ["hello: token"],
    "is too old": ["hello: protocol revision"],
    "has a long name": ["hello: SDK"],
    "sits at too many tables": ["hello: tables"],
}
SPEAKS = {
    "in pieces": [],
    "sits at two tables": [],
    "dies of 64 turns": ["a batch of 64", "every turn answered once"],
    "computes on": ["rests while nothing is asked"],
    "leaves one of two out+stays": ["a batch of 2", "leaves at the goodbye"],
    "chokes on a closed table+leaves with an error+outlives its stream": [
        "a table closes with a turn open",
        "leaves at the goodbye",
        "leaves when its stream ends",
    ],
    "answers twice": [
        "every turn answered once",
        "a table closes with a turn open",
        "rests while nothing is asked",
    ],
    "answers the wrong turn": [
        "every turn answered once",
        "a table closes with a turn open",
        "rests while nothing is asked",
    ],
}
PLAYS = {
    "misplays at the first call": ["euchre: bid 1", "euchre: whole matches"],
    "misplays at a later call": ["euchre: bid 2", "euchre: dealer stuck", "euchre: whole matches"],
    "misplays when stuck": ["euchre: dealer stuck", "euchre: whole matches"],
    "misplays the discard": ["euchre: discard"],
    "misplays when somebody is alone": ["euchre: somebody alone"],
    "misplays the fourth trick": ["euchre: tricks 1 to 5", "euchre: whole matches"],
    "misplays in the North": ["euchre: whole matches"],
    "misplays the ninth trick": ["whist: tricks 1 to 13", "whist: whole matches"],
}


def desk(misbehaviour: str) -> Examiner:
    return Examiner(PlainLauncher(TINY, misbehaviour), TimeLimits(decision=6.0, ready=15.0), 256)


async def card_of(misbehaviour: str) -> list[Check]:
    lines: list[Check] = []
    at = desk(misbehaviour)
    if misbehaviour not in PLAYS:
        lines += await hello_checks(at)
    if misbehaviour in SPEAKS:
        await protocol_checks(at, EUCHRE, lines.append)
    if misbehaviour in PLAYS:
        preset = WHIST if misbehaviour == "misplays the ninth trick" else EUCHRE
        await decision_checks(at, preset, lines.append)
        lines.append(await whole_matches(at, preset))
    return lines


@pytest.fixture(scope="module")
def cards() -> dict[str, list[Check]]:
    """The cards of all bots, several examined at a time."""

    async def gathered() -> dict[str, list[Check]]:
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(misbehaviour: str) -> list[Check]:
            async with turn:
                return await card_of(misbehaviour)

        async with asyncio.TaskGroup() as group:
            tasks = {name: group.create_task(one(name)) for name in (*BEGINS, *SPEAKS, *PLAYS)}
        return {name: task.result() for name, task in tasks.items()}

    with pytest.MonkeyPatch.context() as patch:
        # On a busy machine it takes a while to leave; who stays does so for longer.
        patch.setattr("referee.examination.protocol_checks._FAREWELL", 10.0)
        patch.setattr("referee.examination.protocol_checks._AFTER_HANGING_UP", 10.0)
        return asyncio.run(gathered())


def named(lines: list[Check], verdict: str) -> list[str]:
    return [mark.name for mark in lines if mark.verdict == verdict]


@pytest.mark.parametrize(("misbehaviour", "lines"), [*(BEGINS | SPEAKS | PLAYS).items()])
def test_each_misbehaviour_fails_its_own_lines(
    cards: dict[str, list[Check]], misbehaviour: str, lines: list[str]
) -> None:
    assert sorted(named(cards[misbehaviour], FAIL)) == sorted(lines)


def test_batches_beyond_its_tables_are_not_asked_for(cards: dict[str, list[Check]]) -> None:
    skipped = [f"a batch of {size}" for size in (64, 256)]
    assert named(cards["sits at two tables"], SKIP) == skipped


def test_a_slow_bot_is_not_asked_for_more_than_there_is_patience_for() -> None:
    lines: list[Check] = []
    at = desk("nothing")
    at.slowest = 0.5
    asyncio.run(protocol_checks(at, EUCHRE, lines.append))
    assert named(lines, SKIP) == ["a batch of 64", "a batch of 256"]


def test_a_slow_bot_is_asked_once_about_each_kind_of_decision() -> None:
    lines: list[Check] = []
    at = desk("nothing")
    at.slowest = 1.0
    asyncio.run(decision_checks(at, WHIST, lines.append))
    assert [mark.says for mark in lines] == ["13 decisions, all legal"]


async def started_for(verdicts: Sequence[CheckOutcome]) -> list[int]:
    """Return how many bots there were as each of some scenarios was played."""
    at, found, bots = desk("nothing"), list[int](), list[ExaminedBot]()

    def scenario(outcome: CheckOutcome) -> Scenario:
        async def play(asker: Asker) -> CheckOutcome:
            bots.extend([asker.bot] if asker.bot not in bots else [])
            found.append(len(bots))
            return outcome

        return play

    lines = [(str(number), scenario(outcome)) for number, outcome in enumerate(verdicts)]
    await at.check(EUCHRE.game(), 0, lines, lambda _: None)
    return found


def test_a_bot_plays_one_scenario_after_the_other() -> None:
    assert asyncio.run(started_for(["passes", NotTried("too long"), "passes"])) == [1, 1, 1]


def test_after_a_failure_each_scenario_has_a_bot_of_its_own() -> None:
    failed = Violation(fault.CRASHED, "fell over")
    assert asyncio.run(started_for(["passes", failed, "passes", "passes"])) == [1, 1, 2, 3]


def test_a_failed_line_keeps_what_was_said(cards: dict[str, list[Check]]) -> None:
    failed = [mark for lines in cards.values() for mark in lines if mark.verdict == FAIL]
    silent = [mark.name for mark in failed if not mark.evidence or not mark.evidence.messages]
    assert silent == ["says hello in time"]


def test_pieces_are_counted(cards: dict[str, list[Check]]) -> None:
    (line,) = [mark for mark in cards["in pieces"] if mark.name == "every turn answered once"]
    assert line.says == "64 of 64, in 2 pieces"


def test_who_never_says_hello_is_not_asked_to_play() -> None:
    lines: list[Check] = []
    launcher = PlainLauncher(TINY, "says nothing")
    asyncio.run(examine(launcher, [WHIST], TimeLimits(ready=0.5), 256, lines.append))
    assert [(mark.name, mark.verdict) for mark in lines] == [
        ("says hello in time", FAIL),
        ("everything else", SKIP),
    ]


@pytest.mark.parametrize(("misbehaviour", "verdict"), [("draws lots", WARN), ("nothing", PASS)])
def test_lots_that_are_not_the_tables_are_warned_of(misbehaviour: str, verdict: str) -> None:
    mark = asyncio.run(repeatable(desk(misbehaviour), WHIST))
    assert (mark.name, mark.verdict) == ("repeatable", verdict)


def test_a_slow_bot_fails_the_decision_limit_and_no_process_stays() -> None:
    lines: list[Check] = []
    launcher = PlainLauncher(TINY, "thinks long")
    asyncio.run(examine(launcher, [WHIST], TimeLimits(decision=0.1), 2, lines.append))
    assert lines[-1].name in named(lines, FAIL)
    assert lines[-1].says == "took longer than 0.1 s"
    assert {process.ended.done() for process in launcher.processes} == {True}


@pytest.mark.parametrize("name", PRESETS)
def test_every_kind_of_decision_is_asked_for(name: str) -> None:
    game = PRESETS[name].game()
    wanted = set(game.decisions)
    if game.name == "euchre":
        wanted |= {STUCK, ALONE} if name == "euchre" else {STUCK}
    moments = positions(PRESETS[name], 2, 12)
    assert {kind: len(found) for kind, found in moments.items()} == dict.fromkeys(wanted, 12)


@pytest.mark.parametrize("name", PRESETS)
def test_a_seat_is_asked_only_when_it_is_to_act(name: str) -> None:
    moments = [moment for found in positions(PRESETS[name], 1, 12).values() for moment in found]
    assert {moment.state.actor for moment in moments} == {1}
