"""Games that a program describes are played over real sockets, and every bot sees its own game."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.arena.duel import Duel, DuelResult
from referee.arena.limits import Terms, TimeLimits
from referee.arena.session import Outcome
from referee.engine.record import SeededDeal, replay
from referee.engine.recycle import Recycle
from referee.engine.registry import GAMES
from referee.rpc import connection
from referee.rpc.sessions import play_session
from tests.rpc.test_sessions import Dial, Process, dialled, request
from upcard.v1.referee_pb2 import Answers, Frame, Hello, PlayRequest, PlayResponse, Welcome

EXAMPLES = Path(__file__).parents[2] / "examples_games"


class Told(NamedTuple):
    """What the referee told a bot."""

    seat: int
    welcome: Welcome
    frames: list[Frame]


class Launcher:
    """Starts bots that take the first move and remember what they were told."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.processes: list[Process] = []

    async def start(self, _entrant: int, seat: int, socket: Path, token: str) -> Process:
        async def bot(dial: Dial) -> None:
            call = await dialled(dial)
            await call.write(request(hello=Hello(token=dial.token, protocol_revision=1, tables=64)))
            frames: list[Frame] = []
            while isinstance(data := await call.read(), bytes):
                response = PlayResponse.FromString(data)
                if response.HasField("welcome"):
                    self.told.append(Told(seat, response.welcome, frames))
                if response.HasField("goodbye"):
                    await call.done_writing()
                frames.append(response.frame)
                if asked := [turn.turn_id for turn in response.frame.turns]:
                    answers = Answers(turn_ids=asked, choices=[0] * len(asked))
                    await call.write(PlayRequest(answers=answers).SerializeToString())

        self.processes.append(Process(bot, socket, token))
        return self.processes[-1]


def described(name: str, hands: int = 1) -> Recycle:
    program = (EXAMPLES / f"{name}.rcy").read_text(encoding="utf-8")
    game = GAMES["recycle"].with_rules({"name": name, "program": program, "hands": hands})
    assert isinstance(game, Recycle)
    return game


def played(game: Recycle, duels: int) -> tuple[list[Outcome], list[Told]]:
    launcher, outcomes = Launcher(), list[Outcome]()
    terms = Terms(game, TimeLimits(decision=20.0, ready=20.0))
    meeting = [
        Duel(n, SeededDeal(bytes(32), f"hall {n}"), game.first_dealer(n)) for n in range(duels)
    ]
    asyncio.run(play_session(terms, meeting, launcher, outcomes.append))
    return outcomes, launcher.told


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn-poker", "black-lady", "euchre"])
def test_a_described_game_is_played_to_its_end(name: str) -> None:
    outcomes, _ = played(described(name, hands=2), duels=2)
    results = [outcome for outcome in outcomes if isinstance(outcome, DuelResult)]
    assert len(results) == 2
    for result in results:
        assert not result.faults
        for match in result.rooms:
            assert list(replay(match))


@pytest.mark.slow
def test_every_bot_is_told_its_seat_and_the_score_of_every_side() -> None:
    game = described("black-lady", hands=2)
    _, told = played(game, duels=2)
    for each in told:
        rules = each.welcome.recycle
        assert (rules.seat, each.welcome.seat) == (each.seat + 1, 0)
        assert rules.program == game.program.text
        turns = [turn.recycle for frame in each.frames for turn in frame.turns]
        assert {len(turn.scores) for turn in turns} == {len(game.side_names)}
        assert {turn.hand_number for turn in turns} == {0, 1}
        closed = [table for frame in each.frames for table in frame.closed]
        assert all(len(table.scores) == len(game.side_names) for table in closed)


@pytest.mark.slow
def test_frames_grow_as_long_as_turns_are_small() -> None:
    _, told = played(described("kuhn-poker", hands=30), duels=24)
    sizes = [[len(frame.turns) for frame in each.frames if frame.turns] for each in told]
    assert max(each[0] for each in sizes) <= 8
    assert max(map(max, sizes)) > 8


def test_frames_of_large_turns_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_FRAME_BYTES", 1000)
    _, told = played(described("kuhn-poker", hands=2), duels=24)
    frames = [frame for each in told for frame in each.frames[2:]]
    assert max(len(frame.turns) for frame in frames) <= 1000 // 150
