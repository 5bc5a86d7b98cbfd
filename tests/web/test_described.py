"""Leagues in games that a program describes: every page of them, and what it shows."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from starlette.testclient import TestClient

from referee.engine.recycle import Recycle
from referee.game_files import find_game
from referee.store.opening import open_store
from referee.web.site import site, write
from tests.breaking import REASON, breaking
from tests.cli.leagues import bots, write_league
from tests.waiting import until
from tests.web.scenes import Answers, crawled, data, served

POKER: Final = find_game("kuhn-poker").game({"hands": 3})
MANY: Final = find_game("forehead-poker").game({"hands": 2})
BREAKING: Final = breaking(hands=4)
DUEL: Final = "/leagues/poker/duels/1-2-1.html"
STOPPED: Final = "/leagues/breaking/duels/1-2-1.html"
MANY_ROOMS: Final = "/leagues/many/duels/1-2-1.html"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a league of two sides, and one of five with a bot that is at fault."""
    place = tmp_path_factory.mktemp("described") / "upcard.db"
    entrants = bots(["ada", "bert"])
    write_league(place, entrants, name="poker", game=POKER, duels=2)
    write_league(place, entrants, name="many", game=MANY, duels=1, faulty={2})
    write_league(place, entrants, name="breaking", game=BREAKING, duels=1)
    return place


@pytest.fixture(scope="module")
def asks(place: Path) -> Iterator[TestClient]:
    with served(place) as client:
        until(lambda: _is_computed(client, "poker"))
        until(lambda: _is_computed(client, "many"))
        yield client


def _is_computed(asks: TestClient, league: str) -> bool:
    return "refresh" not in asks.get(f"/leagues/{league}/game.html").text


@pytest.fixture(scope="module")
def answers(asks: TestClient) -> Answers:
    return crawled(asks)


def test_every_page_is_there(answers: Answers) -> None:
    assert {answer.status_code for answer in answers.values()} == {200}
    for address in (DUEL, MANY_ROOMS, "/leagues/poker/game.html", "/leagues/many/game.svg"):
        assert address in answers


def test_no_page_speaks_of_the_compass(answers: Answers) -> None:
    for address, answer in answers.items():
        if address.startswith("/leagues/"):
            assert "North" not in answer.text, address


def test_no_page_calls_the_game_by_its_kind(answers: Answers) -> None:
    for address in ("/", "/leagues/poker/index.html", "/leagues/poker/game.html"):
        assert "kuhn-poker" in answers[address].text.lower()
        assert not re.search(r"\brecycle\b", answers[address].text)


@pytest.mark.parametrize(("duel", "rooms"), [(DUEL, 2), (MANY_ROOMS, 10)])
def test_the_replay_has_every_room(answers: Answers, duel: str, rooms: int) -> None:
    page = answers[duel].text
    shown = data(page)["rooms"]
    assert len(shown) == rooms
    for room in shown:
        assert f'id="replay-{room}"' in page


def test_the_replay_names_who_sits_at_each_seat(answers: Answers) -> None:
    told = data(answers[MANY_ROOMS].text)
    seats = [f"Player {number}" for number in range(1, 6)]
    assert [seat["name"] for seat in told["seats"]] == seats
    assert told["rooms"]["1"]["sides"] == ["ada", "bert", "ada", "bert", "ada"]


def test_the_replay_marks_where_the_rooms_part(answers: Answers) -> None:
    page = answers[MANY_ROOMS].text
    assert data(page)["partings"]
    assert page.count('<li class="parted">') >= 10


def test_every_move_is_listed_with_a_link_to_it(answers: Answers) -> None:
    page = answers[DUEL].text
    for key, match in data(page)["rooms"].items():
        room = "" if key == "open" else f"room={key}&amp;"
        for hand in match["hands"]:
            for number, step in enumerate(hand["steps"], start=1):
                link = f'<a href="#{room}hand={hand["number"]}&amp;play={number}">'
                assert f"{link}<b>Player {step['seat']}</b> {step['says']}" in page


