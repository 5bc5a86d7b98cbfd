"""Bounds how many pipes and sockets a bot creates in its life.

The kernel numbers all pipes and sockets of the machine in one sequence, and shows the number: who
creates one sees how many others have created meanwhile. Nothing hides the number, so it is their
creation that is bounded, and with it what two bots can tell each other in their lives. A filter,
loaded before bubblewrap (`notified_start`), makes the kernel ask the referee about each.
"""

import array
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import sys
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from referee.sandbox.seccomp import asking_program

MOST: Final = 128
"""Pipes and sockets in the life of a sandbox; the largest runtimes take 25 to start."""
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_QUESTION_BYTES: Final = 80
_GO_ON: Final = 1
_SCRIPT: Final = str(Path(__file__).with_name("notified_start.py"))


def command(link: int) -> tuple[str, ...]:
    """Return the words before a program whose creations are asked about on a socket."""
    program = asking_program(platform.machine())
    return (sys.executable, "-I", "-S", _SCRIPT, str(link), program.hex())


class Creations:
    """Answers the kernel's questions about one sandbox."""

    def __init__(self, link: socket.socket, loop: AbstractEventLoop, resources: ExitStack) -> None:
        """Wait for the descriptor of the questions to come on a socket."""
        self.count = 0
        self._link = link
        self._loop = loop
        self._resources = resources
        self._questions = -1
        self._read(link.fileno(), self._receive_descriptor)

    def _read(self, descriptor: int, callback: Callable[[], None]) -> None:
        self._resources.callback(self._loop.remove_reader, descriptor)
        self._loop.add_reader(descriptor, callback)

    def _receive_descriptor(self) -> None:
        self._loop.remove_reader(self._link)
        found = array.array("i")
        size = socket.CMSG_LEN(found.itemsize)
        for _, _, data in self._link.recvmsg(1, size, socket.MSG_CMSG_CLOEXEC)[1]:
            found.frombytes(data)
        for self._questions in found:
            self._resources.callback(os.close, self._questions)
            self._read(self._questions, self._answer)

    def _answer(self) -> None:
        found = select.poll()
        found.register(self._questions, select.POLLIN)
        if not any(events & select.POLLIN for _, events in found.poll(0)):
            self._loop.remove_reader(self._questions)  # all who could ask have ended
            return
        question = bytearray(_QUESTION_BYTES)
        # Who asked may have ended meanwhile.
        with suppress(FileNotFoundError):
            fcntl.ioctl(self._questions, _RECEIVE, question)
            (number,) = struct.unpack_from("Q", question)
            self.count += 1
            error, flags = (0, _GO_ON) if self.count <= MOST else (-errno.EMFILE, 0)
            fcntl.ioctl(self._questions, _SEND, struct.pack("QqiI", number, 0, error, flags))
