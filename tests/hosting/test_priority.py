"""Which of a host's processes goes first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import host
from tests.waiting import until

SESSION = Path("/proc/self/autogroup")
RAISE = f"""
from pathlib import Path
from referee.cli import host
host.raise_own_session()
print(Path("{SESSION}").read_text().strip())
"""


needs_sessions = pytest.mark.skipif(
    not SESSION.exists(), reason="this kernel does not share the processor between sessions"
)


def run(*command: str, own: bool) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, check=False, start_new_session=own, capture_output=True, text=True
    )


@needs_sessions
def test_its_own_session_is_raised_if_that_is_allowed() -> None:
    allowed = run("sh", "-c", f"echo -10 > {SESSION}", own=True).returncode == 0
    raised = run(sys.executable, "-c", RAISE, own=True)
    assert raised.stdout.split()[1:] == ["nice", "-10" if allowed else "0"], raised.stderr


@needs_sessions
def test_the_session_of_a_shell_is_left_as_it_is() -> None:
    """Nothing is shown of a process that was started outside any session."""
    before = SESSION.read_text().strip()
    left = run(sys.executable, "-c", RAISE, own=False)
    assert (left.returncode, left.stdout.strip()) == (0, before), left.stderr


def test_what_works_is_nicer_than_what_serves(tmp_path: Path) -> None:
    wanted, told = min(os.nice(0) + 5, 19), tmp_path / "told"
    waits = f"while [ $(nice) != {wanted} ]; do sleep 0.02; done; touch {told}; exec sleep 60"
    with host.kept_running(["sh", "-c", waits]):
        until(told.exists)
