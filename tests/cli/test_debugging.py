"""`upcard try --debug` and `upcard fault rerun --debug`: a bot on the terminal of its author."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.bots import FIRST, PATIENCE, UPCARD, Ran, environment, run, write_bot
from tests.cli.conftest import Upcard
from tests.cli.test_fault import MakeBundle, make_bundle  # noqa: F401 (a fixture)
from tests.terminal import INTERRUPT, Terminal

STOPS = f"self.__dict__.setdefault('stopped', breakpoint()); {FIRST}"
"""Stops at each decision."""
ONCE = f"'met' in vars(self) or setattr(self, 'met', breakpoint()); {FIRST}"
"""Stops at the first decision of a match."""
PROMPT = "(Pdb) "


def at_terminal(directory: Path, *words: object) -> Terminal:
    return Terminal([*UPCARD, *map(str, words)], directory, environment())


def tried(directory: Path, *words: object) -> Terminal:
    return at_terminal(directory, "try", "mine", "--debug", *words, *PATIENCE)


def test_a_breakpoint_is_stopped_at_and_gone_on_from(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", ONCE)
    with tried(tmp_path) as terminal:
        terminal.until(PROMPT)
        terminal.type("p view.seat, __file__\n")
        assert f"(0, '{tmp_path / 'mine' / 'bot.py'}')" in terminal.until(PROMPT)
        terminal.type("c\n")
        code, shown = terminal.end()
    # Its partner, and both of its other seats, are not stopped anywhere.
    assert (code, PROMPT in shown, "UNSANDBOXED: mine against steady" in shown) == (0, False, True)


def test_the_seat_that_is_looked_into_can_be_chosen(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", ONCE)
    with tried(tmp_path, "--seat", "W") as terminal:
        assert "mine, as West in the closed room; all others play" in terminal.until(PROMPT)
        terminal.type("p view.seat\n")
        assert "\n3\n" in terminal.until(PROMPT)
        terminal.type("c\n")
        assert terminal.end()[0] == 0


def test_an_interrupt_is_the_bot_s(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", ONCE)
    with tried(tmp_path) as terminal:
        terminal.until(PROMPT)
        terminal.type(INTERRUPT)
        terminal.until(PROMPT)
        terminal.type("c\n")
        assert terminal.end()[0] == 0


def test_when_the_bot_ends_the_run_does(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", STOPS)
    with tried(tmp_path, "--duels", 3) as terminal:
        terminal.until(PROMPT)
        terminal.type("q\n")
        code, shown = terminal.end()
    assert (code, "bdb.BdbQuit" in shown) == (1, True)
    assert shown.endswith(
        "upcard: the bot that was debugged failed: its process ended (it ended with exit code 1)\n"
    )


def test_another_command_can_start_it(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", FIRST)
    with tried(tmp_path, "--run", "python -m pdb bot.py") as terminal:
        terminal.until(PROMPT)
        terminal.type("p __file__\n")
        terminal.until(PROMPT)
        terminal.type("q\n")
        assert "the bot that was debugged failed" in terminal.end()[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Look into a bot whose author has built it."""
    directory = tmp_path_factory.mktemp("built")
    bot = built_bot(directory / "mine")
    (bot / "out").mkdir()
    (bot / "bot.py").rename(bot / "out" / "bot.py")
    return run(directory, "try", "mine", "--debug", "--against", "random")


def built_bot(directory: Path) -> Path:
    """Write a bot that has to be built, as one in a language with a compiler."""
    write_bot(
        directory,
        f"os.access('.', os.W_OK) and open(f'played-{{view.seat}}', 'w').close(); {FIRST}",
    )
    manifest = directory / "bot.toml"
    said = manifest.read_text().replace('"bot.py"]', '"out/bot.py"]')
    manifest.write_text(f'{said}build = ["make"]\nresult = ["out"]\n')
    return directory


def test_a_bot_that_is_built_plays_where_its_author_built_it(built: Ran) -> None:
    """Only outside of the sandbox a bot can write there."""
    assert (built.code, (built.directory / "mine" / "played-0").exists()) == (0, True)
    assert not (built.directory / "mine" / "played-2").exists()


def test_what_was_played_so_is_marked(built: Ran) -> None:
    kept = built.logs("mine-vs-random", "guarantees.json").read_text()
    assert '"sandboxed": false' in kept
    assert "UNSANDBOXED: mine against random" in built.out


def test_of_a_bot_that_is_not_built_it_is_told_what_to_do(upcard: Upcard, tmp_path: Path) -> None:
    bot = built_bot(tmp_path / "mine")
    said = upcard("try", bot, "--debug", "--logs", tmp_path / "logs")
    built = f"there is no out in {bot}, and without the sandbox nothing is built; run make there"
    assert (said.code, said.err) == (2, f"upcard: {built}\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--seat", "N"), "--seat is for --debug; give both, or neither"),
        (("--run", "gdb"), "--run is for --debug; give both, or neither"),
        (("--debug", "--run", ""), "--run is empty; name the program and its arguments"),
        (("--debug", "--run", "'"), '--run "\'" is no command: No closing quotation'),
        (("--debug", "--seat", "Q"), "there is no seat 'Q'; choose N, E, S, W"),
        (("--debug", "--json"), "--debug gives the terminal to your bot; leave out --json and"),
        (("--debug", "--strict"), "--strict freezes bots while not to move; leave it out with"),
    ],
)
def test_what_cannot_be_debugged_is_refused(
    upcard: Upcard, tmp_path: Path, words: Sequence[str], says: str
) -> None:
    said = upcard("try", write_bot(tmp_path / "mine", FIRST), *words, "--logs", tmp_path / "logs")
    assert (said.code, said.err.startswith(f"upcard: {says}")) == (2, True), said.err


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", FIRST)
    ran = run(tmp_path, "try", "mine", "--debug", "--run", "no-debugger bot.py")
    assert (ran.code, "there is no program 'no-debugger', neither in " in ran.err) == (2, True)


def hasty(bundle: Path) -> Path:
    """Leave no process the time to get ready."""
    told = json.loads(bundle.read_text())
    told["limits"] |= {"decision": 0.01, "ready": 0.01}
    bundle.write_text(json.dumps(told))
    return bundle


def test_no_limit_strikes_while_a_fault_is_debugged(
    upcard: Upcard,
    make_bundle: MakeBundle,  # noqa: F811 (the fixture)
    tmp_path: Path,
) -> None:
    words = ("fault", "rerun", hasty(make_bundle("misplays the third trick")))
    said = upcard(*words, "--bot", tmp_path / "bot", "--debug")
    assert (said.code, "ILLEGAL_ACTION came back" in said.out) == (1, True)
    assert said.err.startswith("UNSANDBOXED: tiny runs without a sandbox and without limits in ")
