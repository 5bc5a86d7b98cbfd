"""A PostgreSQL server of the tests' own: on a socket in a directory that goes with it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

import psycopg

from tests.waiting import PATIENCE

_USER: Final = "postgres"
_MEMORY: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
"""Each store is forty files to a server, which take three times as long to make on a disk."""
_INSTALL: Final = "the store is tested on PostgreSQL: apt-get install postgresql"


@contextmanager
def server() -> Iterator[str]:
    """Run one; give the address of a database in it."""
    programs = _programs()
    home = Path(tempfile.mkdtemp(prefix="upcard-pg-", dir=_MEMORY))
    # It refuses to run as root.
    user = _USER if os.geteuid() == 0 else None
    if user:
        os.chown(home, pwd.getpwnam(user).pw_uid, -1)
    try:
        make = (programs / "initdb", "-D", home / "data", "--username=upcard", "--auth=trust")
        options = ("--encoding=UTF8", "--locale=C", "--no-sync", "--wal-segsize=1")
        subprocess.run((*make, *options), check=True, user=user, cwd="/", capture_output=True)
        with _running(programs / "postgres", home, user):
            yield f"postgresql://upcard@/postgres?host={home}"
    finally:
        shutil.rmtree(home)


def _programs() -> Path:
    found = shutil.which("postgres")
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *([Path(found).parent] if found else [])]
    assert places, _INSTALL
    return max(places)


@contextmanager
def _running(program: Path, home: Path, user: str | None) -> Iterator[None]:
    settings = ("listen_addresses=", "fsync=off", "max_connections=50", "shared_buffers=16MB")
    given = [word for setting in settings for word in ("-c", setting)]
    command = [str(program), "-D", str(home / "data"), "-k", str(home), *given]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(command, user=user, cwd="/", stdout=log, stderr=log)
    try:
        _wait(process, home)
        yield
    finally:
        process.send_signal(signal.SIGQUIT)  # at once: nothing of it is wanted any more
        process.wait(PATIENCE)


def _wait(process: subprocess.Popen[bytes], home: Path) -> None:
    until = monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(f"host={home} user=upcard dbname=postgres").close()
        except psycopg.OperationalError:
            assert process.poll() is None, (home / "log").read_text()
            assert monotonic() < until, "PostgreSQL does not start"
        else:
            return
