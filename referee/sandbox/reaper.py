"""Kills what a referee that was itself killed has left behind.

bubblewrap dies with whoever started it, but only once it has set everything up: the part of it that
does so outlives a referee that is killed meanwhile, and starts the bot. So a small process waits
for the end of a pipe, which the kernel closes when the referee is gone, and then kills all whose
command line bears a mark that was drawn for this referee.
"""

import secrets
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

# The mark comes through the pipe, and stands on no command line but theirs. Who died before giving
# it has started nothing; and without one everything would bear it.
# What asks everybody to stop does not ask the mourner, who is needed just then.
_SCRIPT: Final = """
trap '' TERM INT HUP
read -r mark || exit
read -r end
for round in 1 2 3 4 5 6 7 8 9 10; do
    for found in $(echo "$mark" | grep -lsF -f - /proc/[0-9]*/cmdline); do
        process=${found#/proc/}
        kill -KILL "${process%/cmdline}" 2>/dev/null
    done
    sleep 0.1
done
"""
_MOURNER: Final = ("sh", "-c", _SCRIPT)


@contextmanager
def reap_orphans(environment: Mapping[str, str]) -> Iterator[str]:
    """Have somebody who outlives us, and give the mark of what is to be killed then."""
    mark = secrets.token_hex(16)
    with subprocess.Popen(  # noqa: S603 (our own words)
        _MOURNER,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd="/",
        start_new_session=True,
    ) as mourner:
        assert mourner.stdin
        mourner.stdin.write(f"{mark}\n".encode())
        mourner.stdin.flush()
        try:
            yield mark
        finally:
            mourner.kill()
