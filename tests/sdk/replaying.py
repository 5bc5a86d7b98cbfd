"""Holds a conversation that is written down with a bot's process, whatever it is written in."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from upcard.v1.referee_pb2 import PlayRequest, PlayResponse

Line = dict[str, Any]

METHOD = "/upcard.v1.RefereeService/Play"
TOKEN = "a token for this replay"
SECONDS = 600
"""No process of a bot lives longer."""
MOST_SHOWN = 4000
ANY = range(1, 1000)
"""Numbers of pieces."""
FIRST_LINE = 2
"""The first after the heading."""


def replay(
    transcript: Path,
    command: Sequence[str],
    directory: Path,
    *,
    takes_first: bool = False,
    pieces: Sequence[int] = ANY,
) -> None:
    """Start a bot in its directory, and fail if it does not do what the transcript expects.

    Of a bot that takes the first legal action everywhere, exactly these choices are expected. Each
    frame has to be answered in one of so many pieces. Once the first has come, the file that the
    variable HEARD names is there.
    """
    what, *lines = map(json.loads, transcript.read_text("utf-8").splitlines())
    with TemporaryDirectory(prefix="upcard-") as place:
        referee = Referee(lines, takes_first, pieces, Path(place, "heard"))
        code, output = start(referee, command, directory, place)
    wrong = referee.wrong or ended_wrong(lines[-1], code, output)
    shown = output[-MOST_SHOWN:] or "nothing"
    ending = f"It ended with {code} and printed: {shown}"
    assert not wrong, f"{transcript.name}: {what['what']}\n{wrong}\n{ending}"


def ended_wrong(end: Line, code: int | str, output: str) -> str:
    """Say what is not as it should be when the process is over."""
    if code != end["code"]:
        return f"the bot ended with {code}, not with {end['code']}"
    expected: str = end.get("stderr", "")
    return "" if expected in output else f"the bot does not tell {expected!r}"


def start(
    referee: "Referee", command: Sequence[str], directory: Path, place: str
) -> tuple[int | str, str]:
    """Run a bot to its end; give its exit code and what it wrote to stderr."""
    with ThreadPoolExecutor() as pool:
        address = f"unix:{place}/referee.sock"
        server = grpc.server(pool, handlers=[referee], options=[("grpc.so_reuseport", 0)])
        server.add_insecure_port(address)
        server.start()
        try:
            environment = {
                "UPCARD_ADDRESS": address,
                "UPCARD_TOKEN": TOKEN,
                "HEARD": str(referee.heard),
            }
            return finish(command, directory, **environment)
        finally:
            server.stop(grace=None).wait()


def finish(command: Sequence[str], directory: Path, **environment: str) -> tuple[int | str, str]:
    """Wait until a process ends, but not for ever."""
    with subprocess.Popen(
        command,
        cwd=directory,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        errors="replace",
    ) as process:
        try:
            _, output = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, output = process.communicate()
            return f"SIGKILL after {SECONDS} seconds", output
        return process.returncode, output


class UnexpectedError(Exception):
    """The bot did something else."""


class Referee(grpc.GenericRpcHandler):
    """Says what is written down, and looks at what a bot says to it.

    It speaks in bytes, so what no message class knows goes over the wire too.
    """

    def __init__(
        self, lines: Sequence[Line], takes_first: bool, pieces: Sequence[int], heard: Path
    ) -> None:
        """Take the lines after the heading."""
        self._pieces = pieces
        self.heard = heard
        """A file that is there once a piece of an answer has come."""
        self.wrong = "the bot never called the referee"
        """What the bot did otherwise than expected; empty if nothing."""
        self._lines = lines
        self._answers = AnswerSheet(takes_first)
        self._called = False
        self._closes = any("close" in line for line in lines)

    def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """Take the one call there is."""
        if details.method != METHOD:
            return None
        return grpc.stream_stream_rpc_method_handler(self._play)

    def _play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        if self._called:
            self.wrong = "the bot called a second time"
            return
        self._called = True
        for number, line in enumerate(self._lines, FIRST_LINE):
            self.wrong = f"line {number}: the bot left" if self._more_after(number) else ""
            try:
                yield from self._follow(line, requests, context)
            except UnexpectedError as error:
                self.wrong = f"line {number}: {error}"
                context.abort(grpc.StatusCode.ABORTED, self.wrong)

    def _more_after(self, number: int) -> bool:
        """Say whether a bot that leaves at this line does so too early."""
        ahead = self._lines[number - FIRST_LINE :]
        return any(line.get("expect") in ("hello", "answers") for line in ahead)

    def _follow(
        self, line: Line, requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        if "say" in line:
            said = bytes.fromhex(line["say"])
            self._answers.ask(said)
            yield said
        elif "expect" in line:
            self._hear(line, requests)
        elif line["close"] != "OK":
            context.abort(grpc.StatusCode[line["close"]], "closed by the transcript")

    def _hear(self, line: Line, requests: Iterator[bytes]) -> None:
        match line["expect"]:
            case "hello":
                check_hello(heard(requests))
            case "answers":
                self._answers.expect(line["turns"])
                pieces = 0
                while self._answers.missing:
                    self._answers.take(heard(requests))
                    self.heard.touch()
                    pieces += 1
                expect(pieces in self._pieces, f"answered in {pieces} pieces")
            case "end" if not self._closes:
                nothing_more(requests)


class AnswerSheet:
    """Which turns are to be answered, and how many choices each leaves."""

    def __init__(self, takes_first: bool) -> None:
        """Begin with none."""
        self.missing: set[int] = set()
        self._takes_first = takes_first
        self._choices: dict[int, int] = {}

    def ask(self, response: bytes) -> None:
        """Note how many legal actions the turns of a response offer."""
        for turn in PlayResponse.FromString(response).frame.turns:
            cards = turn.euchre.legal_calls, turn.euchre.legal_cards, turn.whist.legal_cards
            self._choices[turn.turn_id] = sum(map(len, (*cards, turn.recycle.legal)))

    def expect(self, turns: Sequence[int]) -> None:
        """Wait for answers to these turns."""
        self.missing = set(turns)

    def take(self, request: PlayRequest) -> None:
        """Look at a piece of the answer."""
        said = request.answers
        expect(request.WhichOneof("message") == "answers", f"no answers: {request}")
        expect(len(said.turn_ids) == len(said.choices), "two lists of different lengths")
        expect(len(said.turn_ids) > 0, "a piece without an answer")
        for turn, choice in zip(said.turn_ids, said.choices, strict=True):
            expect(turn in self.missing, f"turn {turn} was not asked, or is answered twice")
            self.missing.remove(turn)
            most = 1 if self._takes_first else self._choices[turn]
            expect(choice < most, f"turn {turn} was answered with {choice}")


def heard(requests: Iterator[bytes]) -> PlayRequest:
    """Wait for a message of the bot."""
    try:
        return PlayRequest.FromString(next(requests))
    except (StopIteration, grpc.RpcError):
        raise UnexpectedError("the bot left") from None
    except DecodeError:
        raise UnexpectedError("the bot said what is no message") from None


def nothing_more(requests: Iterator[bytes]) -> None:
    """Wait until the bot's side ends: it closes it, or the process is gone already."""
    with suppress(grpc.RpcError):
        for request in requests:
            raise UnexpectedError(f"the bot goes on talking: {request!r}")


def check_hello(request: PlayRequest) -> None:
    """Look at how the bot presents itself."""
    hello = request.hello
    expect(request.WhichOneof("message") == "hello", f"no hello: {request}")
    expect(hello.token == TOKEN, f"the token is {hello.token!r}")
    expect(hello.protocol_revision == 1, f"the revision is {hello.protocol_revision}")
    expect(0 < len(hello.sdk.encode()) <= 128, f"the sdk is {hello.sdk!r}")
    expect(hello.tables <= 256, f"the tables are {hello.tables}")


def expect(fulfilled: bool, otherwise: str) -> None:
    """Say what is wrong, if something is."""
    if not fulfilled:
        raise UnexpectedError(otherwise)
