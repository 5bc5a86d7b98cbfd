"""Bots in every language, built once for all that is tried of them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from tests.sdk import polyglot
from tests.sdk.polyglot import Language
from tests.sharing import shared

Probe = Callable[[Language, str], Path]
Example = Callable[[Language], Path]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """Return the built example of a language."""

    def build(language: Language) -> Path:
        name = f"example-{language.name}"
        made = shared(
            tmp_path_factory, name, lambda place: polyglot.example(language, place / "bot")
        )
        return made / "bot"

    return build


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    """Return the built probe of a language, told what to do."""

    @cache
    def build(language: Language, does: str) -> Path:
        name = f"probe-{language.name}"
        made = shared(tmp_path_factory, name, lambda place: polyglot.probe(language, place / "bot"))
        bundle = tmp_path_factory.mktemp("probe") / does
        return polyglot.told(does, copytree(made / "bot", bundle, symlinks=True))

    return build
