"""`upcard verify`: what a person is told of an export."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee.scheduling.keys import DuelKey
from tests.cli.conftest import Said, Upcard
from tests.publication.exports import forged_duels, forged_league, league, written

FAULTY, LACKING = DuelKey(1, 2, 1), DuelKey(3, 1, 0)


@pytest.fixture
def verifying(upcard: Upcard) -> Upcard:
    """Run `upcard verify` with these words."""
    return lambda *words: upcard("verify", *words)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Write an export of a complete league with a fault and a duel that was given up."""
    return written(tmp_path / "out", league(), [FAULTY], [LACKING])


def test_a_sound_export_is_verified(verifying: Upcard, out: Path) -> None:
    said = verifying(out)
    assert (said.code, said.err, "VERIFIED: everything above" in said.out) == (0, "", True)


def test_what_was_checked_is_counted_in_lines(verifying: Upcard, out: Path) -> None:
    lines = verifying(out).out.splitlines()
    assert lines[:3] == [
        "League spring, euchre, complete",
        "  6 files, by SHA256SUMS",
        "  2 seeds, by what was committed to",
    ]
    assert "  5 duels, by their matches" in lines


@pytest.mark.parametrize(
    "words",
    [
        "who sat at the table",
        "the sandbox: fair-cpu weak",
        "2 matches forfeited by a fault",
        "2 faults: crashed 2",
        "3 voids, by nobody's fault",
        "1 duel unplayed, void too often",
    ],
)
def test_what_rests_on_the_referees_word_is_listed(
    verifying: Upcard, out: Path, words: str
) -> None:
    assert words in verifying(out).out.partition("On the referee's word alone:")[2]


def _give_seed(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["given"] = True


def _play_unsandboxed(document: Any) -> None:  # noqa: ANN401 # JSON
    document["sandboxes"][0]["sandboxed"] = False


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_give_seed, "the seed of epoch 1 was given by somebody, who knew every deck"),
        (_play_unsandboxed, "UNSANDBOXED: 5 duels"),
    ],
)
def test_what_makes_a_league_doubtful_is_listed(
    verifying: Upcard, out: Path, change: Callable[[Any], None], words: str
) -> None:
    assert words in verifying(forged_league(out, change)).out


def test_an_open_league_is_incomplete_and_not_verified(verifying: Upcard, tmp_path: Path) -> None:
    said = verifying(written(tmp_path / "out", league("open")))
    assert (said.code, "INCOMPLETE: the league is open" in said.out) == (1, True)


def _change_wins(duels: list[Any]) -> None:
    duels[0]["wins"] = (duels[0]["wins"] + 1) % 3


def test_what_is_wrong_is_named_by_file_line_and_field(verifying: Upcard, out: Path) -> None:
    said = verifying(forged_duels(out, _change_wins))
    assert said.code == 1
    assert "WRONG duels.jsonl, line 1: wins: is " in said.out
    assert said.out.endswith("NOT VERIFIED\n")


def test_the_digest_is_checked(verifying: Upcard, out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    assert verifying(out, "--digest", digest.upper()).code == 0
    said = verifying(out, "--digest", "0" * 64)
    assert (said.code, f"SHA256SUMS: its digest is {digest}, not" in said.out) == (1, True)


def test_json_tells_the_same(verifying: Upcard, out: Path) -> None:
    document = json.loads(verifying(out, "--json").out)
    assert (document["outcome"], document["checked"]["duels"], document["on_trust"]["faults"]) == (
        "verified",
        5,
        {"crashed": 2},
    )


def test_json_names_what_is_wrong(verifying: Upcard, out: Path) -> None:
    said = verifying(forged_duels(out, _change_wins), "--json")
    (failure,) = json.loads(said.out)["failures"]
    assert (said.code, failure["file"], failure["line"], failure["field"]) == (
        1,
        "duels.jsonl",
        1,
        "wins",
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere",), "name the directory of an export"),
        ((".", "--digest", "abc"), "a digest is 64 hexadecimal digits"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    verifying: Upcard, words: tuple[str, ...], says: str
) -> None:
    said: Said = verifying(*words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def _hide_in_name(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][0]["withdrawn"] = "2025-01-01"
    document["entrants"][0]["name"] = "\x1b[2Jann"
    document["name"] = "\x1b[31mspring\n"


def test_nothing_of_a_stranger_reaches_the_terminal_raw(verifying: Upcard, out: Path) -> None:
    said = verifying(forged_league(out, _hide_in_name))
    assert (said.code, "\x1b" in said.out) == (1, False)
