"""The replayer finds what a bot does otherwise than a transcript expects."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.sdk.python.turns import calls
from tests.sdk.replaying import AnswerSheet, UnexpectedError, replay
from upcard.v1.euchre_pb2 import EuchreView
from upcard.v1.referee_pb2 import Answers, Frame, Hello, PlayRequest, PlayResponse, Turn

HERE = Path(__file__).parent
MATCH = HERE / "transcripts" / "euchre_match.jsonl"
PROBE = HERE / "python" / "probe"


def sheet(*, takes_first: bool = False) -> AnswerSheet:
    """Ask turns 1 and 2, of which each leaves two choices."""
    turns = [
        Turn(turn_id=number, euchre=EuchreView(legal_calls=calls("pass order_up")))
        for number in (1, 2)
    ]
    asked = AnswerSheet(takes_first)
    asked.ask(PlayResponse(frame=Frame(turns=turns)).SerializeToString())
    asked.expect([1, 2])
    return asked


def answer(turn_ids: Sequence[int], choices: Sequence[int]) -> PlayRequest:
    return PlayRequest(answers=Answers(turn_ids=turn_ids, choices=choices))


def fails(*arguments: str, because: str, transcript: Path = MATCH) -> None:
    with pytest.raises(AssertionError, match=because):
        replay(transcript, [sys.executable, *arguments], PROBE)


def test_answers_may_come_in_pieces_and_in_any_order() -> None:
    asked = sheet()
    asked.take(answer([2], [1]))
    asked.take(answer([1], [0]))
    assert not asked.missing


@pytest.mark.parametrize(
    "request_",
    [
        PlayRequest(hello=Hello()),
        answer([], []),
        answer([1, 2], [0]),
        answer([3], [0]),
        answer([1, 1], [0, 0]),
        answer([1], [2]),
    ],
    ids=["a hello", "nothing", "too few choices", "never asked", "twice", "no such choice"],
)
def test_a_wrong_answer_is_found(request_: PlayRequest) -> None:
    with pytest.raises(UnexpectedError):
        sheet().take(request_)


def test_another_than_the_first_action_is_found() -> None:
    with pytest.raises(UnexpectedError):
        sheet(takes_first=True).take(answer([1], [1]))


def test_a_bot_that_never_calls_is_found() -> None:
    fails("-c", "", because="the bot never called")


def test_a_bot_that_fails_is_found() -> None:
    fails("bot.py", "raise", because=r"line \d+: the bot left")


def test_what_the_bot_printed_is_shown() -> None:
    fails("bot.py", "raise", because="the probe fails on purpose")


@pytest.mark.parametrize(
    ("end", "because"),
    [('"code":3', "ended with 0, not with 3"), ('"code":0,"stderr":"woe"', "does not tell 'woe'")],
)
def test_a_wrong_end_is_found(tmp_path: Path, end: str, because: str) -> None:
    transcript = tmp_path / "other.jsonl"
    transcript.write_text(MATCH.read_text("utf-8").replace('"code":0', end), "utf-8")
    fails("bot.py", "first", because=because, transcript=transcript)
