"""However a file of a stranger is made, it takes at most so much memory."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from referee.json_fields import MOST_VALUES
from referee.record_file import LONGEST_LINE
from tests.publication.exports import league, sealed, written

SIZE: Final = 1 << 26
MOST: Final = 5 * SIZE
RUN: Final = """
import atexit, sys
from pathlib import Path
from referee.cli import main
def show_peak():
    # The peak that getrusage has is inherited from the process that started this one.
    status = Path("/proc/self/status").read_text()
    print("PEAK", status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
atexit.register(show_peak)
main()
"""
HALF: Final = MOST_VALUES // 2 - 2
LINES: Final = {
    "of lists": b"[" + b"[]," * HALF,
    "of objects": b"[" + b'{"":0},' * HALF,
    "of wide letters": '"\N{GRINNING FACE}'.encode().ljust(LONGEST_LINE, b"a"),
    "of 64 MB": b"[]," * (SIZE // 3),
}
"""What takes the most once it is parsed, as long as may be, and what is too long."""


def peak(*words: object) -> tuple[int, int, str]:
    """Run `upcard` in a process; return its exit code, its peak in bytes, and what it said."""
    command = [sys.executable, "-c", RUN, *map(str, words)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    said, _, kib = ran.stderr.rpartition("PEAK ")
    assert "Traceback" not in said
    return ran.returncode, int(kib) * 1024, said + ran.stdout


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("command", [("replay", "--check"), ("fault", "show")], ids=" ".join)
def test_a_file_takes_at_most_five_times_64_mb(
    tmp_path: Path, command: tuple[str, str], kind: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(LINES[kind])
    code, most, said = peak(*command, path)
    assert (code, most < MOST) == (1, True), said


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("duels.jsonl", "of objects"),
        ("duels.jsonl", "of wide letters"),
        ("duels.jsonl", "of 64 MB"),
        ("league.json", "of 64 MB"),
        ("log.jsonl", "of 64 MB"),
        ("ratings.csv", "of 64 MB"),
        ("voids.csv", "of 64 MB"),
    ],
)
def test_an_export_takes_at_most_five_times_64_mb(tmp_path: Path, file: str, kind: str) -> None:
    out = written(tmp_path / "out", league(target=1))
    (out / file).write_bytes(LINES[kind])
    code, most, said = peak("verify", sealed(out))
    assert (code, most < MOST) == (1, True), said


@pytest.mark.parametrize("file", ["ratings.csv", "voids.csv"])
def test_a_row_of_many_lines_takes_at_most_five_times_64_mb(tmp_path: Path, file: str) -> None:
    out = written(tmp_path / "out", league(target=1))
    with (out / file).open("ab") as table:
        table.write(b'"\n\n",' * (SIZE // 5))
    code, most, said = peak("verify", sealed(out))
    assert (code, most < MOST) == (1, True), said
