"""A turn of a game that a program describes is told to its bot's author in words."""

from referee.cli.turn_text import turn_lines, turn_text
from referee.rpc.decoding import AskedTurn, read_faces, read_frame
from tools.testdata import described
from upcard.v1.referee_pb2 import Frame, PlayResponse, Turn, Welcome


def asked(moment: int) -> AskedTurn:
    """Return a turn of a moment with many cards, or of one with many moves, as it was recorded."""
    rules, *views = described.of_a_match()
    welcome = Welcome.FromString(described.welcome(rules))
    turn = Turn.FromString(described.turn(rules, views[moment]))
    faces = read_faces(PlayResponse(welcome=welcome).SerializeToString())
    frame = read_frame(PlayResponse(frame=Frame(turns=[turn])).SerializeToString(), faces)
    assert frame is not None
    return frame.turns[0]


def test_a_line_tells_the_player_and_the_moves() -> None:
    assert turn_text(asked(0)) == "acting: player 3; legal: play NA-RED; play CJ-BLUE"


def test_every_place_and_every_stored_value_has_a_line() -> None:
    lines = list(turn_lines(asked(0)))
    assert lines[0] == "turn 1 at table 7: acting; hand 12; score -200 2147483647"
    assert lines[1:3] == ["you         player 3", "table, iloc STOCK: 150 cards"]
    assert "player 4, oloc FOREHEAD: NJJ-BLUE" in lines
    assert "team 1, TRICKS: 7" in lines
    assert lines[-2:] == ["legal       0 play NA-RED", "            1 play CJ-BLUE"]


def test_every_move_of_a_turn_is_read() -> None:
    assert len(asked(1).legal) == 700
