"""Who won a duel, by the order in which the sides finished."""

import pytest

from referee.engine.record import Forfeit, MatchRecord, SeededDeal
from referee.engine.seating import rooms
from referee.ratings.points import hand_margins, identical_hands
from referee.ratings.results import DRAWN, LOST, WON, lead, matches_won, outcome
from tests.cli.leagues import play_at_random
from tests.games import highest
from tests.table import euchre

DEALT = SeededDeal(bytes(32), "duel")


def ended(*scores: tuple[int, ...]) -> list[MatchRecord]:
    """Return matches that ended so; those of two sides are of euchre."""
    game = euchre() if len(scores[0]) == 2 else highest(players=len(scores[0]))
    return [MatchRecord(game, 0, DEALT, (), score) for score in scores]


@pytest.mark.parametrize(
    ("scores", "came"),
    [
        (((10, 4), (8, 10)), WON),
        (((10, 4), (10, 8)), DRAWN),
        (((4, 10), (8, 10)), DRAWN),
        (((4, 10), (10, 8)), LOST),
    ],
)
def test_two_matches_won_are_a_duel_won(scores: tuple[tuple[int, int], ...], came: int) -> None:
    assert outcome(ended(*scores)) == came


def test_a_level_match_leaves_the_duel_to_the_other() -> None:
    assert outcome(ended((5, 5), (8, 10))) == WON
    assert matches_won(ended((5, 5), (8, 10))) == (1, 0)


def test_level_matches_alone_are_a_draw() -> None:
    assert outcome(ended((5, 5), (7, 7))) == DRAWN


@pytest.mark.parametrize(
    ("room", "score", "ahead"),
    [
        (0, (3, 2, 1), 0),  # A, B, A
        (0, (3, 0, 1), 2),
        (0, (0, 3, 0), -2),
        (0, (2, 2, 1), -1),
        (2, (3, 2, 1), 2),  # A, A, B
        (5, (3, 2, 1), 2),  # A, B, B
        (5, (1, 2, 3), -2),
    ],
)
def test_every_side_of_one_is_compared_with_every_side_of_the_other(
    room: int, score: tuple[int, ...], ahead: int
) -> None:
    assert lead(room, ended(score)[0]) == ahead


@pytest.mark.parametrize(("seat", "ahead"), [(0, -2), (1, 2), (2, -2)])
def test_who_forfeits_is_behind_with_all_of_its_sides(seat: int, ahead: int) -> None:
    (record,) = ended((9, 9, 9))
    assert lead(0, record._replace(forfeit=Forfeit(seat, ()))) == ahead


def test_the_same_finish_at_every_side_is_a_draw() -> None:
    assert outcome(ended(*[(3, 2, 1)] * 6)) == DRAWN


def test_who_is_ahead_in_more_pairs_wins_though_it_is_ahead_in_fewer_rooms() -> None:
    level = (1, 1, 1)
    scores = [(2, 0, 2), level, (0, 1, 0), (0, 0, 1), level, level]
    assert matches_won(ended(*scores))[0] >= 1
    assert outcome(ended(*scores)) == WON


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_hand_is_worth_what_a_scores_more_on_average_over_the_rooms(players: int) -> None:
    game = highest(players=players)
    played = [play_at_random(game, DEALT, luck) for luck in range(len(rooms(game)))]
    expected = 0.0
    for seating, record in zip(rooms(game), played, strict=True):
        points = record.hands[1].result.points
        ours = [own for own, who in zip(points, seating, strict=True) if who == 0]
        theirs = [own for own, who in zip(points, seating, strict=True) if who == 1]
        expected += sum(ours) / len(ours) - sum(theirs) / len(theirs)
    assert hand_margins(played)[1] == pytest.approx(expected / len(played))


def test_hands_are_alike_that_are_played_so_in_every_room() -> None:
    game = highest()
    same, other = (play_at_random(game, DEALT, luck) for luck in (1, 2))
    assert identical_hands([same] * 6) == 2
    assert identical_hands([*[same] * 5, other]) < 2
