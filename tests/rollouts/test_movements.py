"""The card movement graph of a rollout."""

import pytest

from referee.engine.recycle import Recycle
from referee.engine.recycle.draws import Draws
from referee.errors import ConfigError
from referee.game_files import find_game
from referee.rollouts.movements import Edge, Flow, Sight, flow, movements, sight
from referee.simulation import random_draw
from tests.rollouts.programs import SEED, SOUND, WIDE, program
from upcard.recycle import Place, read

STOCK, TABLE = Place(0, "iloc", "STOCK"), Place(0, "vloc", "TABLE")


def hand(player: int) -> Place:
    return Place(player, "iloc", "HAND")


@pytest.mark.parametrize(
    ("place", "seen_by"),
    [
        (TABLE, Sight.PUBLIC),
        (Place(1, "vloc", "TRICK"), Sight.PUBLIC),
        (Place(0, "oloc", "TABLE"), Sight.PUBLIC),
        (STOCK, Sight.HIDDEN),
        (Place(2, "hloc", "HAND"), Sight.HIDDEN),
        (hand(1), Sight.PRIVATE),
        (Place(1, "oloc", "FOREHEAD"), Sight.OTHERS),
        (Place(0, "mem", "SEEN"), Sight.MEMORY),
    ],
)
def test_the_kind_and_the_owner_say_who_sees_a_place(place: Place, seen_by: Sight) -> None:
    assert sight(place) is seen_by


@pytest.mark.parametrize(
    ("source", "target", "what"),
    [
        (STOCK, hand(1), Flow.MOVED),
        (hand(1), TABLE, Flow.MOVED),
        (TABLE, hand(1), Flow.TAKEN),
        (TABLE, STOCK, Flow.TAKEN),
        (hand(1), hand(2), Flow.SHARED),
        (hand(1), Place(1, "iloc", "ASIDE"), Flow.MOVED),
        (TABLE, Place(0, "mem", "SEEN"), Flow.REMEMBERED),
    ],
)
def test_the_ends_say_what_a_movement_does_to_what_is_known(
    source: Place, target: Place, what: Flow
) -> None:
    assert flow(source, target) is what


def test_every_movement_of_a_rollout_is_counted() -> None:
    graph = movements(read(SOUND), SEED)
    assert set(graph.edges) == {
        Edge(STOCK, hand(1), 2),
        Edge(STOCK, hand(2), 2),
        Edge(STOCK, TABLE, 1),
        Edge(hand(1), Place(1, "vloc", "SHOWN"), 1),
        Edge(hand(2), Place(2, "vloc", "SHOWN"), 1),
    }


def test_options_that_were_only_listed_moved_nothing() -> None:
    shown = [pile for place, pile in movements(read(SOUND), SEED).piles.items() if "SHOWN" in place]
    assert [pile.most for pile in shown] == [1, 1]


def test_a_pile_knows_how_many_cards_it_had_at_first_and_at_most() -> None:
    piles = movements(read(SOUND), SEED).piles
    assert (piles[STOCK].dealt_from, piles[STOCK].most, piles[hand(1)].most) == (6, 6, 2)


def test_cards_that_are_remembered_stay_where_they_are() -> None:
    graph = movements(
        program(
            "(do ((remember (top (game iloc STOCK)) (top (game mem SEEN)))))",
            "(do ((move (top (game iloc STOCK)) (top (game vloc TABLE)))))",
            "(choice ((turn pass)))",
        ),
        SEED,
    )
    assert graph.edges == [Edge(STOCK, Place(0, "mem", "SEEN"), 1), Edge(STOCK, TABLE, 1)]


def test_a_memory_that_is_named_during_play_is_told_too() -> None:
    graph = movements(
        program(
            "(do ((set (game str SUIT) SEEN)))",
            "(do ((remember (top (game iloc STOCK)) (top (game mem (game str SUIT))))))",
            "(do ((remember (bottom (game iloc STOCK)) (bottom (game mem (game str SUIT))))))",
            "(choice ((turn pass)))",
        ),
        SEED,
    )
    assert graph.edges == [Edge(STOCK, Place(0, "mem", "SEEN"), 2)]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_to_watch_a_hand_changes_nothing_in_it(number: int) -> None:
    played = find_game("rummy").game()
    assert isinstance(played, Recycle)
    told: list[int] = []

    def watcher(card: int, *_: object) -> None:
        told.append(card)

    ends = []
    for moved in (None, watcher):
        draw = random_draw(SEED, number)
        position = played.program.start(Draws(SEED), moved)
        while position.actor is not None:
            position.play(draw(len(position.entries)))
        ends.append((position.scores, position.places()))
    assert (ends[0] == ends[1], set(told)) == (True, set(range(52)))


def test_swapped_places_are_movements_both_ways() -> None:
    graph = movements(
        program(
            "(do ((move (top (game iloc STOCK)) (top (game vloc TABLE)))))",
            "(do ((swap (game iloc STOCK) (game vloc TABLE))))",
            "(choice ((turn pass)))",
            cards="ONE, TWO, THREE",
        ),
        SEED,
    )
    assert set(graph.edges) == {Edge(STOCK, TABLE, 3), Edge(TABLE, STOCK, 1)}


def test_the_same_seed_and_number_give_the_same_graph() -> None:
    played = read(SOUND)
    assert movements(played, SEED, 3) == movements(played, SEED, 3)


@pytest.mark.parametrize("many", ["places", "ways"])
def test_what_nobody_could_read_is_not_drawn(many: str) -> None:
    shuttle = (
        "(repeat 40 (do ((inc (game sto TO)) (set (game sto FROM) 0) (repeat 40 (do ("
        "(inc (game sto FROM)) "
        "(move (top (game iloc STOCK)) (top (game vloc TABLE (game sto FROM)))) "
        "(move (top (game vloc TABLE (game sto FROM))) (top (game vloc OTHER (game sto TO)))) "
        "(move (top (game vloc OTHER (game sto TO))) (top (game iloc STOCK)))))))))"
    )
    large = read(WIDE) if many == "places" else program(f"(do ({shuttle}))")
    with pytest.raises(ConfigError, match="more than 200 places, or go more than 1,000 ways betw"):
        movements(large, SEED)
