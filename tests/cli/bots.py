"""Bots for tests, written down when they are needed, and ways to let them play."""

import json
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.cli import main
from tests.cli.command import LIMITS
from tests.workers import workers_as_threads

_ROOT = Path(__file__).parents[2]
_START = (
    f"import sys; sys.path.append({str(_ROOT)!r}); from tests.cli import command; command.run()"
)
UPCARD = [sys.executable, "-c", _START]
SEED = "5a" * 32

FIRST = "return legal[0]"
CRASHES = "return 1 // len(view.tricks)"
PATIENCE = ("--decision-limit", LIMITS[0], "--ready-limit", LIMITS[1])
_PATIENT = (("check",), ("compare",), ("duel",), ("try",), ("bots", "add"))
"""The commands that are given more patience than is usual: no test of them is about that."""


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Ran(NamedTuple):
    code: int
    out: str
    err: str
    directory: Path

    def logs(self, *names: str) -> Path:
        return self.directory.joinpath("upcard-logs", *names)

    def json(self) -> Any:  # noqa: ANN401 (as it comes)
        assert self.out, self.err
        return json.loads(self.out)


def write_bot(directory: Path, choose: str, *, name: str = "mine", games: str = "euchre") -> Path:
    """Write a bot that makes every decision in one statement."""
    directory.mkdir(parents=True)
    (directory / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "me"\nlanguage = "python"\n'
        f'run = ["python", "bot.py"]\ngames = ["{games}"]\ntables = 256\n'
    )
    (directory / "bot.py").write_text(
        "import os, time\nimport upcard\n\n"
        "class Mine(upcard.Bot):\n"
        f"    def choose(self, view, legal):\n        {choose}\n\n"
        "upcard.run(Mine)\n"
    )
    return directory


def environment() -> dict[str, str]:
    """Return the environment of the command, wherever it runs."""
    return os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": "120"}


def said(*words: object) -> Said:
    """Run the command in this process."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["upcard", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    assert isinstance(ended.value.code, int)
    return Said(ended.value.code, _written(out), _written(err))


def _written(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def run(directory: Path, *words: object, columns: int = 120) -> Ran:
    """Run the command in a directory, where its logs go, with a thread as its worker."""
    patience = PATIENCE if {words[:1], words[:2]} & {*_PATIENT} else ()
    with pytest.MonkeyPatch.context() as patch, chdir(directory), workers_as_threads():
        patch.setenv("COLUMNS", str(columns))
        code, out, err = said(*words, *patience)
    return Ran(code, out, without_progress(err), directory)


def without_progress(err: str) -> str:
    """Leave out the lines that a run writes every ten seconds, as it does on a busy machine."""
    return "".join(line for line in err.splitlines(keepends=True) if "duels played" not in line)