def test_a_hand_that_was_forfeited_says_who_did(answers: Answers) -> None:
    page = answers[MANY_ROOMS].text
    assert data(page)["rooms"]["1"]["hands"][1]["result"] is None
    assert "</strong> Player 2 was at fault here" in page
    assert "room 1, hand 2, Player 2" in answers["/leagues/many/entrants/2.html"].text


def test_a_hand_that_could_not_go_on_says_why(answers: Answers) -> None:
    page = answers[STOPPED].text
    assert f'and is scored as it stood: <span class="words">{REASON}' in page
    hands = [hand for room in data(page)["rooms"].values() for hand in room["hands"]]
    stopped = [hand for hand in hands if hand["result"]["notes"]]
    assert stopped == [hand for hand in hands if "stopped" in hand]
    assert all(hand["stopped"].startswith(REASON) for hand in stopped)


def test_an_entrant_is_known_by_how_often_that_was(answers: Answers) -> None:
    assert "plays hands that cannot go on" in answers["/leagues/breaking/entrants/1.html"].text


def test_points_may_be_negative(answers: Answers) -> None:
    assert re.search(r"<td>−?\d+, −?\d+</td>", answers[DUEL].text)


def test_the_page_of_the_game_has_the_program_line_by_line(answers: Answers) -> None:
    assert isinstance(POKER, Recycle)
    lines = POKER.rules.program.splitlines()
    page = answers["/leagues/poker/game.html"].text
    assert page.count('class="numbered"') == len(lines)
    assert f'id="line-{len(lines)}"' in page


def test_the_program_can_be_saved(asks: TestClient) -> None:
    assert isinstance(POKER, Recycle)
    answer = asks.get("/leagues/poker/game.rcy")
    assert answer.text == POKER.rules.program
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_each_decision_of_the_replay_is_a_line_of_the_program(answers: Answers) -> None:
    told = data(answers[DUEL].text)
    page = answers["/leagues/poker/game.html"].text
    hands = [hand for match in told["rooms"].values() for hand in match["hands"]]
    lines = {step["decision"] for hand in hands for step in hand["steps"]}
    assert lines
    for line in lines:
        assert f'id="{line.replace(" ", "-")}"' in page
    assert told["game"] == "../game.html"


def test_the_page_of_the_game_shows_random_play(answers: Answers) -> None:
    page = answers["/leagues/poker/game.html"].text
    for words in ("2 to 3", "Choices along a hand", "over 1000 hands", "game.svg"):
        assert words in page


def test_the_drawing_keeps_its_own_style(asks: TestClient) -> None:
    answer = asks.get("/leagues/poker/game.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert answer.headers["content-security-policy"] == policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_interface_tells_the_places_of_each_step(asks: TestClient) -> None:
    duel = asks.get("/api/v1/leagues/poker/pairings/1-2/duels/1").json()
    hand = duel["rooms"][0]["hands"][0]
    assert {place["owner"] for place in hand["places"]} == {"table", "1", "2"}
    assert hand["steps"][0]["moves"]["stored"]


def test_the_interface_describes_what_a_place_is(asks: TestClient) -> None:
    schemas = asks.get("/api/v1/openapi.json").json()["components"]["schemas"]
    assert "seats that see" in schemas["PlaceReport"]["properties"]["seen_by"]["description"]


def test_a_site_has_the_game_with_its_files(place: Path, tmp_path: Path) -> None:
    with open_store(str(place)) as store:
        planned = site(store, "poker")
        write(tmp_path / "site", planned.pages)
    written = tmp_path / "site" / "leagues" / "poker"
    assert isinstance(POKER, Recycle)
    assert (written / "game.rcy").read_text() == POKER.rules.program
    assert (written / "game.svg").read_text().startswith("<svg")
    assert "over 1000 hands" in (written / "game.html").read_text()
