"""`upcard host`: serves the pages of a competition, and works for it."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Annotated, Final

import typer

from referee.cli.duel_options import AcceptWeak, Jobs, Unsafe
from referee.cli.interrupts import run_until_stopped
from referee.cli.oidc_options import OidcOptions
from referee.cli.option_groups import with_groups
from referee.cli.server_options import Address, Port, Proxy
from referee.cli.store_options import Db
from referee.hosting.client import host_name
from referee.store.opening import DEFAULT, open_store
from referee.web.host.hosting import Host
from referee.web.serving import ServerOptions
from referee.web.serving import serve as serve_pages

_AGAIN: Final = 3.0
"""Seconds after which the process that works is started again."""
_STOPPING: Final = 120.0
"""Seconds for which the duels in flight are waited for."""
_NICENESS: Final = 5
"""Of what works, against what serves: readers wait for milliseconds, a ladder for minutes."""
_SESSION: Final = Path("/proc/self/autogroup")
_RAISED: Final = "-10"


@with_groups
def host(
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="How people reach this host, as https://cards.example.org; links of invitations "
            "begin with it.",
        ),
    ] = None,
    address: Address = "127.0.0.1",
    port: Port = 8000,
    proxy: Proxy = None,
    sdk: Annotated[
        Path | None,
        typer.Option(
            metavar="DIRECTORY",
            help="Offer the packages of SDKs in this directory, which tools/build_sdk_packages "
            "wrote, to everybody at /sdk/.",
        ),
    ] = None,
    queue: Annotated[
        bool,
        typer.Option(help="Work here too; else 'upcard queue' does, on this machine."),
    ] = True,
    jobs: Jobs = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    db: Db = DEFAULT,
    *,
    oidc: OidcOptions,
) -> None:
    """Host a competition: people sign in and hand in bots, which play on ladders day and night.

    Browsers keep nobody signed in over a connection that is not encrypted, but for this machine's
    own: put a web server with a certificate before it, and name it with --url.
    """
    provider = oidc.provider()
    with open_store(db, create=True) as store:
        known = url or f"http://{address}:{port}"
        names = [host_name(url)] if url else []
        hosting = Host(store, known, provider=provider, packages=sdk)
        options = ServerOptions(address, port, names, proxy or (), hosting=hosting)
        command = _queue_command(db, jobs, accept_weak or (), unsafe=unsafe_no_sandbox)
        raise_own_session()
        with kept_running(command) if queue else nullcontext():
            run_until_stopped(serve_pages(store, options, _print_address))


def raise_own_session() -> None:
    """Raise the priority of this session above those of bots, where that is allowed.

    Some kernels share the processor between sessions. Each bot has a session of its own, so all of
    them together would have many times what the pages have. Only the superuser may raise one; a
    session that was started by somebody else, such as a shell, is left as it is.
    """
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            _SESSION.write_text(_RAISED)


def _print_address(address: str) -> None:
    print(f"Hosting at {address} (Ctrl-C stops it)", flush=True)


def _queue_command(
    db: str, jobs: int | None, accepted: Sequence[str], *, unsafe: bool
) -> list[str]:
    """Return the command of the process that works."""
    words = ["queue", "--db", db, "--with-parent"]
    words += ["--jobs", str(jobs)] if jobs else []
    words += [word for name in accepted for word in ("--accept-weak", name)]
    words += ["--unsafe-no-sandbox"] if unsafe else []
    return [sys.executable, "-c", "from referee.cli import main; main()", *words]


@contextmanager
def kept_running(command: list[str]) -> Iterator[None]:
    """Keep a process running, started again whenever it ends, until the context does."""
    stopping = Event()

    def keep() -> None:
        while not stopping.is_set():
            process.append(subprocess.Popen(command, start_new_session=True))  # noqa: S603 (our own)
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process[-1].pid, min(os.nice(0) + _NICENESS, 19))
            process[-1].wait()
            stopping.wait(_AGAIN)

    process: list[subprocess.Popen[bytes]] = []
    thread = Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        for each in process[-1:]:
            each.terminate()
        thread.join(_STOPPING)
        for each in process[-1:]:
            each.kill()
