"""What the commands share that take part in a cluster."""

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from referee.errors import ConfigError
from referee.league.engine import Engine
from referee.text import plain

OpenEngine = Callable[[Sequence[str], bool], AbstractContextManager[Engine]]
"""Takes the guarantees that may be missing, and whether bots are sandboxed."""
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Play on the workers of this scheduler, as tls://HOST:8786, instead of here.",
    ),
]
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


def engine_of(cluster: str, tls: Path | None) -> OpenEngine:
    """Return what opens the engine of a cluster, for a run with these guarantees.

    Raises:
        ConfigError: the address or the certificates cannot be used, or Dask is not installed.
    """
    refuse_without_dask()
    from referee.cluster.addresses import endpoint  # noqa: PLC0415 (an extra)
    from referee.cluster.engine import ClusterOptions, cluster_engine  # noqa: PLC0415

    where = endpoint(cluster, tls)
    return lambda accepted, sandboxed: cluster_engine(
        ClusterOptions(where, accepted, sandboxed), say
    )
