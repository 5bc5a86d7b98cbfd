"""Groups of options that several commands share, each group a NamedTuple."""

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that has, for each parameter that is a NamedTuple, its fields as options.

    Such parameters are keyword-only; an option has the annotation and the default of its field.
    """
    parameters = inspect.signature(command).parameters.values()
    groups = {each.name: each.annotation for each in parameters if _is_group(each)}

    @wraps(command)
    def grouped(**values: object) -> None:
        filled = {
            name: group(**{field: values.pop(field) for field in group._fields if field in values})
            for name, group in groups.items()
        }
        command(**values, **filled)

    own = [
        parameter.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for parameter in parameters
        if parameter.name not in groups
    ]
    parameters_of = [*own, *(option for group in groups.values() for option in _options(group))]
    grouped.__signature__ = inspect.Signature(parameters_of)  # type: ignore[attr-defined]
    grouped.__annotations__ = {each.name: each.annotation for each in parameters_of}
    return grouped


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
