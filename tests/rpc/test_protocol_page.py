"""What the page about the protocol shows is what goes over the wire.

Run as a program, this writes the exchange into the page anew.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from referee.arena.fault import FAULT_KINDS
from referee.arena.limits import GRACE, MOST_TABLES, Terms, TimeLimits
from referee.arena.player import FORFEITED
from referee.engine.game import State
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import PRESETS
from referee.rpc import codec
from referee.sandbox.command import BUNDLE, SHARED_MIB, SOCKET
from referee.sandbox.limits import SandboxLimits
from upcard.v1 import referee_pb2

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
BEGIN, END = "<!-- the exchange begins -->\n", "<!-- the exchange ends -->\n"
SOUTH = 2
FIRST, SECOND = 3735928559, 270544960
"""The two tables."""
PACKED = {FieldDescriptor.TYPE_ENUM, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_BOOL}


# The exchange


def exchange() -> Iterator[tuple[str, bytes]]:
    """Yield the exchange message by message: who says what to whom, and its bytes."""
    game = PRESETS["euchre"].game({"target": 1})
    tables = [Scoresheet(game, 3, SeededDeal(bytes(32), name)) for name in ("one", "two")]
    two = tables[1]
    token = bytes(range(16)).hex()
    hello = referee_pb2.Hello(token=token, protocol_revision=1, sdk="example 1.0", tables=2)
    yield "**Bot:** `hello`. It can sit at two tables.", request(hello=hello)

    terms = Terms(game, TimeLimits(decision=1.0, bank=60.0, increment=0.05))
    yield (
        (
            "**Referee:** `welcome`. Euchre to 1 point; the bot is South, has a minute for each "
            "match and 50 ms more for each decision, and no decision may take more than a second."
        ),
        codec.encode_welcome(terms, SOUTH, 2),
    )

    opened = [(FIRST, 0x0123456789ABCDEF), (SECOND, 0xFEDCBA9876543210)]
    turns = []
    for turn, (table, (number, _)) in enumerate(zip(tables, opened, strict=True), 1):
        go_on(table, chooses)
        turns.append(codec.encode_turn(turn, number, 60.0, table.match, table.state))
    yield (
        (
            "**Referee:** `frame`. Two matches begin, and at both South is to speak, after North "
            "and East passed."
        ),
        codec.encode_frame(opened, turns, []),
    )

    yield (
        "**Bot:** `answers`, the first piece. Turn 2: number 1 of `legal_calls`, which orders up.",
        answers([2], [1]),
    )
    yield "**Bot:** `answers`, the other piece. Turn 1: number 0, which passes.", answers([1], [0])

    two.play(two.state.legal[1])
    go_on(two, lambda state: state.phase == "playing" and chooses(state))
    yield (
        (
            "**Referee:** `frame`. The first match is over: another bot forfeited it. At the "
            "second table South has to play a card; her time is charged and her increment added."
        ),
        codec.encode_frame(
            [],
            [codec.encode_turn(3, SECOND, 60.0123, two.match, two.state)],
            [(FIRST, FORFEITED, (0, 0))],
        ),
    )

    far = len(two.state.legal)
    yield f"**Bot:** `answers`. Number {far}, counted from 0: there is none.", answers([3], [far])
    yield (
        "**Referee:** `fault`. The match at that table is lost.",
        codec.encode_fault(
            "illegal_action",
            SECOND,
            3,
            f"chose number {far} of {far} legal actions, counted from 0",
        ),
    )
    yield "**Referee:** `goodbye`. The bot closes its side of the stream and ends.", codec.GOODBYE


def chooses(state: State) -> bool:
    """Say whether South is asked: a move that leaves no choice is made for her."""
    return state.actor == SOUTH and len(state.legal) > 1


def go_on(table: Scoresheet, until: Callable[[State], bool]) -> None:
    """Play on by the first action that is listed."""
    while not until(table.state):
        table.play(table.state.legal[0])


def request(**said: Any) -> bytes:  # noqa: ANN401 (one of the messages)
    return referee_pb2.PlayRequest(**said).SerializeToString(deterministic=True)


def answers(turn_ids: list[int], choices: list[int]) -> bytes:
    return request(answers=referee_pb2.Answers(turn_ids=turn_ids, choices=choices))


# How it is shown


def shown(written: bytes, kind: Descriptor, depth: int = 0) -> Iterator[str]:
    """Take a message apart: on each line the bytes of a field, its name and what it says."""
    place = 0
    while place < len(written):
        first = place
        tag, place = varint(written, place)
        field = kind.fields_by_number[tag >> 3]
        value, after = read(written, place, tag & 7)
        if field.message_type:
            assert isinstance(value, bytes)
            head = written[first : after - len(value)]
            yield line(head, f"{field.name}, {len(value)} bytes", depth)
            yield from shown(value, field.message_type, depth + 1)
        else:
            yield line(written[first:after], f"{field.name}: {described(field, value)}", depth)
        place = after


def read(written: bytes, place: int, how: int) -> tuple[int | bytes, int]:
    if how == 0:
        return varint(written, place)
    if how == 1:
        return int.from_bytes(written[place : place + 8], "little"), place + 8
    size, place = varint(written, place)
    return written[place : place + size], place + size


def varint(written: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = written[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place


def described(field: FieldDescriptor, value: int | bytes) -> str:
    if isinstance(value, int):
        return one_described(field, value)
    if field.type not in PACKED:
        return repr(value.decode())
    place, numbers = 0, []
    while place < len(value):
        number, place = varint(value, place)
        numbers.append(number)
    return ", ".join(one_described(field, number) for number in numbers)


def one_described(field: FieldDescriptor, number: int) -> str:
    if field.enum_type:
        prefix = re.sub(r"(?<!^)([A-Z])", r"_\1", field.enum_type.name).upper() + "_"
        return field.enum_type.values_by_number[number].name.removeprefix(prefix)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return "true"
    return f"{number:#x}" if field.type == FieldDescriptor.TYPE_FIXED64 else str(number)


def line(written: bytes, words: str, depth: int) -> str:
    indent = "  " * depth
    rows = [written[start : start + 16].hex(" ") for start in range(0, len(written), 16)]
    return f"{indent}{rows[0]:<{50 - len(indent)}}{words}" + "".join(
        f"\n{indent}{row}" for row in rows[1:]
    )


def described_in_full() -> str:
    parts = []
    for words, written in exchange():
        who = referee_pb2.PlayRequest if words.startswith("**Bot") else referee_pb2.PlayResponse
        lines = "\n".join(shown(written, who.DESCRIPTOR))
        parts.append(f"{fill(words, 100)}\n\n```text\n{lines}\n```\n")
    return "\n".join(parts)


def parts_of_page() -> tuple[str, str, str]:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    inside, _, after = rest.partition(END)
    return before, inside, after


def test_the_exchange_it_shows_is_what_goes_over_the_wire() -> None:
    assert parts_of_page()[1] == described_in_full()


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_it_says_what_brings_about_every_fault(kind: str) -> None:
    assert f"\n| `{kind.upper()}` | " in PAGE.read_text()


@pytest.mark.parametrize(
    "described",
    [
        f"| a message of a bot | {codec.MOST_BYTES} bytes |",
        f"| answers in a message | {codec.MOST_ANSWERS} |",
        f"| `tables` | {MOST_TABLES} |",
        f"plus {GRACE * 1000:.0f} ms",
        f"({TimeLimits().ready:.0f} seconds unless",
        f"{SandboxLimits().memory_mib} MiB of memory",
        f"{SandboxLimits().processes} processes and threads",
        f"{SandboxLimits().open_files} open files",
        f"longer than {SandboxLimits().file_mib} MiB",
        f"| {SandboxLimits().scratch_mib} MiB of scratch space",
        f"| {SHARED_MIB} MiB of shared memory",
        f"first {SandboxLimits().output_kib} KiB",
        f"| `{BUNDLE}` |",
        f"| `{SOCKET}` |",
    ],
)
def test_it_gives_the_limits_and_places_there_are(described: str) -> None:
    assert described in " ".join(PAGE.read_text().split())


if __name__ == "__main__":
    before, _, after = parts_of_page()
    PAGE.write_text(f"{before}{BEGIN}{described_in_full()}{END}{after}")
