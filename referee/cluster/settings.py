"""How Dask is set up: what it keeps and does beyond connecting machines is turned off.

Its own configuration, in files or the environment, has the last word.
"""

import logging
from collections.abc import Mapping
from typing import Final

import dask
import distributed  # noqa: F401 (it has defaults of its own, and sets the levels of its loggers)

_SETTINGS: Final[Mapping[str, object]] = {
    "distributed": {
        "scheduler": {
            # A machine that is silent for so long is lost.
            "worker-ttl": "60s",
            # What is lost is missing in the store, and handed out again by the coordinator.
            "allowed-failures": 0,
            "work-stealing": False,
            "active-memory-manager": {"start": False},
        },
        "comm": {"timeouts": {"connect": "10s"}},
        # The latest outcomes of each run, which nobody asks for.
        "admin": {"low-level-log-length": 4},
        "worker": {
            "profile": {"enabled": False},
            "memory": {"target": False, "spill": False, "pause": False, "terminate": False},
        },
        "diagnostics": {"nvml": False},
    }
}


def set_up() -> None:
    """Set up Dask in this process."""
    dask.config.update_defaults(_SETTINGS)
    # What matters of it is said in our own words.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
