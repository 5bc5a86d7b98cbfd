"""What a bot may send below its messages, and what is a flood."""

from struct import pack

import pytest

from referee.rpc import traffic
from referee.rpc.traffic import PREFACE, Allowance, FrameCounter

DATA, HEADERS, SETTINGS, PING, CONTINUATION = 0, 1, 4, 6, 9


def frame(kind: int, content: bytes = b"") -> bytes:
    """Write a frame of a kind."""
    return pack(">I", len(content))[1:] + bytes((kind, 0)) + bytes(4) + content


def counted(*sent: bytes) -> Allowance:
    """Count what is sent on one connection until it is too much."""
    allowance = Allowance()
    counter = FrameCounter(allowance)
    for each in (PREFACE, *sent):
        if not counter.count(each):
            break
    return allowance


def test_what_is_no_http2_is_not_passed_on_and_is_no_flood() -> None:
    allowance = Allowance()
    assert not FrameCounter(allowance).count(b"GET / HTTP/1.1\r\n")
    assert allowance.flood == ""


def test_a_conversation_of_any_length_is_no_flood() -> None:
    allowance = Allowance()
    counter = FrameCounter(allowance)
    opening = frame(SETTINGS) + frame(HEADERS, bytes(200)) + frame(DATA, bytes(60))
    assert counter.count(PREFACE + opening)
    answer, window = frame(DATA, bytes(12)), frame(8, bytes(4))
    for _ in range(2 * traffic.MOST_FRAMES):
        allowance.extend(100)
        assert counter.count(answer + 2 * window + frame(PING, bytes(8)))


def test_each_of_256_turns_may_be_answered_in_a_message_of_its_own() -> None:
    allowance = Allowance()
    counter = FrameCounter(allowance)
    assert counter.count(PREFACE)
    for _ in range(20):
        allowance.extend(256 * 60)
        assert counter.count(256 * frame(DATA, bytes(12)))


@pytest.mark.parametrize(
    ("kind", "name"),
    [(SETTINGS, "SETTINGS"), (PING, "PING"), (DATA, "DATA"), (77, "of the unknown kind 77")],
)
def test_frames_that_nothing_asks_for_are_a_flood_which_names_them(kind: int, name: str) -> None:
    enough = frame(kind) * traffic.MOST_FRAMES
    assert counted(enough).flood == ""
    flood = counted(enough, frame(kind)).flood
    assert flood == f"sent more HTTP/2 frames than its answers need, most of them {name}"


def test_frames_are_found_however_they_are_cut() -> None:
    sent = (frame(DATA, bytes(20)) + frame(SETTINGS, bytes(12)) + frame(PING, bytes(8))) * 400
    for size in (1, 7, 8, 9, 10, 29, 1000):
        cut = [sent[at : at + size] for at in range(0, len(sent), size)]
        assert counted(*cut).flood == counted(sent).flood != ""
        assert counted(*cut[: len(cut) // 2]).flood == ""


def test_a_preface_may_come_in_pieces() -> None:
    allowance = Allowance()
    counter = FrameCounter(allowance)
    assert all(counter.count(PREFACE[at : at + 5]) for at in range(0, len(PREFACE), 5))
    assert not counter.count(frame(SETTINGS) * (traffic.MOST_FRAMES + 1))
    assert allowance.flood


@pytest.mark.parametrize("kind", [HEADERS, CONTINUATION])
def test_headers_are_counted_by_themselves(kind: int) -> None:
    flood = counted(frame(kind) * (traffic.MOST_HEADERS + 1)).flood
    assert flood == f"sent more than {traffic.MOST_HEADERS} HTTP/2 frames with headers"


def test_headers_are_weighed_before_they_have_come() -> None:
    announced = frame(HEADERS, bytes(traffic.MOST_HEADER_BYTES + 1))[:9]
    flood = counted(announced).flood
    assert flood == f"sent more than {traffic.MOST_HEADER_BYTES} bytes of HTTP/2 headers"


def test_bytes_are_counted() -> None:
    large = frame(DATA, bytes(traffic.MOST_BYTES))
    assert counted(large).flood == "sent more bytes than its answers have"


def test_connections_share_what_their_process_may_send() -> None:
    allowance = Allowance()
    half = PREFACE + frame(SETTINGS) * (traffic.MOST_FRAMES // 2)
    passed = [FrameCounter(allowance).count(half) for _ in range(3)]
    assert passed == [True, True, False]


def test_one_connection_after_the_other_is_a_flood() -> None:
    allowance = Allowance()
    for _ in range(traffic.MOST_CONNECTIONS):
        allowance.use_connection()
    assert allowance.flood == ""
    allowance.use_connection()
    assert allowance.flood == f"opened more than {traffic.MOST_CONNECTIONS} connections"


def test_nobody_saves_up_more_than_the_allowance_at_first() -> None:
    allowance = Allowance()
    for _ in range(1000):
        allowance.extend(100_000)
    counter = FrameCounter(allowance)
    assert counter.count(PREFACE + frame(PING) * traffic.MOST_FRAMES)
    assert not counter.count(frame(PING))
