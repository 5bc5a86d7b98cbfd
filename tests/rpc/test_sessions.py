"""A session over real sockets, with bots that live in the test's own process."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status.rpc_status import aio as rpc_status

from referee.arena.clock import Clock
from referee.arena.duel import DuelResult, Voided
from referee.arena.fault import StartFailure
from referee.arena.limits import Terms, TimeLimits
from referee.arena.session import Outcome
from referee.errors import ConfigError, UpcardError
from referee.rpc.connection import MOST_RECORDED
from referee.rpc.sessions import play_session
from referee.rpc.transcript import FROM_BOT, TO_BOT, TranscriptEvidence
from tests.duels import numbered_duels
from tests.rpc.bot_tasks import OWN_CONNECTION, BotTask, End
from tests.table import euchre
from tests.waiting import PATIENCE
from upcard.v1.referee_pb2 import Answers, Hello, PlayRequest, PlayResponse


class Dial(NamedTuple):
    """What a bot knows when it starts."""

    socket: Path
    token: str
    ending: "asyncio.Future[End]"


Bot = Callable[[Dial], Coroutine[Any, Any, None]]


class Process(BotTask):
    def __init__(self, bot: Bot, socket: Path, token: str) -> None:
        super().__init__()
        self.run(bot(Dial(socket, token, self.ended)))


class Launcher:
    """Starts one bot for A's North, and sound ones for the rest."""

    def __init__(self, north: Bot) -> None:
        self.north = north
        self.started: list[tuple[int, int]] = []
        self.sockets: set[Path] = set()
        self.peers: dict[tuple[int, int], str] = {}
        self.processes: list[Process] = []

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        self.started.append((entrant, seat))
        self.sockets.add(socket)
        self.peers[entrant, seat] = peer_name(socket)
        bot = self.north if (entrant, seat) == (0, 0) else sound
        self.processes.append(Process(bot, socket, token))
        return self.processes[-1]


def request(**said: Any) -> bytes:  # noqa: ANN401 (one of the messages)
    return PlayRequest(**said).SerializeToString()


async def dialled(dial: Dial) -> Any:  # noqa: ANN401 (a call of bytes)
    channel = grpc.aio.insecure_channel(f"unix:{dial.socket}", OWN_CONNECTION)
    return channel.stream_stream("/upcard.v1.RefereeService/Play", None, None)()


async def turns(
    call: Any,  # noqa: ANN401 (a call of bytes)
    stays: Callable[[], bool] = lambda: False,
) -> AsyncIterator[list[int]]:
    while isinstance(data := await call.read(), bytes):
        response = PlayResponse.FromString(data)
        if response.HasField("goodbye"):
            while stays():  # noqa: ASYNC110 (nothing tells of it)
                await asyncio.sleep(0)
            await call.done_writing()
        if response.frame.turns:
            yield [turn.turn_id for turn in response.frame.turns]


async def sound(dial: Dial, stays: Callable[[], bool] = lambda: False) -> None:
    call = await dialled(dial)
    await call.write(request(hello=Hello(token=dial.token, protocol_revision=1, tables=64)))
    async for asked in turns(call, stays):
        await call.write(request(answers=Answers(turn_ids=asked, choices=[0] * len(asked))))


def play(north: Bot = sound, duels: int = 2) -> tuple[list[Outcome], Launcher]:
    launcher = Launcher(north)
    return session(launcher, duels), launcher


def session(launcher: Launcher, duels: int) -> list[Outcome]:
    outcomes: list[Outcome] = []
    terms = Terms(euchre(), TimeLimits(decision=5.0, ready=5.0))
    meeting = numbered_duels(bytes(32), "hall", duels)
    asyncio.run(play_session(terms, meeting, launcher, outcomes.append))
    return outcomes


def test_a_session_plays_all_duels_to_the_end() -> None:
    outcomes, launcher = play(duels=3)
    assert [type(outcome) for outcome in outcomes] == [DuelResult] * 3
    assert len(launcher.started) == 8


def test_every_seat_has_a_socket_of_its_own_and_none_is_left() -> None:
    _, launcher = play()
    assert len(launcher.sockets) == 8
    assert not any(socket.exists() for socket in launcher.sockets)


