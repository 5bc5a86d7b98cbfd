"""The plan of a league as it stands in its row, read back exactly or not at all."""

from collections.abc import Sequence
from typing import Any, get_args

from sqlalchemy import Row

from referee.arena.limits import Policy, Terms, TimeLimits
from referee.engine.game import Game
from referee.engine.registry import kind
from referee.errors import ConfigError, FileError
from referee.ratings.stopping import By, Until
from referee.store.models import Plan


def plan_columns(plan: Plan) -> dict[str, Any]:
    """Return the columns of a plan."""
    terms = plan.terms
    return {
        "game": terms.game.name,
        "rules": terms.game.rules._asdict(),
        "limits": terms.limits._asdict(),
        "policy": terms.policy._asdict(),
        "tables": terms.tables,
        "at_least": terms.at_least,
        "beat": terms.beat,
        "duels": plan.duels,
        "block": plan.block,
        "until": plan.until and plan.until._asdict(),
    }


def plan_of(row: Row[Any]) -> Plan:
    """Make the plan of a league from its row.

    Raises:
        FileError: it does not say what a plan does.
    """
    try:
        terms = Terms(
            _game(row.game, row.rules),
            _limits(row.limits),
            _policy(row.policy),
            row.tables,
            row.at_least,
            row.beat,
        )
        return Plan(terms, row.duels, row.block, None if row.until is None else _until(row.until))
    except (ConfigError, ValueError) as error:
        raise FileError(f"the plan of league {row.name} is damaged: {error}") from None


def _game(name: str, rules: object) -> Game:
    found = kind(name)
    names = [option.name for option in found.options]
    return found.with_rules(dict(zip(names, _fields(rules, names), strict=True)))


def _until(told: object) -> Until:
    confidence, by = _fields(told, Until._fields)
    if by not in get_args(By):
        raise ValueError(f"it is sure by {' or '.join(get_args(By))}")
    return Until(_number(confidence), by)


def _limits(told: object) -> TimeLimits:
    return TimeLimits(*map(_number, _fields(told, TimeLimits._fields)))


def _policy(told: object) -> Policy:
    return Policy(*map(int, map(_number, _fields(told, Policy._fields))))


def _fields(told: object, names: Sequence[str]) -> list[Any]:
    if not isinstance(told, dict) or sorted(told) != sorted(names):
        raise ValueError(f"it tells {', '.join(names)}")
    return [told[name] for name in names]


def _number(told: object) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float):
        raise ValueError("a number is none")  # noqa: TRY004 (what is wrong is the row)
    return told
