"""Runs inside a sandbox, and sends or receives bits as the referee asks it to.

Requests come on the socket of its seat, answers go back, each a line of JSON. Each primitive has a
process of its own, so that nothing of it is left for the next. It needs nothing but Python itself.
"""

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from .primitives import PRIMITIVES

Request = dict[str, Any]
Act = Callable[[Request], object]


def main() -> None:
    """Answer until the referee hangs up."""
    address = os.environ["UPCARD_ADDRESS"].removeprefix("unix:")
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(address)
        with link.makefile("rw", encoding="utf-8", newline="\n") as lines:
            for request in _requests(lines):
                _in_a_process_of_its_own(request, lines)


def _requests(lines: TextIO) -> Iterator[Request]:
    while line := lines.readline():
        yield json.loads(line)


def _in_a_process_of_its_own(opening: Request, lines: TextIO) -> None:
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        # So that the referee does not wait for the answer of a process that has crashed.
        _answer(lines, {"closed": status})
        return
    try:
        _take_part(opening, lines)
    finally:
        # Threads may wait forever.
        os._exit(0)


def _take_part(opening: Request, lines: TextIO) -> None:
    try:
        act = _part(opening)
    except OSError as error:
        _answer(lines, {"refused": error.strerror or str(error)})
        return
    _answer(lines, {"ready": opening["name"]})
    for request in _requests(lines):
        if request.get("close"):
            return
        begin = time.perf_counter()
        try:
            result = act(request)
        except OSError as error:
            _answer(lines, {"refused": error.strerror or str(error)})
            return
        _answer(lines, {"result": result, "seconds": time.perf_counter() - begin})


def _part(opening: Request) -> Act:
    primitive = PRIMITIVES[opening["name"]]
    if opening["sends"]:
        send = primitive.sender()

        def act(request: Request) -> None:
            send(request["bit"])

        return act
    receive = primitive.receiver()
    return lambda _: receive()


def _answer(lines: TextIO, answer: Request) -> None:
    lines.write(json.dumps(answer) + "\n")
    lines.flush()


if __name__ == "__main__":
    main()
