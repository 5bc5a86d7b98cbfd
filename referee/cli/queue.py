"""`upcard queue`: works for a host, beside the process that serves its pages."""

import os
import sys
from typing import Annotated

import typer

from referee.cli.cluster_options import Cluster, Tls, engine_of
from referee.cli.duel_options import AcceptWeak, Jobs, Unsafe
from referee.cli.league_play import counted_stops
from referee.cli.store_options import Db
from referee.hosting.queue import QueueOptions, work
from referee.store.opening import DEFAULT, open_store


def queue(
    jobs: Jobs = None,
    cluster: Cluster = None,
    tls: Tls = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    with_parent: Annotated[
        bool, typer.Option("--with-parent", hidden=True, help="Stop when the parent has ended.")
    ] = False,
    db: Db = DEFAULT,
) -> None:
    """Examine submissions, and play ladders and challenges, until it is stopped.

    'upcard host' does so by itself; with 'upcard host --no-queue' this does it. A signal stops it
    after the duels in flight, a second one at once; nothing is lost, whatever ends it.

    With --cluster, ladders are played on the workers of a cluster; submissions are examined and
    challenges played here.
    """
    options = QueueOptions(jobs, accept_weak or (), sandboxed=not unsafe_no_sandbox)
    if cluster is not None:
        opened = engine_of(cluster, tls)
        options = options._replace(engine=lambda plan: opened(plan.accepted, plan.sandboxed))
    parent = os.getppid()

    with open_store(db, create=True) as store, counted_stops() as stops:

        def asked() -> int:
            orphaned = with_parent and os.getppid() != parent
            return max(stops(), int(orphaned))

        work(store, options, asked, _print)


def _print(line: str) -> None:
    print(f"queue: {line}", file=sys.stderr, flush=True)
