"""The options of a server that both the pages for spectators and a host have."""

from typing import Annotated

import typer

Address = Annotated[
    str,
    typer.Option("--host", metavar="ADDRESS", help="The address to listen on; 0.0.0.0 is all."),
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="The port to listen on; 0 is any that is free.")
]
Proxy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="The address of a proxy on another machine, which is believed what it says of its "
        "readers' addresses; may be repeated.",
    ),
]
