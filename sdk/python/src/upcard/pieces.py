"""Sends the answers to a frame, in one piece or, if that takes long, in several."""

import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Final

from upcard.v1.referee_pb2 import Answers

PIECE_SECONDS: Final = 0.1
"""What is answered is sent at the latest so long after what was sent before."""


class Pieces:
    """The answers to the frame that is being decided.

    A bot adds to `turn_ids`, then to `choices`, and calls `send` once it is `due`. While it
    takes its time over a decision, a thread sends what is finished.
    """

    turn_ids: list[int]
    choices: list[int]
    due: float
    """When the next piece is to be sent, by the clock."""

    def __init__(
        self, send: Callable[[Answers], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take where to send a piece."""
        self.clock = clock
        self._send = send
        self._lock = Lock()
        self._sent = 0
        self._watched = False
        """Whether a frame is being decided that may be sent in several pieces."""
        self._begun = Event()
        self._thread: Thread | None = None

    def begin(self, turns: int) -> None:
        """Begin a frame of so many turns."""
        with self._lock:
            self.turn_ids, self.choices, self._sent = [], [], 0
        self.due = self.clock() + PIECE_SECONDS
        if turns > 1:
            self._watched = True
            self._begun.set()
            if self._thread is None:
                self._thread = Thread(target=self._watch, daemon=True)
                self._thread.start()

    def send(self) -> None:
        """Send what is finished and not sent, if there is anything."""
        with self._lock:
            first, self._sent = self._sent, len(self.choices)
            if self._sent > first:
                piece = slice(first, self._sent)
                self._send(Answers(turn_ids=self.turn_ids[piece], choices=self.choices[piece]))
                self.due = self.clock() + PIECE_SECONDS

    def end(self) -> None:
        """Send the last piece; there is no more to come."""
        self._watched = False
        self.send()

    def _watch(self) -> None:
        """Send each piece that is due, as long as frames follow one another; then sleep."""
        while True:
            self._begun.clear()
            if not self._watched:
                self._begun.wait()
                continue
            left = self.due - self.clock()
            if left <= 0:
                self.send()
                # If nothing was finished, what is finished next is sent by who decides.
                left = PIECE_SECONDS
            time.sleep(left)
