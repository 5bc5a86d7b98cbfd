"""The picture of a card movement graph."""

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from referee.rollouts.drawing import draw
from referee.rollouts.layout import arrange
from referee.rollouts.movements import Edge, Flow, MovementGraph, Pile
from upcard.recycle import Place

SVG = "{http://www.w3.org/2000/svg}"
STOCK = Place(0, "iloc", "STOCK")


def passed_on(players: int) -> MovementGraph:
    """Every player gets a card, plays it, and passes another one on; the table keeps all."""
    table = [STOCK, Place(0, "vloc", "TURNED"), Place(0, "mem", "SEEN"), Place(0, "iloc", "OUT")]
    hands = [Place(player, "iloc", "HAND") for player in range(1, players + 1)]
    tricks = [Place(player, "vloc", "TRICK") for player in range(1, players + 1)]
    places = [*table, *hands, *tricks]
    piles = {place: Pile(52 if place == STOCK else 0, most=5) for place in places}
    edges = [
        Edge(STOCK, table[1], 1),
        Edge(table[1], table[2], 1),
        Edge(table[1], hands[-1], 1),
        *(Edge(STOCK, hand, 5) for hand in hands),
        *(Edge(hand, trick, 5) for hand, trick in zip(hands, tricks, strict=True)),
        *(Edge(trick, table[3], 5) for trick in tricks),
        *(Edge(hand, other, 2) for hand, other in zip(hands, hands[1:] + hands[:1], strict=True)),
    ]
    return MovementGraph(players, piles, edges)


def parsed(graph: MovementGraph, title: str = "Euchre") -> ET.Element:
    return ET.fromstring(draw(graph, title, "One rollout"))  # noqa: S314 (our own)


def of_class(picture: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in picture.iter() if name in each.get("class", "").split()]


@pytest.mark.parametrize("players", range(2, 9))
def test_no_two_places_overlap(players: int) -> None:
    layout = arrange(passed_on(players), 0)
    boxes = [*layout.places.values()]
    assert [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])] == []
    owners = [*layout.owners.values()]
    assert [pair for pair in combinations(owners, 2) if pair[0].overlaps(pair[1])] == []


@pytest.mark.parametrize("players", [2, 5, 8])
def test_every_place_is_inside_its_owner(players: int) -> None:
    layout = arrange(passed_on(players), 0)
    for place, (x, y, width, height) in layout.places.items():
        owner = layout.owners[place.owner]
        assert owner.x < x < x + width < owner.x + owner.width
        assert owner.y < y < y + height < owner.y + owner.height


def test_places_of_one_name_stand_in_one_order_with_every_player() -> None:
    layout = arrange(passed_on(4), 0)
    for player in range(1, 5):
        hand, trick = (
            layout.places[Place(player, *rest)] for rest in [("iloc", "HAND"), ("vloc", "TRICK")]
        )
        assert hand.x < trick.x


def test_a_place_with_many_fellows_goes_into_another_row() -> None:
    places = [Place(0, "vloc", "COLUMN", index) for index in range(9)]
    graph = MovementGraph(2, {place: Pile() for place in places}, [])
    assert len({box.y for box in arrange(graph, 0).places.values()}) == 2


def test_the_picture_is_sound_xml_with_a_title_and_a_description() -> None:
    picture = parsed(passed_on(4))
    title, description = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.text == "Euchre: how its cards move"
    assert "Table, STOCK (iloc) to Player 1, HAND (iloc): 5 cards." in str(description.text)
    assert (picture.get("role"), picture.get("aria-labelledby")) == ("img", "title desc")


@pytest.mark.parametrize(
    ("flow", "count"),
    [(Flow.MOVED, 9), (Flow.TAKEN, 5), (Flow.SHARED, 4), (Flow.REMEMBERED, 1)],
)
def test_arrows_look_as_what_they_do_to_what_is_known(flow: Flow, count: int) -> None:
    lines = of_class(parsed(passed_on(4)), "line")
    in_legend = 1
    found = [line for line in lines if flow.name.lower() in line.get("class", "").split()]
    assert len(found) == count + in_legend


@pytest.mark.parametrize(("colour", "count"), [("public", 5), ("hidden", 2), ("private", 4)])
def test_places_have_the_colour_of_who_sees_them(colour: str, count: int) -> None:
    in_legend = 1
    assert len(of_class(parsed(passed_on(4)), colour)) == count + in_legend


def test_the_legend_has_a_colour_for_foreheads_only_where_there_are_some() -> None:
    forehead = MovementGraph(2, {Place(1, "oloc", "FOREHEAD"): Pile()}, [])
    assert len(of_class(parsed(forehead), "others")) == 2
    assert of_class(parsed(passed_on(2)), "others") == []


def test_a_place_with_distinct_backs_has_a_bold_border() -> None:
    graph = passed_on(2)
    graph.piles[STOCK].backs = {"RED", "BLUE"}
    in_legend = 1
    assert len(of_class(parsed(graph), "backs")) == 1 + in_legend


def test_what_a_stranger_calls_a_game_is_no_markup() -> None:
    assert "<script>" not in draw(passed_on(2), "<script>", "")
    assert str(parsed(passed_on(2), "<b>&\x1b").find(f"{SVG}title").text).startswith("<b>&?")  # type: ignore[union-attr]


def test_a_card_that_comes_back_to_its_place_is_an_arrow_too() -> None:
    graph = MovementGraph(2, {STOCK: Pile(3)}, [Edge(STOCK, STOCK, 3)])
    assert len(of_class(parsed(graph), "moved")) == 2
