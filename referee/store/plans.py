"""The plan of a league as it stands in its row, read back exactly or not at all."""

from typing import Any

from sqlalchemy import Row

from referee.json_forms import (
    TERMS,
    extent_as_json,
    terms_as_json,
    terms_from_json,
    until_from_json,
)
from referee.store.exact import exact
from referee.store.models import Plan


def plan_columns(plan: Plan) -> dict[str, Any]:
    """Return the columns of a plan."""
    return {
        **terms_as_json(plan.terms),
        **extent_as_json(plan),
        "block": plan.block,
    }


def plan_of(row: Row[Any]) -> Plan:
    """Return the plan of a league from its row.

    Raises:
        RecordError: it is damaged.
        TypeError: likewise.
    """
    terms = terms_from_json({name: getattr(row, name) for name in TERMS})
    until = until_from_json(row.until)
    return exact(Plan, (terms, row.duels, row.block, until, row.round_duels))
