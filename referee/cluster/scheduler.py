"""The scheduler of a cluster, to which machines and coordinators connect; it keeps nothing."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

from distributed import Scheduler

from referee.cluster.addresses import NOWHERE, Endpoint
from referee.errors import UpcardError
from referee.files.own_directory import own_directory


async def schedule(scheduler: Endpoint, ready: Callable[[], None]) -> None:
    """Run a scheduler until this is cancelled.

    Args:
        scheduler: where it listens.
        ready: is called when it listens.

    Raises:
        UpcardError: it cannot listen there.
    """
    with own_directory(Path(gettempdir()), "upcard-scheduler-") as own:
        await _schedule(scheduler, own, ready)


async def _schedule(scheduler: Endpoint, own: Path, ready: Callable[[], None]) -> None:
    address, certificates = scheduler
    try:
        running = await Scheduler(
            protocol=f"{address.scheme}://",
            host=address.host,
            port=address.port,
            security=certificates,
            dashboard=False,
            dashboard_address=NOWHERE,
            local_directory=str(own),
        )
    except OSError as error:
        raise UpcardError(
            f"cannot listen at {address}: {error.strerror or error}; fix that, or name another "
            "address"
        ) from None
    try:
        ready()
        await asyncio.Event().wait()
    finally:
        await running.close()
