"""Players, teams and decks."""

import pytest

from tests.recycle.small import (
    STOCK,
    done,
    holds,
    names,
    number,
    page,
    program,
    refusal,
    started,
    text,
)
from upcard.recycle import Face, Place, read

NOTHING = "(do ((turn pass)))"
STOCK_PLACE = Place(0, "vloc", "STOCK")


def made(*attributes: str) -> list[str]:
    """Return the cards of a deck, the first to be put down first."""
    deck = f"(create deck (game vloc STOCK) (deck {' '.join(attributes)}))"
    return names(started(NOTHING, deck=deck), STOCK_PLACE)


def test_the_last_card_made_is_the_top_one() -> None:
    assert names(started(NOTHING), STOCK_PLACE) == STOCK


def test_nested_attributes_belong_to_the_cards_of_one_value() -> None:
    nested = "(COLOR (RED (SUIT (H, D))) (BLACK (SUIT (C, S))))"
    assert made(nested) == ["H", "D", "C", "S"]


def test_several_nested_attributes_of_a_value_multiply() -> None:
    assert made("(KIND (JOKER) (PLAIN (SUIT (H, S)) (RANK (A, K))))") == [
        "JOKER",
        "H-A",
        "H-K",
        "S-A",
        "S-K",
    ]


def test_a_face_is_named_by_what_it_takes_to_tell_it_apart() -> None:
    deck = "(RANK (NINE, TEN)) (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (SPADES))))"
    game = program(NOTHING, deck=f"(create deck (game vloc STOCK) (deck {deck}))")
    attributes = (("RANK", "NINE"), ("COLOR", "RED"), ("SUIT", "HEARTS"))
    assert game.faces[0] == Face("NINE-HEARTS", attributes, "DEFAULT")


def test_faces_whose_values_would_read_alike_say_what_each_is_of() -> None:
    deck = "(create deck (game vloc STOCK) (deck (P (A)) {}))"
    decks = deck.format("(Q (B))") + deck.format("(R (B))") + deck.format("")
    assert names(started(NOTHING, deck=decks), STOCK_PLACE) == ["P:A-Q:B", "P:A-R:B", "P:A"]


def test_a_face_that_has_none_of_those_attributes_is_named_by_what_it_has() -> None:
    assert made("(KIND (JOKER) (PLAIN (RANK (A, K))))") == ["JOKER", "A", "K"]


def test_equal_cards_share_a_face() -> None:
    deck = "(repeat 2 (create deck (game vloc STOCK) (deck (RANK (A, K)))))"
    game = program(NOTHING, deck=deck)
    assert (len(game.faces), game.cards) == (2, (0, 1, 0, 1))


def test_cards_of_different_backs_have_different_faces() -> None:
    deck = (
        "(create deck BLUE (game vloc STOCK) (deck (RANK (A))))"
        "(create deck RED (game vloc STOCK) (deck (RANK (A))))"
    )
    faces = program(NOTHING, deck=deck).faces
    assert [(face.name, face.back) for face in faces] == [
        ("A-BLUE", "BLUE"),
        ("A-RED", "RED"),
    ]


def test_decks_are_put_on_one_another_in_the_order_of_the_text() -> None:
    deck = (
        "(repeat 2 (create deck (game vloc STOCK) (deck (RANK (A)))))"
        "(create deck (game vloc STOCK) (deck (RANK (K))))"
    )
    assert names(started(NOTHING, deck=deck), STOCK_PLACE) == ["A", "A", "K"]


def test_a_deck_may_be_made_in_the_hands_of_a_player() -> None:
    deck = "(create deck ((2 player) iloc HAND) (deck (RANK (A))))"
    game = read(page(NOTHING, deck=deck), 1).start
    assert list(game(None).places()) == [Place(2, "iloc", "HAND")]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        ("(create deck (game vloc A) (deck (R)))", "expected (KEY (A, B, …))"),
        ("(create deck (game vloc A) (deck (R (A B))))", "expected ',' between the values"),
        ("(create deck (game vloc A) (deck (R (A, ))))", "expected a value after the last ','"),
        ("(create deck (game vloc A) (deck (R (A)) (R (B))))", "the attribute R twice"),
        ("(create deck (game sto A) (deck (R (A))))", "expected a place, found an integer"),
        ("(create deck (game mem A) (deck (R (A))))", "expected a place, found a memory place"),
        (
            "(create deck ((current player) iloc A) (deck (R (A))))",
            "expected a place that is known now",
        ),
        ("(create deck (game vloc A) (pack (R (A))))", "expected (deck ATTRIBUTE…)"),
        ("(repeat 0 (create deck (game vloc A) (deck (R (A)))))", "there are no cards"),
        ("(do ((turn pass)))", "expected (create deck …)"),
    ],
)
def test_a_deck_that_cannot_be_made_is_refused(deck: str, why: str) -> None:
    assert why in refusal(page(NOTHING, deck=deck))


