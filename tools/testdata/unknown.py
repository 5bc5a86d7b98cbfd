"""Messages with what no revision of the protocol has yet."""

from typing import Final

from google.protobuf.message import Message

from upcard.v1.referee_pb2 import PlayResponse

_NUMBER: Final = b"\x98\x06\x2a"
"""Field 99, a number."""
_TEXT: Final = b"\xa2\x06\x05later"
"""Field 100, five bytes."""
UNKNOWN_KIND: Final = _TEXT
"""A response of which nothing is known."""


def with_unknown_fields(response: bytes) -> PlayResponse:
    """Add fields to every message in a response."""
    message = PlayResponse.FromString(response)
    _add(message)
    return message


def _add(message: Message) -> None:
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for inner in [value] if isinstance(value, Message) else value:
                _add(inner)
    message.MergeFromString(_NUMBER + _TEXT)
