"""`upcard check`: a bot's report card, without a sandbox so that it works everywhere."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bots import environment
from tests.cli.conftest import Upcard
from tests.cli.test_app import UPCARD

TINY = Path(__file__).parents[1] / "examination" / "tiny_bots.py"
UNSAFE = "--unsafe-no-sandbox"
MANIFEST = """
name = "tiny"
version = "1.2"
author = "Nobody"
language = "python"
run = ["python", "bot.py", "{misbehaviour}"]
games = ["euchre", "whist"]
tables = 2
"""


def bot(directory: Path, misbehaviour: str, manifest: str = MANIFEST) -> Path:
    directory.mkdir()
    shutil.copy(TINY, directory / "bot.py")
    (directory / "bot.toml").write_text(manifest.format(misbehaviour=misbehaviour))
    return directory


def test_a_sound_bot_passes_every_line_of_a_game(upcard: Upcard) -> None:
    said = upcard("check", "random", "--game", "whist", UNSAFE)
    verdicts = {line.split()[0] for line in said.out.splitlines()[1:-1]}
    # On a busy machine a decision may take so long that a large batch is not tried.
    assert (said.code, verdicts - {"SKIP"}) == (0, {"PASS"}), said.out


def test_a_card_without_a_sandbox_says_so(upcard: Upcard, tmp_path: Path) -> None:
    said = upcard("check", bot(tmp_path / "bot", "has another token"), UNSAFE)
    assert said.out.startswith("UNSANDBOXED: tiny 1.2\n")


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> str:
    misplays = bot(tmp_path_factory.mktemp("tiny") / "bot", "misplays the ninth trick")
    words = ["check", str(misplays), "--game", "whist", UNSAFE]
    done = subprocess.run(
        [*UPCARD, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=misplays.parent,
        env=environment(),
    )
    assert (done.returncode, done.stderr) == (1, "")
    return done.stdout


def test_a_check_that_fails_names_the_turn_in_cards_and_what_to_do(failed: str) -> None:
    lines = failed.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("FAIL  whist: tricks 1 to 13"))
    assert "illegal_action: chose number 99 of" in lines[at]
    assert re.match(r"      asked     playing: South holds (\w\w )+.*legal: play:", lines[at + 1])
    assert lines[at + 2].startswith("      answered  number 99, but the legal actions are 0 to ")
    assert lines[at + 3].startswith("      to do     Answer with the place of an action in the")


def test_failures_of_one_cause_are_shown_once(failed: str) -> None:
    assert failed.count("\nFAIL ") == 1
    assert "\nwhist: tricks 1 to 13: the same cause failed whist: whole matches\n" in failed


def test_no_message_is_shown_as_it_was_sent(failed: str) -> None:
    assert "{" not in failed


def test_the_bundle_of_a_failed_check_can_be_rerun(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bot(tmp_path / "a bot", "misplays the ninth trick")
    out = upcard("check", "a bot", "--game", "whist", UNSAFE).out
    (words,) = re.findall(r"rerun     upcard (.*)", out)
    said = upcard(*shlex.split(words), UNSAFE)
    assert (said.code, "ILLEGAL_ACTION came back" in said.out) == (1, True)


def test_what_a_bot_cannot_do_is_skipped_not_failed(failed: str) -> None:
    assert "SKIP  a batch of 64                    it plays at 2 tables at most" in failed


def test_the_last_line_adds_up(failed: str) -> None:
    verdicts = [line.split()[0] for line in failed.splitlines()[1:-1]]
    verdicts = [*(verdict for verdict in verdicts if verdict.isupper()), "FAIL"]
    told = [f"{verdicts.count(name)} {name.lower()}" for name in dict.fromkeys(verdicts)]
    assert failed.splitlines()[-1] == ", ".join(told)


def test_json_has_the_same_card(upcard: Upcard, tmp_path: Path) -> None:
    said = upcard("check", bot(tmp_path / "bot", "is too old"), "--json", UNSAFE)
    card: dict[str, Any] = json.loads(said.out)
    (line,) = [line for line in card["lines"] if line["verdict"] == "fail"]
    assert (said.code, card["passed"], card["sandboxed"], card["bot"]) == (
        1,
        False,
        False,
        "tiny 1.2",
    )
    assert line["name"] == "hello: protocol revision"
    assert line["messages"][0]["message"]["hello"]["sdk"] == "tiny"


def test_a_wrong_manifest_fails_its_line(upcard: Upcard, tmp_path: Path) -> None:
    wrong = bot(tmp_path / "bot", "nothing", MANIFEST.replace('"whist"', '"poker"'))
    said = upcard("check", wrong, UNSAFE)
    assert (said.code, "FAIL  manifest " in said.out, "poker" in said.out) == (1, True, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("random", "--game", "poker"), "does not play 'poker'; choose from euchre, euchre-280"),
        (("nowhere",), "there is no bot 'nowhere'"),
        (("random", "--decision-limit", "0"), "Invalid value for '--decision-limit'"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    upcard: Upcard, words: tuple[str, ...], says: str
) -> None:
    said = upcard("check", *words, UNSAFE)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def test_a_game_the_bot_does_not_play_is_refused(upcard: Upcard, tmp_path: Path) -> None:
    euchre_only = bot(tmp_path / "bot", "nothing", MANIFEST.replace(', "whist"', ""))
    said = upcard("check", euchre_only, "--game", "whist", UNSAFE)
    assert (said.code, "choose from euchre, euchre-280\n" in said.err) == (2, True)
