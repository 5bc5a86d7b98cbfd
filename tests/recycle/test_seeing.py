"""What a player may know: no more, and always as much."""

from random import Random

import pytest

from tests.recycle.small import Given, Seeded, done, program, started, texts
from upcard.recycle import Place, Position, SeenPlace, seen, world

DEAL = """(do (
  (shuffle (game iloc DECK))
  (all player 'P (do (
    (repeat 2 (move (top (game iloc DECK)) (top ('P iloc HAND))))
    (move (top (game iloc DECK)) (top ('P hloc DOWN)))
    (move (top (game iloc DECK)) (top ('P oloc HEAD)))
    (move (top (game iloc DECK)) (top ('P vloc OPEN))))))
  (move (top (game iloc DECK)) (top (game oloc TABLE)))
  (remember (top (game oloc TABLE)) (game mem SEEN))
  (set (game points PM) (((RANK : A) 3) ((RANK : K) 2)))))"""
TAKE = "(any ((current player) iloc HAND) 'C (move 'C (top (game vloc DISCARDS))))"
DRAW = "(move (top (game iloc DECK)) (top ((current player) iloc HAND)))"
MOVE = "(move 'C (top (game vloc A)))"
BLIND = "(any ((current player) hloc DOWN) 'C (move 'C (top (game vloc DISCARDS))))"
MIXED = """(do (
  (shuffle (game vloc DISCARDS))
  (repeat all (move (top (game vloc DISCARDS)) (top (game iloc DECK))))))"""
ROUND = f"""(stage player (end (== (game sto TURNS) 12))
  (choice ({TAKE} {DRAW} {BLIND} {MIXED} (set ((current player) str SAID) DONE) (turn pass)))
  (do ((inc (game sto TURNS)))))"""
CARDS = "(deck (RANK (A, K, Q, J, T)) (COLOR (RED (SUIT (H, D))) (BLACK (SUIT (C, S)))))"
DECKS = f"(create deck (game iloc DECK) {CARDS}) (create deck BLUE (game iloc DECK) {CARDS})"
GAME = program(DEAL, ROUND, deck=DECKS, players=3)


def positions(seed: int) -> list[Position]:
    """Return the positions of a random hand."""
    random = Random(seed)
    position = GAME.start(Seeded(seed))
    found = [position.copy()]
    while position.actor is not None:
        position.play(random.randrange(len(position.options)))
        found.append(position.copy())
    return found


@pytest.mark.parametrize(
    ("place", "viewers"),
    [
        (Place(0, "vloc", "X"), {None, 0, 1, 2}),
        (Place(0, "iloc", "X"), set()),
        (Place(0, "hloc", "X"), set()),
        (Place(0, "oloc", "X"), {None, 0, 1, 2}),
        (Place(1, "vloc", "X"), {None, 0, 1, 2}),
        (Place(1, "iloc", "X"), {0}),
        (Place(1, "hloc", "X"), set()),
        (Place(1, "oloc", "X"), {1, 2}),
    ],
)
def test_who_sees_the_cards_of_a_place(place: Place, viewers: set[int | None]) -> None:
    owner = "game" if place.owner == 0 else "(current player)"
    position = done(f"(move (top (game vloc STOCK)) (top ({owner} {place.kind} X)))", players=3)
    for player in (None, 0, 1, 2):
        (found,) = (there for there in seen(position, player).places if there.place == place)
        assert (found.faces is not None) == (player in viewers)
        assert found.size == 1


@pytest.mark.parametrize("owner", ["game", "(current player)"])
def test_everybody_sees_what_is_remembered(owner: str) -> None:
    position = done(f"(remember (top (game vloc STOCK)) ({owner} mem X))")
    for player in (None, 0, 1):
        (found,) = (there for there in seen(position, player).places if there.place.kind == "mem")
        assert found.faces == (5,)


def test_team_mates_do_not_see_each_other_s_cards() -> None:
    position = done(
        "(move (top (game vloc STOCK)) (top ((current player) iloc HAND)))",
        players=4,
        teams="(create teams (0, 2) (1, 3))",
    )
    assert [there.faces for there in seen(position, 2).places][-1] is None


def test_only_the_actor_is_told_his_options() -> None:
    position = GAME.start(Seeded(1))
    assert seen(position, 0).options == position.options
    assert [seen(position, player).options for player in (None, 1, 2)] == [(), (), ()]


def test_everybody_knows_what_is_stored_and_where_the_program_stands() -> None:
    position = done(
        "(set (game sto A) 1)", "(set (game str B) X)", "(set (game points C) (((RANK : A) 1)))"
    )
    view = seen(position, None)
    assert (view.numbers, view.texts) == ({(0, "A"): 1}, {(0, "B"): "X"})
    assert (view.maps, view.flow) == (position.maps, position.flow)


