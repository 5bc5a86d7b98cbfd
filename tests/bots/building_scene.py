"""Builds bots as the user who runs this: a line of JSON tells which, another one what came of it.

Tests start this as the user whose builds they are about, because no process can be both.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Mapping
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
    for line in sys.stdin:
        directory, copy, cache, allowance = json.loads(line)
        os.environ["XDG_CACHE_HOME"] = cache
        print(json.dumps(outcome_of(Path(directory), Path(copy), allowance)), flush=True)


def outcome_of(directory: Path, copy: Path, allowance: dict[str, Any]) -> dict[str, Any]:
    smaller = {SMALLER[name]: allowance.pop(name) for name in SMALLER.keys() & allowance.keys()}
    outcome: dict[str, Any] = {"log": ""}
    try:
        with limited(smaller):
            work = build(directory, copy, BuildLimits(**allowance), _silently)
            outcome["digest"] = asyncio.run(work).digest
    except BuildFailed as failed:
        outcome |= {"error": str(failed), "log": failed.log.decode()}
    except UpcardError as error:
        outcome["error"] = str(error)
    built = (path for path in copy.rglob("*") if path.is_file()) if copy.exists() else ()
    outcome["files"] = {str(path.relative_to(copy)): path.read_text() for path in built}
    cache = Path(os.environ["XDG_CACHE_HOME"], "upcard")
    outcome["left"] = [path.name for path in cache.glob("building-*")]
    return outcome


@contextmanager
def limited(smaller: Mapping[str, int]) -> Iterator[None]:
    modules = [vars(module) for module in (build_sandbox, build_space)]
    before = [{name: names[name] for name in smaller.keys() & names} for names in modules]
    try:
        for names, usual in zip(modules, before, strict=True):
            names.update({name: smaller[name] for name in usual})
        yield
    finally:
        for names, usual in zip(modules, before, strict=True):
            names.update(usual)


if __name__ == "__main__":
    main()
