"""What a bot says, and how it leaves, is judged."""

import pytest

from referee.arena import fault
from referee.arena.fault import Violation
from referee.rpc import codec
from referee.rpc.judging import blame, judge_hello, judge_message
from tests.examination.plain import Ending
from upcard.v1.referee_pb2 import Answers, Hello, PlayRequest

TOKEN = "5a" * 16


def hello(token: str = TOKEN, revision: int = 1, tables: int = 1) -> bytes:
    said = Hello(token=token, protocol_revision=revision, sdk="tiny", tables=tables)
    return PlayRequest(hello=said).SerializeToString()


def kind_of(judged: object) -> str | None:
    return judged.kind if isinstance(judged, Violation) else None


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (hello(), None),
        (hello(revision=2), None),
        (hello(revision=0), fault.PROTOCOL_ERROR),
        (hello("6b" * 16), fault.PROTOCOL_ERROR),
        (hello(tables=257), fault.MALFORMED_MESSAGE),
        (PlayRequest(answers=Answers()).SerializeToString(), fault.PROTOCOL_ERROR),
        (b"\xff", fault.MALFORMED_MESSAGE),
    ],
)
def test_a_hello_is_received_or_not(data: bytes, kind: str | None) -> None:
    assert kind_of(judge_hello(data, TOKEN)) == kind


def test_a_second_hello_is_wrong() -> None:
    assert kind_of(judge_message(hello())) == fault.PROTOCOL_ERROR


def test_what_cannot_be_read_is_wrong() -> None:
    assert kind_of(judge_message(b"\xff")) == fault.MALFORMED_MESSAGE


def test_an_answer_is_judge_message() -> None:
    said = PlayRequest(answers=Answers(turn_ids=[5], choices=[2])).SerializeToString()
    assert judge_message(said) == codec.Answers((5,), (2,))


@pytest.mark.parametrize(
    ("how", "code", "limit", "kind"),
    [
        ("exited", 0, None, fault.DISCONNECTED),
        ("exited", 1, None, fault.CRASHED),
        ("signalled", 139, None, fault.CRASHED),
        ("limit", 137, "memory", fault.MEMORY_LIMIT),
        ("limit", 1, "processes", fault.PROCESS_LIMIT),
        ("limit", None, "cpu", fault.CPU_LIMIT),
        ("limit", None, "output", fault.OUTPUT_LIMIT),
    ],
)
def test_an_end_is_the_bots_own(how: str, code: int, limit: str | None, kind: str) -> None:
    assert blame(Ending(how, code, limit, "so")).kind == kind
