"""`upcard serve`: web pages for spectators."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.interrupts import run_until_stopped
from referee.cli.own_logs import OwnLogs
from referee.cli.server_options import Address, Port, Proxy
from referee.cli.store_options import Db
from referee.errors import ConfigError
from referee.store.opening import DEFAULT, open_store
from referee.web.serving import ServerOptions, is_own
from referee.web.serving import serve as serve_pages


def serve(
    address: Address = "127.0.0.1",
    port: Port = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A further host name of this server, such as a proxy's; may be repeated.",
        ),
    ] = None,
    proxy: Proxy = None,
    show_hosts: Annotated[
        bool,
        typer.Option(
            "--show-hosts",
            help="Let /metrics name the machines that run leagues; for a server that only you "
            "can reach.",
        ),
    ] = False,
    logs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Show what bots logged beside their decisions, from the logs of 'upcard try "
            "--keep' or 'duel --keep'; only for yourself, on this machine.",
        ),
    ] = None,
    db: Db = DEFAULT,
) -> None:
    """Serve web pages of leagues: tables, crosstables, bots, and every hand card by card.

    The pages are read-only; a league's page is updated while it is played. Ctrl-C stops the server.
    """
    if logs is not None and (name or proxy or not is_own(address)):
        raise ConfigError(
            "--logs shows what only the author may see; leave out --host, --name and --proxy"
        )
    own = None if logs is None else OwnLogs(logs).of
    with open_store(db) as store:
        options = ServerOptions(address, port, name or (), proxy or (), show_hosts, logged=own)
        run_until_stopped(serve_pages(store, options, _print_address))


def _print_address(address: str) -> None:
    print(f"Serving at {address} (Ctrl-C stops it)", flush=True)
