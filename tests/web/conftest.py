"""Stores that are written once and only read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web import scenes
from tests.web.scenes import Answers


@pytest.fixture(scope="session")
def open_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write leagues that are open."""
    place = tmp_path_factory.mktemp("open") / "upcard.db"
    scenes.write_open(place)
    return place


@pytest.fixture(scope="session")
def over_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a league that is over."""
    place = tmp_path_factory.mktemp("over") / "upcard.db"
    scenes.write_over(place)
    return place


@pytest.fixture(scope="session")
def asks(open_place: Path) -> Iterator[TestClient]:
    """Serve the leagues that are open."""
    with scenes.served(open_place) as client:
        yield client


@pytest.fixture(scope="session")
def asks_over(over_place: Path) -> Iterator[TestClient]:
    """Serve the league that is over."""
    with scenes.served(over_place) as client:
        yield client


@pytest.fixture(scope="session")
def answers(asks: TestClient) -> Answers:
    """Read all of the leagues that are open."""
    return scenes.crawled(asks)


@pytest.fixture(scope="session")
def answers_over(asks_over: TestClient) -> Answers:
    """Read all of the league that is over."""
    return scenes.crawled(asks_over)
