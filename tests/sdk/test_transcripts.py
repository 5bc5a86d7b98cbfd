"""A bot in any language holds the conversations that are written down."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

from referee.bots.manifest import read_manifest
from tests.sdk.conftest import Example, Probe
from tests.sdk.polyglot import LANGUAGES, SDKS, Language, command, named
from tests.sdk.replaying import replay
from upcard.v1.referee_pb2 import PlayResponse, Turn

HERE = Path(__file__).parent
TRANSCRIPTS = sorted((HERE / "transcripts").glob("*.jsonl"))
A_FEW = 8
"""Turns in a frame; at 30 ms for each they take more than the tenth of a second of one piece."""
OFTEN = 10

all_transcripts = pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
sdks = pytest.mark.parametrize("language", SDKS, ids=named)


@all_transcripts
@sdks
def test_a_probe_does_what_is_expected(language: Language, transcript: Path, probe: Probe) -> None:
    bundle = probe(language, "first")
    replay(transcript, command(bundle), bundle, takes_first=True)


@all_transcripts
def test_a_bot_without_an_sdk_does_too(transcript: Path, example: Example) -> None:
    game = json.loads(transcript.read_text("utf-8").partition("\n")[0])["game"]
    for language in set(LANGUAGES) - set(SDKS):
        bundle = example(language)
        if game in (None, *read_manifest(bundle).games):
            replay(transcript, command(bundle), bundle)


@sdks
def test_who_takes_her_time_is_heard_while_she_thinks(
    language: Language, probe: Probe, tmp_path: Path
) -> None:
    bundle = probe(language, "slow")
    replay(
        a_few_turns(tmp_path), command(bundle), bundle, takes_first=True, pieces=range(2, A_FEW + 1)
    )


@pytest.mark.parametrize(
    "language", [language for language in SDKS if language.sends_while_deciding], ids=named
)
def test_what_is_decided_is_sent_while_the_next_decision_blocks(
    language: Language, probe: Probe, tmp_path: Path
) -> None:
    bundle = probe(language, "block")
    replay(a_few_turns(tmp_path), command(bundle), bundle, takes_first=True)


@sdks
def test_who_is_quick_answers_in_one_piece(
    language: Language, probe: Probe, tmp_path: Path
) -> None:
    bundle = probe(language, "first")
    transcript = a_few_turns(tmp_path)
    # A busy machine may stop it within an answer; who is slow answers in pieces every time.
    for _ in range(OFTEN):
        with suppress(AssertionError):
            replay(transcript, command(bundle), bundle, takes_first=True, pieces=[1])
            return
    replay(transcript, command(bundle), bundle, takes_first=True, pieces=[1])


@sdks
def test_a_word_to_the_author_tells_where_it_was_said(
    language: Language, probe: Probe, tmp_path: Path
) -> None:
    transcript = a_few_turns(tmp_path)
    turn = turns(transcript)[-1]
    says = f"[table {turn.table_id}, turn {turn.turn_id}] a word from the probe"
    bundle = probe(language, "log")
    replay(a_few_turns(tmp_path, stderr=says), command(bundle), bundle, takes_first=True)


@sdks
@pytest.mark.parametrize(
    ("does", "after", "says"),
    [
        ("raise", 2, "the probe fails on purpose"),
        ("raise", 2, "the bot failed; euchre, playing: hand TD AD, trump S, trick AS KC, legal "),
        ("illegal", 0, "; legal here: pass order_up order_up_alone"),
    ],
)
def test_a_failure_is_told_with_its_reason(
    language: Language, does: str, after: int, says: str, probe: Probe, tmp_path: Path
) -> None:
    bundle = probe(language, does)
    replay(a_failure(tmp_path, after, says), command(bundle), bundle)


def a_failure(place: Path, answered: int, says: str) -> Path:
    """Write down a match in which a bot answers so many turns, and fails at the next one."""
    (match,) = (path for path in TRANSCRIPTS if path.stem == "euchre_match")
    lines = [json.loads(line) for line in match.read_text().splitlines()]
    ends = [number for number, line in enumerate(lines) if line.get("expect") == "answers"]
    end = {"expect": "end", "code": 1, "stderr": says}
    transcript = place / "failure.jsonl"
    transcript.write_text("\n".join(map(json.dumps, (*lines[: ends[answered]], end))))
    return transcript


def a_few_turns(place: Path, **end: str) -> Path:
    """Write down a conversation about the first turns of the large frame."""
    (large,) = (path for path in TRANSCRIPTS if path.stem == "large_frame")
    lines = [json.loads(line) for line in large.read_text().splitlines()]
    asked: list[int] = []
    for line in lines:
        response = PlayResponse.FromString(bytes.fromhex(line.get("say", "")))
        if response.HasField("frame"):
            del response.frame.turns[A_FEW:]
            asked = [turn.turn_id for turn in response.frame.turns]
            line["say"] = response.SerializeToString().hex()
        elif line.get("expect") == "answers":
            line["turns"] = asked
    lines[-1] |= end
    transcript = place / "a_few_turns.jsonl"
    transcript.write_text("\n".join(map(json.dumps, lines)))
    return transcript


def turns(transcript: Path) -> list[Turn]:
    """Return the turns that are asked."""
    lines = [json.loads(line) for line in transcript.read_text().splitlines()]
    said = [PlayResponse.FromString(bytes.fromhex(line["say"])) for line in lines if "say" in line]
    return [turn for response in said for turn in response.frame.turns]
