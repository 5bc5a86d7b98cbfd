"""Makes the attempts of an attack and tells which of them came through."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

BUNDLE = Path(__file__).resolve().parents[3]
FACTS: dict[str, Any] = json.loads((BUNDLE / "facts.json").read_text())
"""What the attacker is told of the machine: names and numbers that it would have to guess."""

REFUSALS = (OSError, MemoryError, ValueError, RuntimeError, StopIteration)


def tell(attempts: Mapping[str, Callable[[], object]]) -> None:
    """Make each attempt; one came through unless it ends in an error or finds nothing."""
    came: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name, attempt in attempts.items():
        try:
            found = attempt()
        except REFUSALS as error:
            refused[name] = repr(error)
        else:
            (came if found or found is None else refused)[name] = str(found)[:300]
    print(json.dumps({"came": came, "refused": refused}), flush=True)
