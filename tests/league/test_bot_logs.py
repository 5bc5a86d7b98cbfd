"""What bots print, in files, with the duel that it is about."""

from collections.abc import Sequence
from pathlib import Path

from referee.arena.duel import Duel
from referee.arena.place import Place
from referee.arena.player import Opened, Turn
from referee.engine.match import Match
from referee.engine.record import SeededDeal
from referee.league.bot_logs import BotLogs
from tests.table import euchre

EAST = 1
DUELS = [Duel(number, SeededDeal(bytes(32), f"duel {number}"), 0) for number in range(3)]
GAME = euchre()


class Log:
    """The log of A's East, who sits in the closed room."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "mine-east.log"
        self.logs = BotLogs({(0, EAST): self.file}, DUELS)
        self.write = self.logs.output(0, EAST)

    def ask(self, tables: Sequence[int]) -> None:
        """Ask turn 10 + n at table n, where duel n is played."""
        match = Match.start(GAME, 0)._replace(hand=3)
        state = match.deal(GAME.pack)
        opened = [Opened(table, DUELS[table].seed(EAST)) for table in tables]
        turns = [Turn(10 + table, table, 0, match, state) for table in tables]
        self.logs.asked(Place(0, EAST, room=1), opened, turns)


def test_a_logged_line_names_its_duel_room_and_hand(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.ask([0, 1, 2])
    log.write(b"[table 1, turn 11] I pass\n")
    assert log.file.read_text() == "[duel 2, closed room, hand 4, turn 11] I pass\n"


def test_a_line_is_there_as_soon_as_it_is_whole(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write(b"one\ntw")
    assert log.file.read_text() == "one\n"


def test_the_end_of_a_bot_ends_its_last_line(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write(b"one")
    log.write(b"")
    assert log.file.read_text() == "one\n"


def test_a_printed_line_is_about_the_only_open_turn(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.ask([2])
    log.write(b"I pass\n")
    assert log.file.read_text() == "[duel 3, closed room, hand 4] I pass\n"


def test_a_printed_line_says_nothing_of_a_duel_where_several_are_open(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.ask([1, 2])
    log.write(b"I pass\n")
    assert log.file.read_text() == "I pass\n"


def test_a_line_about_a_turn_that_was_never_asked_stays_as_it_is(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.ask([1])
    log.write(b"[table 1, turn 99999999999999999999] boo\n")
    assert log.file.read_text() == "[table 1, turn 99999999999999999999] boo\n"


def test_a_seat_without_a_file_writes_nothing(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.logs.output(1, EAST)(b"boo\n")
    assert list(tmp_path.iterdir()) == []
