"""A fault bundle that a stranger made is refused in a line, or shown and sent without harm."""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from referee.cli.fault import _fault_lines, _with_messages
from referee.errors import FileError
from referee.examination.fault_bundle import FaultBundle
from referee.examination.fault_reading import LARGEST, read_bundle
from referee.examination.rerun import rerun, steps_of
from referee.rpc.transcript import FROM_BOT, TO_BOT
from tests.examination.conftest import TINY, fault_of, seated_bot, written
from tests.examination.plain import PlainLauncher
from upcard.v1 import referee_pb2, whist_pb2
from upcard.v1.cards_pb2 import CARD_TWO_OF_CLUBS

Json = Any
MOST_LINES = 3000

VALUES = some.recursive(
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | some.text(max_size=30)
    | some.sampled_from(["../../etc/passwd", "\x1b[2J\x07", "N", "open", "crashed", "x" * 9000])
    | some.sampled_from([10**400, -1, 2**63, 1e308]),
    lambda inner: (
        some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """Return a bundle of a real session."""
    directory = tmp_path_factory.mktemp("bundle")
    entrant = seated_bot(directory / "tiny")
    path = written(fault_of("misplays the third trick"), entrant, directory / "faults")
    return json.loads(path.read_text())


def places(value: Json, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return where something stands in JSON."""
    inside: list[tuple[str | int, Json]] = []
    if isinstance(value, dict):
        inside = [*value.items()]
    elif isinstance(value, list):
        inside = [*enumerate(value)]
    return [path, *(place for key, each in inside for place in places(each, (*path, key)))]


def replaced(value: Json, path: tuple[str | int, ...], new: Json) -> Json:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def read(directory: Path, bundle: Json) -> FaultBundle | None:
    """Read a bundle, or see it refused in one line."""
    path = directory / "bundle.json"
    path.write_text(bundle if isinstance(bundle, str) else json.dumps(bundle))
    try:
        return read_bundle(path)
    except FileError as error:
        said = str(error)
    assert said.startswith(str(path))
    assert "\n" not in said
    assert len(said) < len(str(path)) + 500
    return None


def look_at(bundle: FaultBundle) -> None:
    """Do all that the commands do with a bundle."""
    lines = [*_fault_lines(bundle)]
    assert len(lines) < MOST_LINES
    assert all(line.isprintable() for line in lines)
    assert json.dumps(_with_messages(bundle)).isprintable()


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=some.data())
def test_a_bundle_with_another_value_anywhere_does_no_harm(
    sound: Json, tmp_path: Path, data: some.DataObject
) -> None:
    place = data.draw(some.sampled_from(places(sound)))
    found = read(tmp_path, replaced(sound, place, data.draw(VALUES)))
    if found:
        look_at(found)


def test_output_that_is_no_unicode_is_refused(sound: Json, tmp_path: Path) -> None:
    assert read(tmp_path, replaced(sound, ("output", "tail"), "\ud800")) is None


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    number=some.integers(0, 30),
    way=some.sampled_from([TO_BOT, FROM_BOT]),
    cut=some.integers(0, 400),
    new=some.binary(max_size=60),
)
@example(number=0, way=TO_BOT, cut=0, new=b"")
def test_a_bundle_with_other_bytes_in_a_message_does_no_harm(
    sound: Json, tmp_path: Path, number: int, way: str, cut: int, new: bytes
) -> None:
    number %= len(sound["messages"])
    before = base64.b64decode(sound["messages"][number]["data"])
    data = before[:cut] + new + before[cut + len(new) :]
    message = {
        "seconds": 0,
        "way": way,
        "size": len(data),
        "data": base64.b64encode(data).decode(),
    }
    found = read(tmp_path, replaced(sound, ("messages", number), message))
    if found:
        look_at(found)


def sent(**turn: Any) -> Json:  # noqa: ANN401 (fields of a turn)
    """Return a message to a bot with one turn."""
    response = referee_pb2.PlayResponse()
    response.frame.turns.add(turn_id=1, table_id=1, **turn)
    return message(response.SerializeToString())


def message(data: bytes) -> Json:
    return {
        "seconds": 0,
        "way": TO_BOT,
        "size": len(data),
        "data": base64.b64encode(data).decode(),
    }


HOSTILE = {
    "an empty turn": sent(),
    "a turn without a choice": sent(euchre={"hand": [1]}),
    "endless calls": sent(euchre={"calls": [1] * 200_000, "legal_calls": [1]}),
    "endless tricks": sent(whist={"leaders": [1] * 200_000, "legal_cards": [1]}),
    "endless turns": message(
        referee_pb2.PlayResponse(
            frame=referee_pb2.Frame(
                turns=[
                    referee_pb2.Turn(
                        turn_id=number, whist=whist_pb2.WhistView(legal_cards=[CARD_TWO_OF_CLUBS])
                    )
                    for number in range(5000)
                ]
            )
        ).SerializeToString()
    ),
    "a padded message": message(b"\xfa\x7f\x80\x80\x80\x01" + bytes(1 << 21)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_message_that_no_referee_sends_is_refused(sound: Json, tmp_path: Path, what: str) -> None:
    assert read(tmp_path, {**sound, "messages": [*sound["messages"], HOSTILE[what]]}) is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"schema": ' * 50_000,
        '{"schema": 1, "schema": 1}',
        '{"schema": NaN}',
        '{"schema": ' + "9" * 10_000 + "}",
        '{"\\u001b[2J": 1}',
        "x" * (LARGEST + 1),
    ],
    ids=["deep", "deep objects", "twice", "no number", "long number", "escape", "large"],
)
def test_json_that_is_made_to_harm_is_refused(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) is None


@pytest.mark.parametrize(
    "turn",
    [
        {"whist": {"legal_cards": [99, 0, 13], "seat": 77, "trump_card": 99}},
        {"euchre": {"legal_calls": [99], "phase": 99, "dealer": 9, "points_east_west": 2**31 - 1}},
        {"euchre": {"legal_cards": [1], "sits_out": 3, "played": [1] * 64, "leaders": [1] * 64}},
        {"time_left_ms": 2**32 - 1, "whist": {"legal_cards": [1], "hand_number": 2**32 - 1}},
    ],
)
def test_a_turn_of_unknown_values_is_sent_as_it_is(
    sound: Json, tmp_path: Path, turn: dict[str, Any]
) -> None:
    messages = [*sound["messages"][:2], sent(**turn)]
    found = read(tmp_path, {**sound, "messages": messages})
    assert found
    look_at(found)
    assert len(steps_of(found.messages)) == 2
    came = asyncio.run(rerun(found, PlainLauncher(TINY, "nothing"), lambda _: None))
    assert len([said for said in came.evidence.messages if said.way == TO_BOT]) == 2
