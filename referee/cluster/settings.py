"""How Dask is set up: what it keeps and does beyond connecting machines is turned off."""

import logging
from collections.abc import Mapping
from typing import Final

import dask
import distributed  # noqa: F401 (it sets the levels of its loggers, and does so only once)

_SETTINGS: Final[Mapping[str, object]] = {
    # A machine that is silent for so long is lost, and a connection that does not answer.
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.comm.timeouts.tcp": "30s",
    "distributed.comm.timeouts.connect": "10s",
    # What is lost is missing in the store, and handed out again by the coordinator.
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    # The latest outcomes of each run, which nobody asks for.
    "distributed.admin.low-level-log-length": 4,
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.diagnostics.nvml": False,
}


def set_up() -> None:
    """Set up Dask in this process."""
    dask.config.set(_SETTINGS)
    # What matters of it is said in our own words.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
