"""What one bot says is judged as at every table."""

import pytest

from referee.arena import fault
from referee.errors import UpcardError
from referee.rpc import codec
from referee.rpc.judging import Violation, blame, received, understood, wrong
from tests.examination.plain import Ending
from upcard.v1.referee_pb2 import Answers, Hello, PlayRequest

TOKEN = "5a" * 16
WAITING = {5: 3, 6: 2}


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
    assert kind_of(received(data, TOKEN)) == kind


@pytest.mark.parametrize(
    ("turns", "choices", "kind"),
    [
        ((5,), (2,), None),
        ((6, 5), (1, 0), None),
        ((), (), None),
        ((5,), (3,), fault.ILLEGAL_ACTION),
        ((5, 5), (0, 0), fault.PROTOCOL_ERROR),
        ((7,), (0,), fault.PROTOCOL_ERROR),
        ((0,), (0,), fault.PROTOCOL_ERROR),
        ((4, 4), (0, 99), None),
    ],
)
def test_an_answer_is_to_what_was_asked(
    turns: tuple[int, ...], choices: tuple[int, ...], kind: str | None
) -> None:
    assert kind_of(wrong(codec.Answers(turns, choices), WAITING, 5)) == kind


def test_a_second_hello_is_wrong() -> None:
    assert kind_of(understood(hello())) == fault.PROTOCOL_ERROR


def test_what_cannot_be_read_is_wrong() -> None:
    assert kind_of(understood(b"\xff")) == fault.MALFORMED_MESSAGE


def test_an_answer_is_understood() -> None:
    said = PlayRequest(answers=Answers(turn_ids=[5], choices=[2])).SerializeToString()
    assert understood(said) == codec.Answers((5,), (2,))


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


def test_what_was_killed_from_outside_is_nobodys_fault() -> None:
    with pytest.raises(UpcardError) as raised:
        blame(Ending("vanished", None, None, "its sandbox was killed from outside (SIGKILL)"))
    assert str(raised.value) == "its sandbox was killed from outside (SIGKILL); run again"
