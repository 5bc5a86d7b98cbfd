"""What is computed or loaded when it is first used: attributes, names of packages, modules."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
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


def lazy_names(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package whose names are loaded when first used.

    Args:
        package: what it is called.
        modules: for each name, the module of the package that defines it.
    """

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return load, names


@contextmanager
def lazy_modules(*names: str) -> Iterator[None]:
    """Load modules that others import meanwhile only when something in them is first used."""
    finder = _LazyFinder(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _LazyFinder:
    """Finds some modules where Python does, to be loaded later."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None, _target: object = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name in self._names else None
        if spec and spec.loader:
            spec.loader = LazyLoader(spec.loader)
        return spec
