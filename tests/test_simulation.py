"""Random self-play: what it adds up to, and what is known of it beforehand."""

import pytest

from referee.engine.registry import PRESETS
from referee.simulation import Summary, random_play, simulate
from referee.spread import Spread


def played(name: str, matches: int = 400, **rules: object) -> Summary:
    preset = PRESETS[name]
    summary = Summary(preset.game(rules), preset.first_dealer, bytes(32))
    for _ in simulate(summary, matches):
        pass
    return summary


@pytest.fixture(scope="module")
def euchre() -> Summary:
    return played("euchre")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "hands", "decisions"),
    [("euchre", 9.4, 189), ("euchre-280", 10.3, 236), ("whist", 7.2, 373)],
)
def test_random_matches_are_as_long_as_is_known_of_them(
    name: str, hands: float, decisions: float
) -> None:
    summary = played(name, 600)
    assert summary.hands_a_match.mean == pytest.approx(hands, rel=0.04)
    assert summary.decisions_a_match.mean == pytest.approx(decisions, rel=0.04)


def test_every_hand_is_counted_once(euchre: Summary) -> None:
    hands = sum(number * times for number, times in euchre.hands_a_match.times.items())
    assert euchre.decisions_a_hand.count == euchre.points_a_hand.count == hands


def test_every_decision_is_counted_once(euchre: Summary) -> None:
    decisions = sum(number * times for number, times in euchre.decisions_a_match.times.items())
    assert sum(spread.count for spread in euchre.choices.values()) == decisions


def test_every_hand_is_ordered_up_or_named_when_the_dealer_is_stuck(euchre: Summary) -> None:
    assert euchre.notes["ordered_up"] + euchre.notes["named"] == euchre.decisions_a_hand.count


def test_every_match_has_a_winner(euchre: Summary) -> None:
    assert euchre.wins.total() == 400


def test_decisions_come_in_the_order_of_a_hand(euchre: Summary) -> None:
    assert list(euchre.branching) == list(euchre.game.decisions)


def test_the_last_trick_leaves_no_choice(euchre: Summary) -> None:
    assert euchre.choices["trick 5"].most == 1


def test_the_dealer_chooses_among_six_cards_to_discard(euchre: Summary) -> None:
    spread = euchre.choices["discard"]
    assert (spread.least, spread.most) == (6, 6)


def test_choices_along_a_hand_are_those_at_each_decision(euchre: Summary) -> None:
    along, total = Spread(), Spread()
    for stretch in euchre.stretches:
        along.take(stretch.choices)
    for spread in euchre.choices.values():
        total.take(spread)
    assert along == total


def test_stretches_of_a_hand_follow_each_other(euchre: Summary) -> None:
    ends = [stretch.last for stretch in euchre.stretches]
    assert [stretch.first for stretch in euchre.stretches] == [
        1,
        *(end + 1 for end in ends[:-1] if end is not None),
    ]
    assert len(ends) <= 20


def test_the_first_call_of_euchre_is_one_of_three(euchre: Summary) -> None:
    spread = euchre.stretches[0].choices
    assert (euchre.stretches[0].first, spread.least) == (1, 3)


def test_every_decision_is_some_players(euchre: Summary) -> None:
    by_player = sum(
        number * times
        for player in euchre.players
        for number, times in player.decisions.times.items()
    )
    assert by_player == sum(spread.count for spread in euchre.choices.values())


def test_the_eldest_of_euchre_always_speaks_and_her_partner_may_sit_out(euchre: Summary) -> None:
    eldest, _, partner, _ = euchre.players
    assert (eldest.decisions.least, partner.decisions.least) == (1, 0)


def test_partners_score_and_win_alike(euchre: Summary) -> None:
    eldest, second, third, dealer = euchre.players
    assert (eldest.points, eldest.wins) == (third.points, third.wins)
    assert (second.points, second.wins) == (dealer.points, dealer.wins)


def test_each_hand_is_won_once(euchre: Summary) -> None:
    hands = euchre.decisions_a_hand.count
    assert sum(player.wins.won for player in euchre.players[:2]) == hands


def test_the_advantage_of_the_first_player_is_against_a_fair_share(euchre: Summary) -> None:
    share = euchre.players[0].wins.interval.mean
    assert euchre.first_advantage.mean == pytest.approx(share - 0.5)


def test_sides_share_all_matches(euchre: Summary) -> None:
    assert sum(side.won for side in euchre.sides) == 400


def test_random_play_follows_from_its_seed() -> None:
    game = PRESETS["whist"].game()
    first, again = (random_play(game, 5, bytes(32)).as_json() for _ in "ab")
    assert (first, first == random_play(game, 5, bytes([1] * 32)).as_json()) == (again, False)


def test_a_summary_of_nothing_can_be_told() -> None:
    assert played("euchre", 0).as_json()["matches"] == 0
