"""What bots print, in files, with the duel that it is about."""

from collections.abc import Sequence
from pathlib import Path

from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.arena.open_match import OpenMatch
from referee.arena.place import Place
from referee.arena.player import Opened, Turn
from referee.engine.record import SeededDeal
from referee.league.bot_logs import BotLogs, Decision, read_logs
from tests.table import euchre

EAST = 1
DUELS = [
    Duel(number, SeededDeal(bytes(32), f"club/euchre/1-2/{number + 1}"), 0) for number in range(3)
]
GAME = euchre()


class Log:
    """The log of A's East, who sits in the closed room."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "mine-east.log"
        self.files = {(0, EAST): self.file}
        self.logs = BotLogs(self.files, DUELS)
        self.write = self.logs.output(0, EAST)

    def ask(self, tables: Sequence[int], *, again: bool = False) -> None:
        """Ask turn 10 + n at table n, where duel n is played, or first `again` what came before."""
        place = Place(0, EAST, room=1)
        for table in tables:
            match = _in_hand_four(table)
            place.open[10 + table] = match
            if again:
                place.repeated[match] = next(match.earlier(EAST))
        opened = [Opened(table, DUELS[table].seed(EAST)) for table in tables]
        self.logs.asked(place, opened, [_turn(place, turn) for turn in place.open])


def _in_hand_four(table: int) -> OpenMatch:
    """Play three hands of a match, and one call more."""
    match = OpenMatch(Terms(GAME), DUELS[table], 1, table)
    while match.sheet.match.hand < 3:
        match.sheet.play(match.sheet.state.legal[0])
    match.sheet.play(match.sheet.state.legal[0])
    return match


def _turn(place: Place, turn: int) -> Turn:
    match = place.open[turn]
    position = place.repeated.get(match, match.sheet)
    return Turn(turn, match.number, 0, position.match, position.state)


def test_a_logged_line_names_its_duel_room_hand_and_move(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.ask([0, 1, 2])
    log.write(b"[table 1, turn 11] I pass\n")
    assert log.file.read_text() == "[duel 2, closed room, hand 4, move 2, turn 11] I pass\n"


def test_a_line_about_a_move_that_is_asked_again_names_that_move(tmp_path: Path) -> None:
    """The first that East, who sits to the dealer's left, had to decide in the match."""
    log = Log(tmp_path)
    log.ask([1], again=True)
    log.write(b"[table 1, turn 11] I pass\n")
    assert log.file.read_text() == "[duel 2, closed room, hand 1, move 1, turn 11] I pass\n"


def test_what_was_written_about_each_decision_of_a_duel_is_read(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.ask([0, 1])
    log.write(b"[table 1, turn 11] I pass\n[table 0, turn 10] another duel\nprinted\n")
    log.write(b"[table 1, turn 11] for sure\n")
    found = read_logs(log.files, GAME, "2")
    assert found == {Decision(1, 4, 2, EAST): ["I pass", "for sure"]}


def test_what_a_bot_writes_about_another_s_decision_is_not_read(tmp_path: Path) -> None:
    """A's East sits in the closed room; in the open one it is B's."""
    log = Log(tmp_path)
    log.file.write_text("[duel 2, open room, hand 4, move 2] I was there\n")
    assert list(read_logs(log.files, GAME, "2")) == []


def test_of_much_about_one_decision_the_beginning_is_read(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.file.write_text("[duel 2, closed room, hand 4, move 2] so\n" * 1000)
    ((_, lines),) = read_logs(log.files, GAME, "2").items()
    assert len(lines) == 20


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
    assert log.file.read_text() == "[duel 3, closed room, hand 4, move 2] I pass\n"


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
