"""Exports of leagues in games of any number of sides."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.breaking import breaking
from tests.games import highest, known
from tests.publication.exports import FAULTY, checked, forged_duels, league, written, wrong


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with known():
        yield


@pytest.mark.slow
@pytest.mark.parametrize(("players", "sides"), [(2, 0), (3, 0), (5, 0), (6, 3), (8, 4)])
def test_a_sound_export_is_verified(tmp_path: Path, players: int, sides: int) -> None:
    game = highest(players=players, sides=sides)
    report = checked(written(tmp_path / "out", league(game=game), [FAULTY]))
    assert (report.failures, report.outcome) == ([], "consistent")


def duels(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "duels.jsonl").read_text().splitlines()]


def test_rooms_and_seats_are_called_as_in_the_game(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(game=highest()), [FAULTY])
    (fault,) = [each for duel in duels(out) for each in duel["faults"]][:1]  # type: ignore[attr-defined]
    assert fault["room"] in {"room 1", "room 2"}
    assert fault["seat"] in {"1", "2", "3"}
    assert {len(duel["rooms"]) for duel in duels(out)} == {6}  # type: ignore[arg-type]


def test_a_duel_that_lacks_a_room_is_refused(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(game=highest()))
    forged_duels(out, lambda lines: lines[0]["rooms"].pop())
    assert "must be 6 records, in the order of the rooms" in wrong(out)


def test_another_outcome_than_that_of_the_play_is_refused(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(game=highest()))
    (first, *_) = (int(str(duel["wins"])) for duel in duels(out))
    forged_duels(out, lambda lines: lines[0].update(wins=(first + 1) % 3))
    assert f"wins: is {(first + 1) % 3}, but should be {first}" in wrong(out)


def test_every_match_of_a_duel_is_counted(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(game=highest()))
    assert checked(out).checked["matches"] == 6 * len(duels(out))


def test_hands_that_could_not_go_on_are_verified(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(game=breaking()))
    assert '"notes":["stopped"]' in (out / "duels.jsonl").read_text()
    report = checked(out)
    assert (report.failures, report.outcome) == ([], "consistent")


@pytest.mark.parametrize(("field", "lie"), [("notes", []), ("points", [1, 0])])
def test_another_result_of_a_hand_that_could_not_go_on_is_refused(
    tmp_path: Path, field: str, lie: list[int]
) -> None:
    out = written(tmp_path / "out", league(game=breaking()))

    def change(lines: list[Any]) -> None:
        hands = [hand for line in lines for room in line["rooms"] for hand in room["hands"]]
        next(hand for hand in hands if hand["notes"] and hand["points"] == [0, 0])[field] = lie

    forged_duels(out, change)
    assert f"{field}: is " in wrong(out)
