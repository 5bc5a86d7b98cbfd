"""What is shown of a duel that is played again, and what the bots logged about it each time."""

import pytest

from referee.cli.again_text import Again
from referee.cli.played_duels import duel_in_league
from referee.engine.record import SeededDeal
from referee.league.bot_logs import Decision
from referee.league.table import league_table
from referee.reports.duels import lines
from referee.store.duels import stored_duels
from referee.store.opening import open_store
from tests.cli.leagues import EUCHRE, play_at_random, write_league


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Again:
    """Play the open room of a duel again by chance, and the closed one as it was."""
    place = tmp_path_factory.mktemp("again") / "upcard.db"
    write_league(place)
    before = duel_in_league(str(place), "club", "1-2/1")
    with open_store(str(place)) as store:
        line = next(lines(league_table(store, "club"), stored_duels(store, "club")))
    dealt = line.rooms[0].dealt
    assert isinstance(dealt, SeededDeal)
    return Again(before, line._replace(rooms=(play_at_random(EUCHRE, dealt, 7), line.rooms[1])), {})


def test_what_was_logged_each_time_stands_with_the_choice(again: Again) -> None:
    first = again.report[0]
    move = _first_difference(again, first["hand"] - 1)
    seat = again.before.game.seat_names.index(first["seat"])
    decision = Decision(0, first["hand"], move, seat)
    before = again.before._replace(logged={decision: ["weak \x1b[31m"]})
    shown = [*Again(before, again.now, {decision: ["strong"]}).lines]
    assert shown[3:7] == [
        f"  before      as {first['seat']} {first['bot_before']} {first['before']}",
        "              logged: weak ?[31m",
        f"  now         as {first['seat']} {first['bot_now']} {first['now']}",
        "              logged: strong",
    ]


def _first_difference(again: Again, hand: int) -> int:
    both = (rooms[0].hands[hand].actions for rooms in (again.before.rooms, again.now.rooms))
    numbered = enumerate(zip(*both, strict=False), start=1)
    return next(move for move, (one, other) in numbered if one != other)


def test_the_choices_are_told_by_who_sits_there(again: Again) -> None:
    north_south, east_west = again.before.bots
    for each in again.report:
        expected = north_south if each["seat"] in {"North", "South"} else east_west
        assert (each["room"], each["bot_before"], each["bot_now"]) == ("open", expected, expected)
