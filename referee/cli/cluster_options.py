"""What the commands share that take part in a cluster."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.errors import ConfigError
from referee.text import plain

Tls = Annotated[
    Path | None,
    typer.Option(
        "--tls",
        envvar="UPCARD_TLS",
        metavar="DIR",
        help="The directory with the certificates of the cluster: ca.pem, cert.pem and key.pem.",
    ),
]


def say(text: str) -> None:
    """Print a message about the cluster to stderr."""
    print(plain(text), file=sys.stderr, flush=True)


def refuse_without_dask() -> None:
    """Set Dask up, if it is installed.

    Raises:
        ConfigError: it is not.
    """
    try:
        from referee.cluster.settings import set_up  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError:
        raise ConfigError(
            "a cluster needs the package distributed; install upcard-referee[dask]"
        ) from None
    set_up()
