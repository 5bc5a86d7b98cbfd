"""What a hand of euchre is worth, and to whom: whole hands, worked by hand from the rules.

In every hand West deals, the nine of hearts is turned up and passed, and spades are named; so the
trumps are JS JC AS KS QS TS 9S, high to low, and North, who is eldest, leads.
"""

import pytest

from referee.engine.game import HandResult, State
from tests.table import euchre, play, points, seat, seen, start

# North's five trumps are the five highest: she takes every trick.
FIVE = {"N": "JS JC AS KS QS", "E": "9C TC QC KC AC", "S": "9D TD JD QD KD", "W": "9S TS TH JH QH"}
FIVE_PLAY = "JS 9C 9D 9S  JC TC TD TS  AS QC JD TH  KS KC QD JH  QS AC KD QH"

# North's four high trumps win; her nine of diamonds loses to East's ace.
FOUR = {"N": "JS JC AS KS 9D", "E": "AD KD QD 9C TC", "S": "TH JH QH QC KC", "W": "9S TS KH AH AC"}
FOUR_PLAY = "JS 9C TH 9S  JC TC JH TS  AS QD QH KH  KS KD QC AC  9D AD KC AH"

# North's three high trumps win; East's king and ace of diamonds win.
THREE = {"N": "JS JC AS 9D TD", "E": "AD KD QD 9C TC", "S": "TH JH QH QC KC", "W": "9S TS KH AH AC"}
THREE_PLAY = "JS 9C TH 9S  JC TC JH TS  AS QD QH KH  TD KD QC AC  AD KC AH 9D"

# North's two bowers win; West's clubs and ace of hearts win.
TWO = {"N": "JS JC 9D TD 9C", "E": "AD KD QD TC QC", "S": "TH JH QH KH JD", "W": "9S TS AH AC KC"}
TWO_PLAY = "JS TC TH 9S  JC QC JH TS  9C QD QH KC  AC TD KD KH  AH 9D AD JD"


def spades(hands: dict[str, str], maker: str = "N", call: str = "name") -> State:
    return play(start(euchre(), "W", "9H", hands), "pass " * (4 + seat(maker)) + f"{call}:S")


def without(cards: str, hand: str) -> str:
    return " ".join(card for card in cards.split() if card not in hand.split())


@pytest.mark.parametrize(
    ("hands", "cards", "tricks", "won", "outcome"),
    [
        (FIVE, FIVE_PLAY, (5, 0), (2, 0), ("named", "march")),
        (FOUR, FOUR_PLAY, (4, 1), (1, 0), ("named",)),
        (THREE, THREE_PLAY, (3, 2), (1, 0), ("named",)),
        (TWO, TWO_PLAY, (2, 3), (0, 2), ("named", "euchred")),
    ],
    ids=["five tricks", "four tricks", "three tricks", "two tricks"],
)
def test_makers_score_two_one_one_and_are_euchred(
    hands: dict[str, str],
    cards: str,
    tricks: tuple[int, int],
    won: tuple[int, int],
    outcome: tuple[str, ...],
) -> None:
    assert play(spades(hands), cards).result == HandResult(won, tricks, outcome)


@pytest.mark.parametrize(
    ("hands", "cards", "tricks", "won", "outcome"),
    [
        (FIVE, FIVE_PLAY, (5, 0), (4, 0), ("named", "alone", "march")),
        (FOUR, FOUR_PLAY, (4, 1), (1, 0), ("named", "alone")),
        (THREE, THREE_PLAY, (3, 2), (1, 0), ("named", "alone")),
        (TWO, TWO_PLAY, (2, 3), (0, 2), ("named", "alone", "euchred")),
    ],
    ids=["five tricks", "four tricks", "three tricks", "two tricks"],
)
def test_alone_only_the_march_is_worth_more(
    hands: dict[str, str],
    cards: str,
    tricks: tuple[int, int],
    won: tuple[int, int],
    outcome: tuple[str, ...],
) -> None:
    """The same cards fall, but for South's, who sits out."""
    played = play(spades(hands, call="name_alone"), without(cards, hands["S"]))
    assert played.result == HandResult(won, tricks, outcome)


@pytest.mark.parametrize("maker", ["E", "W"])
def test_makers_without_a_trick_are_euchred_for_two(maker: str) -> None:
    assert points(play(spades(FIVE, maker=maker), FIVE_PLAY)) == (2, 0)


@pytest.mark.parametrize("maker", ["N", "S"])
def test_the_makers_are_the_team_that_spoke_and_not_the_dealers(maker: str) -> None:
    assert points(play(spades(FIVE, maker=maker), FIVE_PLAY)) == (2, 0)


def test_every_trick_goes_to_the_highest_trump_or_card_led() -> None:
    tricks = seen(play(spades(TWO), TWO_PLAY), "spectator").tricks
    assert [trick.winner for trick in tricks] == [seat(who) for who in ("N", "N", "W", "W", "W")]


def test_a_hand_ordered_up_is_noted_so() -> None:
    state = play(start(euchre(), "W", "9S", {"N": "JS JC AS KS QS"}), "order_up")
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert state.result is not None
    assert state.result.notes == ("ordered_up", "march")


def test_a_hand_named_by_the_stuck_dealer_is_noted_so() -> None:
    played = play(spades(FIVE, maker="W"), FIVE_PLAY)
    assert played.result is not None
    assert played.result.notes == ("named", "stuck", "euchred")


def test_a_dealer_who_could_have_passed_was_not_stuck() -> None:
    state = start(euchre(stick_dealer=False), "W", "9H", FIVE)
    played = play(state, "pass " * 7 + "name:S " + FIVE_PLAY)
    assert played.result is not None
    assert "stuck" not in played.result.notes
