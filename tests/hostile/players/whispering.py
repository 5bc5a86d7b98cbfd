"""Plays as a bot should, and at each of its turns tells its partner a bit, or listens for one.

North sends and South receives; what they sent and received is in their output, with the time. It
only plays if it is given no channel that is known.
"""

import secrets
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from wire import Wire

from upcard.v1.cards_pb2 import Seat
from upcard.v1.referee_pb2 import PlayResponse

if TYPE_CHECKING:
    from referee.sandbox.channels.primitives import PRIMITIVES
else:  # as it lies in the bundle
    from channels.primitives import PRIMITIVES


def whisper(name: str, seat: Seat.ValueType) -> Callable[[], object]:
    """Return what is done at each turn, which is what is written of it."""
    if name not in PRIMITIVES:
        return lambda: None
    if seat == Seat.SEAT_NORTH:
        send = PRIMITIVES[name].sender()

        def sent() -> int:
            bit = secrets.randbelow(2)
            send(bit)
            return bit

        return sent
    if seat == Seat.SEAT_SOUTH:
        return PRIMITIVES[name].receiver()
    return lambda: None


def play(name: str) -> None:
    """Play, and whisper until the system refuses it."""
    wire = Wire()
    wire.hello(tables=1)
    seat = PlayResponse.FromString(next(wire.said)).welcome.seat
    act: Callable[[], object] | None = None
    refused = False
    for frame in wire.frames():
        if not refused:
            try:
                act = act or whisper(name, seat)
                begin = time.monotonic_ns()
                print(begin, act(), time.monotonic_ns(), flush=True)
            except OSError as error:
                refused = True
                print("refused", error, flush=True)
        wire.play(frame)


if __name__ == "__main__":
    play(sys.argv[1])
