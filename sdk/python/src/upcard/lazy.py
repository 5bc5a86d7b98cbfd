"""An attribute that is computed when it is first asked for, and cached."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Value_co = TypeVar("_Value_co", covariant=True)


class lazy(Generic[_Value_co]):  # noqa: N801 (used like `property`)
    """Compute a method's value once, and cache it as a plain attribute of the object.

    `functools.cached_property` does the same but takes a lock before Python 3.12, which costs
    more than most of what a view works out.
    """

    def __init__(self, work_out: Callable[[Any], _Value_co]) -> None:
        """Take the method and its docstring."""
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[_Value_co]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value_co: ...
    def __get__(self, instance: object | None, owner: type) -> "lazy[_Value_co] | _Value_co":
        if instance is None:
            return self
        value = self._work_out(instance)
        setattr(instance, self._name, value)
        return value
