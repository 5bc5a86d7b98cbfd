"""Fills every mount it can write to."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import os
from contextlib import suppress
from pathlib import Path

from tests.hostile.attacks.verdict import FACTS, tell

MOST = 1 << 28
PIECE = b"x" * (1 << 20)


def filled(place: str) -> int:
    taken = 0
    # One long file would end at the limit of one file.
    with suppress(OSError):
        for number in range(MOST // len(PIECE)):
            Path(place, f"part-{number}").write_bytes(PIECE)
            taken += len(PIECE)
    for part in Path(place).glob("part-*"):
        part.unlink()
    return taken


def too_much(place: str) -> str:
    taken = filled(place)
    return f"{taken} bytes in {place}" if taken > FACTS["disk_mib"] << 20 else ""


def mounts() -> list[str]:
    with suppress(OSError):
        return [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    return [place for place, _, _ in os.walk("/") if os.access(place, os.W_OK)]


places = {place for place in mounts() if os.access(place, os.X_OK)} | {
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/run",
}
tell({place: (lambda place=place: too_much(place)) for place in places})  # type: ignore[misc]
