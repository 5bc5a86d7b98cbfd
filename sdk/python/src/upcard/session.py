"""Plays on the stream to the referee, from hello to goodbye."""

import os
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Event
from traceback import print_exception
from typing import Final

# Half as much CPU for a small message; an inner switch of gRPC, which skips what it does not know.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")

from upcard.lazy import lazy_modules

# gRPC imports these for its other interface; they take longer to load than the rest of it.
with lazy_modules("asyncio", "grpc.aio"):
    import grpc

from upcard import __path__, __version__
from upcard.answering import Tables
from upcard.bot import Bot
from upcard.errors import NotKnown
from upcard.logs import log
from upcard.pieces import Pieces
from upcard.v1.referee_pb2 import Fault, FaultNotice, Hello, PlayRequest, PlayResponse, Welcome
from upcard.v1.referee_pb2_grpc import RefereeServiceStub

_OPTIONS: Final = [("grpc.max_receive_message_length", 16 * 1024 * 1024)]
_GOODBYE_SECONDS: Final = 1.0
_SDK: Final = __path__[0] + os.sep

Outbox = SimpleQueue[PlayRequest | None]
"""What is to be sent; None ends it."""


def play(kind: type[Bot], address: str, token: str, tables: int) -> int:
    """Play until the referee says goodbye; return the exit code."""
    sdk = f"upcard-python {__version__}"
    hello = Hello(token=token, protocol_revision=1, sdk=sdk, tables=tables)
    outbox: Outbox = SimpleQueue()
    outbox.put(PlayRequest(hello=hello))
    ended = Event()
    with grpc.insecure_channel(address, _OPTIONS) as channel:
        stream = RefereeServiceStub(channel).Play(iter(outbox.get, None))
        stream.add_callback(ended.set)
        code = _listen(kind, stream, outbox)
        outbox.put(None)
        # The referee ends the stream once it has read the last answers.
        ended.wait(_GOODBYE_SECONDS)
    return code


def _listen(kind: type[Bot], responses: Iterator[PlayResponse], outbox: Outbox) -> int:
    try:
        welcome = _welcome(responses)
    except grpc.RpcError as error:
        log(f"the referee does not receive this bot: {_reason(error)}")
        return 1
    try:
        return _play(Tables(kind, welcome), responses, outbox) if welcome else 0
    except NotKnown as error:
        log(error)
        return 1


def _welcome(responses: Iterator[PlayResponse]) -> Welcome | None:
    for response in responses:
        if response.HasField("welcome"):
            return response.welcome
        if _is_goodbye(response):
            break
    return None


def _play(tables: Tables, responses: Iterator[PlayResponse], outbox: Outbox) -> int:
    pieces = Pieces(lambda answers: outbox.put(PlayRequest(answers=answers)))
    try:
        for response in responses:
            tables.answer(response.frame, pieces)
            if _is_goodbye(response):
                break
    except grpc.RpcError as error:
        log(f"the referee is gone: {_reason(error)}")
    except NotKnown:
        raise
    except Exception as error:  # noqa: BLE001 (whatever goes wrong in a bot is for its author to see)
        _print_failure(error, tables.situation())
        return 1
    return 0


def _is_goodbye(response: PlayResponse) -> bool:
    """Log what the referee complains of; return whether it says goodbye."""
    if response.HasField("fault"):
        log(_explained(response.fault))
    return response.HasField("goodbye")


def _explained(notice: FaultNotice) -> str:
    # There may be faults that were not known when this was written.
    known = notice.fault in Fault.values()
    fault = Fault.Name(notice.fault).removeprefix("FAULT_") if known else str(notice.fault)
    where = f" at table {notice.table_id}" if notice.table_id else ""
    when = f", turn {notice.turn_id}" if notice.turn_id else ""
    return f"fault {fault}{where}{when}: {notice.explanation}"


def _reason(error: grpc.RpcError) -> str:
    assert isinstance(error, grpc.Call)
    return f"{error.code().name}: {error.details()}"


def _print_failure(error: Exception, situation: str) -> None:
    """Print a traceback that begins in the bot's own code."""
    log(f"the bot failed; {situation}")
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename.startswith(_SDK):
        trace = trace.tb_next
    print_exception(type(error), error, trace)
