"""A match of a described game told step by step says what its program says."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from referee.engine.record import MatchRecord, SeededDeal, play_match
from referee.engine.record import replay as played_again
from referee.engine.recycle import opened
from referee.game_files import find_game
from referee.reports.deals import every_deal
from referee.reports.positions import PlaceReport, StoredReport
from referee.reports.replays import HandReport, MatchReport, replay

GAMES = ("kuhn-poker", "black-lady", "whist.rcy", "forehead-poker")
NAMES = "ada", "bert"


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def match(name: str, luck: int = 0) -> MatchRecord:
    """Play a match of two hands at random."""
    draw = Random(luck)
    game = find_game(name).game({"hands": 2})
    first_dealer = game.first_dealer(0)
    return play_match(
        game, first_dealer, SeededDeal(bytes(32), "any"), lambda state: draw.choice(state.legal)
    )


@cache
def told(name: str, luck: int = 0) -> MatchReport:
    return replay(0, match(name, luck), NAMES)


def places(hand: HandReport) -> Iterator[list[PlaceReport]]:
    """Yield the places that each step tells, those before the first one first."""
    yield hand["places"]
    yield from (step["moves"]["places"] for step in hand["steps"])


def values(hand: HandReport) -> Iterator[list[StoredReport]]:
    yield hand["stored"]
    yield from (step["moves"]["stored"] for step in hand["steps"])


def followed(name: str) -> Iterator[tuple[HandReport, dict[Any, Any], dict[Any, Any]]]:
    """Yield each hand, with what lies and is stored where at its end if one follows its steps."""
    for hand in told(name)["hands"]:
        lies = {
            (place["owner"], place["kind"], place["name"], place["index"]): place["cards"]
            for step in places(hand)
            for place in step
        }
        stored = {
            (value["owner"], value["kind"], value["name"]): value["value"]
            for step in values(hand)
            for value in step
        }
        yield hand, lies, stored


def test_who_follows_the_steps_has_the_places_of_the_program_in_the_end(game: str) -> None:
    for (_, lies, _), again in zip(followed(game), played_again(match(game)), strict=True):
        assert lies == {
            tuple(name): [*place.cards] for name, place in opened(again.last).places.items()
        }


def test_who_follows_the_steps_has_its_values_in_the_end(game: str) -> None:
    for (_, _, stored), again in zip(followed(game), played_again(match(game)), strict=True):
        kept = {tuple(name): value for name, value in opened(again.last).stored.items()}
        assert {name: value for name, value in stored.items() if value is not None} == kept


def test_no_step_tells_what_is_as_before(game: str) -> None:
    for hand in told(game)["hands"]:
        now: dict[Any, object] = {}
        for step in places(hand):
            for place in step:
                key = place["owner"], place["kind"], place["name"], place["index"]
                assert now.get(key) != place
                now[key] = place


def test_every_card_of_the_deck_lies_somewhere(game: str) -> None:
    pack = sorted(match(game).game.pack)
    for hand in told(game)["hands"]:
        real = (place for place in hand["places"] if place["kind"] != "mem")
        assert sorted(card for place in real for card in place["cards"]) == pack


def test_each_step_is_an_action_of_the_record(game: str) -> None:
    seats = match(game).game.seats
    for hand, kept in zip(told(game)["hands"], match(game).hands, strict=True):
        steps = [(step["seat"], step["action"]) for step in hand["steps"]]
        assert steps == [(seats[seat], action) for seat, action in kept.actions]


def test_whoever_moves_is_told_the_move(game: str) -> None:
    for hand in told(game)["hands"]:
        for step in hand["steps"]:
            assert step["seat"] in step["moves"]["told_to"]


def test_who_is_not_told_a_move_hears_of_no_card() -> None:
    steps = [step for hand in told("black-lady")["hands"] for step in hand["steps"]]
    passed = [step for step in steps if len(step["moves"]["told_to"]) == 1]
    assert {step["moves"]["others_hear"] for step in passed} == {"moves a card from HAND to PASSED"}


def test_it_is_told_as_json(game: str) -> None:
    assert json.loads(json.dumps(told(game)))["hands"]


def test_who_plays_each_side_is_told(game: str) -> None:
    sides = len(match(game).game.side_names)
    assert told(game)["sides"] == [NAMES[side % 2] for side in range(sides)]


def test_the_rooms_part_at_the_first_move_that_differs() -> None:
    records = [match("kuhn-poker", luck) for luck in range(4)]
    matches = [replay(0, record, NAMES) for record in records]
    for number, deal in enumerate(every_deal(matches[:2], records[:2])):
        actions = [
            [step["action"] for step in each["hands"][number]["steps"]] for each in matches[:2]
        ]
        same = deal.parting is None
        assert same == (actions[0] == actions[1])
        if deal.parting:
            before = deal.parting - 1
            assert actions[0][:before] == actions[1][:before]
            assert actions[0][before] != actions[1][before]
