"""Lets commands share their options by the group, each group a NamedTuple."""

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command the fields of each of its parameters that is a NamedTuple as its options.

    Groups are keyword-only; a field's annotation and default are its option's.
    """
    parameters = inspect.signature(command).parameters.values()
    groups = {each.name: each.annotation for each in parameters if _is_group(each)}

    @wraps(command)
    def chosen(**given: object) -> None:
        made = {
            name: group(**{field: given.pop(field) for field in group._fields})
            for name, group in groups.items()
        }
        command(**given, **made)

    own = [
        parameter.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for parameter in parameters
        if parameter.name not in groups
    ]
    offered = [*own, *(option for group in groups.values() for option in _options(group))]
    chosen.__signature__ = inspect.Signature(offered)  # type: ignore[attr-defined]
    chosen.__annotations__ = {each.name: each.annotation for each in offered}
    return chosen


def _is_group(parameter: inspect.Parameter) -> bool:
    return hasattr(parameter.annotation, "_fields")


def _options(group: Any) -> Iterator[inspect.Parameter]:  # noqa: ANN401 (any NamedTuple)
    for name, annotation in inspect.get_annotations(group).items():
        yield inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=group._field_defaults[name],
            annotation=annotation,
        )