class Watched(Launcher):
    """Remembers what of the first room was left when each process of the second was started."""

    def __init__(self) -> None:
        super().__init__(sound)
        self.left: list[int] = []

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        if len(self.started) >= 4:
            self.left.append(sum(not process.is_gone for process in self.processes[:4]))
        return await super().start(entrant, seat, socket, token)


def test_the_second_room_is_started_when_every_process_of_the_first_is_gone() -> None:
    launcher = Watched()
    session(launcher, duels=2)
    assert launcher.left == [0] * 4
    assert sorted(launcher.started[:4]) == [(0, 0), (0, 2), (1, 1), (1, 3)]
    assert sorted(launcher.started[4:]) == [(0, 1), (0, 3), (1, 0), (1, 2)]


class NeverGone(Process):
    """Hangs in the kernel, as it were."""

    is_gone = False


class HangsInTheKernel(Launcher):
    async def start(self, _entrant: int, _seat: int, socket: Path, token: str) -> Process:
        self.processes.append(NeverGone(sound, socket, token))
        return self.processes[-1]


def test_the_second_room_is_not_started_beside_a_process_of_the_first() -> None:
    launcher = HangsInTheKernel(sound)
    outcomes = session(launcher, duels=2)
    assert [type(outcome) for outcome in outcomes] == [Voided] * 2
    assert len(launcher.processes) == 4


def peer_name(address: Path) -> str:
    """Return what a bot can read of the socket that it is connected to."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(address))
        return Path(link.getpeername()).name


def test_the_name_of_a_socket_does_not_depend_on_its_place() -> None:
    assert play()[1].peers != play()[1].peers


class StartsWhileOthersLeave(Launcher):
    """Starts A's North again at the very moment at which the session ends."""

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        if (entrant, seat) in self.started:
            while not any(  # noqa: ASYNC110 (nothing tells of a cancellation)
                task.cancelling() for task in asyncio.all_tasks()
            ):
                await asyncio.sleep(0)
        return await super().start(entrant, seat, socket, token)


def test_a_session_ends_though_a_process_has_just_been_started() -> None:
    async def crashes(dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1)))
        await anext(turns(call))
        dial.ending.set_result(End("exited", exit_code=1))

    outcomes = session(StartsWhileOthersLeave(crashes), duels=1)
    assert [type(outcome) for outcome in outcomes] == [DuelResult]


class ReportsLate(Launcher):
    """Reports that A's North was started only when that bot has been welcomed."""

    def __init__(self) -> None:
        self.welcomed = asyncio.Event()
        super().__init__(self.plays)

    async def plays(self, dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1)))
        await call.read()
        self.welcomed.set()
        async for asked in turns(call):
            await call.write(request(answers=Answers(turn_ids=asked, choices=[0] * len(asked))))

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        process = await super().start(entrant, seat, socket, token)
        if (entrant, seat) == (0, 0):
            await self.welcomed.wait()
        return process


def test_who_is_ready_before_its_start_is_reported_is_not_awaited_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts = []
    monkeypatch.setattr(Clock, "start", lambda _, now: starts.append(now))
    session(ReportsLate(), 1)
    assert len(starts) == 7


class DiesSlowly(Process):
    """Takes a while to be stopped."""

    is_dying = is_dead = False

    async def stop(self) -> End:
        self.is_dying = True
        for _ in range(1000):
            await asyncio.sleep(0)
        self.is_dead = True
        return await super().stop()


class LeaveInTurn(Launcher):
    """Starts bots that end at the goodbye, A's North only when another is being stopped."""

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        def stays() -> bool:
            return (entrant, seat) == (0, 0) and not any(each.is_dying for each in self.dying)

        async def ends(dial: Dial) -> None:
            await sound(dial, stays)
            dial.ending.set_result(End("exited", exit_code=0))

        self.processes.append(DiesSlowly(ends, socket, token))
        return self.processes[-1]

    @property
    def dying(self) -> list[DiesSlowly]:
        return [process for process in self.processes if isinstance(process, DiesSlowly)]


def test_a_session_is_over_when_every_process_has_been_stopped() -> None:
    launcher = LeaveInTurn(sound)
    session(launcher, duels=1)
    assert [process.is_dead for process in launcher.dying] == [True] * 8


