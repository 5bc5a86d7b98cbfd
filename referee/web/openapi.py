"""Generates the OpenAPI description, with the docstrings of the fields of each report.

FastAPI takes the schema of an answer from its type, but leaves out the docstrings below the fields
of a `TypedDict`.
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


def openapi_generator(app: FastAPI, modules: Iterable[ModuleType]) -> Callable[[], dict[str, Any]]:
    """Return the function that describes an application, whose reports these modules define."""
    known = {each.__name__: each for module in modules for each in _reports(module)}

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
            )
            for name, shape in schema["components"]["schemas"].items():
                if name in known:
                    _add_descriptions(shape["properties"], dict(_field_docs(known[name])))
            app.openapi_schema = schema
        return app.openapi_schema

    return openapi


def _reports(module: ModuleType) -> Iterator[type]:
    return (each for each in vars(module).values() if is_typeddict(each))


def _add_descriptions(fields: dict[str, dict[str, Any]], docs: dict[str, str]) -> None:
    for field in fields.keys() & docs.keys():
        fields[field]["description"] = docs[field]


def _field_docs(report: type) -> Iterator[tuple[str, str]]:
    """Yield each field that has a docstring, with it, those of its bases first."""
    for base in get_original_bases(report):
        if is_typeddict(base):
            yield from _field_docs(base)
    (defined,) = ast.parse(dedent(inspect.getsource(report))).body
    assert isinstance(defined, ast.ClassDef)
    for field, below in pairwise(defined.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(doc))):
                yield name, " ".join(doc.split())
