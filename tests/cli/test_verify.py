"""`upcard verify`: what a person is told of an export."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.publication.export import export
from referee.scheduling.keys import DuelKey
from tests.cli.conftest import Upcard
from tests.publication.exports import exported, forged_duels, forged_league, league, logged, written

if TYPE_CHECKING:
    from tests.cli.bots import Said

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
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    said = verifying(out, "--digest", digest)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[-2:] == [
        "VERIFIED by the digest: everything above follows from the seed and the play",
        "  the digest: this is the export that was published",
    ]


def test_without_a_digest_it_is_consistent_with_itself_only(verifying: Upcard, out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    said = verifying(out)
    *_, verdict, compare, statement, head = said.out.splitlines()
    assert (said.code, verdict.partition(":")[0]) == (0, "CONSISTENT WITH ITSELF ONLY")
    assert (compare, statement, head) == (
        f"  digest {digest}",
        "  statement (it has none)",
        "  head (it has none)",
    )


def test_a_statement_and_a_head_can_be_compared(verifying: Upcard, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(out, logged(exported(league())))
    statement = sha256((out / "statement.json").read_bytes()).hexdigest()
    head = json.loads((out / "log.jsonl").read_text().splitlines()[8])["head"]
    said = verifying(out, "--statement", statement, "--head", head, "--require", "statement,log")
    assert (said.code, said.err) == (0, "")
    verdict, *shown = said.out.splitlines()[-3:]
    assert verdict.startswith("VERIFIED by the statement and the head: everything above follows")
    assert shown == [
        "  the statement: it is played as was published before the first duel",
        "  the head, of entry 9: nothing up to it was changed since it was written down",
    ]
    assert "  2 opening statements, by the log and the league" in said.out


@pytest.mark.parametrize("option", ["--statement", "--head", "--digest"])
def test_what_is_not_what_was_published_is_not_verified(
    verifying: Upcard, tmp_path: Path, option: str
) -> None:
    export(tmp_path / "out", logged(exported(league())))
    said = verifying(tmp_path / "out", option, "0" * 64)
    assert (said.code, said.out.endswith("NOT VERIFIED\n")) == (1, True)


def test_what_was_checked_is_counted_in_lines(verifying: Upcard, out: Path) -> None:
    lines = verifying(out).out.splitlines()
    assert lines[:3] == [
        "League spring, euchre, complete",
        "  7 files, by SHA256SUMS",
        "  2 seeds, by what was committed to",
    ]
    assert "  5 duels, by their matches" in lines


@pytest.mark.parametrize(
    "words",
    [
        "the play: who sat at the table",
        "the deals: dealt by the organiser alone",
        "the sandbox: that the bots had no way to each other",
        "the sandbox in 5 duels: 1 guarantee enforced, fair-cpu weak",
        "times: the limit of 1 s",
        "2 faults: crashed 2; 2 matches forfeited",
        "3 voids, by nobody's fault (voids.csv); 1 duel unplayed",
        "the clock: when the league was made",
    ],
)
def test_what_rests_on_the_referees_word_is_listed(
    verifying: Upcard, out: Path, words: str
) -> None:
    assert words in verifying(out).out.partition("On the referee's word alone:")[2]


def _enforce_all(document: Any) -> None:  # noqa: ANN401 # JSON
    document["sandboxes"][0]["strict"] = True
    for guarantee in document["sandboxes"][0]["guarantees"]:
        guarantee.update(level="enforced", reason="")


def test_a_forged_sandbox_does_not_make_the_list_shorter(verifying: Upcard, out: Path) -> None:
    before = verifying(out).out.partition("On the referee's word alone:")[2]
    after = verifying(forged_league(out, _enforce_all)).out.partition("word alone:")[2]
    assert len(after.splitlines()) == len(before.splitlines())
    assert "the sandbox: that the bots had no way to each other" in after


def test_no_faults_and_no_voids_are_a_claim_too(verifying: Upcard, tmp_path: Path) -> None:
    said = verifying(written(tmp_path / "out", league())).out
    assert "faults: that there were none" in said
    assert "voids: that there were none" in said


def test_what_is_required_has_to_be_there(verifying: Upcard, out: Path) -> None:
    assert verifying(out, "--require", "complete").code == 0
    said = verifying(out, "--require", "log,complete")
    assert (said.code, "WRONG log.jsonl: does not begin with the league" in said.out) == (1, True)


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
        "consistent",
        5,
        {"crashed": 2},
    )


def test_json_says_what_was_compared_and_with_what(verifying: Upcard, out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    alone, compared = (
        json.loads(verifying(out, "--json", *words).out) for words in ((), ("--digest", digest))
    )
    assert (alone["found"], alone["compared"]) == (
        {"digest": digest, "statement": None, "head": None},
        [],
    )
    assert (compared["outcome"], compared["compared"]) == ("verified", ["digest"])


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
        (
            (".", "--require", "log,luck"),
            "nothing is called 'luck'; --require takes statement",
        ),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    verifying: Upcard, words: tuple[str, ...], says: str
) -> None:
    said: Said = verifying(*words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def _hide_in_field(document: Any) -> None:  # noqa: ANN401 # JSON
    document["rules"]["\x1b[31mtarget\n"] = 3


def test_nothing_of_a_stranger_reaches_the_terminal_raw(verifying: Upcard, out: Path) -> None:
    said = verifying(forged_league(out, _hide_in_field))
    assert (said.code, "\x1b" in said.out, "?[31mtarget?" in said.out) == (1, False, True)
