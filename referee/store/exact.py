"""Makes values of rows, each field of its own type: a damaged file may have anything anywhere."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

_Value = TypeVar("_Value", bound=tuple[Any, ...])


def exact(model: type[_Value], columns: Iterable[Any]) -> _Value:
    """Return a value of columns in the order of its fields.

    Raises:
        TypeError: one is not of the type of its field.
    """
    value = model(*columns)
    if tuple(map(type, value)) not in _types(model):
        raise TypeError(model.__name__)
    return value


def exact_columns(rows: Sequence[Sequence[Any]], types: Sequence[set[type]]) -> list[Sequence[Any]]:
    """Return the columns of rows, many at once.

    Raises:
        TypeError: a value is of no type of its column.
    """
    columns: list[Sequence[Any]] = [*zip(*rows, strict=True)]
    for values, allowed in zip(columns, types, strict=True):
        if not allowed.issuperset(map(type, values)):
            raise TypeError(allowed)
    return columns


@lru_cache
def _types(model: type[_Value]) -> frozenset[tuple[type, ...]]:
    """Return every combination of types that the fields of a model may have."""
    return frozenset(product(*map(_allowed, get_type_hints(model).values())))


def _allowed(hint: Any) -> tuple[type, ...]:  # noqa: ANN401 (whatever stands at a field)
    if isinstance(hint, UnionType):
        return tuple(kind for each in get_args(hint) for kind in _allowed(each))
    if get_origin(hint) is Literal:
        return (type(get_args(hint)[0]),)
    plain = getattr(hint, "__supertype__", hint)
    found = get_origin(plain) or plain
    return (dict if found is Mapping else found,)
