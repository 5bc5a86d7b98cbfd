"""Games of any number of sides: who sits where, who deals, who comes in which place."""

import json
from collections.abc import Iterator
from random import Random
from unittest.mock import patch

import pytest

from referee.engine.cards import Action
from referee.engine.game import Game
from referee.engine.match import Match
from referee.engine.options import Text, choose, text
from referee.engine.record import (
    Forfeit,
    MatchRecord,
    Scoresheet,
    SeededDeal,
    from_json,
    play_match,
    replay,
    to_json,
    with_game,
    without_game,
)
from referee.errors import ConfigError, GameError, RecordError
from tests.games import Highest, highest, known
from tests.table import euchre

DEALT = SeededDeal(bytes(32), "duel")


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with known():
        yield


@pytest.fixture(params=[(2, 0), (3, 0), (5, 0), (6, 3), (8, 4)])
def game(request: pytest.FixtureRequest) -> Game:
    players, sides = request.param
    return highest(players=players, sides=sides)


def played(game: Game) -> MatchRecord:
    random = Random(4)
    return play_match(game, game.first_dealer(0), DEALT, lambda state: random.choice(state.legal))


def record(score: tuple[int, ...], forfeited_by: int | None = None) -> MatchRecord:
    forfeit = None if forfeited_by is None else Forfeit(forfeited_by, ())
    return MatchRecord(highest(players=len(score)), 0, DEALT, (), score, forfeit)


def by_twos() -> Game:
    game = highest(players=4, sides=2)
    game.sides, game.rotation = (0, 0, 1, 1), 2
    return game


def test_every_side_scores(game: Game) -> None:
    assert len(played(game).score) == len(game.side_names) == len(set(game.sides))


def test_a_record_comes_back_as_it_was_written(game: Game) -> None:
    assert from_json(to_json(played(game))) == played(game)


def test_a_record_follows_from_the_rules(game: Game) -> None:
    assert len(list(replay(played(game)))) == 2


def test_seats_are_written_as_the_game_calls_them() -> None:
    written = json.loads(to_json(played(highest())))
    seats = {seat for hand in written["hands"] for seat, _ in hand["actions"]}
    assert (written["first_dealer"], seats) == ("1", {"1", "2", "3"})


def test_a_seat_of_another_game_is_refused() -> None:
    with pytest.raises(RecordError, match="first_dealer: must be one of 1, 2, 3, not 'N'"):
        from_json(to_json(played(highest())).replace('"first_dealer":"1"', '"first_dealer":"N"'))


def test_a_score_has_a_number_for_each_side() -> None:
    written = json.loads(to_json(played(highest())))
    written["score"] = [1, 0]
    with pytest.raises(RecordError, match="score: must have a whole number for each side: Side 1,"):
        from_json(json.dumps(written))


def test_a_game_without_tricks_writes_none() -> None:
    assert [hand["tricks"] for hand in json.loads(to_json(played(highest())))["hands"]] == [[], []]


def test_tricks_in_a_game_without_any_are_refused() -> None:
    written = json.loads(to_json(played(highest())))
    written["hands"][0]["tricks"] = [1, 0, 0]
    with pytest.raises(RecordError, match=r"hands\[0\].tricks: must be an empty list"):
        from_json(json.dumps(written))


def test_a_record_comes_back_without_its_game_for_who_knows_that(game: Game) -> None:
    for record in (played(game), played(game)._replace(forfeit=Forfeit(1, ()))):
        form = json.loads(json.dumps(without_game(record)))
        assert {"game", "rules", "deal"}.isdisjoint(form)
        assert with_game(form, game, DEALT) == record


@pytest.mark.parametrize(
    ("score", "places"), [((3, 1, 2), (0, 2, 1)), ((2, 2, 1), (0, 0, 2)), ((1, 1), (0, 0))]
)
def test_sides_come_in_the_order_of_their_points(
    score: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert record(score).places == places


def test_who_forfeited_is_last_whatever_the_score() -> None:
    assert record((3, 1, 2), forfeited_by=0).places == (2, 1, 0)


def test_nobody_wins_alone_where_two_are_level() -> None:
    assert record((2, 2, 1)).winner is None


def test_a_match_may_end_level() -> None:
    assert Match(highest(), 0, (3, 3, 0), hand=2).winner is None


def test_a_match_without_a_target_ends_after_its_hands() -> None:
    match = Match.start(highest(hands=1), 0)
    assert (match.over, match._replace(hand=1).over) == (False, True)


def test_the_deal_moves_on_so_that_sides_stay_sides() -> None:
    game = by_twos()
    assert [game.first_dealer(number) for number in range(4)] == [1, 3, 1, 3]
    assert [game.next_dealer(dealer) for dealer in (1, 3)] == [3, 1]


def test_a_record_in_which_another_deals_first_is_refused() -> None:
    written = json.loads(to_json(played(highest(players=4, sides=2))))
    with patch.object(Highest, "rotation", 2), pytest.raises(RecordError) as refused:
        from_json(json.dumps(written))
    assert str(refused.value) == "first_dealer: is 1, who never deals first in this game"


def test_every_seat_deals_first_as_often_where_all_may() -> None:
    assert [euchre().first_dealer(number) for number in range(5)] == [0, 1, 2, 3, 0]


def test_what_a_side_scored_is_counted() -> None:
    hand = played(highest()).hands[0]
    assert highest().tally(hand) == tuple({"hands": 1, "points": n} for n in hand.result.points)


def test_rules_that_cannot_go_on_say_so() -> None:
    sheet = Scoresheet(highest(breaks=True), 0, DEALT)
    with pytest.raises(GameError, match="nobody can go on"):
        sheet.play(Action("break"))


def test_a_record_of_rules_that_cannot_go_on_is_refused() -> None:
    game = highest(breaks=True)
    broken = Forfeit(0, ((1, Action("break")),))
    with pytest.raises(RecordError, match=r"forfeit.actions\[0\]: line 3, column 1: nobody can go"):
        list(replay(MatchRecord(game, 0, DEALT, (), (0, 0, 0), broken)))


TEXT = Text("program", "", 5, "the rules")


@pytest.mark.parametrize("given", ["", "12345", "éé"])
def test_text_may_be_an_option(given: str) -> None:
    assert choose("any", [TEXT], {"program": given}) == {"program": given}


@pytest.mark.parametrize("given", ["123456", "ééé", "\ud800", 5, True])
def test_text_that_is_too_long_or_none_is_refused(given: object) -> None:
    with pytest.raises(ConfigError, match="program must be text of at most 5 bytes"):
        choose("any", [TEXT], {"program": given})


@pytest.mark.parametrize("value", ["x" * 41, "two\nlines"])
def test_a_long_text_is_shown_by_its_length(value: str) -> None:
    assert text(value) == f"{len(value)} characters"


def test_a_short_text_is_shown() -> None:
    assert text("leduc") == "leduc"
