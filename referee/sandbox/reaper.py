"""Kills the sandboxes of a referee that was itself killed.

bubblewrap dies with the process that started it, but only once it has finished its set-up: a
referee that is killed before leaves one that still starts the bot. So a small process waits for
the end of a pipe, which the kernel closes when the referee ends, and then kills every process
whose command line has the random marker of this referee.
"""

import secrets
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

# The marker comes through the pipe, so that the reaper does not have it on its own command line. A
# referee that ended before writing it has started nothing, and an empty one would match everything.
# The reaper ignores the signals that stop the referee: it is needed just then.
_SCRIPT: Final = """
trap '' TERM INT HUP
read -r marker || exit
read -r end
for round in 1 2 3 4 5 6 7 8 9 10; do
    for found in $(echo "$marker" | grep -lsF -f - /proc/[0-9]*/cmdline); do
        process=${found#/proc/}
        kill -KILL "${process%/cmdline}" 2>/dev/null
    done
    sleep 0.1
done
"""
_REAPER: Final = ("sh", "-c", _SCRIPT)


@contextmanager
def reap_orphans(environment: Mapping[str, str]) -> Iterator[str]:
    """Start a reaper; yield the marker of the processes that it kills if we are killed."""
    marker = secrets.token_hex(16)
    with subprocess.Popen(  # noqa: S603 (no shell)
        _REAPER,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd="/",
        start_new_session=True,
    ) as reaper:
        assert reaper.stdin
        reaper.stdin.write(f"{marker}\n".encode())
        reaper.stdin.flush()
        try:
            yield marker
        finally:
            reaper.kill()
