"""The protocol without the SDK, for bots that are to break it."""

import os
from collections.abc import Iterator, Sequence
from queue import SimpleQueue

from upcard.lazy import lazy_modules

# As in the SDK: hundreds of these bots are started.
with lazy_modules("asyncio", "grpc.aio"):
    import grpc

from upcard.v1.referee_pb2 import Answers, Frame, Hello, PlayRequest, PlayResponse, Turn


class Wire:
    """A stream on which anything can be sent."""

    def __init__(self) -> None:
        channel = grpc.insecure_channel(os.environ["UPCARD_ADDRESS"])
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(
            "/upcard.v1.RefereeService/Play", None, None
        )
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self.said = play(iter(self._outbox.get, None))

    def send(self, data: bytes) -> None:
        """Send any bytes."""
        self._outbox.put(data)

    def hang_up(self) -> None:
        """End this side of the stream."""
        self._outbox.put(None)

    def hello(self, token: str | None = None, tables: int = 256) -> None:
        """Say hello."""
        shown = os.environ["UPCARD_TOKEN"] if token is None else token
        hello = Hello(token=shown, protocol_revision=1, sdk="hostile", tables=tables)
        self.send(PlayRequest(hello=hello).SerializeToString())

    def answer(self, turns: Sequence[int], choices: Sequence[int]) -> None:
        """Answer turns by their numbers."""
        answers = Answers(turn_ids=turns, choices=choices)
        self.send(PlayRequest(answers=answers).SerializeToString())

    def frames(self) -> Iterator[Frame]:
        """Return the frames that ask for something, up to the goodbye."""
        for data in self.said:
            response = PlayResponse.FromString(data)
            if response.HasField("goodbye"):
                return
            if response.frame.turns:
                yield response.frame

    def play(self, frame: Frame) -> None:
        """Answer a whole frame as a sound bot would."""
        self.answer([turn.turn_id for turn in frame.turns], [0] * len(frame.turns))


def phase(turn: Turn) -> str:
    """Name what a turn of euchre is about."""
    return {1: "bidding", 2: "discarding", 3: "playing"}[turn.euchre.phase]
