"""What is counted of a hand of euchre, by which bidders are compared."""

from referee.engine.cards import Action
from referee.engine.game import HandResult
from referee.engine.record import HandRecord
from tests.table import euchre

GAME = euchre()
NORTH, EAST, SOUTH, WEST = range(4)
MARCH_ALONE = HandResult((4, 0), (5, 0), ("ordered_up", "alone", "march"))
EUCHRED = HandResult((2, 0), (3, 2), ("named", "stuck", "euchred"))
MADE = HandResult((0, 1), (2, 3), ("named",))
MISDEAL = HandResult((0, 0), (0, 0), ("misdeal",))


def hand(first: int, calls: str, result: HandResult) -> HandRecord:
    """Write a hand down whose eldest is `first`; what follows the bidding is left out."""
    actions = tuple(((first + turn) % 4, Action(call)) for turn, call in enumerate(calls.split()))
    return HandRecord((first + 3) % 4, actions, result)


def test_the_makers_count_how_trump_was_made_and_what_came_of_it() -> None:
    makers, _ = GAME.tally(hand(EAST, "pass order_up_alone", MARCH_ALONE))
    assert makers == {
        "hands": 1,
        "tricks": 5,
        "points": 4,
        "made": 1,
        "made_points": 4,
        "ordered_up": 1,
        "alone": 1,
        "march": 1,
    }


def test_the_others_count_what_it_cost_them() -> None:
    _, others = GAME.tally(hand(EAST, "pass order_up_alone", MARCH_ALONE))
    assert others == {"hands": 1, "tricks": 0, "points": -4, "defended_points": -4}


def test_a_euchre_is_counted_of_the_makers_who_lose_by_it() -> None:
    _, makers = GAME.tally(hand(NORTH, "pass " * 7 + "name:S", EUCHRED))
    assert makers == {
        "hands": 1,
        "tricks": 2,
        "points": -2,
        "made": 1,
        "made_points": -2,
        "named": 1,
        "stuck": 1,
        "euchred": 1,
    }


def test_the_others_win_what_makers_lose() -> None:
    others, _ = GAME.tally(hand(NORTH, "pass " * 7 + "name:S", EUCHRED))
    assert others == {"hands": 1, "tricks": 3, "points": 2, "defended_points": 2}


def test_the_makers_are_the_team_of_whoever_made_trump_not_of_who_spoke_first() -> None:
    first, makers = GAME.tally(hand(SOUTH, "pass pass pass pass pass name:C", MADE))
    assert (first.get("made"), makers["made"], makers["made_points"]) == (None, 1, 1)


def test_the_play_makes_nobody_the_maker() -> None:
    played = hand(WEST, "pass order_up discard:9C play:AS", HandResult((1, 0), (3, 2), ()))
    assert [side.get("made") for side in GAME.tally(played)] == [1, None]


def test_a_misdeal_is_a_hand_that_nobody_made() -> None:
    nothing = {"hands": 1, "tricks": 0, "points": 0}
    assert GAME.tally(hand(NORTH, "pass " * 8, MISDEAL)) == (nothing, nothing)
