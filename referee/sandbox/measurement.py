"""Measures how many bits one sandbox can send to another, by each primitive in `channels`.

The referee tells the sender which bit to set, waits until it is set, and asks the receiver for a
number. So nothing depends on how fast the machine is, and what is counted are bits that arrived.
From the first bits it learns which numbers mean which bit; of the others it predicts the bit and
counts the errors. The bits are random and the receiver does not know them. Without a channel each
prediction is wrong with probability 1/2, whatever else happens on the machine: that is the test.

The rate is the capacity of a binary symmetric channel with that share of errors, divided by the
time that setting and receiving one bit takes inside. Two bots which know each other's clock need no
more.
"""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import comb, log2
from pathlib import Path
from random import SystemRandom
from statistics import median
from tempfile import gettempdir
from typing import Any, Final, Literal, NamedTuple

from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.sandbox import channels, creations
from referee.sandbox.channels.primitives import CACHES, CORE, FILES, NUMBERS, PRIMITIVES, USER
from referee.sandbox.channels.system import READ_AT, SHARED, SHARED_BYTES, Primitive
from referee.sandbox.command import SOCKET, Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.runtimes import find_runtimes
from referee.sandbox.sandbox import Sandbox

State = Literal["closed", "remainder", "open"]
BITS: Final = 48
BEAT_SECONDS: Final = 0.05
"""How often a bot is asked in strict play."""
KNOWN_BITS: Final = 16
"""From so many bits it is learned what the numbers mean."""
_TIMED_BITS: Final = 3
"""So many times as many bits are sent where times are measured."""
_CHANCE: Final = 1e-6
"""How improbable so few errors must be without a channel."""
_PACKAGE: Final = "channels"
_LIMITS: Final = SandboxLimits(memory_mib=256, processes=64)

Answer = dict[str, Any]


class ChannelRate(NamedTuple):
    """What was measured of one primitive."""

    name: str
    bits: int
    """How many were sent and predicted; 0 if it was refused."""
    errors: int
    bits_per_second: float
    """0 if no more was predicted than by chance."""
    state: State
    """`remainder` is a channel that cannot be closed here, for the reason in `needs`; on a machine
    that is busy otherwise it may be below the noise."""
    needs: str
    """What sender and receiver have in common."""
    detail: str
    """Why nothing arrived: the error that refused it, or that there was no signal."""


async def measure(
    sandboxes: Sandboxes,
    names: Iterable[str] = tuple(PRIMITIVES),
    *,
    strict: bool = False,
    bits: int = BITS,
) -> AsyncIterator[ChannelRate]:
    """Measure primitives one after the other, each between two sandboxes.

    Args:
        sandboxes: what the sandboxes are started by.
        names: the primitives.
        strict: whether only one of the two runs at a time, as in strict play.
        bits: how many are counted.

    Raises:
        ConfigError: nothing can be started in the sandbox.
        OSError: the machine refused.
    """
    async with AsyncExitStack() as closing:
        place = closing.enter_context(own_directory(Path(gettempdir()), "upcard-channels-"))
        bundle = write_bundle(place)
        cores = sorted(os.sched_getaffinity(0))
        partners: dict[str, _Partner] = {}
        for name in names:
            primitive = PRIMITIVES[name]
            sender = cores[1] if primitive.other_core and len(cores) > 1 else cores[0]
            for role, core in (("receiver", cores[0]), (f"sender {sender}", sender)):
                if role not in partners:
                    started = _partner(sandboxes, bundle, place / role.replace(" ", "-"), core)
                    partners[role] = await closing.enter_async_context(started)
            pair = _Pair(partners[f"sender {sender}"], partners["receiver"], strict=strict)
            file = bundle / _PACKAGE / SHARED.name
            # Times are noisy: what is lost with each bit is made up for by their number.
            count = bits * _TIMED_BITS if primitive.timed else bits
            yield _rate(name, await _sent(pair, name, file, count), sandboxes.mode, strict=strict)


