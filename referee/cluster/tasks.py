"""What is run on a machine when the coordinator asks it: no code is sent, only these names.

All take and return text and bytes.
"""

import asyncio
from collections.abc import Sequence

from distributed import Worker, get_worker

from referee.cluster.desk import NAME, Desk
from referee.cluster.forms import visit_from_text


async def greet(dask_worker: Worker) -> str:
    """Return what the machine says of itself."""
    return _desk(dask_worker).greeting


async def lacking(digests: Sequence[str], dask_worker: Worker) -> list[str]:
    """Return which bundles the machine lacks."""
    return await _desk(dask_worker).bundles.lacking(digests)


async def take(run: str, digest: str, begin: int, part: bytes, dask_worker: Worker) -> None:
    """Take a part of a bundle."""
    await asyncio.to_thread(_desk(dask_worker).bundles.take, run, digest, begin, part)


async def finish(run: str, digest: str, dask_worker: Worker) -> None:
    """Put a bundle that has arrived whole where it belongs."""
    await _desk(dask_worker).bundles.finish(run, digest)


async def wind_up(run: str, dask_worker: Worker) -> None:
    """Begin no other duel of a run."""
    _desk(dask_worker).wind_up(run)


async def play(visit: str) -> tuple[bool, str]:
    """Play a visit; return how it ended: whether its worker was killed, and why none follows."""
    killed, why = await _desk(get_worker()).play(visit_from_text(visit))
    return killed, why


def _desk(worker: Worker) -> Desk:
    found = worker.plugins[NAME]
    assert isinstance(found, Desk)
    return found
