"""A bot's process and its stream, with a referee that follows a script."""

from collections.abc import Iterator
from textwrap import dedent

import grpc
import pytest

from referee.engine.registry import preset
from tests.sdk.python.fake_referee import Ended, Script, receive, start
from tests.sdk.python.test_answering import turns
from tests.sdk.python.turns import welcome
from upcard import __version__
from upcard.v1.referee_pb2 import (
    FAULT_ILLEGAL_ACTION,
    Answers,
    FaultNotice,
    Frame,
    Goodbye,
    Hello,
    PlayRequest,
    PlayResponse,
    TableClosed,
    TableOpened,
)

WELCOME = PlayResponse(welcome=welcome(preset("euchre").game(), 0))
OPENED = PlayResponse(frame=Frame(opened=[TableOpened(table_id=1, seed=5)]))
GOODBYE = PlayResponse(goodbye=Goodbye())
FIRST = "return legal[0]"


def program(choose: str, run: str = "upcard.run(MyBot)") -> str:
    return dedent("""\
        import sys, threading, time, upcard

        class MyBot(upcard.Bot):
            def choose(self, view, legal):
                {}

        {}
        """).format(choose, run)


def play(choose: str, number: int = 1, *more: PlayResponse) -> tuple[Ended, list[PlayRequest]]:
    """Ask for some decisions in one frame, go on with what else there is, and say goodbye."""
    heard: list[PlayRequest] = []

    def script(
        requests: Iterator[PlayRequest], _context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        heard.append(next(requests))
        yield WELCOME
        yield OPENED
        yield PlayResponse(frame=turns(number))
        heard.append(next(requests))
        yield from more
        yield GOODBYE
        heard.extend(requests)

    return receive(program(choose), script), heard


def say(*responses: PlayResponse) -> Script:
    """Say this whatever the bot says."""

    def script(
        requests: Iterator[PlayRequest], _context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        next(requests)
        yield from responses

    return script


def test_a_bot_presents_itself() -> None:
    _, heard = play(FIRST)
    sdk = f"upcard-python {__version__}"
    assert heard[0].hello == Hello(token="secret", protocol_revision=1, sdk=sdk, tables=256)


def test_a_bot_says_how_many_tables_it_can_hold() -> None:
    hellos: list[PlayRequest] = []

    def script(
        requests: Iterator[PlayRequest], _context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        hellos.append(next(requests))
        yield GOODBYE

    receive(program(FIRST, "upcard.run(MyBot, tables=3)"), script)
    assert hellos[0].hello.tables == 3


def test_a_frame_is_answered_by_one_message() -> None:
    _, heard = play(FIRST, 256)
    answers = Answers(turn_ids=range(10, 266), choices=[0] * 256)
    assert heard[1:] == [PlayRequest(answers=answers)]


def test_goodbye_ends_a_bot_in_order() -> None:
    ended, _ = play(FIRST)
    assert ended == Ended(0, "", "")


def test_a_bot_closes_its_side_after_the_goodbye() -> None:
    closed = []

    def script(
        requests: Iterator[PlayRequest], _context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        next(requests)
        yield GOODBYE
        assert list(requests) == []  # a bot that is just gone makes this raise
        closed.append(True)

    receive(program(FIRST), script)
    assert closed == [True]


def test_what_a_bot_prints_is_not_lost() -> None:
    ended, _ = play("print(view.upcard); " + FIRST)
    assert ended.stdout == "JS\n"


def test_the_end_of_the_stream_ends_a_bot_in_order() -> None:
    assert receive(program(FIRST), say(WELCOME)) == Ended(0, "", "")


def test_a_goodbye_instead_of_a_welcome_ends_a_bot_in_order() -> None:
    assert receive(program(FIRST), say(GOODBYE)) == Ended(0, "", "")


def test_no_thread_of_a_bot_keeps_it_alive() -> None:
    ended, _ = play("threading.Thread(target=threading.Event().wait).start(); " + FIRST)
    assert ended.code == 0


def test_a_frame_of_many_megabytes_is_read() -> None:
    news = Frame(closed=[TableClosed(table_id=2**32 - 1)] * 800_000)
    assert news.ByteSize() > 5_000_000
    ended, _ = play(FIRST, 1, PlayResponse(frame=news))
    assert ended == Ended(0, "", "")


def failing(choose: str) -> Ended:
    return receive(program(choose), say(WELCOME, OPENED, PlayResponse(frame=turns(1))))


def test_a_bot_that_raises_ends_with_exit_code_1() -> None:
    assert failing("return 1 // 0").code == 1


def test_the_traceback_begins_in_the_bots_own_code() -> None:
    lines = failing("return 1 // 0").stderr.splitlines()
    assert lines[1:3] == [
        "Traceback (most recent call last):",
        '  File "<string>", line 5, in choose',
    ]
    assert lines[-1] == "ZeroDivisionError: integer division or modulo by zero"


def test_a_failure_tells_the_situation_first() -> None:
    first = failing("return 1 // 0").stderr.splitlines()[0]
    assert first == (
        "[table 1, turn 10] the bot failed; euchre, bidding: hand 9C TC JC QC KC, upcard JS, "
        "legal pass order_up order_up_alone"
    )


def test_an_illegal_return_value_ends_a_bot() -> None:
    ended = failing("return 'play:JD'")
    assert ended.code == 1
    assert ended.stderr.splitlines()[-1] == (
        "upcard.errors.IllegalChoice: the bot returned 'play:JD'; "
        "legal here: pass order_up order_up_alone"
    )


def test_a_bot_may_end_itself() -> None:
    assert failing("sys.exit(7)").code == 7


def test_a_log_line_tells_table_and_turn() -> None:
    ended, _ = play("upcard.log(view.hand[0]); " + FIRST)
    assert ended.stderr == "[table 1, turn 10] 9C\n"


def test_a_log_line_takes_any_number_of_values() -> None:
    ended, _ = play("upcard.log('hand', len(view.hand), legal[0]); " + FIRST)
    assert ended.stderr == "[table 1, turn 10] hand 5 pass\n"


def test_finished_answers_are_sent_though_a_decision_fails() -> None:
    ended, heard = play("assert view.turn < 12; " + FIRST, 3)
    assert ([list(each.answers.turn_ids) for each in heard[1:]], ended.code) == ([[10, 11]], 1)


def test_a_log_line_without_a_turn_stands_alone() -> None:
    ended = receive(program(FIRST, "upcard.log('ready'); upcard.run(MyBot)"), say(GOODBYE))
    assert ended.stderr == "ready\n"


def test_a_fault_is_told_in_words() -> None:
    notice = FaultNotice(
        fault=FAULT_ILLEGAL_ACTION, table_id=1, turn_id=10, explanation="no such action"
    )
    ended, _ = play(FIRST, 1, PlayResponse(fault=notice))
    assert ended.stderr == "fault ILLEGAL_ACTION at table 1, turn 10: no such action\n"


def test_a_fault_before_the_welcome_is_told_too() -> None:
    notice = FaultNotice(fault=FAULT_ILLEGAL_ACTION, explanation="no")
    ended = receive(program(FIRST), say(PlayResponse(fault=notice), GOODBYE))
    assert ended.stderr == "fault ILLEGAL_ACTION: no\n"


def abort(*before: PlayResponse) -> Script:
    def script(
        requests: Iterator[PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        next(requests)
        yield from before
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong token")

    return script


def test_a_refused_bot_says_why() -> None:
    ended = receive(program(FIRST), abort())
    assert ended.code == 1
    assert ended.stderr == ("the referee does not receive this bot: UNAUTHENTICATED: wrong token\n")


def test_a_referee_that_goes_away_is_no_failure_of_the_bot() -> None:
    ended = receive(program(FIRST), abort(WELCOME))
    assert ended == Ended(0, "", "the referee is gone: UNAUTHENTICATED: wrong token\n")


def test_without_a_referee_a_bot_says_how_to_try_it() -> None:
    ended = start(program(FIRST))
    assert ended.code == 2
    assert "`upcard try DIR`" in ended.stderr


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("upcard.run(MyBot())", "takes a class derived from upcard.Bot"),
        ("upcard.run(max)", "takes a class derived from upcard.Bot"),
        ("upcard.run(MyBot, tables=0)", "sits at 1 to 256 tables, not 0"),
        ("upcard.run(MyBot, tables=257)", "sits at 1 to 256 tables, not 257"),
    ],
)
def test_a_wrong_call_of_run_is_told(call: str, complaint: str) -> None:
    assert complaint in start(program(FIRST, call)).stderr


def test_importing_the_sdk_does_not_load_grpc() -> None:
    assert start("import sys, upcard; sys.exit('grpc' in sys.modules)").code == 0


@pytest.mark.parametrize(
    ("module", "something"),
    [
        ("asyncio", "sleep"),
        ("grpc.aio", "server"),
        ("google.protobuf.internal.python_message", "GeneratedProtocolMessageType"),
        ("upcard.recycle.program", "read"),
    ],
)
def test_a_module_is_loaded_only_if_the_bot_uses_it(module: str, something: str) -> None:
    loaded = f"type(sys.modules.get({module!r})) is type(sys)"
    use = f"from {module} import {something}"
    ended, _ = play(f"print({loaded}); {use}; print({loaded}); {FIRST}")
    assert ended == Ended(0, "False\nTrue\n", "")
