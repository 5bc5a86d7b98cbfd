"""`upcard serve`: pages for spectators, as long as it runs."""

from typing import Annotated

import typer

from referee.cli.interrupts import run_until_stopped
from referee.cli.store_options import Db
from referee.store.opening import DEFAULT, open_store
from referee.web.serving import serve as serve_pages


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 is everywhere.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 is any that is free.")
    ] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name it is asked by besides this machine's own, such as a proxy's; may be "
            "repeated.",
        ),
    ] = None,
    db: Db = DEFAULT,
) -> None:
    """Show leagues as pages: tables, crosstables, bots, and every hand card by card.

    They tell of a league while it is played. Nothing can be changed through them. Ctrl-C stops it.
    """
    with open_store(db) as store:
        run_until_stopped(serve_pages(store, host, port, name or (), _tell))


def _tell(address: str) -> None:
    print(f"Serving at {address} (Ctrl-C stops it)", flush=True)
