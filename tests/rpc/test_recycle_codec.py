"""What a player of a game described in RECYCLE may see is what comes out of the wire again."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.arena.limits import Terms
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.recycle import Recycle
from referee.engine.recycle import RecycleView as PlayerView
from referee.rpc import recycle_codec
from referee.rpc.codec import encode_frame, encode_turn, encode_welcome
from referee.rpc.decoding import read_faces, read_frame
from referee.rpc.recycle_codec import MOST_STEP_BYTES, encode, rules_message
from tests.conformance.playing import DESCRIBED
from upcard import RecycleView, recycle_view
from upcard.errors import UpcardError
from upcard.recycle import Award, Face, Option, Place, Seen, SeenPlace, Step, read
from upcard.v1 import recycle_pb2
from upcard.v1.referee_pb2 import (
    CLOSE_REASON_PLAYED,
    Frame,
    PlayResponse,
    TableClosed,
    Turn,
    Welcome,
)

FACES = tuple(
    Face(f"{rank}-{suit}", (("RANK", rank), ("SUIT", suit)), back)
    for rank in ("ONE", "TWO")
    for suit, back in (("H", "RED"), ("S", "BLUE"))
)
PROGRAM: Any = SimpleNamespace(
    text="(game …)",
    players=3,
    sides=(0, 1, 0),
    faces=FACES,
    cards=(0, 1, 2, 3, 0, 0),
    lowest_wins=True,
    numbering=1,
)
"""What is asked of a program."""

numbers = st.integers(-(2**31), 2**31 - 1)
names = st.text("ABCXYZ", min_size=1, max_size=6)
keys = st.tuples(st.integers(-8, 8), names)
faces = st.integers(0, len(FACES) - 1)
kinds = st.sampled_from(["vloc", "iloc", "hloc", "oloc", "mem"])
places = st.builds(Place, st.integers(-8, 8), kinds, names, st.integers(0, 300))
backs = st.lists(st.tuples(names, st.integers(1, 10_000)), max_size=2).map(tuple)
shown = st.lists(faces, max_size=200).map(tuple)
seen_places = st.one_of(
    st.builds(lambda place, seen: SeenPlace(place, len(seen), seen), places, shown),
    st.builds(SeenPlace, places, st.integers(0, 10_000), st.none(), backs),
)
pairs = st.lists(st.tuples(names, names), max_size=2).map(tuple)
maps = st.lists(st.builds(Award, pairs, numbers), max_size=3).map(tuple)
cards = st.none() | faces
steps = st.one_of(
    st.tuples(
        st.sampled_from(["move", "remember"]),
        cards,
        places,
        places,
        st.none(),
        st.none(),
        st.none() | st.just("bottom") | st.integers(0, 300),
    ),
    st.tuples(
        st.sampled_from(["set", "inc", "update"]),
        st.none(),
        st.none(),
        st.none(),
        st.integers(-8, 8),
        names,
        st.none() | numbers | st.text(max_size=5) | maps,
    ),
    st.tuples(st.just("swap"), cards, places, places, st.none(), st.none(), cards),
    st.tuples(st.just("exchange"), st.none(), places, places, st.none(), st.none(), st.none()),
    st.just(("next", None, None, None, 3)),
    st.just(("pass",)),
).map(lambda told: Step(*told))
options = st.lists(
    st.tuples(st.lists(steps, max_size=3).map(tuple), st.text(min_size=1)).map(
        lambda told: Option(*told)
    ),
    min_size=1,
    max_size=4,
).map(tuple)
views = st.builds(
    lambda player, **told: Seen(player, player, **told),
    st.integers(0, 7),
    places=st.lists(seen_places, max_size=6).map(tuple),
    numbers=st.dictionaries(keys, numbers, max_size=4),
    texts=st.dictionaries(keys, st.text(max_size=9), max_size=4),
    maps=st.dictionaries(keys, maps, max_size=2),
    flow=st.lists(numbers, max_size=6).map(tuple),
    options=options,
)


def seen(*options: Option) -> Seen:
    return Seen(0, 0, (), {}, {}, {}, (), options)


def shown_to_a_bot(view: bytes) -> RecycleView:
    message = recycle_pb2.RecycleView.FromString(view)
    rules = recycle_view.rules_of(rules_message("one", PROGRAM, 2, 1))
    return RecycleView(Turn(), message, recycle_view.legal_actions(message), rules)


@pytest.mark.slow
@given(views)
def test_a_bot_sees_what_its_player_may_see(view: Seen) -> None:
    assert shown_to_a_bot(encode(view, (0, 0), 0)).seen(PROGRAM) == view


@pytest.mark.parametrize("name", sorted(DESCRIBED))
def test_a_bot_sees_what_its_player_may_see_of_a_real_game(name: str) -> None:
    game = DESCRIBED[name]
    assert isinstance(game, Recycle)
    written = encode_welcome(Terms(game), 0, 1)
    rules = recycle_view.rules_of(PlayResponse.FromString(written).welcome.recycle)
    program = read(rules.program, rules.numbering)
    sheet = Scoresheet(game, game.first_dealer(0), SeededDeal(bytes(32), name))
    chance = Random(name)
    for _ in range(40):
        state, actor = sheet.state, sheet.state.actor
        if actor is None:
            break
        turn = Turn.FromString(encode_turn(1, 1, 0, sheet.match, state))
        legal = recycle_view.legal_actions(turn.recycle)
        view = RecycleView(turn, turn.recycle, legal, rules)
        told = state.view(actor)
        assert isinstance(told, PlayerView)
        assert (view.legal, view.seen(program)) == (state.legal, told.seen)
        own = program.sides[view.player - 1]
        assert view.scores[own] == sheet.match.score[game.sides[actor]]
        sheet.play(chance.choice(state.legal))


@pytest.mark.slow
@given(views, st.lists(numbers, max_size=8), st.integers(0, 10_000))
def test_a_view_is_written_as_the_generated_classes_write_it(
    view: Seen, scores: list[int], hand: int
) -> None:
    written = encode(view, scores, hand)
    read = recycle_pb2.RecycleView.FromString(written)
    assert (list(read.scores), read.hand_number) == (scores, hand)
    assert read.SerializeToString(deterministic=True) == written


def test_moves_with_very_many_steps_are_told_in_words_only() -> None:
    step = Step("move", 0, Place(0, "vloc", "A"), Place(0, "vloc", "B"))
    few, many = (
        seen(*(Option((step,) * 10, f"move {number}") for number in range(count)))
        for count in (20, 2000)
    )
    told = shown_to_a_bot(encode(many, (), 0))
    assert told.legal == tuple(option.text for option in many.options)
    assert not any(move.steps for move in told.moves)
    assert all(move.steps for move in shown_to_a_bot(encode(few, (), 0)).moves)
    assert len(encode(many, (), 0)) < MOST_STEP_BYTES


SMALL, LARGE_MAP = Step("pass"), (Award((("RANK", "ONE"),), 1),) * 51
HEAP = Place(0, "vloc", "HEAP")


@pytest.mark.parametrize(
    "large",
    [
        seen()._replace(places=(SeenPlace(HEAP, 201, (0,) * 201),)),
        seen()._replace(places=(SeenPlace(HEAP, 201, None, (("RED", 1),) * 201),)),
        seen()._replace(maps={(0, "WORTH"): LARGE_MAP}),
        seen(Option((SMALL,) * 21, "much")),
        seen(Option((SMALL,), "x" * 2001)),
        seen(Option((Step("set", owner=0, name="WORTH", value=LARGE_MAP),), "set")),
    ],
    ids=["faces", "backs", "map", "steps", "text", "step with a map"],
)
def test_what_is_large_is_not_kept(large: Seen) -> None:
    kept = [each for each in vars(recycle_codec).values() if hasattr(each, "cache_info")]
    written = encode(large, (), 0)
    for cache in kept:
        cache.cache_clear()
    assert encode(large, (), 0) == written
    told = [cache for cache in kept if cache.cache_info().currsize]
    assert {cache.__name__ for cache in told} == {"_beginning", "_flow"}
    assert all(cache.cache_info().maxsize <= 8192 for cache in kept)


def test_a_view_of_another_program_is_no_view_of_this_one() -> None:
    view = shown_to_a_bot(encode(seen(), (), 0))
    with pytest.raises(UpcardError, match="another program"):
        view.seen(SimpleNamespace(faces=FACES[1:]))  # type: ignore[arg-type]


def test_the_rules_tell_the_program_and_the_cards() -> None:
    rules = recycle_view.rules_of(rules_message("one", PROGRAM, 2, 1))
    assert (rules.name, rules.program, rules.hands) == ("one", "(game …)", 2)
    assert (rules.players, rules.sides, rules.seat) == (3, (1, 2, 1), 2)
    assert (rules.numbering, rules.lowest_wins) == (1, True)
    assert [face.name for face in rules.faces] == [face.name for face in FACES]
    assert [face.cards for face in rules.faces] == [3, 1, 1, 1]
    assert rules.faces[1].attributes == {"RANK": "ONE", "SUIT": "S"}
    assert rules.faces[1].back == "BLUE"


def test_a_closed_table_tells_the_score_of_every_side() -> None:
    written = encode_frame([], [], [(7, "played", (-2, 0, 5))], by_side=True)
    (closed,) = PlayResponse.FromString(written).frame.closed
    assert closed == TableClosed(table_id=7, reason=CLOSE_REASON_PLAYED, scores=[-2, 0, 5])


def test_a_recorded_turn_is_told_in_words() -> None:
    place = SeenPlace(Place(2, "iloc", "HAND", 1), 2, (0, 3))
    hidden = SeenPlace(Place(-1, "hloc", "HAND"), 1, None)
    view = seen(Option((), "bet\n1"))._replace(
        places=(place, hidden), numbers={(0, "BET"): 2}, texts={(1, "SAYS"): "so"}
    )
    message = recycle_pb2.RecycleView.FromString(encode(view, (3, -1), 4))
    frame = Frame(turns=[Turn(turn_id=1, table_id=2, recycle=message)])
    welcome = Welcome(recycle=rules_message("one", PROGRAM, 2, 1))
    told = read_faces(PlayResponse(welcome=welcome).SerializeToString())
    read = read_frame(PlayResponse(frame=frame).SerializeToString(), told)
    assert read is not None
    (asked,) = read.turns
    assert (asked.game, asked.phase, asked.seat) == ("recycle", "acting", 0)
    assert (asked.score, asked.hand_number, asked.legal) == ((3, -1), 4, ("bet?1",))
    assert asked.table_lines == (
        "player 2, iloc HAND 1: ONE-H TWO-S",
        "team 1, hloc HAND: 1 card",
        "table, BET: 2",
        "player 1, SAYS: so",
    )
