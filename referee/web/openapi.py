"""Describes the reports to programs, with the words that stand beside each field in the code.

FastAPI takes the shape of an answer from its type; the words beside a field of a `TypedDict` it
leaves out, those of a base more so.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from textwrap import dedent
from types import ModuleType
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from typing_extensions import get_original_bases, is_typeddict


def describing(app: FastAPI, modules: Iterable[ModuleType]) -> Callable[[], dict[str, Any]]:
    """Return what describes an application whose reports are defined in these modules."""
    known = {each.__name__: each for module in modules for each in _reports(module)}

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
            )
            for name, shape in schema["components"]["schemas"].items():
                if name in known:
                    _tell(shape["properties"], dict(_words(known[name])))
            app.openapi_schema = schema
        return app.openapi_schema

    return described


def _reports(module: ModuleType) -> Iterator[type]:
    return (each for each in vars(module).values() if is_typeddict(each))


def _tell(fields: dict[str, dict[str, Any]], words: dict[str, str]) -> None:
    for field in fields.keys() & words.keys():
        fields[field]["description"] = words[field]


def _words(report: type) -> Iterator[tuple[str, str]]:
    """Yield what stands below each field that has something there, those of its bases first."""
    for base in get_original_bases(report):
        if is_typeddict(base):
            yield from _words(base)
    (defined,) = ast.parse(dedent(inspect.getsource(report))).body
    assert isinstance(defined, ast.ClassDef)
    for field, below in pairwise(defined.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, " ".join(words.split())
