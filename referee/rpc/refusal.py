"""Refuses a stream with a gRPC status and a reason a program can read."""

from typing import Final, NoReturn

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status.rpc_status import to_status

from referee.rpc.server import Stream

_DOMAIN: Final = "upcard"
_REASONS: Final = {
    "SECOND_STREAM": (
        grpc.StatusCode.ALREADY_EXISTS,
        "a bot keeps one stream; this seat has one already",
    ),
    "NO_HELLO": (grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a hello"),
    "WRONG_TOKEN": (
        grpc.StatusCode.UNAUTHENTICATED,
        "the token is not the one in UPCARD_TOKEN",
    ),
    "OLD_REVISION": (
        grpc.StatusCode.FAILED_PRECONDITION,
        "the referee no longer speaks this revision of the protocol",
    ),
}


async def refuse(stream: Stream, reason: str) -> NoReturn:
    """End the stream for a reason such as ``NO_HELLO``."""
    code, words = _REASONS[reason]
    number, _ = code.value
    detail = Any()
    detail.Pack(ErrorInfo(reason=reason, domain=_DOMAIN))
    status = to_status(Status(code=number, message=words, details=[detail]))
    await stream.abort(code, words, status.trailing_metadata)
    raise AssertionError(reason)
