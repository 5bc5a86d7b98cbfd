"""How a benchmark's figures are judged and printed."""

import json
from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A figure, and the bound it must keep."""

    name: str
    ratio: float
    bound: str
    target: float

    @property
    def ok(self) -> bool:
        """Whether it keeps it."""
        if self.bound == "at_least":
            return self.ratio >= self.target
        return self.ratio <= self.target


def as_json(rows: Sequence[Row]) -> str:
    """Give the rows as a JSON list."""
    return json.dumps(
        [{**row._asdict(), "ratio": round(row.ratio, 3), "ok": row.ok} for row in rows], indent=2
    )


def as_table(rows: Sequence[Row]) -> str:
    """Give the rows as lines, aligned."""
    width = max(len(row.name) for row in rows)
    return "\n".join(
        f"{row.name:{width}}  {row.ratio:5.2f}  {row.bound.replace('_', ' '):8} {row.target:4.2f}"
        f"  {'ok' if row.ok else 'MISSED'}"
        for row in rows
    )
