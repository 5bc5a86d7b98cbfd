"""What bots logged stands on the page of a duel that their author serves, and on no other."""

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from referee.cli.own_logs import OwnLogs
from referee.store.opening import open_store
from referee.web.app import create_app
from tests.cli.bots import said
from tests.cli.leagues import write_league
from tests.web import scenes

PAGE = scenes.LOGGED_DUEL


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a league with the logs of its duels."""
    place = tmp_path_factory.mktemp("logged") / "upcard.db"
    scenes.write_logged(place)
    return place


def page(place: Path, logs: Path | None, address: str = PAGE) -> str:
    logged = None if logs is None else OwnLogs(logs).of
    with (
        open_store(str(place)) as store,
        TestClient(create_app(store, logged=logged), base_url="http://localhost") as asks,
    ):
        return asks.get(f"/{address}").text


@pytest.mark.slow
def test_it_stands_with_the_decision_that_it_is_about(place: Path) -> None:
    found = re.findall(
        r'<details class="logged">.+?<dt><a href="#hand=1&amp;play=(\d+)">[\w ]+, (\w+) .+?</a>'
        r"</dt>\n<dd><code>(.+?)</code></dd>",
        page(place, place.parent / "logs"),
        re.DOTALL,
    )
    move, seat = scenes.logged_move(place)
    assert found == [(str(move), seat, "&lt;b&gt;seven trumps&lt;/b&gt;")]


@pytest.mark.slow
def test_the_replay_has_it_too(place: Path) -> None:
    (data,) = re.findall(
        r'<script type="application/json" id="duel-data">(.+?)</script>',
        page(place, place.parent / "logs"),
    )
    ((_, moves),) = json.loads(data)["logged"]["open"].items()
    assert [*moves.values()] == [[scenes.LOGGED]]


def test_other_duels_do_not_have_it(place: Path) -> None:
    address = PAGE.replace("1-2-2", "1-2-1")
    assert "logged" not in page(place, place.parent / "logs", address)


@pytest.mark.slow
def test_a_league_that_was_dealt_otherwise_does_not_have_it(place: Path, tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db", name="club2", duels=2)
    other = page(tmp_path / "upcard.db", place.parent / "logs", PAGE.replace("club", "club2"))
    assert ("Hand 1" in other, "logged" in other) == (True, False)


@pytest.mark.slow
def test_pages_for_others_do_not_have_it(place: Path, tmp_path: Path) -> None:
    words = ("--site", tmp_path / "site", "--db", place)
    assert said("league", "export", "club", *words).code == 0
    exported = (tmp_path / "site" / PAGE).read_text()
    for public in (exported, page(place, None)):
        assert ("Hand 1" in public, "logged" in public, "seven" in public) == (True, False, False)


@pytest.mark.parametrize("words", ["--host 0.0.0.0", "--name club.example", "--proxy 10.0.0.1"])
def test_it_is_served_to_its_author_alone(place: Path, words: str) -> None:
    ran = said("serve", "--logs", place.parent / "logs", *words.split(), "--db", place)
    says = (
        "upcard: --logs shows what only the author may see; leave out --host, --name and --proxy\n"
    )
    assert (ran.code, ran.err) == (2, says)


def test_a_directory_without_logs_is_refused(place: Path, tmp_path: Path) -> None:
    ran = said("serve", "--logs", tmp_path, "--db", place)
    says = f"upcard: {tmp_path} has no duels.jsonl; name a directory that 'upcard try' wrote"
    assert (ran.code, ran.err[: len(says)]) == (2, says)
