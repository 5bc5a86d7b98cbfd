"""What steady teaches, one situation each."""

import pytest

from referee.engine.cards import Action
from referee.engine.game import Game, State
from referee.engine.match import Match
from tests.examples_bots.duels import ask, bot, seated
from tests.table import euchre, play, start, whist
from upcard import Bot

STEADY: type[Bot] = bot("steady", "Steady")


def chosen(game: Game, state: State, score: tuple[int, int] = (0, 0)) -> Action:
    assert state.actor is not None
    tables = seated(game, STEADY, "lessons", state.actor)
    return state.legal[ask(Match(game, 0, score), state, tables)]


def at_euchre(
    hands: dict[str, str],
    actions: str,
    upcard: str = "9H",
    score: tuple[int, int] = (0, 0),
    **rules: object,
) -> Action:
    """Return what the bot chooses after some actions of a hand that West deals."""
    game = euchre(**rules)
    return chosen(game, play(start(game, "W", upcard, hands), actions), score)


def at_whist(hands: dict[str, str], actions: str, turned: str = "2H") -> Action:
    game = whist()
    return chosen(game, play(start(game, "W", turned, hands), actions))


def test_it_goes_alone_with_both_bowers_and_aces() -> None:
    assert at_euchre({"N": "JH JD AH AS AC"}, "") == "order_up_alone"


def test_it_orders_up_with_a_fair_hand() -> None:
    assert at_euchre({"N": "JH AH TH QC 9C"}, "") == "order_up"


def test_it_passes_with_a_poor_hand() -> None:
    assert at_euchre({"N": "9S TS 9C TC QD"}, "") == "pass"


@pytest.mark.parametrize(("before", "call"), [("", "pass"), ("pass", "order_up")])
def test_the_dealers_partner_needs_less_than_her_opponent(before: str, call: str) -> None:
    hand = "JH KH 9S TS 9C"
    assert at_euchre({"NE"[len(before.split())]: hand}, before) == call


def test_a_side_one_point_from_losing_calls_on_less() -> None:
    hands = {"E": "AH KH 9S TS 9C"}
    calls = [at_euchre(hands, "pass", score=score) for score in ((0, 0), (9, 0))]
    assert calls == ["pass", "order_up"]


def test_a_partner_who_may_only_go_alone_passes_with_a_fair_hand() -> None:
    fair = {"E": "JH AH 9S TS 9C"}
    assert at_euchre(fair, "pass", partner_must_go_alone=True) == "pass"


def test_a_stuck_dealer_names_her_best_suit() -> None:
    passes = "pass " * 7
    assert at_euchre({"W": "9S TS QS 9C TD"}, passes) == "name:S"


def test_the_dealer_discards_to_have_no_card_of_a_suit() -> None:
    hands = {"W": "JH AH 9S TC KC"}
    assert at_euchre(hands, "pass pass pass order_up") == "discard:9S"


def test_the_maker_leads_trump() -> None:
    assert at_euchre({"N": "JH AH TH AS 9C", "W": "9S"}, "order_up discard:9S") == "play:JH"


def test_a_defender_leads_an_ace() -> None:
    hands = {"N": "AS KS 9D TD 9C", "E": "JH AH TH KH TC", "W": "9S"}
    assert at_euchre(hands, "pass order_up discard:9S") == "play:AS"


def test_partners_ace_is_not_ruffed() -> None:
    hands = {"N": "AS KS 9D TD 9C", "E": "JH AH TH KH QS", "S": "QH QC AC TC KC", "W": "TS"}
    assert at_euchre(hands, "pass order_up discard:TS AS QS") == "play:TC"


def test_partners_ace_is_not_ruffed_at_whist() -> None:
    hands = {"N": "AS", "E": "3S", "S": "3H 9H AC KC QC JC TC 9C 8C 7C 6C 5C 4C", "W": "2H"}
    assert at_whist(hands, "AS 3S") == "play:4C"


def test_second_hand_plays_low() -> None:
    assert at_whist({"N": "5S", "E": "KS 3S", "W": "2H"}, "5S") == "play:3S"


def test_third_hand_plays_high() -> None:
    assert at_whist({"N": "5S", "E": "3S", "S": "KS 4S", "W": "2H"}, "5S 3S") == "play:KS"


def test_fourth_hand_wins_as_cheaply_as_it_can() -> None:
    hands = {"N": "5S", "E": "4S", "S": "7S", "W": "2H AS 8S 6S"}
    assert at_whist(hands, "5S 4S 7S") == "play:8S"


def test_it_ruffs_with_the_lowest_trump_that_wins() -> None:
    hands = {
        "N": "5S",
        "E": "3H 9H AC KC QC JC TC 9C 8C 7C 6C 5C 4C",
        "W": "2H",
    }
    assert at_whist(hands, "5S") == "play:3H"
