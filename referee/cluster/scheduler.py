"""The scheduler of a cluster, to which machines and coordinators connect; it keeps nothing."""

import asyncio
from collections.abc import Callable

from distributed import Scheduler

from referee.cluster.addresses import NOWHERE, Endpoint
from referee.errors import UpcardError


async def schedule(scheduler: Endpoint, ready: Callable[[], None]) -> None:
    """Run a scheduler until this is cancelled.

    Args:
        scheduler: where it listens.
        ready: is called when it listens.

    Raises:
        UpcardError: it cannot listen there.
    """
    address, certificates = scheduler
    try:
        running = await Scheduler(
            protocol=f"{address.scheme}://",
            host=address.host,
            port=address.port,
            security=certificates,
            dashboard=False,
            dashboard_address=NOWHERE,
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
