"""Reads times as people write them: ``90s``, ``10m``, ``2h`` or ``1d``."""

import re
from datetime import timedelta
from typing import Final

_TIMESPAN: Final = re.compile(r"(0|[1-9]\d{0,5})([smhd])", re.ASCII)
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def timespan(text: str) -> timedelta | None:
    """Return the time that a text means; None if it means none."""
    found = _TIMESPAN.fullmatch(text)
    return timedelta(seconds=int(found[1]) * _SECONDS[found[2]]) if found else None
