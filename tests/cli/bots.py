"""Bots for tests, written down when they are needed, and a way to let them play."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[2]
_START = (
    f"import sys; sys.path.append({str(_ROOT)!r}); from tests.cli import command; command.run()"
)
UPCARD = [sys.executable, "-c", _START]
SEED = "5a" * 32

FIRST = "return legal[0]"
CRASHES = "return 1 // len(view.tricks)"


class Ran(NamedTuple):
    code: int
    out: str
    err: str
    directory: Path

    def logs(self, *names: str) -> Path:
        return self.directory.joinpath("upcard-logs", *names)

    def json(self) -> Any:  # noqa: ANN401 (as it comes)
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


def run(directory: Path, *words: object) -> Ran:
    """Run the command in a directory, where its logs go."""
    ended = subprocess.run(
        [*UPCARD, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env=environment(),
    )
    return Ran(ended.returncode, ended.stdout, without_progress(ended.stderr), directory)


def without_progress(err: str) -> str:
    """Leave out the lines that a run writes every ten seconds, as it does on a busy machine."""
    return "".join(line for line in err.splitlines(keepends=True) if "duels played" not in line)
