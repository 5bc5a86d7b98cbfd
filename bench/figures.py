"""How a benchmark's figures are judged and printed."""

import json
from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A figure, and the bound it must keep, if it must keep one."""

    name: str
    ratio: float
    bound: str | None = None
    target: float | None = None

    @property
    def ok(self) -> bool:
        """Whether it keeps it."""
        if self.target is None:
            return True
        if self.bound == "at_least":
            return self.ratio >= self.target
        return self.ratio <= self.target

    @property
    def verdict(self) -> str:
        """Return the bound, and whether it is kept."""
        if self.bound is None:
            return ""
        words = self.bound.replace("_", " ")
        return f"  {words:8} {self.target:4.2f}  {'ok' if self.ok else 'MISSED'}"


def as_json(rows: Sequence[Row]) -> str:
    """Return the rows as a JSON list."""
    return json.dumps(
        [{**row._asdict(), "ratio": round(row.ratio, 3), "ok": row.ok} for row in rows], indent=2
    )


def as_table(rows: Sequence[Row]) -> str:
    """Return the rows as lines, aligned."""
    width = max(len(row.name) for row in rows)
    return "\n".join(f"{row.name:{width}}  {row.ratio:5.2f}{row.verdict}" for row in rows)