def test_the_backs_of_hidden_cards_are_told_if_there_are_several() -> None:
    deck = (
        "(create deck RED (game iloc STOCK) (deck (RANK (A, K))))"
        "(create deck BLUE (game iloc STOCK) (deck (RANK (A, K, Q))))"
    )
    place = Place(0, "iloc", "STOCK")
    wanted = (SeenPlace(place, 5, None, (("BLUE", 3), ("RED", 2))),)
    assert seen(started("(turn pass)", deck=deck), 0).places == wanted


def test_a_card_the_actor_does_not_see_is_not_named() -> None:
    position = GAME.start(Seeded(1))
    hidden = [option for option in position.options if " a card " in f"{option.text} "]
    assert [option.text for option in hidden] == [
        "move a card the table's DECK > HAND",
        "move a card DOWN > the table's DISCARDS",
    ]
    assert all(option.steps[0].face is None for option in hidden)


def test_a_card_the_actor_sees_on_its_way_through_an_option_is_not_named() -> None:
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
    reveal = "(move (top (game iloc STOCK)) (top (game vloc OPEN)))"
    hide = "(move (top (game vloc OPEN)) (top (game iloc STOCK)))"
    (text,) = texts(started(f"(choice ((do ({reveal} {hide}))))", deck=deck))
    assert text.split("; ") == [
        "move a card the table's STOCK > the table's OPEN",
        "move a card the table's OPEN > the table's STOCK",
    ]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("(set (game sto A) (random 5))", "set the table's A at random"),
        ("(cycle next ((random 1) player))", "next at random"),
        (
            "(move (max (game vloc STOCK) using (game points NONE)) (top (game vloc A)))",
            "move a card the table's STOCK > the table's A",
        ),
        (
            "(do ((shuffle (game vloc STOCK)) (move (top (game vloc STOCK)) (top (game vloc A)))))",
            "shuffle the table's STOCK; move a card the table's STOCK > the table's A",
        ),
        (
            (
                "(do ((set (game sto A) (random 5)) "
                "((== (game sto A) 3) (turn pass)) (inc (game sto C))))"
            ),
            "set the table's A at random; inc the table's C 1",
        ),
        (
            f"(any (top 1 (game vloc STOCK)) 'C (do ((shuffle (game vloc STOCK)) {MOVE})))",
            "shuffle the table's STOCK; move Q-S the table's STOCK > the table's A",
        ),
        ("((== (random 1) 1) (set (game sto B) 3))", "see what happens"),
    ],
)
def test_what_will_be_drawn_is_not_told_before(entry: str, text: str) -> None:
    assert texts(started(f"(choice ({entry}))", draws=[3 if "(random 5)" in entry else 1]))[:1] == [
        text
    ]


def test_what_is_drawn_when_an_option_is_taken_is_what_was_tried() -> None:
    entry = "(do ((shuffle (game vloc STOCK)) (set (game sto A) (random 5))))"
    position = started(
        f"(choice ({entry}))", "(choice ((set (game sto B) (random 5))))", draws=[3, 4]
    )
    position.play(0)
    assert (position.shuffles, position.draws, position.numbers) == (1, 1, {(0, "A"): 3})
    position.play(0)
    assert (position.draws, position.numbers) == (2, {(0, "A"): 3, (0, "B"): 4})


@pytest.mark.parametrize("seed", range(4))
def test_a_world_agrees_with_what_is_seen(seed: int) -> None:
    random = Random(seed)
    for position in positions(seed):
        for player in (None, 0, 1, 2):
            view = seen(position, player)
            assert seen(world(GAME, view, random.randrange, Given()), player) == view


@pytest.mark.parametrize("seed", range(4))
def test_exchanging_cards_of_one_back_that_a_player_does_not_see_changes_nothing_he_sees(
    seed: int,
) -> None:
    random = Random(seed)
    backs = [GAME.faces[face].back for face in GAME.cards]
    for position in positions(seed):
        for player in (0, 1, 2):
            view = seen(position, player)
            hidden = {there.place for there in view.places if there.faces is None}
            unseen = [card for place in hidden for card in position.cards_at(place)]
            one = random.choice(unseen)
            other = random.choice([card for card in unseen if backs[card] == backs[one]])
            assert seen(exchanged(position, one, other), player) == view


def exchanged(position: Position, one: int, other: int) -> Position:
    """Return the position with two cards exchanged."""
    copied = position.copy()
    names = {one: other, other: one}
    copied.piles[:] = [pile and [names.get(card, card) for card in pile] for pile in copied.piles]
    copied.where[one], copied.where[other] = copied.where[other], copied.where[one]
    copied.player_now.pop()  # the stage is entered again
    copied.stand(position.flow)
    return copied


