"""Tiny bots with misbehaviours: started as a program, with their names and a + between them."""

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any

from upcard.lazy import lazy_modules

# As in the SDK: a hundred of these bots are started.
with lazy_modules("asyncio", "grpc.aio"):
    import grpc

from upcard.v1.euchre_pb2 import EUCHRE_PHASE_DISCARDING, EUCHRE_PHASE_PLAYING
from upcard.v1.referee_pb2 import Answers, Frame, Hello, PlayRequest, PlayResponse, Turn
from upcard.v1.referee_pb2_grpc import RefereeServiceStub

Sent = PlayRequest | None
FOR_EVER = 3600
"""Seconds: a busy machine gives so much time back that a shorter silence may be in time."""


class Tiny:
    """Answers 0 to everything, and leaves when it should."""

    def __init__(self, misbehaviours: str) -> None:
        self.misbehaviours = set(misbehaviours.split("+"))
        self.outbox: SimpleQueue[Sent] = SimpleQueue()
        self.random = random.Random()
        self.pending: set[int] = set()

    def hello(self) -> PlayRequest:
        said: dict[str, Any] = {"sdk": "tiny", "protocol_revision": 1, "tables": 256}
        said |= {"token": os.environ["UPCARD_TOKEN"], **self.hello_otherwise()}
        return PlayRequest(hello=Hello(**said))

    def hello_otherwise(self) -> Mapping[str, Any]:
        return {
            key: value for name in self.misbehaviours for key, value in HELLOS.get(name, {}).items()
        }

    def choose(self, turn: Turn) -> int:
        view = turn.euchre if turn.HasField("euchre") else turn.whist
        for name in self.misbehaviours & FALLS.keys():
            if trick(view) == 3:
                print("token", os.environ["UPCARD_TOKEN"], "\x1b[31mred", flush=True)
                FALLS[name](self)
        if any(MISPLAYS[name](view) for name in self.misbehaviours & MISPLAYS.keys()):
            return 99
        legal = len(view.legal_cards) or len(turn.euchre.legal_calls)
        return self.random.randrange(legal) if "draws lots" in self.misbehaviours else 0

    def answer(self, frame: Frame) -> None:
        turns = list(frame.turns)
        if "dies of 64 turns" in self.misbehaviours and len(turns) == 64:
            sys.exit("too many")
        if "leaves one of two out" in self.misbehaviours and len(turns) == 2:
            turns.pop()
        if "thinks long" in self.misbehaviours:
            time.sleep(0.2)
        for part in [turns[::2], turns[1::2]] if "in pieces" in self.misbehaviours else [turns]:
            choices = [self.choose(turn) for turn in part]
            ids = [turn.turn_id for turn in part]
            if ids:
                self.outbox.put(PlayRequest(answers=Answers(turn_ids=ids, choices=choices)))
        if "answers twice" in self.misbehaviours:
            time.sleep(0.05)
            self.outbox.put(PlayRequest(answers=Answers(turn_ids=ids, choices=choices)))
        if "answers the wrong turn" in self.misbehaviours:
            self.outbox.put(PlayRequest(answers=Answers(turn_ids=[4000], choices=[0])))
        if "computes on" in self.misbehaviours:
            threading.Thread(target=spin, daemon=True).start()

    def choke(self, frame: Frame) -> None:
        """Think in another thread, and stumble over a table that closes meanwhile."""
        if self.pending & {table.table_id for table in frame.closed}:
            os._exit(7)
        self.pending |= {turn.table_id for turn in frame.turns}

        def think() -> None:
            time.sleep(0.1)
            self.answer(frame)
            self.pending -= {turn.table_id for turn in frame.turns}

        threading.Thread(target=think, daemon=True).start()

    def listen(self, responses: Iterator[PlayResponse]) -> None:
        for response in responses:
            if response.HasField("frame"):
                choking = "chokes on a closed table" in self.misbehaviours
                (self.choke if choking else self.answer)(response.frame)
            if response.HasField("goodbye"):
                self.leave()
                return

    def leave(self) -> None:
        if "stays" in self.misbehaviours:
            time.sleep(FOR_EVER)
        if "leaves with an error" in self.misbehaviours:
            os._exit(5)

    def play(self) -> None:
        if "says nothing" in self.misbehaviours:
            time.sleep(FOR_EVER)
        first = (
            PlayRequest(answers=Answers())
            if "answers first" in self.misbehaviours
            else self.hello()
        )
        self.outbox.put(first)
        with grpc.insecure_channel(os.environ["UPCARD_ADDRESS"]) as channel:
            stream = RefereeServiceStub(channel).Play(iter(self.outbox.get, None))
            try:
                self.listen(stream)
            except grpc.RpcError:
                if "outlives its stream" in self.misbehaviours:
                    time.sleep(FOR_EVER)
            self.outbox.put(None)
        os._exit(0)


def spin() -> None:
    while True:
        pass


def trick(view: Any) -> int:  # noqa: ANN401 (one of two views)
    return len(view.leaders)


HELLOS: Mapping[str, Mapping[str, Any]] = {
    "has another token": {"token": "0" * 32},
    "is too old": {"protocol_revision": 0},
    "has a long name": {"sdk": "x" * 129},
    "sits at too many tables": {"tables": 257},
    "sits at two tables": {"tables": 2},
}
MISPLAYS: Mapping[str, Callable[[Any], bool]] = {
    "misplays at the first call": lambda view: not view.calls and bool(view.legal_calls),
    "misplays at a later call": lambda view: len(view.calls) > 3 and bool(view.legal_calls),
    "misplays when stuck": lambda view: bool(view.legal_calls) and 1 not in view.legal_calls,
    "misplays the discard": lambda view: view.phase == EUCHRE_PHASE_DISCARDING,
    "misplays when somebody is alone": lambda view: bool(view.sits_out),
    "misplays the fourth trick": (
        lambda view: view.phase == EUCHRE_PHASE_PLAYING and trick(view) == 4 and not view.sits_out
    ),
    "misplays the ninth trick": lambda view: trick(view) == 9,
    "misplays the third trick": lambda view: trick(view) == 3,
    "misplays in the North": lambda view: view.seat == 1,
}
FALLS: Mapping[str, Callable[[Tiny], object]] = {
    "crashes": lambda _: os._exit(9),
    "quits": lambda _: os._exit(0),
    "falls silent": lambda _: time.sleep(FOR_EVER),
    "sends rubbish": lambda bot: bot.outbox.put(PlayRequest()),
    "says hello again": lambda bot: bot.outbox.put(bot.hello()),
    "shouts": lambda bot: bot.outbox.put(PlayRequest(hello=Hello(sdk="x" * 70000))),
}

if __name__ == "__main__":
    Tiny(sys.argv[1]).play()