class _Sent(NamedTuple):
    """The bits that were sent, with what the receiver returned, and how long a bit took."""

    bits: Sequence[int] = ()
    numbers: Sequence[float] = ()
    seconds: float = 0.0
    refusal: str = ""


def _rate(name: str, sent: _Sent, mode: str | None, *, strict: bool) -> ChannelRate:
    needs = PRIMITIVES[name].needs
    if sent.refusal and needs == NUMBERS:
        bound = f"at most {creations.MOST} in a life"
        return ChannelRate(name, 0, 0, 0.0, "remainder", needs, bound)
    if sent.refusal:
        return ChannelRate(name, 0, 0, 0.0, "closed", needs, sent.refusal)
    count = len(sent.bits) - KNOWN_BITS
    errors = wrong_predictions(sent.bits, sent.numbers) if count else 0
    capacity = channel_capacity(errors, count)
    remains = needs in {CACHES, NUMBERS} or (needs == CORE and not strict)
    if not capacity:
        state: State = "remainder" if remains else "closed"
        detail = "below the noise of the machine" if remains else "no signal"
        return ChannelRate(name, count, errors, 0.0, state, needs, detail)
    # Numbers arrive only where nothing bounds how many are created.
    remains = (remains and needs != NUMBERS) or (needs == USER and mode == "userns")
    state = "remainder" if remains else "open"
    seconds = max(sent.seconds, BEAT_SECONDS) if strict else sent.seconds
    return ChannelRate(name, count, errors, capacity / seconds, state, needs, "")


def wrong_predictions(bits: Sequence[int], numbers: Sequence[float]) -> int:
    """Return how many bits are predicted wrongly after the first, from which is learned."""
    known = tuple(zip(bits[:KNOWN_BITS], numbers[:KNOWN_BITS], strict=True))
    low, high = (median(number for bit, number in known if bit == kind) for kind in (0, 1))
    middle = (low + high) / 2
    predicted = ((number > middle) == (high > low) for number in numbers[KNOWN_BITS:])
    return sum(bit != guess for bit, guess in zip(bits[KNOWN_BITS:], predicted, strict=True))


def channel_capacity(errors: int, count: int) -> float:
    """Return the bits that arrive with each bit; 0 if so few errors may be chance."""
    if sum(comb(count, few) for few in range(errors + 1)) / 2**count > _CHANCE:
        return 0.0
    # One bit more, half of it wrong: no errors among a few bits are no proof that there are none.
    share = (errors + 0.5) / (count + 1)
    return 1 + share * log2(share) + (1 - share) * log2(1 - share)


def _bits(count: int) -> list[int]:
    """Return random bits; equally many of each kind among those from which is learned."""
    random = SystemRandom()
    known = [number % 2 for number in range(KNOWN_BITS)]
    random.shuffle(known)
    return [*known, *(random.getrandbits(1) for _ in range(count))]


async def _sent(pair: "_Pair", name: str, file: Path, count: int) -> _Sent:
    bits, numbers, seconds = _bits(count), [], []
    primitive = PRIMITIVES[name]
    try:
        await pair.open(name)
        for bit in bits:
            _reset(file, primitive)
            number, took = await pair.exchange(bit)
            numbers.append(number)
            seconds.append(took)
            if len(numbers) == KNOWN_BITS and len(set(numbers)) == 1:
                break  # whatever the bit is, the receiver sees the same
    except _RefusedError as refused:
        return _Sent(refusal=str(refused))
    finally:
        await pair.close()
    return _Sent(bits[: len(numbers)], numbers, median(seconds))


def _reset(file: Path, primitive: Primitive) -> None:
    """Remove what the last bit has left with the shared file."""
    if primitive.needs == FILES:
        os.utime(file, (READ_AT, READ_AT + 1))
        with file.open("rb") as opened:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class _RefusedError(Exception):
    """The system refused what a primitive needs."""