def start_failures(outcomes: Sequence[Outcome]) -> list[tuple[str, int, int]]:
    """Return how, and at which entrant and seat, starts failed."""
    return [(o.kind, o.entrant, o.seat) for o in outcomes if isinstance(o, StartFailure)]


def test_a_bot_that_ends_is_noticed_at_once() -> None:
    async def crashes(dial: Dial) -> None:
        call = await dialled(dial)
        call.cancel()
        dial.ending.set_result(End("exited", exit_code=3, detail="exit code 3"))

    outcomes, launcher = play(crashes)
    assert start_failures(outcomes) == [("crashed", 0, 0)]
    assert launcher.started.count((0, 0)) == 3


def test_evidence_is_taken_of_the_first_processes_of_a_place() -> None:
    async def crashes_when_asked(dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1, tables=1)))
        await anext(turns(call))
        dial.ending.set_result(End("exited", exit_code=3, detail="exit code 3"))

    outcomes, _ = play(crashes_when_asked, duels=MOST_RECORDED + 2)
    faults = {f.duel: f for o in outcomes if isinstance(o, DuelResult) for f in o.faults}
    taken = [faults[duel].evidence is not None for duel in range(MOST_RECORDED + 2)]
    assert taken == [True] * MOST_RECORDED + [False] * 2


def test_evidence_is_taken_of_who_starts_no_more() -> None:
    started = 0

    async def starts_once(dial: Dial) -> None:
        nonlocal started
        started += 1
        call = await dialled(dial)
        if started == 1:
            await call.write(request(hello=Hello(token=dial.token, protocol_revision=1, tables=1)))
            await anext(turns(call))
        dial.ending.set_result(End("exited", exit_code=3, detail="exit code 3"))

    outcomes, _ = play(starts_once)
    (failure,) = (each for each in outcomes if isinstance(each, StartFailure))
    assert (started, failure.evidence is not None) == (4, True)


@pytest.mark.parametrize(
    ("limit", "kind"),
    [
        ("memory", "memory_limit"),
        ("processes", "process_limit"),
        ("cpu", "cpu_limit"),
        ("output", "output_limit"),
    ],
)
def test_the_limit_that_ended_it_is_what_it_is_blamed_for(limit: str, kind: str) -> None:
    async def grows(dial: Dial) -> None:
        dial.ending.set_result(End("limit", limit=limit))

    outcomes, _ = play(grows)
    assert start_failures(outcomes) == [(kind, 0, 0)]


def test_a_sandbox_that_vanishes_is_nobodys_fault() -> None:
    lives = []

    async def vanishes_once(dial: Dial) -> None:
        lives.append(dial)
        if len(lives) > 1:
            await sound(dial)
            return
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1)))
        await anext(turns(call))
        dial.ending.set_result(End("vanished"))

    outcomes, _ = play(vanishes_once)
    assert [void.duel.number for void in outcomes if isinstance(void, Voided)] == [0]
    assert [o.faults for o in outcomes if isinstance(o, DuelResult)] == [()]


def test_a_sandbox_that_cannot_be_started_is_nobodys_fault() -> None:
    class Broken(Launcher):
        async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
            if (entrant, seat) == (1, 2):
                raise UpcardError("no space left")
            return await super().start(entrant, seat, socket, token)

    outcomes: list[Outcome] = []
    meeting = numbered_duels(bytes(32), "hall", 2)
    asyncio.run(play_session(Terms(euchre()), meeting, Broken(sound), outcomes.append))
    assert [o.reason for o in outcomes if isinstance(o, Voided)] == [
        "its sandbox could not be started: no space left"
    ] * 2


class EndsByItself(Process):
    """Is not stopped before it has ended, so that it reads whatever it was sent."""

    async def stop(self) -> End:
        await asyncio.wait([self._task], timeout=PATIENCE)
        return await super().stop()


class PatientLauncher(Launcher):
    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Process:
        bot = self.north if (entrant, seat) == (0, 0) else sound
        return EndsByItself(bot, socket, token)


