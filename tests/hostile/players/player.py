"""Bots that break the protocol, the clock or themselves, each by its name."""

import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress

from wire import Wire, phase

FOR_GOOD = 3600


def limit() -> float:
    """Return the seconds for a decision."""
    return float(sys.argv[2])


def silent() -> None:
    """Say hello, and never anything again."""
    wire = Wire()
    wire.hello()
    time.sleep(FOR_GOOD)


def mute() -> None:
    """Dial, and never say hello."""
    wire = Wire()
    time.sleep(FOR_GOOD)
    wire.hello()


def absent() -> None:
    """Never even dial."""
    time.sleep(FOR_GOOD)


def sound() -> None:
    """Play as a bot should."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        wire.play(frame)


def stays() -> None:
    """Play as a bot should, with a process that would rather stay when all is over."""
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(FOR_GOOD)
    sound()


def unhurried() -> None:
    """Play as a bot should, and leave the opponent time to rest in."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        time.sleep(0.1)
        wire.play(frame)


def slow() -> None:
    """Think three times as long as allowed, each time."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        for turn in frame.turns:
            time.sleep(3 * limit())
            wire.answer([turn.turn_id], [0])


def late() -> None:
    """Keep one answer until it is too late, then play on as if nothing had been."""
    wire = Wire()
    wire.hello()
    frames = wire.frames()
    first = next(frames)
    time.sleep(2 * limit())
    wire.play(first)
    for frame in frames:
        wire.play(frame)


def illegal() -> None:
    """Choose what is not in the list."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        wire.answer([turn.turn_id for turn in frame.turns], [99] * len(frame.turns))


def loud() -> None:
    """Write as much as is kept, then choose what is not in the list, one turn a message."""
    sys.stdout.write("x" * (1 << 20) + "\n" + "y" * 30_000 + "\n")
    sys.stdout.flush()
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        for turn in frame.turns:
            wire.answer([turn.turn_id], [99])


def garbage() -> None:
    """Send bytes that are no message."""
    wire = Wire()
    wire.hello()
    for _ in wire.frames():
        wire.send(b"\xff" * 100)


def noise() -> None:
    """Dial, and speak no gRPC at all."""
    address = os.environ["UPCARD_ADDRESS"].removeprefix("unix:")
    line = socket.socket(socket.AF_UNIX)
    line.connect(address)
    line.sendall(os.urandom(1000))
    time.sleep(FOR_GOOD)


def giant() -> None:
    """Send a message larger than any may be."""
    wire = Wire()
    wire.hello()
    for _ in wire.frames():
        wire.send(bytes(100_000))


def colossal() -> None:
    """Send a message larger than the referee would even receive."""
    wire = Wire()
    wire.hello()
    for _ in wire.frames():
        wire.send(bytes(8_000_000))


def flooding() -> None:
    """Answer nothing, many thousand times."""
    wire = Wire()
    wire.hello()
    for _ in wire.frames():
        for _ in range(5000):
            wire.answer([], [])


def twice() -> None:
    """Answer every turn twice in one message."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        turns = [turn.turn_id for turn in frame.turns]
        wire.answer(turns * 2, [0] * 2 * len(turns))


def elsewhere() -> None:
    """Answer for turns of other tables."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        wire.answer([turn.turn_id + 100_000 for turn in frame.turns], [0] * len(frame.turns))


