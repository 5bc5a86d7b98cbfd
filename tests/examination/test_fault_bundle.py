"""What is in a fault bundle, what is not, and how one is read."""

import base64
import inspect
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.arena.limits import TimeLimits
from referee.bots.digest import bundle_digest
from referee.bots.seating import SeatedBot
from referee.cli.terms_options import TermsOptions
from referee.errors import FileError
from referee.examination.fault_bundle import FaultBundle, bundle_of
from referee.examination.fault_reading import LARGEST, read_bundle
from referee.rpc.decoding import read_frame, read_hello
from referee.rpc.transcript import FROM_BOT, TAIL, TO_BOT, Message, TranscriptEvidence
from tests.examination.conftest import SEED, TERMS, CausedFault, fault_of, written

Json = dict[str, Any]
DIGEST = "d" * 64


@pytest.fixture
def crashed() -> CausedFault:
    return fault_of("crashes")


@pytest.fixture
def path(crashed: CausedFault, entrant: SeatedBot, tmp_path: Path) -> Path:
    return written(crashed, entrant, tmp_path / "faults")


def read(crashed: CausedFault, entrant: SeatedBot, **evidence: object) -> FaultBundle:
    kept = crashed.fault.evidence
    assert isinstance(kept, TranscriptEvidence)
    fault = crashed.fault._replace(evidence=kept._replace(**evidence))  # type: ignore[arg-type]
    return bundle_of(fault, entrant, crashed.terms, DIGEST)


def test_what_is_written_is_read_again(
    crashed: CausedFault, entrant: SeatedBot, path: Path
) -> None:
    digest = bundle_digest(entrant.bundle)
    assert read_bundle(path) == bundle_of(crashed.fault, entrant, crashed.terms, digest)


def test_the_name_tells_the_kind_and_none_is_overwritten(
    crashed: CausedFault, entrant: SeatedBot, tmp_path: Path
) -> None:
    names = [written(crashed, entrant, tmp_path / "faults").name for _ in range(3)]
    assert names == [f"fault-00{number}-crashed.json" for number in (1, 2, 3)]


