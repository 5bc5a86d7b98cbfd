"""Both rooms of a duel side by side: where they parted, and what came of it."""

from collections.abc import Sequence
from functools import cache

import pytest

from referee.engine.cards import SEAT_TOKENS, Action, Seat
from referee.engine.record import MatchRecord
from referee.ratings.points import hand_margins
from referee.reports.deals import BothRooms, both_rooms
from tests.reports.matches import GAMES, match

Rooms = tuple[MatchRecord, MatchRecord]
Actions = Sequence[tuple[Seat, Action]]
DUELS = 6


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def duels(game: str) -> list[Rooms]:
    """Play duels; in half of them somebody forfeits in one of the rooms."""
    return [
        (
            match(GAMES[game], number, 30 if number == 1 else None, luck="open"),
            match(GAMES[game], number, 90 if number % 2 else None, luck="closed"),
        )
        for number in range(DUELS)
    ]


def told(rooms: Rooms) -> BothRooms:
    return both_rooms(rooms, ("ada", "bert"))


def all_hands(record: MatchRecord) -> list[Actions]:
    unfinished = [record.forfeit.actions] if record.forfeit else []
    return [*(hand.actions for hand in record.hands), *unfinished]


def first_difference(one: Actions, other: Actions) -> int | None:
    """Return the length of what both begin with, if both go on after that."""
    for length in range(min(len(one), len(other))):
        if one[: length + 1] != other[: length + 1]:
            return length
    return None


def test_the_rooms_part_at_the_first_thing_done_otherwise(game: str) -> None:
    for rooms in duels(game):
        hands = zip(*map(all_hands, rooms), strict=False)
        for deal, (opened, closed) in zip(told(rooms)["deals"], hands, strict=False):
            at = first_difference(opened, closed)
            found = deal["parting"]
            assert (found and found["step"]) == (None if at is None else at + 1)


def test_a_parting_tells_who_did_what_in_each_room(game: str) -> None:
    say = GAMES[game].say
    for rooms in duels(game):
        hands = zip(*map(all_hands, rooms), strict=False)
        for deal, (opened, closed) in zip(told(rooms)["deals"], hands, strict=False):
            if parting := deal["parting"]:
                (seat, one), (other_seat, other) = (
                    actions[parting["step"] - 1] for actions in (opened, closed)
                )
                assert seat == other_seat
                assert parting["seat"] == SEAT_TOKENS[seat]
                assert (parting["open"], parting["closed"]) == (say(one), say(other))


def test_a_parting_tells_what_was_to_be_decided(game: str) -> None:
    for rooms in duels(game):
        for deal in told(rooms)["deals"]:
            if parting := deal["parting"]:
                for hand in (deal["open"], deal["closed"]):
                    assert hand
                    assert hand["steps"][parting["step"] - 1]["decision"] == parting["decision"]


def test_rooms_that_did_the_same_part_nowhere(game: str) -> None:
    record = match(GAMES[game], 0)
    assert [deal["parting"] for deal in told((record, record))["deals"]] == [None] * len(
        record.hands
    )


def test_a_room_that_was_forfeited_does_not_part_by_that(game: str) -> None:
    whole, broken_off = match(GAMES[game], 1), match(GAMES[game], 1, 3)
    (deal, *_) = told((whole, broken_off))["deals"]
    assert deal["closed"]
    assert (len(deal["closed"]["steps"]), deal["parting"]) == (3, None)


def test_the_margin_of_a_deal_is_what_counts_of_it(game: str) -> None:
    for rooms in duels(game):
        margins = [deal["margin"] for deal in told(rooms)["deals"]]
        counted = hand_margins(rooms)
        assert margins == counted + [None] * (len(margins) - len(counted))


def test_a_deal_has_a_hand_of_each_room_that_was_not_over(game: str) -> None:
    for rooms in duels(game):
        opened, closed = (len(all_hands(record)) for record in rooms)
        for number, deal in enumerate(told(rooms)["deals"]):
            assert (deal["open"] is not None) == (number < opened)
            assert (deal["closed"] is not None) == (number < closed)
        assert len(told(rooms)["deals"]) == max(opened, closed)


def test_what_a_deal_has_of_a_room_is_that_hand_of_its_match(game: str) -> None:
    for rooms in duels(game):
        both = told(rooms)
        for deal in both["deals"]:
            for hand, whole in ((deal["open"], both["open"]), (deal["closed"], both["closed"])):
                assert hand is None or hand is whole["hands"][deal["number"] - 1]


def test_both_rooms_are_dealt_the_same_cards(game: str) -> None:
    for rooms in duels(game):
        for deal in told(rooms)["deals"]:
            if deal["open"] and deal["closed"]:
                assert deal["open"]["cards"] == deal["closed"]["cards"]


def test_some_rooms_part_and_some_are_over_before_the_others() -> None:
    """No check above is empty."""
    deals = [deal for game in GAMES for rooms in duels(game) for deal in told(rooms)["deals"]]
    assert {deal["parting"] is None for deal in deals} == {True, False}
    assert {(deal["open"] is None, deal["closed"] is None) for deal in deals} == {
        (False, False),
        (False, True),
        (True, False),
    }