class _Pair:
    """A sender and a receiver; in strict play only one of them runs at a time."""

    def __init__(self, sender: "_Partner", receiver: "_Partner", *, strict: bool) -> None:
        self._sender = sender
        self._receiver = receiver
        self._strict = strict

    async def open(self, name: str) -> None:
        await self._sender.open(name, sends=True)
        await self._receiver.open(name, sends=False)

    async def exchange(self, bit: int) -> tuple[float, float]:
        """Send a bit, and return what the receiver returns and how long both took."""
        sent = await self._alone(self._sender, {"bit": bit})
        received = await self._alone(self._receiver, {"receive": True})
        return float(received["result"]), sent["seconds"] + received["seconds"]

    async def _alone(self, partner: "_Partner", request: Answer) -> Answer:
        if not self._strict:
            return await partner.ask(request)
        partner.sandbox.thaw()
        try:
            return await partner.ask(request)
        finally:
            partner.sandbox.freeze()

    async def close(self) -> None:
        for partner in (self._sender, self._receiver):
            partner.sandbox.thaw()
            await partner.close()


class _Partner:
    """A sandbox in which `channels.partner` runs."""

    def __init__(
        self, sandbox: Sandbox, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.sandbox = sandbox
        self._reader = reader
        self._writer = writer
        self._is_open = self._is_ending = False

    async def open(self, name: str, *, sends: bool) -> None:
        self._is_open, self._is_ending = True, False
        await self.ask({"name": name, "sends": sends})

    async def ask(self, request: Answer) -> Answer:
        self._writer.write(json.dumps(request).encode() + b"\n")
        answer = await self._answer()
        if "refused" in answer:
            self._is_ending = True
            raise _RefusedError(answer["refused"])
        return answer

    async def _answer(self) -> Answer:
        line = await self._reader.readline()
        answer: Answer = json.loads(line) if line else {"closed": True}
        if "closed" in answer:
            self._is_open = False
            raise _RefusedError("its process was ended")
        return answer

    async def close(self) -> None:
        """End the process of the primitive."""
        if self._is_open and not self._is_ending:
            self._writer.write(b'{"close": true}\n')
        with suppress(_RefusedError):
            while self._is_open:
                await self._answer()


@asynccontextmanager
async def _partner(
    sandboxes: Sandboxes, bundle: Path, address: Path, core: int
) -> AsyncIterator[_Partner]:
    dialled: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await dialled.put((reader, writer))

    slot = sandboxes.slot()
    server = await asyncio.start_unix_server(accept, address)
    run, environment = ("python", "-m", f"{_PACKAGE}.partner"), {"UPCARD_ADDRESS": f"unix:{SOCKET}"}
    runtime = find_runtimes()["python"]
    launch = Launch(run, runtime, bundle, address, environment, _LIMITS, core)
    sandbox = await sandboxes.start(launch, slot)
    try:
        dialling, ended = asyncio.create_task(dialled.get()), asyncio.ensure_future(sandbox.ended)
        await asyncio.wait((dialling, ended), return_when=asyncio.FIRST_COMPLETED)
        if not dialling.done():
            dialling.cancel()
            raise ConfigError(f"nothing can be measured in the sandbox: {(await ended).detail}")
        reader, writer = await dialling
        yield _Partner(sandbox, reader, writer)
        writer.close()
    finally:
        server.close()
        await sandbox.stop()
        sandboxes.release(slot)


def write_bundle(place: Path) -> Path:
    """Write the directory of a bot that has the primitives, with a file that all see."""
    bundle = place / "bundle"
    bundle.mkdir(mode=0o755)
    source = Path(channels.__file__).parent
    package = bundle / _PACKAGE
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / SHARED.name).write_bytes(os.urandom(SHARED_BYTES))
    with (package / SHARED.name).open("rb") as shared:
        os.fsync(shared.fileno())
    # The seat's uid has to read them, whatever our umask.
    for path in (bundle, package, *package.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return bundle
