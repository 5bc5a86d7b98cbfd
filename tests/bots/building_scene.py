"""Builds one bot as whoever runs this, and prints what came of it as JSON.

A test starts this as the user whose builds it is about, because no process can be both.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.bots import build_sandbox, build_space
from referee.bots.build_environment import BuildFailed
from referee.bots.building import BuildLimits, build
from referee.errors import UpcardError

SMALLER = {"most_mib": "MOST_MIB", "most_files": "MOST_FILES", "free_mib": "_MIN_FREE_MIB"}
"""Limits that a test makes smaller."""


@contextmanager
def _silently(_: str) -> Iterator[None]:
    yield


def main() -> None:
    directory, copy, allowance = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
    for name in SMALLER.keys() & allowance.keys():
        smaller = {SMALLER[name]: allowance.pop(name)}
        for module in (build_sandbox, build_space):
            vars(module).update(smaller)
    outcome: dict[str, Any] = {"log": ""}
    try:
        work = build(directory, copy, BuildLimits(**allowance), _silently)
        outcome["digest"] = asyncio.run(work)
    except BuildFailed as failed:
        outcome |= {"error": str(failed), "log": failed.log.decode()}
    except UpcardError as error:
        outcome["error"] = str(error)
    built = (path for path in copy.rglob("*") if path.is_file()) if copy.exists() else ()
    outcome["files"] = {str(path.relative_to(copy)): path.read_text() for path in built}
    cache = Path(os.environ["XDG_CACHE_HOME"], "upcard")
    outcome["left"] = [path.name for path in cache.glob("building-*")]
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
