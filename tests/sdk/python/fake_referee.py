"""A referee that says what a test tells it to, to a bot in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import grpc

from upcard.v1.referee_pb2 import PlayRequest, PlayResponse
from upcard.v1.referee_pb2_grpc import (
    RefereeServiceServicer,
    add_RefereeServiceServicer_to_server,
)

Script = Callable[[Iterator[PlayRequest], grpc.ServicerContext], Iterator[PlayResponse]]
SECONDS = 600


class Ended(NamedTuple):
    """How a bot's process ended."""

    code: int
    stdout: str
    stderr: str


def start(program: str, **environment: str) -> Ended:
    """Run a program as a bot's process is run."""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def receive(program: str, script: Script) -> Ended:
    """Start a program and talk to it as the script says."""

    class Referee(RefereeServiceServicer):
        def Play(  # noqa: N802 (the protocol's name)
            self, request_iterator: Iterator[PlayRequest], context: grpc.ServicerContext
        ) -> Iterator[PlayResponse]:
            return script(request_iterator, context)

    with TemporaryDirectory() as directory, ThreadPoolExecutor() as pool:
        address = f"unix:{Path(directory) / 'referee.sock'}"
        server = grpc.server(pool, options=[("grpc.max_send_message_length", -1)])
        add_RefereeServiceServicer_to_server(Referee(), server)
        server.add_insecure_port(address)
        server.start()
        try:
            return start(program, UPCARD_ADDRESS=address, UPCARD_TOKEN="secret")
        finally:
            server.stop(grace=None).wait()