def test_a_team_is_a_side() -> None:
    game = program(NOTHING, players=4, teams="(create teams (1, 3) (2, 4))")
    assert (game.teams, game.sides) == (True, (0, 1, 0, 1))


def test_without_teams_every_player_is_a_side() -> None:
    game = program(NOTHING, players=3)
    assert (game.teams, game.sides) == (False, (0, 1, 2))


@pytest.mark.parametrize(
    ("teams", "why"),
    [
        ("(create teams (1, 3) (2))", "player 4 is in no team"),
        ("(create teams (0, 2) (1, 4))", "player 4 is none"),
        ("(create teams (1, 2) (2, 4))", "player 2 is in two teams"),
        ("(create teams (1, 2, 3, 4))", "(create teams …) needs at least two teams"),
        ("(create teams (1 3) (2, 4))", "expected a list of players, as (1, 3)"),
    ],
)
def test_each_player_is_in_one_team(teams: str, why: str) -> None:
    assert why in refusal(page(NOTHING, players=4, teams=teams))


@pytest.mark.parametrize("numbering", [0, 1])
def test_numbering_from_0_and_from_1_give_the_same_game(numbering: int) -> None:
    one, two, three, four = (str(numbering + player) for player in range(4))
    action = f"(do ((set (({three} player) str A) X) (set (({two} team) str A) Y)))"
    teams = f"(create teams ({one}, {three}) ({two}, {four}))"
    position = started(action, players=4, teams=teams)
    assert position.program.numbering == numbering
    assert position.texts == {(3, "A"): "X", (-2, "A"): "Y"}


def test_without_teams_old_programs_count_players_from_0() -> None:
    assert program("(do ((set ((0 player) sto A) 1)))").numbering == 0


@pytest.mark.parametrize(
    "newer",
    [
        "(inc (game sto A))",
        "(set (game sto A) (+ 1 2 (size player)))",
        "(set (game sto A) (pid (current player)))",
        "(set (game sto A) (tid (current team)))",
        "(set (game sto A) (size (game vloc B 1)))",
        "(set (game sto A) (size (indexed game vloc B)))",
        "(set (game sto A) (scoremax (game vloc STOCK) using (game points P)))",
        "(set (game sto A) (scoremin (game vloc STOCK) using (game points P)))",
        "(swap (game vloc A) (game vloc B))",
        "(update (game points P) (((R : A) 1)))",
        "(cycle next (current player))",
    ],
)
def test_without_teams_newer_programs_count_players_from_1(newer: str) -> None:
    assert program(f"(do ({newer}))").numbering == 1


def test_what_a_program_leaves_open_the_caller_may_say() -> None:
    assert read(page("(do ((set ((1 player) sto A) 1)))"), 1).numbering == 1


def test_the_caller_cannot_contradict_the_teams() -> None:
    teams = "(create teams (0) (1))"
    assert "counts players from 0" in refusal(page(NOTHING, teams=teams), 1)


@pytest.mark.parametrize("seat", ["2 player", "2 team", "(+ 1 1) player"])
def test_a_player_or_team_there_is_not_is_refused(seat: str) -> None:
    assert "they are 0 to 1" in refusal(page(f"(do ((set (({seat}) sto A) 1)))"))


def test_players_and_teams_have_the_numbers_they_are_called_by() -> None:
    assert number("(pid (previous player))") == 2
    assert number("(tid (team (previous player)))") == 2
    assert holds("(== ((pid (current player)) player) (current player))")


@pytest.mark.parametrize("players", [1, 9])
def test_two_to_eight_play(players: int) -> None:
    assert "a game has 2 to 8 players" in refusal(page(NOTHING, players=players))


def test_a_card_lacks_what_it_was_not_given() -> None:
    assert text("(cardatt SUIT (top (game vloc STOCK)))", "(turn pass)") == "S"
    assert text("(cardatt COLOR (top (game vloc STOCK)))") == ""


def test_stored_things_are_empty_at_first() -> None:
    position = done("(turn pass)")
    assert (position.numbers, position.texts, position.maps) == ({}, {}, {})
