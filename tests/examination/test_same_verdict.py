"""Whatever a bot does, `check` and a league judge it the same.

The bots live in the test's own process, and say themselves how much of the processor they use.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import grpc
import pytest

from referee.arena.duel import Duel, DuelResult
from referee.arena.fault import StartFailure
from referee.arena.limits import Terms, TimeLimits
from referee.engine.record import SeededDeal
from referee.engine.registry import PRESETS
from referee.errors import VoidError
from referee.examination import examined_bot
from referee.examination.asking import Asker
from referee.examination.protocol_checks import fresh_tables
from referee.examination.report_card import PASS, Check, CheckOutcome, Examiner
from referee.rpc.sessions import play_session
from tests.rpc.bot_tasks import OWN_CONNECTION, BotTask, End
from upcard.v1.referee_pb2 import Answers, Hello, PlayRequest, PlayResponse

if TYPE_CHECKING:
    from referee.arena.session import Outcome

LIMITS: Final = TimeLimits(decision=0.5, ready=2.0)
EUCHRE = PRESETS["euchre"]
MISBEHAVES_AT: Final = 2
AFTERWARDS: Final = 0.5
BLAMELESS, NOTHING = "void", "nothing"


class Process(BotTask):
    """A bot as a task; `cpu` and `waited` are the share of the time that it says it used."""

    cpu = waited = 0.0
    opponent: "type[Process]"

    def __init__(self, socket: Path, token: str) -> None:
        super().__init__()
        self.socket, self.token = socket, token
        self.asked = 0
        self.began = time.monotonic()
        self.run(self.play())

    async def play(self) -> None:
        self.call: Any = grpc.aio.insecure_channel(
            f"unix:{self.socket}", OWN_CONNECTION
        ).stream_stream("/upcard.v1.RefereeService/Play", None, None)()
        await self.say_hello()
        async for turns in self._frames():
            self.asked += 1
            await self.decide(turns)

    async def _frames(self) -> AsyncIterator[list[int]]:
        while isinstance(data := await self.call.read(), bytes):
            response = PlayResponse.FromString(data)
            if response.HasField("goodbye"):
                await self.call.done_writing()
            if response.frame.turns:
                yield [turn.turn_id for turn in response.frame.turns]

    async def say_hello(self) -> None:
        await self.say(hello=Hello(token=self.token, protocol_revision=1, tables=1))

    async def decide(self, turns: list[int]) -> None:
        await self.answer(turns)

    async def answer(self, turns: list[int], choice: int = 0) -> None:
        await self.say(answers=Answers(turn_ids=turns, choices=[choice] * len(turns)))

    async def say(self, **said: Any) -> None:  # noqa: ANN401 (one of the messages)
        await self.call.write(PlayRequest(**said).SerializeToString())

    def cpu_seconds(self) -> float:
        return self.cpu * (time.monotonic() - self.began)

    def waited_seconds(self) -> float:
        return self.waited * (time.monotonic() - self.began)


class Slow(Process):
    async def decide(self, turns: list[int]) -> None:
        await asyncio.sleep(0.05)
        await self.answer(turns)


class Spinning(Process):
    """Computes all the time, and answers well; its opponent leaves it time to be seen."""

    cpu = 1.0
    opponent = Slow


Process.opponent = Process
Decide = Callable[[Process, list[int]], Coroutine[Any, Any, None]]


def bot(decide: Decide, **attributes: object) -> type[Process]:
    """Return a bot that does something at its second decision, and else answers 0."""

    class Misbehaving(Process):
        async def decide(self, turns: list[int]) -> None:
            if self.asked == MISBEHAVES_AT:
                await decide(self, turns)
            else:
                await self.answer(turns)

    for name, value in attributes.items():
        setattr(Misbehaving, name, value)
    return Misbehaving


def hello(**otherwise: Any) -> type[Process]:  # noqa: ANN401 (a field of the message)
    """Return a bot that says hello otherwise."""

    class Greeting(Process):
        async def say_hello(self) -> None:
            said = {"token": self.token, "protocol_revision": 1, "tables": 1, **otherwise}
            await self.say(hello=Hello(**said))

    return Greeting


async def ends(process: Process, how: End) -> None:
    process.call.cancel()
    process.ended.set_result(how)


async def repeat(process: Process, turns: list[int], times: int) -> None:
    for _ in range(times):
        await process.answer(turns)


async def never(_process: Process, _turns: list[int]) -> None:
    await asyncio.sleep(3600)


async def late(process: Process, turns: list[int]) -> None:
    await asyncio.sleep(2 * LIMITS.decision)
    await process.answer(turns)


async def answer_while_the_referee_hangs(process: Process, turns: list[int]) -> None:
    time.sleep(2 * LIMITS.decision)  # noqa: ASYNC251 (that is what hanging is)
    await asyncio.sleep(LIMITS.decision / 4)
    await process.answer(turns)


async def answer_and_flood(process: Process, turns: list[int]) -> None:
    await process.answer(turns)
    await repeat(process, [], 64)


class Mute(Process):
    async def say_hello(self) -> None:
        await asyncio.sleep(3600)


class Rude(Process):
    async def say_hello(self) -> None:
        await self.answer([])


MISBEHAVIOURS: dict[str, tuple[type[Process], str]] = {
    "does nothing wrong": (Process, NOTHING),
    "says no hello": (Mute, "never_ready"),
    "answers before its hello": (Rude, "protocol_error"),
    "has another token": (hello(token="0" * 32), "protocol_error"),
    "speaks an old revision": (hello(protocol_revision=0), "protocol_error"),
    "names too many tables": (hello(tables=257), "malformed_message"),
    "crashes": (bot(lambda p, _: ends(p, End("exited", 1))), "crashed"),
    "is killed by a signal of its own": (
        bot(lambda p, _: ends(p, End("signalled", 139))),
        "crashed",
    ),
    "leaves": (bot(lambda p, _: ends(p, End("exited", 0))), "disconnected"),
    "needs too much memory": (
        bot(lambda p, _: ends(p, End("limit", limit="memory"))),
        "memory_limit",
    ),
    "is killed from outside": (bot(lambda p, _: ends(p, End("vanished"))), BLAMELESS),
    "ends its stream": (bot(lambda p, _: p.call.done_writing()), "disconnected"),
    "chooses what there is not": (bot(lambda p, turns: p.answer(turns, 99)), "illegal_action"),
    "says nothing in a message": (bot(lambda p, _: p.say()), "malformed_message"),
    "sends rubbish": (bot(lambda p, _: p.call.write(b"\xff")), "malformed_message"),
    "sends a message that is too long": (
        bot(lambda p, _: p.say(hello=Hello(sdk="x" * 70000))),
        "malformed_message",
    ),
    "says hello again": (bot(lambda p, _: p.say_hello()), "protocol_error"),
    "answers what was not asked": (bot(lambda p, _: p.answer([4000])), "protocol_error"),
    "answers turn 0": (bot(lambda p, _: p.answer([0])), "protocol_error"),
    "answers twice in a message": (bot(lambda p, turns: p.answer(turns * 2)), "protocol_error"),
    "answers twice": (bot(lambda p, turns: repeat(p, turns, 2)), "protocol_error"),
    "sends empty answers": (bot(lambda p, _: repeat(p, [], 64)), "protocol_error"),
    "sends empty answers while nothing is asked": (bot(answer_and_flood), "protocol_error"),
    "falls silent": (bot(never), "decision_timeout"),
    "has busy threads, and answers late": (bot(late, cpu=1.0, waited=1.0), "decision_timeout"),
    "gets no processor for a while, and answers late": (bot(late, waited=1.0), NOTHING),
    "never gets a processor": (bot(never, waited=1.0), BLAMELESS),
    "computes while nothing is asked": (Spinning, "cpu_limit"),
    "answers while the referee hangs": (bot(answer_while_the_referee_hangs), NOTHING),
}


class Launcher:
    """Starts one bot for A's North, its opponent for B's East, and sound ones for the rest."""

    def __init__(self, kind: type[Process]) -> None:
        self.kind = kind

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        kinds = {(0, 0): self.kind, (1, 1): self.kind.opponent}
        return kinds.get((entrant, seat), Process)(socket, token)


def verdict_of_session(kind: type[Process]) -> str:
    outcomes: list[Outcome] = []
    terms = Terms(EUCHRE.game(), LIMITS, tables=1)
    duel = Duel(0, SeededDeal(bytes(32), "verdict"), 0)
    asyncio.run(play_session(terms, [duel], Launcher(kind), outcomes.append))
    (outcome,) = outcomes
    if isinstance(outcome, StartFailure):
        return outcome.kind
    if not isinstance(outcome, DuelResult):
        return BLAMELESS
    return outcome.faults[0].kind if outcome.faults else NOTHING


async def some_frames(asker: Asker) -> CheckOutcome:
    for number, due in enumerate(fresh_tables(EUCHRE)[:3], 1):
        choices = await asker.ask([due])
        if not isinstance(choices, list):
            return choices
        # A message more comes while nothing is asked, as it does where others play as well.
        rested = await asker.bot.rest(AFTERWARDS if number == MISBEHAVES_AT else 0)
        if not isinstance(rested, float):
            return rested
    return "answered all"


def verdict_of_check(kind: type[Process]) -> str:
    examiner, checks = Examiner(Launcher(kind), LIMITS, 1), list[Check]()
    try:
        lines = [("frames", some_frames)]
        asyncio.run(examiner.check(EUCHRE.game(), 0, lines, checks.append))
    except VoidError:
        return BLAMELESS
    (check,) = checks
    return NOTHING if check.verdict == PASS else check.says.partition(":")[0]


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_check_and_a_league_judge_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examined_bot, "MOST_VOIDS", 1)
    kind, verdict = MISBEHAVIOURS[name]
    assert (verdict_of_check(kind), verdict_of_session(kind)) == (verdict, verdict)


def test_what_is_nobodys_fault_is_tried_again() -> None:
    tried: list[Process] = []

    class VanishesOnce(Process):
        async def decide(self, turns: list[int]) -> None:
            tried.append(self)
            if len(tried) == 1:
                await ends(self, End("vanished"))
            else:
                await self.answer(turns)

    assert verdict_of_check(VanishesOnce) == NOTHING
