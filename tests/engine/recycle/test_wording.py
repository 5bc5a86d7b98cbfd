"""What a move says, with the seats of the table instead of the players of the program."""

import pytest

from referee.engine.recycle.game import read_program
from referee.engine.recycle.hand import TurnedProgram
from referee.engine.recycle.wording import Wording
from upcard.recycle import Award, Option, Place, Step

TEAMS = """(game (setup
    (create players 4) (create teams (1, 3) (2, 4))
    (create deck (game iloc STOCK) (deck (RANK (ACE, KING)))))
  (do ((set (game sto OVER) 1)))
  (scoring max ((team (current player)) sto SCORE)))"""
HAND, STOCK = Place(1, "iloc", "HAND"), Place(0, "iloc", "STOCK")
THEIRS, SECOND = Place(2, "vloc", "PILE"), Place(0, "vloc", "PILE", 2)
MAP = (Award((("RANK", "ACE"),), 11), Award((), 1))


def wording(dealer: int = 3) -> Wording:
    """Say what happens in a hand whose first player sits to the left of a dealer."""
    names = [f"Player {number}" for number in range(1, 5)]
    return Wording(TurnedProgram(read_program(TEAMS), names, (0, 1, 0, 1), dealer))


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("move", 0, HAND, STOCK), "moves ACE from HAND to the table’s STOCK"),
        (Step("move", 1, THEIRS, HAND), "moves KING from Player 2’s PILE to HAND"),
        (Step("move", None, STOCK, HAND), "moves a card from the table’s STOCK to HAND"),
        (
            Step("move", 0, HAND, SECOND, value="bottom"),
            "moves ACE from HAND to the table’s PILE 2 at the bottom",
        ),
        (Step("move", 0, HAND, THEIRS, value=3), "moves ACE from HAND to Player 2’s PILE at 3"),
        (Step("set", owner=1, name="BID", value=4), "sets BID to 4"),
        (Step("set", owner=0, name="SUIT", value="RED"), "sets the table’s SUIT to RED"),
        (Step("set", owner=0, name="DIE"), "sets the table’s DIE to what is drawn"),
        (
            Step("set", owner=0, name="WORTH", value=MAP),
            "sets the table’s WORTH to ACE 11, each card 1",
        ),
        (Step("update", owner=1, name="WORTH", value=MAP[:1]), "updates WORTH by ACE 11"),
        (Step("inc", owner=-1, name="SCORE", value=2), "adds 2 to Team 1’s SCORE"),
        (Step("dec", owner=2, name="CHIPS", value=1), "takes 1 from Player 2’s CHIPS"),
        (Step("shuffle", source=STOCK), "shuffles the table’s STOCK"),
        (Step("next", owner=3), "makes Player 3 the next player"),
        (Step("current", owner=2), "makes Player 2 the current player"),
        (Step("next"), "makes nobody the next player"),
        (Step("pass"), "passes"),
        (Step("remember", 0, THEIRS, HAND), "notes ACE of Player 2’s PILE at HAND"),
        (Step("forget", 1, HAND), "forgets KING of HAND"),
        (
            Step("exchange", None, HAND, THEIRS),
            "exchanges all of HAND for all of Player 2’s PILE",
        ),
        (
            Step("swap", None, HAND, THEIRS),
            "swaps a card of HAND and a card of Player 2’s PILE",
        ),
        (
            Step("swap", 0, HAND, THEIRS, value=1),
            "swaps ACE of HAND and a card of Player 2’s PILE",
        ),
        (Step("shuffle"), "shuffles nowhere"),
        (Step("juggle"), "juggle"),
    ],
)
def test_each_verb_is_said_as_a_player_would(step: Step, words: str) -> None:
    assert wording().move(0, Option((step,), "")) == words


def test_the_steps_of_a_move_are_said_one_after_the_other() -> None:
    steps = (Step("move", 0, HAND, STOCK), Step("pass"))
    assert (
        wording().move(0, Option(steps, "")) == "moves ACE from HAND to the table’s STOCK, passes"
    )


def test_a_card_that_is_hidden_is_not_named() -> None:
    steps = (Step("move", 0, HAND, STOCK), Step("move", 1, HAND, STOCK))
    said = wording().move(0, Option(steps, ""), hidden={0})
    assert "ACE" not in said
    assert "KING" in said


@pytest.mark.parametrize(("dealer", "seat"), [(3, "1"), (0, "2"), (2, "4")])
def test_players_are_called_by_their_seats(dealer: int, seat: str) -> None:
    assert wording(dealer).owner(1) == seat


@pytest.mark.parametrize(("dealer", "team"), [(3, "Team 1"), (0, "Team 2"), (1, "Team 1")])
def test_teams_are_called_by_their_sides(dealer: int, team: str) -> None:
    assert wording(dealer).owner(-1) == team


def test_what_is_nobodys_is_the_tables() -> None:
    assert wording().owner(0) == "table"
