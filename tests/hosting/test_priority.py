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
session = Path("{SESSION}")
print(session.read_text().split()[-1] if session.exists() else 0)
"""


@pytest.mark.parametrize("own", [True, False], ids=["own", "shell"])
def test_only_a_session_of_its_own_is_raised(own: bool) -> None:
    found = subprocess.run(
        [sys.executable, "-c", RAISE], start_new_session=own, capture_output=True, check=True
    )
    before = int(SESSION.read_text().split()[-1]) if SESSION.exists() and not own else 0
    raised = own and SESSION.exists() and os.getuid() == 0
    assert int(found.stdout) == (-10 if raised else before)


def test_what_works_is_nicer_than_what_serves(tmp_path: Path) -> None:
    wanted, told = min(os.nice(0) + 5, 19), tmp_path / "told"
    waits = f"while [ $(nice) != {wanted} ]; do sleep 0.02; done; touch {told}; exec sleep 60"
    with host.kept_running(["sh", "-c", waits]):
        until(told.exists)