def test_a_file_that_appears_meanwhile_is_not_overwritten(
    crashed: CausedFault, entrant: SeatedBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    monkeypatch.setattr("referee.examination.fault_bundle._highest", lambda _: 0)
    second = written(crashed._replace(terms=TERMS._replace(tables=9)), entrant, path.parent)
    assert (second.name, path.read_bytes()) == ("fault-002-crashed.json", before)


def test_a_number_is_not_used_again_for_another_kind(
    crashed: CausedFault, entrant: SeatedBot, tmp_path: Path
) -> None:
    (tmp_path / "fault-007-disconnected.json").touch()
    assert written(crashed, entrant, tmp_path).name == "fault-008-crashed.json"


def test_a_place_that_cannot_be_written_is_named(
    crashed: CausedFault, entrant: SeatedBot, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match=r"cannot write a fault bundle in .*file"):
        written(crashed, entrant, tmp_path / "file")


def test_it_names_the_bot_by_its_digest(entrant: SeatedBot, path: Path) -> None:
    assert read_bundle(path).digest == bundle_digest(entrant.bundle)


def test_it_holds_all_that_was_sent(crashed: CausedFault, path: Path) -> None:
    assert isinstance(crashed.fault.evidence, TranscriptEvidence)
    sent = [said.data for said in crashed.fault.evidence.messages if said.way == TO_BOT]
    assert [said.data for said in read_bundle(path).messages if said.way == TO_BOT] == sent


def test_the_token_is_in_no_message_and_not_in_the_output(crashed: CausedFault, path: Path) -> None:
    assert isinstance(crashed.fault.evidence, TranscriptEvidence)
    hello = read_hello(crashed.fault.evidence.messages[0].data)
    assert hello
    assert hello.token.encode() in crashed.fault.evidence.output
    token = hello.token.encode()
    bundle = read_bundle(path)
    everything = path.read_bytes() + b"".join(said.data for said in bundle.messages)
    assert token not in everything


def test_a_hello_without_its_token_is_still_one(path: Path) -> None:
    assert read_hello(read_bundle(path).messages[0].data) == ("*" * 32, 1, "tiny", 256)


def test_neither_the_seed_nor_the_deals_are_in_it(path: Path) -> None:
    text = path.read_text()
    assert SEED.hex() not in text
    assert base64.b64encode(SEED).decode() not in text
    assert "fault 0" not in text


def test_only_the_seats_own_hand_is_in_it(path: Path) -> None:
    bundle = read_bundle(path)
    frames = [frame for said in bundle.messages if (frame := read_frame(said.data))]
    assert {asked.seat for frame in frames for asked in frame.turns} == {bundle.seat}


def test_no_place_on_the_machine_is_in_it(entrant: SeatedBot, path: Path) -> None:
    assert str(entrant.bundle.parent) not in path.read_text()


def test_only_the_end_of_long_output_is_kept(crashed: CausedFault, entrant: SeatedBot) -> None:
    output = b"a" * 50 + b"z" * TAIL
    bundle = read(crashed, entrant, output=output, output_size=len(output))
    assert (bundle.output, bundle.output_size) == ("z" * TAIL, TAIL + 50)


def test_a_message_that_was_cut_has_its_whole_size(
    crashed: CausedFault, entrant: SeatedBot
) -> None:
    cut = Message(1.0, FROM_BOT, b"x" * 4096, left_out=65904)
    (message,) = read(crashed, entrant, messages=(cut,)).messages
    assert (message.size, len(message.data)) == (70000, 4096)


def changed(path: Path, change: Callable[[Json], object]) -> Path:
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    return path


WRONG: dict[str, tuple[Callable[[Json], object], str]] = {
    "schema": (lambda told: told.update(schema=2), "schema: is 2, newer than this program reads"),
    "no schema": (lambda told: told.pop("schema"), "schema: is missing or not a whole number"),
    "missing": (lambda told: told.pop("seat"), "seat: is missing"),
    "unknown": (lambda told: told.update(opponent="B"), "opponent: is unknown"),
    "seat": (lambda told: told.update(seat="X"), 'seat: must be one of "N", "E", "S", "W"'),
    "room": (lambda told: told.update(room=0), 'room: must be one of "open", "closed"'),
    "kind": (lambda told: told["fault"].update(kind="rude"), "fault.kind: must be one of"),
    "hand": (lambda told: told["fault"].update(hand=-1), "fault.hand: must be a whole number"),
    "cost": (
        lambda told: told["fault"].update(forfeits=1),
        "fault.forfeits: must be true or false",
    ),
    "name": (lambda told: told["bot"].update(name=7), "bot.name: must be text"),
    "long": (lambda told: told["bot"].update(name="x" * 5000), "bot.name: must be text of at most"),
    "tail": (lambda told: told["output"].update(tail="x" * 99999), "output.tail: must be text"),
    "game": (lambda told: told.update(game="poker"), 'game: must be one of "euchre", "whist"'),
    "rule": (lambda told: told["rules"].update(alone="on"), "rules.alone: must be on or off"),
    "target": (lambda told: told["rules"].update(target=0), "rules: euchre rule target must be"),
    "limits": (lambda told: told["limits"].update(bank=-1), "limits.bank: must be a number of sec"),
    "endless": (
        lambda told: told["limits"].update(decision=1e300),
        "limits.decision: must be a number of seconds from 0.01 to 3600",
    ),
    "no limit": (lambda told: told["limits"].update(ready=0), "limits.ready: must be a number"),
    "no float": (
        lambda told: told["messages"][1].update(seconds=10**400),
        r"messages\[1\].seconds: must be a number of seconds",
    ),
    "tables": (
        lambda told: told.update(tables=257),
        "tables: must be a whole number from 1 to 256",
    ),
    "list": (lambda told: told.update(messages={}), "messages: must be a list"),
    "way": (lambda told: told["messages"][1].update(way="up"), r"messages\[1\].way: must be one"),
    "data": (lambda told: told["messages"][2].update(data="?"), r"messages\[2\].data: must be byt"),
    "sent": (lambda told: told["messages"][1].update(data="/w=="), "is no message of the referee"),
    "size": (lambda told: told["messages"][2].update(size=1), r"messages\[2\].size: must be a"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_bundle_is_refused_by_file_and_field(path: Path, what: str) -> None:
    change, says = WRONG[what]
    with pytest.raises(FileError, match=f"fault-001-crashed.json: .*{says}"):
        read_bundle(changed(path, change))


@pytest.mark.parametrize("text", ["", "[" * 100_000, "no JSON", "[1]", "\xff"])
def test_what_is_not_json_of_a_bundle_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bundle.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FileError) as refused:
        read_bundle(path)
    assert (str(path) in str(refused.value), "\n" in str(refused.value)) == (True, False)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    path.touch()
    os.truncate(path, LARGEST + 1)
    with pytest.raises(FileError, match="larger than any fault bundle"):
        read_bundle(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot read .*none.json: No such file"):
        read_bundle(tmp_path / "none.json")


def test_the_limits_are_those_of_the_session(path: Path) -> None:
    assert read_bundle(path).limits == TERMS.limits


@pytest.mark.parametrize("name", TimeLimits._fields)
@pytest.mark.parametrize("end", ["min", "max"])
def test_a_bundle_may_have_the_limits_that_the_command_line_allows(
    path: Path, name: str, end: str
) -> None:
    annotations = inspect.get_annotations(TermsOptions)
    option = annotations[name if name in annotations else f"{name}_limit"].__metadata__[0]
    at_its_end = getattr(option, end)
    bundle = read_bundle(changed(path, lambda told: told["limits"].update({name: at_its_end})))
    assert getattr(bundle.limits, name) == at_its_end
