"""The referees that are attacked: one for each mode, each a process of the user it is for."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from referee.sandbox.private_files import private_files
from tests.hostile.test_players import Played, play
from tests.sandbox.accounts import Account, ordinary, root
from tests.waiting import PATIENCE

HERE = Path(__file__).parent
PROGRAM = "referee_process.py"
MODES = ("root", "subuid", "userns")
CANARY = "UPCARD_CANARY of the environment"

Answer = dict[str, Any]


class Referee:
    """A referee in a process of its own, started when it is first asked."""

    def __init__(
        self, mode: str, account: Callable[[], Account], program: Path, play: str = "plain"
    ) -> None:
        self.mode = mode
        self._play = play
        self._account = account
        self._program = program
        self._process: subprocess.Popen[str] | None = None

    def ask(self, **request: object) -> Answer:
        """Start an attacker from it; if it answers nothing, it did not survive that."""
        process = self.process()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        return cast("Answer", json.loads(line)) if line else {"fell": process.wait(PATIENCE)}

    def process(self) -> subprocess.Popen[str]:
        """Return its process, which is another one when the last is gone."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            account = self._account()
            # What a referee that is killed leaves behind goes with the tests.
            place = self._program.parents[1] / "stakes"
            added = {"UPCARD_SECRET": CANARY, "TMPDIR": str(place)}
            secret = account._replace(environment={**account.environment, **added})
            self._process = subprocess.Popen(
                secret.command("-W", "error", str(self._program), self.mode, self._play),
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        return self._process

    def kill(self) -> None:
        """Kill it without a chance to clean up."""
        assert self._process
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="session")
def new_referee() -> Iterator[Callable[..., Referee]]:
    with ExitStack() as closing:
        place = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="upcard-attacks-")))
        shutil.copytree(HERE, place / "hostile", ignore=shutil.ignore_patterns("__pycache__"))
        (place / "project").mkdir()
        (place / "stakes").mkdir()
        (place / "stakes").chmod(0o777)
        subprocess.run(["chmod", "-R", "go+rX", place], check=True)
        known: dict[bool, Account] = {}

        def account(mode: str) -> Account:
            as_root = mode == "root"
            if as_root not in known:
                known[as_root] = root() if as_root else ordinary(place / "project")
            return known[as_root]

        def new(mode: str, play: str = "plain") -> Referee:
            made = Referee(mode, lambda: account(mode), place / "hostile" / PROGRAM, play)
            closing.callback(made.close)
            return made

        yield new


@pytest.fixture(scope="session")
def referees(new_referee: Callable[..., Referee]) -> dict[str, Referee]:
    return {mode: new_referee(mode) for mode in (*MODES, "unsafe")}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def referee(referees: dict[str, Referee], mode: str) -> Referee:
    return referees[mode]


@pytest.fixture(scope="session")
def meet() -> Iterator[Callable[..., Played]]:
    """Return `play` for sessions one after the other, which use the same copies of files."""
    with private_files() as files:
        yield partial(play, files=files)