def uneven() -> None:
    """Name more turns than choices."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        wire.answer([turn.turn_id for turn in frame.turns], [])


def impostor() -> None:
    """Claim a token that is not its own."""
    wire = Wire()
    wire.hello(token="0" * 32)
    for frame in wire.frames():
        wire.play(frame)


def rehello() -> None:
    """Say hello twice."""
    wire = Wire()
    wire.hello()
    for _ in wire.frames():
        wire.hello()


def forward() -> None:
    """Answer before saying hello."""
    wire = Wire()
    wire.answer([1], [0])
    time.sleep(FOR_GOOD)


def second_stream() -> None:
    """Open another stream beside its own; play on the first."""
    import grpc  # noqa: PLC0415 (`wire` loads less of it)

    wire = Wire()
    wire.hello()
    frames = wire.frames()
    first = next(frames)
    other = Wire()
    other.hello()
    refused = False
    try:
        next(other.frames(), None)
    except grpc.RpcError as error:
        refused = "ALREADY_EXISTS" in str(error)
    print("refused" if refused else "received", flush=True)
    wire.play(first)
    for frame in frames:
        wire.play(frame)


def crash_at_once() -> None:
    """Fail before dialling."""
    raise RuntimeError("before the hello")


def crash_after_hello() -> None:
    """Fail as soon as it is welcome."""
    wire = Wire()
    wire.hello()
    next(wire.said)
    os.abort()


def _crash_in(when: str) -> None:
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        if any(phase(turn) == when for turn in frame.turns):
            os._exit(7)
        wire.play(frame)


def crash_bidding() -> None:
    """Fail when it is to bid."""
    _crash_in("bidding")


def crash_playing() -> None:
    """Fail when it is to play a card."""
    _crash_in("playing")


def crash_off_turn() -> None:
    """Fail right after its first answer."""
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        wire.play(frame)
        time.sleep(0.05)
        os._exit(7)


def exit_zero() -> None:
    """End as if all were well, in the middle of a match."""
    wire = Wire()
    wire.hello()
    next(wire.frames())
    os._exit(0)


def hang_up() -> None:
    """End its stream in the middle of a match, and live on."""
    wire = Wire()
    wire.hello()
    next(wire.frames())
    wire.hang_up()
    time.sleep(FOR_GOOD)


def busy_off_turn() -> None:
    """Compute with fifty processes all the time once it is received, and answer at once."""
    wait, go = os.pipe()
    for _ in range(50):
        if os.fork() == 0:
            os.read(wait, 1)
            while True:
                pass
    wire = Wire()
    wire.hello()
    os.write(go, bytes(50))
    for frame in wire.frames():
        wire.play(frame)


def spinner() -> None:
    """Play as a bot should, with a thread that computes on and on from the first turn."""
    threading.Thread(target=_spin, daemon=True).start()
    sound()


def _spin() -> None:
    while True:
        pass


def unawaited() -> None:
    """Compute all the time in processes for which nobody waits, and answer at once."""
    wait, go = os.pipe()
    if os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        os.read(wait, 1)
        while True:
            if os.fork() == 0:
                until = time.process_time() + 0.1
                while time.process_time() < until:
                    pass
                os._exit(0)
            with suppress(ChildProcessError):
                os.wait()
    wire = Wire()
    wire.hello()
    os.write(go, b".")
    for frame in wire.frames():
        wire.play(frame)


def sharing() -> None:
    """Share so many pages among forty processes that it takes long to find out which, and play."""
    shared = bytearray(b"x" * (48 << 20))
    for _ in range(40):
        if os.fork() == 0:
            signal.pause()
    wire = Wire()
    wire.hello()
    for frame in wire.frames():
        wire.play(frame)
    del shared


def thinker() -> None:
    """Think a quarter of the limit about each of the first decisions: it feels a busy neighbour."""
    wire = Wire()
    wire.hello()
    thoughts = 3
    for frame in wire.frames():
        for turn in frame.turns:
            until = time.thread_time() + (limit() / 4 if thoughts > 0 else 0)
            while time.thread_time() < until:
                pass
            thoughts -= 1
            wire.answer([turn.turn_id], [0])


def hog_memory() -> None:
    """Take memory without end when asked."""
    wire = Wire()
    wire.hello()
    next(wire.frames())
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1) * (1 << 24)))


def fork_bomb() -> None:
    """Start processes until there may be no more."""
    while os.fork():
        pass
    time.sleep(FOR_GOOD)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
