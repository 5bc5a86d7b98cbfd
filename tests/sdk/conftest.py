"""Bots in every language, built once for all that is tried of them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.sdk import polyglot
from tests.sdk.polyglot import Language

Probe = Callable[[Language, str], Path]
Example = Callable[[Language], Path]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """Return the built example of a language."""

    @cache
    def build(language: Language) -> Path:
        return polyglot.example(language, tmp_path_factory.mktemp("example") / language.example)

    return build


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    """Return the built probe of a language, told what to do."""

    @cache
    def build(language: Language, does: str) -> Path:
        return polyglot.probe(language, does, tmp_path_factory.mktemp("probe") / does)

    return build
