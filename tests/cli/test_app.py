"""The command as a whole: help, exit codes, pipes and signals, in processes of its own."""

import gc
import json
import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.conftest import Upcard
from tests.waiting import until

UPCARD = [sys.executable, "-c", "from referee.cli import main; main()"]


def test_without_words_it_shows_its_help(upcard: Upcard) -> None:
    said = upcard()
    assert (said.code, "Commands" in said.out) == (0, True)


def test_it_looks_for_garbage_while_it_runs(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch
) -> None:
    enabled: list[bool] = []
    monkeypatch.setattr("referee.cli.app.version", lambda _: enabled.append(gc.isenabled()))
    upcard("--version")
    assert (enabled, gc.isenabled()) == ([True], True)


def test_it_tells_its_version(upcard: Upcard) -> None:
    assert upcard("--version").out == f"upcard {version('upcard-referee')}\n"


@pytest.mark.parametrize(
    "word", ["demo", "try", "duel", "doctor", "simulate", "replay", "convert", "deal"]
)
def test_every_command_has_help(upcard: Upcard, word: str) -> None:
    said = upcard(word, "--help")
    assert (said.code, "Usage: upcard" in said.out) == (0, True)


def test_an_unknown_command_is_answered_in_one_line(upcard: Upcard) -> None:
    said = upcard("zyzzyva")
    assert (said.code, said.err) == (2, "upcard: No such command 'zyzzyva'; see 'upcard --help'\n")


def test_on_request_why_it_failed_is_json(upcard: Upcard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_LOG_FORMAT", "json")
    said = json.loads(upcard("zyzzyva").err)
    assert said["message"] == "upcard: No such command 'zyzzyva'; see 'upcard --help'"


def test_a_reader_who_stops_early_is_not_told_off(euchre_file: Path) -> None:
    whole = f"'{sys.executable}' -c 'from referee.cli import main; main()' replay '{euchre_file}'"
    ended = subprocess.run(
        ["sh", "-c", f"{whole} | head -n 1"], capture_output=True, text=True, check=True
    )
    assert (ended.stdout.startswith("Match 1"), ended.stderr) == (True, "")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_130_and_leaves_no_file(sent: int, tmp_path: Path) -> None:
    out = tmp_path / "matches.jsonl"
    words = ["simulate", "euchre", "--matches", "1000000", "--record-out", str(out)]
    with subprocess.Popen([*UPCARD, *words], stderr=subprocess.PIPE, text=True) as running:
        try:
            until(lambda: bool(list(tmp_path.iterdir())) or running.poll() is not None)
            assert running.poll() is None
            running.send_signal(sent)
            assert running.stderr is not None
            assert (running.stderr.read(), running.wait()) == ("upcard: interrupted\n", 130)
        finally:
            running.kill()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "code", "says"),
    [
        ("missing/matches.jsonl", 1, "No such file or directory"),
        (".", 2, "is not a file that can be written; name another"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_in_one_line(
    upcard: Upcard, tmp_path: Path, place: str, code: int, says: str
) -> None:
    said = upcard("simulate", "euchre", "--matches", 1, "--record-out", tmp_path / place)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (code, "", 1, True)


def test_a_directory_that_may_not_be_written_is_refused_in_one_line(
    upcard: Upcard, tmp_path: Path
) -> None:
    """Root may write anywhere, so it gives that up, after a first run has imported everything."""
    words = ("simulate", "euchre", "--matches", 1)
    assert upcard(*words).code == 0
    tmp_path.chmod(0o555)
    out = tmp_path / "out"
    os.seteuid(os.getuid() or 65534)
    try:
        said = upcard(*words, "--record-out", out)
    finally:
        os.seteuid(os.getuid())
    assert (said.code, said.err) == (1, f"upcard: cannot write {out}: Permission denied\n")


def test_a_long_file_name_does_not_break_a_line(
    upcard: Upcard, euchre_file: Path, tmp_path: Path
) -> None:
    long = tmp_path / ("a [red]file[red] with a name longer than a terminal is wide " * 2).strip()
    euchre_file.rename(long)
    said = upcard("replay", long, "--check")
    assert said.out.startswith(f"{long}: 3 matches, ")
    assert said.out.count("\n") == 1


def test_a_terminal_that_knows_only_ascii_and_is_narrow_gets_a_replay(euchre_file: Path) -> None:
    ended = subprocess.run(
        [*UPCARD, "replay", str(euchre_file)],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "40"},
    )
    assert (ended.returncode, ended.stderr, ended.stdout.isascii()) == (0, b"", True)


WORDS = [["--help"], ["--version"], ["deal", "whist"], ["deal", "whist", "--json"]]
WORDS += [["simulate", "whist", "--matches", "1", *form] for form in ([], ["--json"], ["--csv"])]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_results_that_cannot_be_written_are_answered_in_one_line(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*UPCARD, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (
        1,
        "upcard: cannot write the results: No space left on device\n",
    )


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_results_that_nobody_wants_are_not_missed(words: list[str]) -> None:
    ended = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *UPCARD, *words], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_interrupt_while_the_command_is_loaded_is_answered_in_one_line() -> None:
    """The first module that the command loads sends the signal."""
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'referee.cli.app': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from referee.cli import main; main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (130, "upcard: interrupted\n")


@pytest.mark.parametrize("columns", ["0", "20", "40"])
def test_no_number_is_cut_off_on_a_narrow_terminal(columns: str) -> None:
    words = ["simulate", "euchre", "--matches", "20"]
    ended = subprocess.run(
        [*UPCARD, *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": columns},
    )
    assert ("100.0%" in ended.stdout, "…" in ended.stdout) == (True, False)