def test_all_deals_that_agree_come_up() -> None:
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K, Q))))"
    game = program(
        "(do ((move (top (game iloc STOCK)) (top ((current player) iloc HAND)))))",
        "(choice ((turn pass)))",
        deck=deck,
    )
    view = seen(game.start(Given()), 1)
    random = Random(0)
    hand = Place(1, "iloc", "HAND")
    dealt = {world(game, view, random.randrange, Given()).cards_at(hand) for _ in range(60)}
    assert dealt == {(0,), (1,), (2,)}


def test_a_world_can_be_played_on() -> None:
    random = Random(1)
    position = positions(1)[5]
    copied = world(GAME, seen(position, position.actor), random.randrange, Seeded(1))
    while copied.actor is not None:
        copied.play(random.randrange(len(copied.options)))
    assert copied.scores == (0, 0, 0)


def test_a_world_of_a_hand_that_is_over_has_its_scores() -> None:
    position = positions(1)[-1]
    assert world(GAME, seen(position, 0), Random(1).randrange, Given()).scores == position.scores


def test_what_was_computed_by_name_is_in_a_world_too() -> None:
    game = program(
        "(do ((set (game str NAME) HERE) (set (game sto (game str NAME)) 1)"
        " (move (top (game vloc STOCK)) (top (game vloc (game str NAME) (size player))))))",
        "(choice ((turn pass)))",
    )
    view = seen(game.start(Given()), 0)
    assert seen(world(game, view, Random(1).randrange, Given()), 0) == view


def test_options_that_depend_on_unseen_cards_are_those_that_are_seen() -> None:
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
    entry = "((== (cardatt RANK (top (game iloc STOCK))) K) (set (game sto A) 1))"
    game = program(f"(choice ((turn pass) {entry}))", deck=deck)
    view = seen(game.start(Given()), 0)
    random = Random(1)
    assert all(
        world(game, view, random.randrange, Given()).options == view.options for _ in range(20)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"flow": (99, 1, 0, -1, 0, -1)},
        {"flow": (0, 1, 0, -1, 0, -1)},
        {"flow": (1, 1, 7, -1, 0, -1)},
        {"flow": (1, 2, 0, -1, 0, -1)},
        {"flow": (1, 1, 0, -1, 0)},
        {"places": ()},
        {"places": (SeenPlace(Place(0, "vloc", "STOCK"), 1, (0,)),)},
        {"places": (SeenPlace(Place(0, "vloc", "STOCK"), 7, (0, 1, 2, 3, 4, 5, 5)),)},
        {"places": (SeenPlace(Place(0, "iloc", "STOCK"), 7, None),)},
    ],
)
def test_what_is_never_seen_is_refused(wrong: dict[str, object]) -> None:
    game = program("(turn pass)", "(choice ((turn pass)))")
    view = seen(game.start(Given()), 0)._replace(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"stands at|cards"):
        world(game, view, Random(1).randrange, Given())


HIDDEN = "(create deck (game iloc STOCK) (deck (RANK (A, B, C))))"


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (
            "(set (game str Z) (cardatt RANK (top (game iloc STOCK))))",
            "set the table's Z at random",
        ),
        (
            (
                "(do ((move (top (game iloc STOCK)) (top (game vloc SHOWN)))"
                " (set (game str Z) (cardatt RANK (top (game vloc SHOWN))))))"
            ),
            "move a card the table's STOCK > the table's SHOWN; set the table's Z at random",
        ),
        (
            "(set (game sto Z) (size (filter (game iloc STOCK) 'C (== (cardatt RANK 'C) A))))",
            "set the table's Z at random",
        ),
        (
            "(any (game iloc STOCK) 'C (set (game str Z) (cardatt RANK 'C)))",
            "set the table's Z at random",
        ),
        ("(set (game sto Z) (size (game iloc STOCK)))", "set the table's Z 3"),
    ],
)
def test_a_value_that_follows_from_unseen_cards_is_not_told_before_it_is_stored(
    option: str, told: str
) -> None:
    position = started(f"(choice ({option} (turn pass)))", deck=HIDDEN)
    assert position.options[0].text == told


def test_a_value_that_follows_from_a_card_of_ones_own_is_told() -> None:
    deal = "(do ((move (top (game iloc STOCK)) (top ((current player) iloc HAND)))))"
    noted = "(any ((current player) iloc HAND) 'C (set (game str Z) (cardatt RANK 'C)))"
    position = started(deal, f"(choice ({noted} (turn pass)))", deck=HIDDEN)
    assert position.options[0].text == "set the table's Z C"
