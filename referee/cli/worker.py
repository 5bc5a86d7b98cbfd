"""`upcard worker`: takes part in a cluster, and plays what runs of leagues hand out."""

import os
from typing import Annotated

import typer

from referee.cli.cluster_options import Tls, refuse_without_dask, say
from referee.cli.duel_options import AcceptWeak, Jobs, Unsafe
from referee.cli.league_play import counted_stops


def worker(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="The scheduler's, as tls://HOST:8786.")
    ],
    tls: Tls = None,
    jobs: Jobs = None,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            show_default="the name of this machine",
            help="What messages and logs of leagues call it.",
        ),
    ] = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Play for the leagues that are run on a cluster, until this is stopped.

    The sandbox is tried first, as by 'upcard doctor'. Bots come with what is to be played, and are
    kept in the cache of this user. SIGINT or SIGTERM stops after the duels in flight, a second one
    at once; nothing is lost. While there is no scheduler it waits for one.
    """
    refuse_without_dask()
    from referee.cluster.addresses import endpoint  # noqa: PLC0415 (an extra)
    from referee.cluster.machine import MachineOptions, work  # noqa: PLC0415

    where = endpoint(address, tls)
    options = MachineOptions(
        name or os.uname().nodename, jobs, tuple(accept_weak or ()), not unsafe_no_sandbox
    )
    with counted_stops() as stops:
        work(where, options, stops, say)
    say("stopped")
