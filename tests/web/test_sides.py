"""The pages of leagues in games of any number of sides, and what commands say of them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.bots import said
from tests.cli.leagues import bots, write_league
from tests.games import highest, known
from tests.web.scenes import crawled, served

GAMES = [(2, 0), (3, 0), (6, 3)]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with known():
        yield


@pytest.fixture(params=GAMES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    players, sides = request.param
    return written(tmp_path, players, sides)


def written(tmp_path: Path, players: int = 3, sides: int = 0) -> Path:
    place = tmp_path / "upcard.db"
    game = highest(players=players, sides=sides)
    write_league(place, bots(["ada", "bert", "carl"]), game=game, duels=3, faulty=[2])
    return place


def test_every_page_is_there(place: Path) -> None:
    with served(place) as asks:
        answers = crawled(asks)
    assert {answer.status_code for answer in answers.values()} == {200}
    assert any("/duels/" in address for address in answers)


def test_the_page_of_a_duel_tells_every_room_move_by_move(tmp_path: Path) -> None:
    with served(written(tmp_path)) as asks:
        text = asks.get("/leagues/club/duels/1-2-1.html").text
    assert "Room 6, hand 2" in text
    assert "<b>Player 2</b> changes" in text or "<b>Player 2</b> keeps" in text


def test_the_interface_tells_every_room(place: Path) -> None:
    with served(place) as asks:
        duel = asks.get("/api/v1/leagues/club/pairings/1-2/duels/1").json()
    assert [match["score"] for match in duel["rooms"]] == [*duel["scores"].values()]
    assert [match["room"] for match in duel["rooms"]] == [*duel["scores"]]


@pytest.mark.parametrize(
    "words",
    [
        ("duels", "club"),
        ("duels", "club", "--csv"),
        ("duels", "club", "--json"),
        ("crosstable", "club"),
        ("ratings", "club"),
        ("league", "status", "club"),
        ("fault", "list", "club"),
        ("replay", "club", "1-2/1"),
        ("replay", "club", "1-2/1", "--room", "2", "--hand", "1", "--seat", "1"),
    ],
)
def test_every_command_tells_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    place = written(tmp_path)
    assert said(*words, "--db", place).code == 0


def test_a_replay_tells_who_plays_which_sides(tmp_path: Path) -> None:
    out = said("replay", "club", "1-2/1", "--room", "1", "--db", written(tmp_path)).out
    assert "room 1: ada Side 1 and Side 3, bert Side 2" in out


def test_matches_won_are_counted_by_rooms(tmp_path: Path) -> None:
    out = said("duels", "club", "--json", "--db", written(tmp_path)).out
    for duel in json.loads(out)["duels"]:
        assert len(duel["scores"]) == 6
        assert duel["matches_won"] + duel["matches_lost"] <= 6


def test_a_room_that_there_is_not_is_refused(tmp_path: Path) -> None:
    told = said("replay", "club", "1-2/1", "--room", "open", "--db", written(tmp_path))
    assert (told.code, "choose 1 or 2 or 3" in told.err) == (2, True)
