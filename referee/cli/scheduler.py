"""`upcard scheduler`: what the workers of a cluster, and the runs that use them, connect to."""

from typing import Annotated

import typer

from referee.cli.cluster_options import Tls, refuse_without_dask, say
from referee.cli.interrupts import run_until_stopped

_EVERYWHERE = "tls://0.0.0.0:8786"


def scheduler(
    address: Annotated[
        str, typer.Argument(metavar="[ADDRESS]", help="Where it listens.")
    ] = _EVERYWHERE,
    tls: Tls = None,
) -> None:
    """Run the scheduler of a cluster, to which 'upcard worker' and 'upcard league run' connect.

    It stores nothing and plays nothing. Anybody who has the certificates can run programs on every
    machine of the cluster; nobody else can connect. tcp:// is for one machine alone.
    """
    refuse_without_dask()
    from referee.cluster.addresses import endpoint  # noqa: PLC0415 (an extra)
    from referee.cluster.scheduler import schedule  # noqa: PLC0415

    where = endpoint(address, tls)
    try:
        run_until_stopped(schedule(where, lambda: say(f"scheduler at {where.address}")))
    except KeyboardInterrupt:
        say("stopped")