@pytest.mark.parametrize(
    ("said", "reason", "code"),
    [
        (
            lambda _: request(answers=Answers()),
            "NO_HELLO",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (
            lambda dial: request(hello=Hello(token="no" + dial.token, protocol_revision=1)),
            "WRONG_TOKEN",
            grpc.StatusCode.UNAUTHENTICATED,
        ),
        (
            lambda dial: request(hello=Hello(token=dial.token, protocol_revision=0)),
            "OLD_REVISION",
            grpc.StatusCode.FAILED_PRECONDITION,
        ),
    ],
    ids=["no hello", "another's token", "an old revision"],
)
def test_a_refused_bot_is_told_why(
    said: Callable[[Dial], bytes], reason: str, code: grpc.StatusCode
) -> None:
    told: list[tuple[str, grpc.StatusCode]] = []

    async def refused(dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(said(dial))
        try:
            await call.read()
        except grpc.aio.AioRpcError as error:
            status = await rpc_status.from_call(call)
            info = ErrorInfo()
            assert status
            assert status.details[0].Unpack(info)
            told.append((info.reason, error.code()))
            raise

    outcomes = session(PatientLauncher(refused), duels=2)
    assert set(told) == {(reason, code)}
    assert start_failures(outcomes) == [("protocol_error", 0, 0)]


def test_a_fault_keeps_every_message_and_the_last_words() -> None:
    async def illegal(dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1)))
        async for asked in turns(call):
            await call.write(request(answers=Answers(turn_ids=asked, choices=[77] * len(asked))))

    outcomes, _ = play(illegal, duels=1)
    (first, *_) = [f for o in outcomes if isinstance(o, DuelResult) for f in o.faults]
    evidence = first.evidence
    assert isinstance(evidence, TranscriptEvidence)
    assert [message.way for message in evidence.messages] == [FROM_BOT, TO_BOT, TO_BOT, FROM_BOT]
    assert evidence.output == b"last words"


def test_a_session_that_is_interrupted_leaves_no_process_and_no_socket() -> None:
    async def never_answers(dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1)))
        await anext(turns(call))
        asked.set()
        await asyncio.sleep(3600)

    async def interrupted() -> None:
        meeting = numbered_duels(bytes(32), "hall", 2)
        session = asyncio.ensure_future(
            play_session(Terms(euchre()), meeting, launcher, outcomes.append)
        )
        await asked.wait()
        session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await session

    asked = asyncio.Event()
    outcomes: list[Outcome] = []
    launcher = Launcher(never_answers)
    asyncio.run(interrupted())
    assert len(launcher.processes) == 4
    assert all(process.ended.done() for process in launcher.processes)
    assert not any(socket.exists() for socket in launcher.sockets)


def test_what_goes_wrong_with_us_is_not_blamed_on_a_bot() -> None:
    def full_disk(_: Outcome) -> None:
        raise UpcardError("no space left")

    meeting = numbered_duels(bytes(32), "hall", 1)
    terms = Terms(euchre(), TimeLimits(decision=5.0, ready=5.0))
    with pytest.raises(UpcardError, match="no space left"):
        asyncio.run(play_session(terms, meeting, Launcher(sound), full_disk))


def test_what_cannot_be_started_as_asked_ends_the_session_at_once() -> None:
    class Full(Launcher):
        async def start(self, *_: object) -> Process:
            raise ConfigError("it does not fit into memory")

    meeting = numbered_duels(bytes(32), "hall", 1)
    with pytest.raises(ConfigError, match="does not fit"):
        asyncio.run(play_session(Terms(euchre()), meeting, Full(sound), lambda _: None))


def test_a_bot_that_opens_stream_after_stream_breaks_the_protocol() -> None:
    async def greedy(dial: Dial) -> None:
        call = await dialled(dial)
        await call.write(request(hello=Hello(token=dial.token, protocol_revision=1)))
        await call.read()
        while True:
            other = await dialled(dial)
            with suppress(grpc.aio.AioRpcError):
                await other.read()

    outcomes, _ = play(greedy, duels=1)
    faults = {f.kind for o in outcomes if isinstance(o, DuelResult) for f in o.faults}
    assert faults | {kind for kind, *_ in start_failures(outcomes)} == {"protocol_error"}
