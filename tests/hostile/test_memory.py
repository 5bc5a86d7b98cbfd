"""Whatever bots do, what a referee keeps of it is bounded: measured in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_MIB = 256
"""A session of sound bots takes some 80."""
SESSION = """
import sys
from pathlib import Path
from tests.hostile.test_players import LIMITS, play

played = play((sys.argv[1], "sound"), LIMITS._replace(decision=60.0), 256, 999_999, target=5)
faults = sum(len(result.faults) for result in played.results)
status = Path("/proc/self/status").read_text().splitlines()
(most,) = (line.split()[1] for line in status if line.startswith("VmHWM:"))
print(faults, int(most) // 1024)
"""


@pytest.mark.parametrize("name", ["loud"])
def test_faults_without_end_take_a_bounded_part_of_memory(name: str) -> None:
    played = subprocess.run(
        [sys.executable, "-c", SESSION, name], cwd=ROOT, capture_output=True, text=True, check=True
    )
    faults, mib = map(int, played.stdout.split())
    assert faults > 20_000
    assert mib < MOST_MIB
