"""The plan of a league as it stands in its row, read back exactly or not at all."""

from typing import Any

from sqlalchemy import Row

from referee.json_forms import TERMS, terms_as_json, terms_from_json, until_as_json, until_from_json
from referee.store.exact import exact
from referee.store.models import Plan


def plan_columns(plan: Plan) -> dict[str, Any]:
    """Return the columns of a plan."""
    return {
        **terms_as_json(plan.terms),
        "duels": plan.duels,
        "block": plan.block,
        "until": plan.until and until_as_json(plan.until),
    }


def plan_of(row: Row[Any]) -> Plan:
    """Return the plan of a league from its row.

    Raises:
        RecordError: it is damaged.
        TypeError: likewise.
    """
    terms = terms_from_json({name: getattr(row, name) for name in TERMS})
    return exact(Plan, (terms, row.duels, row.block, until_from_json(row.until)))
