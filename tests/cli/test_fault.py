"""`upcard fault`: a bundle told, and played again without a sandbox, as works everywhere."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.bots.manifest import read_manifest
from referee.bots.seating import SeatedBot
from referee.rpc.transcript import TO_BOT
from referee.sandbox.mounts import Runtime
from tests.cli.conftest import Upcard
from tests.cli.test_check import UNSAFE, bot
from tests.examination.conftest import fault_of, written
from upcard.v1.referee_pb2 import PlayResponse

MakeBundle = Callable[[str], Path]


@pytest.fixture
def make_bundle(tmp_path: Path) -> MakeBundle:
    """Return the bundle of a bot with a misbehaviour; the bot is beside it."""

    def make(misbehaviour: str) -> Path:
        directory = bot(tmp_path / "bot", misbehaviour)
        runtime = Runtime("python", (), (), {}, (), "")
        entrant = SeatedBot(read_manifest(directory), directory, runtime)
        return written(fault_of(misbehaviour), entrant, tmp_path / "faults")

    return make


def test_an_illegal_action_is_told_with_the_cards(upcard: Upcard, make_bundle: MakeBundle) -> None:
    out = upcard("fault", "show", make_bundle("misplays the third trick")).out
    assert "tiny 1.2: ILLEGAL_ACTION, which cost the match\n" in out
    assert "rule        chose number 99 of 3 legal actions, counted from 0\n" in out
    assert "  your hand   KH AH QS\n" in out
    assert "  trick 2     East leads: TC JS JC QH\n" in out
    assert "  legal       0 play:KH  1 play:AH  2 play:QS\n" in out
    assert "  number 99, but the legal actions are 0 to 2\n" in out


@pytest.mark.parametrize(
    ("misbehaviour", "answered", "advice"),
    [
        ("crashes", "  nothing\n", "Look at the end of what the bot wrote"),
        ("quits", "  nothing\n", "Keep the stream open"),
        ("falls silent", "  nothing\n", "Decide faster"),
        ("sends rubbish", "  no message of the protocol: 0 bytes\n", "Send nothing but the messa"),
        ("shouts", "(the first 4096 of 70008 bytes)", "Send nothing but the messages"),
        ("answers first", '  {"answers":{}}\n', "Say hello once"),
    ],
)
def test_what_was_answered_and_what_to_do_are_told(
    upcard: Upcard, make_bundle: MakeBundle, misbehaviour: str, answered: str, advice: str
) -> None:
    out = upcard("fault", "show", make_bundle(misbehaviour)).out
    told = out.partition("What was answered:\n")[2]
    assert (told.startswith(answered) or answered in told, advice in out) == (True, True), out


def test_where_several_turns_were_open_all_are_named(
    upcard: Upcard, make_bundle: MakeBundle, tmp_path: Path
) -> None:
    told = json.loads(make_bundle("crashes").read_text())
    last = max(n for n, said in enumerate(told["messages"]) if said["way"] == TO_BOT)
    response = PlayResponse.FromString(b64decode(told["messages"][last]["data"]))
    (turn,) = response.frame.turns
    other = response.frame.turns.add()
    other.CopyFrom(turn)
    other.turn_id += 1
    data = response.SerializeToString()
    told["messages"][last] |= {"size": len(data), "data": b64encode(data).decode()}
    told["fault"]["turn"] = 0
    path = tmp_path / "several.json"
    path.write_text(json.dumps(told))
    out = upcard("fault", "show", path).out
    turns = f"{turn.turn_id}, {other.turn_id}"
    assert f"  nothing, with 2 turns open: {turns}. Which one was being decided is not known" in out


def test_what_a_bot_wrote_cannot_reach_the_terminal(
    upcard: Upcard, make_bundle: MakeBundle
) -> None:
    out = upcard("fault", "show", make_bundle("crashes")).out
    assert ("?[31mred" in out, "\x1b" in out) == (True, False)


def test_json_reads_every_message(upcard: Upcard, make_bundle: MakeBundle) -> None:
    told = json.loads(upcard("fault", "show", make_bundle("crashes"), "--json").out)
    kinds = [next(iter(each["message"])) for each in told["messages"]]
    assert kinds[:3] == ["hello", "welcome", "frame"]


def test_a_fault_that_comes_back_is_exit_code_1(
    upcard: Upcard, make_bundle: MakeBundle, tmp_path: Path
) -> None:
    path = make_bundle("misplays the third trick")
    said = upcard("fault", "rerun", path, "--bot", tmp_path / "bot", UNSAFE)
    assert said.out.startswith("UNSANDBOXED: tiny, North (the bot of the bundle)\nanswer 1: 1 dec")
    assert (said.code, "ILLEGAL_ACTION came back: chose number 99" in said.out) == (1, True)


def repair(directory: Path) -> None:
    manifest = directory / "bot.toml"
    manifest.write_text(manifest.read_text().replace("misplays the third trick", "nothing"))


def test_a_fault_that_was_repaired_is_exit_code_0(
    upcard: Upcard, make_bundle: MakeBundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_bundle("misplays the third trick")
    repair(tmp_path / "bot")
    monkeypatch.chdir(tmp_path / "bot")
    said = upcard("fault", "rerun", path, UNSAFE)
    assert "(not the files of the bundle)" in said.out
    assert "  turn 7 at table " in said.out
    assert "play:KH, before number 99\n" in said.out
    assert (said.code, "did not come back" in said.out) == (0, True)


def test_a_rerun_is_also_told_in_json(
    upcard: Upcard, make_bundle: MakeBundle, tmp_path: Path
) -> None:
    path = make_bundle("misplays the third trick")
    said = upcard("fault", "rerun", path, "--bot", tmp_path / "bot", "--json", UNSAFE)
    told = json.loads(said.out)
    assert (said.code, told["came_back"], told["fault"]["kind"]) == (1, True, "illegal_action")
    assert told["answers"][0] == {"decisions": 1, "others": []}


def test_without_a_bot_it_says_how_to_name_one(
    upcard: Upcard, make_bundle: MakeBundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_bundle("crashes")
    monkeypatch.chdir(tmp_path)
    said = upcard("fault", "rerun", path, UNSAFE)
    assert (said.code, said.err) == (
        2,
        "upcard: there is no bot.toml here; name the directory with --bot\n",
    )


@pytest.mark.parametrize("word", ["show", "rerun"])
def test_what_is_no_bundle_is_refused_in_one_line(
    upcard: Upcard, tmp_path: Path, word: str
) -> None:
    (tmp_path / "bundle.json").write_text("{}")
    said = upcard("fault", word, tmp_path / "bundle.json")
    assert (said.code, said.out, "bundle.json: schema: is missing" in said.err) == (1, "", True)


def test_a_strangers_bundle_cannot_reach_the_terminal(
    upcard: Upcard, make_bundle: MakeBundle
) -> None:
    path = make_bundle("crashes")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"\x1b]0;pwn\x07": 1}))
    said = upcard("fault", "show", path)
    assert (said.code, "?]0;pwn?: is unknown" in said.err) == (1, True), said.err


def test_a_call_there_is_not_is_told_as_such(upcard: Upcard, make_bundle: MakeBundle) -> None:
    path = make_bundle("misplays the third trick")
    told = json.loads(path.read_text())
    for each in told["messages"]:
        if each["way"] == TO_BOT:
            each["data"] = with_calls(each["data"], [99])
    path.write_text(json.dumps(told))
    said = upcard("fault", "show", path)
    assert (said.code, "  South       ?\n" in said.out) == (0, True), said.out


def with_calls(data: str, calls: list[int]) -> str:
    message = PlayResponse.FromString(b64decode(data))
    for turn in message.frame.turns:
        turn.euchre.calls[:] = calls  # type: ignore[assignment] # an enum is open on the wire
    return b64encode(message.SerializeToString()).decode()
