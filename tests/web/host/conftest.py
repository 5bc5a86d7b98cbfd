"""A host for the tests of a module, each of which has people of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from referee.hosting import passwords
from tests.web.host import scene
from tests.web.host.scene import Site


@pytest.fixture(scope="module", autouse=True)
def _cheap_hashes() -> Iterator[None]:
    """Hash passwords as fast as can be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 8, 1))
        yield


@pytest.fixture(scope="module")
def whole_site(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> Iterator[Site]:
    """Return a host with a ladder, and nobody on it."""
    place = shutil.copy(empty, tmp_path_factory.mktemp("host"))
    with scene.hosted(Path(place)) as site:
        yield site


@pytest.fixture
def site(whole_site: Site) -> Site:
    """Return the same as if nobody had tried anything; who is on it stays."""
    whole_site.begin()
    return whole_site
