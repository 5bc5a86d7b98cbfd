"""An encoding says in bytes all that a seat sees."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import preset
from referee.rpc.seat_views import SeatViews
from upcard import UpcardError, View
from upcard.encoding import ENCODINGS, EUCHRE_V0, HIGHEST, WHIST_V0

PLAYED = [
    ("euchre", {}),
    ("euchre", {"stick_dealer": False, "target": HIGHEST}),
    ("euchre", {"partner_must_go_alone": True, "target": 1}),
    ("whist", {}),
]
HANDS = 8
games = pytest.mark.parametrize(
    ("name", "rules"), PLAYED, ids=["euchre", "long euchre", "short euchre", "whist"]
)
Told = dict[str, object]


def seen(name: str, rules: dict[str, object]) -> Iterator[View]:
    """Yield what everybody sees before each action of some hands at random."""
    game, rng = preset(name).game(rules), Random(3)
    views = SeatViews(game)
    sheet = Scoresheet(game, 3, SeededDeal(bytes(32), "encoded"))
    while sheet.state.actor is not None and sheet.match.hand < HANDS:
        for seat in range(4):
            view = views.view(sheet.match, sheet.state, seat)
            assert isinstance(view, View)
            yield view
        passed = [action for action in sheet.state.legal if action == "pass"]
        shy = passed if rng.random() < 0.7 else []
        sheet.play(rng.choice(shy or sheet.state.legal))


def read(view: View) -> Told:
    """Return what an observation says, in the words of the view."""
    encoding, pack = ENCODINGS[view.game], view.pack
    observation = encoding.observe(view)

    def marked(name: str) -> list[tuple[int, ...]]:
        shape = next(field.shape for field in encoding.fields if field.name == name)
        indices = product(*map(range, shape))
        part = observation[encoding.where[name]]
        return [index for index, byte in zip(indices, part, strict=True) if byte]

    def cards(name: str) -> list[str]:
        return [pack[card] for (card,) in marked(name)]

    def seats(name: str) -> list[int]:
        return [(seat + view.seat) % 4 for (seat,) in marked(name)]

    def played(name: str) -> set[tuple[int, str]]:
        return {((seat + view.seat) % 4, pack[card]) for seat, card in marked(name)}

    told: Told = {
        "points": tuple(observation[encoding.where["points"]]),
        "hand": cards("hand"),
        "dealer": seats("dealer"),
        "trump": ["CDHS"[suit] for (suit,) in marked("trump")],
        "leaders": [(n, (seat + view.seat) % 4) for n, seat in marked("leaders")],
        "trick": played("trick"),
        "plays": played("played_by"),
        "tricks": {(n, pack[card]) for n, card in marked("played_in")},
    }
    if view.game == "whist":
        return {**told, "turned": cards("trump_card")}
    eldest = (view.dealer + 1) % 4
    calls = [
        (4 * turn + (seat + view.seat - eldest) % 4, encoding.actions[call])
        for turn, seat, call in marked("calls")
    ]
    return {
        **told,
        "phase": marked("phase"),
        "turned": cards("upcard"),
        "dealer_stuck": bool(marked("dealer_stuck")),
        "calls": sorted(calls),
        "maker": seats("maker"),
        "sits_out": seats("sits_out"),
        "discard": cards("discard"),
    }


def shown(view: View) -> Told:
    """Return the same from the view itself."""
    led = [*(trick.leader for trick in view.tricks), *_any(view.leader)]
    cards = [trick.cards for trick in view.tricks]
    told: Told = {
        "points": (*view.score, view.target),
        "hand": list(view.hand),
        "dealer": [view.dealer],
        "trump": _any(view.trump),
        "leaders": list(enumerate(led)),
        "trick": {play for play in view.plays if play.card in view.trick},
        "plays": set(view.plays),
        "tricks": {(n, card) for n, trick in enumerate([*cards, view.trick]) for card in trick},
    }
    if view.game == "whist":
        return {**told, "turned": [view.trump_card]}
    return {
        **told,
        "phase": [(("bidding", "discarding", "playing").index(view.phase),)],
        "turned": [view.upcard],
        "dealer_stuck": view.dealer_stuck,
        "calls": list(enumerate(view.calls)),
        "maker": _any(view.maker),
        "sits_out": _any(view.sits_out),
        "discard": _any(view.discard),
    }


def _any(found: object) -> list[object]:
    return [] if found is None else [found]


@games
def test_an_observation_says_all_that_a_seat_sees(name: str, rules: dict[str, object]) -> None:
    for view in seen(name, rules):
        assert read(view) == shown(view)


@games
def test_no_byte_is_higher_than_the_encoding_says(name: str, rules: dict[str, object]) -> None:
    most = ENCODINGS[name].most
    for view in seen(name, rules):
        observation = ENCODINGS[name].observe(view)
        assert len(observation) == len(most)
        assert all(map(int.__le__, observation, most))


@games
def test_the_mask_marks_what_is_legal(name: str, rules: dict[str, object]) -> None:
    actions = ENCODINGS[name].actions
    for view in seen(name, rules):
        mask = ENCODINGS[name].mask(view.legal)
        assert {action for action, byte in zip(actions, mask, strict=True) if byte} == {*view.legal}


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_action_of_the_game_has_a_number(name: str) -> None:
    actions = ENCODINGS[name].actions
    assert sorted(actions) == sorted(preset(name).game().actions)
    assert [ENCODINGS[name].number(action) for action in actions] == [*range(len(actions))]


def test_an_action_of_another_game_has_none() -> None:
    with pytest.raises(UpcardError, match="whist_v0 has no action 'order_up'"):
        WHIST_V0.number("order_up")


def test_a_view_of_another_game_is_refused() -> None:
    with pytest.raises(UpcardError, match="euchre_v0 does not encode a view of whist"):
        EUCHRE_V0.observe(next(seen("whist", {})))
