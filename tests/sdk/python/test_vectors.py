"""The Python SDK and the vectors in `sdk/testdata` that every SDK is held against."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import upcard
from tests.sdk.python.turns import cards, seat, suit
from tools.testdata.files import VECTORS, different, made
from upcard import RecycleView, View, euchre, recycle_view, whist
from upcard.cards import CARD_OF, SUITS, Rules
from upcard.testing import situation
from upcard.v1.euchre_pb2 import EUCHRE_PHASE_BIDDING, EUCHRE_PHASE_PLAYING
from upcard.v1.euchre_pb2 import EuchreView as EuchreMessage
from upcard.v1.referee_pb2 import Turn, Welcome
from upcard.v1.whist_pb2 import WhistView as WhistMessage

Line = dict[str, Any]
READS: dict[str, tuple[type[View], Callable[[Any], Any], Callable[[Any], Rules]]] = {
    "euchre": (euchre.EuchreView, euchre.legal_actions, euchre.rules_of),
    "whist": (whist.WhistView, whist.legal_actions, whist.rules_of),
}


GAMES = {game.name: game for game in (upcard.EUCHRE, upcard.WHIST)}


def table(line: Line, **play: Any) -> View:  # noqa: ANN401 (fields of either message)
    """Return the view of a table at which trump is made, or not yet."""
    rules = Rules(10)
    if line["game"] == "whist":
        whist_message = WhistMessage(trump_card=cards([f"2{line['trump']}"])[0], **play)
        return whist.WhistView(Turn(), whist_message, (), rules)
    phase = EUCHRE_PHASE_PLAYING if line["trump"] else EUCHRE_PHASE_BIDDING
    message = EuchreMessage(phase=phase, trump=suit(line["trump"]), **play)
    return euchre.EuchreView(Turn(), message, (), rules)


def told_card(line: Line) -> Line:
    card = CARD_OF[line["number"]]
    return {"card": card, "suit": card[1]}


def told_suit(line: Line) -> Line:
    view = table(line)
    return {"suit": view.effective_suit(line["card"]), "strength": view.strength(line["card"])}


def told_beats(line: Line) -> Line:
    return {"beats": table(line).beats(line["card"], line["other"])}


def told_winner(line: Line) -> Line:
    """Ask the game, and the view before the last card, which ends the trick in progress."""
    *before, card = line["cards"]
    out = {} if line["sits_out"] is None else {"sits_out": seat(line["sits_out"])}
    view = table(line, played=cards(before), leaders=[seat(line["leader"])], **out)
    game, trump = GAMES[line["game"]], line["trump"]
    best = game.winning_card(line["cards"], trump)
    assert view.takes_trick(card) == (best == card)
    return {
        "suit_led": game.effective_suit(line["cards"][0], trump),
        "winning_seat": game.winning_seat(line["leader"], line["cards"], trump, line["sits_out"]),
        "winning_card": best,
    }


def told_legal(line: Line) -> Line:
    return {"legal": GAMES[line["game"]].legal_plays(line["hand"], line["led"], line["trump"])}


def told_view(line: Line) -> Line:
    kind, legal_actions, rules_of = READS[line["game"]]
    turn = Turn.FromString(bytes.fromhex(line["turn"]))
    welcome = Welcome.FromString(bytes.fromhex(line["welcome"]))
    message = getattr(turn, line["game"])
    rules = rules_of(getattr(welcome, line["game"]))
    return {"view": facts_of(kind(turn, message, legal_actions(message), rules), line["view"])}


def facts_of(view: View, names: Iterable[str]) -> Line:
    otherwise = told_otherwise(view)
    return {name: getattr(view, name) for name in {*names} - otherwise.keys()} | otherwise


def told_otherwise(view: View) -> Line:
    """Return what the SDK tells in another form than the vectors."""
    playing = view.phase == "playing"
    return {
        "time_left_ms": view.time_left and round(view.time_left * 1000),
        "tricks": [trick._asdict() for trick in view.tricks],
        "holding": {suit: view.holding(suit) for suit in SUITS},
        "still_out": {suit: view.still_out(suit) for suit in SUITS},
        "void_suits": [sorted(view.void_suits(who)) for who in range(4)],
        "takes_trick": {c: view.takes_trick(c) for c in view.legal_cards if playing},
    }


def told_recycle_view(line: Line) -> Line:
    turn = Turn.FromString(bytes.fromhex(line["turn"]))
    welcome = Welcome.FromString(bytes.fromhex(line["welcome"]))
    rules = recycle_view.rules_of(welcome.recycle)
    view = RecycleView(turn, turn.recycle, recycle_view.legal_actions(turn.recycle), rules)
    plain = ("table", "turn", "hand_number", "player", "scores", "flow", "legal")
    return {
        "rules": rules._asdict() | {"faces": [told_face(face) for face in rules.faces]},
        "view": {name: getattr(view, name) for name in plain}
        | {
            "time_left_ms": view.time_left and round(view.time_left * 1000),
            "places": [told_place(place) for place in view.places],
            "numbers": [[*stored, value] for stored, value in view.numbers.items()],
            "texts": [[*stored, value] for stored, value in view.texts.items()],
            "points": [
                {"owner": owner, "name": name, "awards": [each._asdict() for each in awards]}
                for (owner, name), awards in view.points.items()
            ],
            "moves": [
                {"text": move.text, "steps": [told_step(step) for step in move.steps]}
                for move in view.moves
            ],
        },
    }


def told_face(face: upcard.RecycleFace) -> Line:
    return face._asdict() | {"attributes": list(face.attributes.items())}


def told_place(place: upcard.RecyclePlace) -> Line:
    faces = None if place.faces is None else [face.name for face in place.faces]
    return place._asdict() | {"faces": faces}


def told_step(step: upcard.RecycleStep) -> Line:
    value = step.value
    return step._asdict() | {
        "face": step.face and step.face.name,
        "source": told_where(step.source),
        "target": told_where(step.target),
        "value": [each._asdict() for each in value] if isinstance(value, tuple) else value,
        "other_face": step.other_face and step.other_face.name,
    }


def told_where(place: upcard.RecyclePlace | None) -> Line | None:
    if place is None:
        return None
    return {field: getattr(place, field) for field in ("owner", "kind", "name", "index")}


def told_situation(line: Line) -> Line:
    told = dict(line["situation"])
    if "rules" in told:
        told["rules"] = Rules(**told["rules"])
    try:
        view = situation(**told)
    except upcard.ImpossibleSituation as impossible:
        return {"refused": str(impossible)}
    return {"view": facts_of(view, line["view"])}


TOLD: dict[str, Callable[[Line], Line]] = {
    "cards.jsonl": told_card,
    "effective_suit.jsonl": told_suit,
    "beats.jsonl": told_beats,
    "trick_winner.jsonl": told_winner,
    "legal_plays.jsonl": told_legal,
    "views.jsonl": told_view,
    "recycle_views.jsonl": told_recycle_view,
    "situations.jsonl": told_situation,
}


@pytest.mark.parametrize("name", TOLD)
def test_the_sdk_tells_what_the_engine_does(name: str) -> None:
    for number, text in enumerate((VECTORS / name).read_text("utf-8").splitlines(), 1):
        line = json.loads(text)
        told = json.loads(json.dumps(TOLD[name](line)))
        assert told == {fact: line[fact] for fact in told}, f"{name}, line {number}"


def test_every_file_is_read() -> None:
    assert {path.name for path in VECTORS.glob("*.jsonl")} == TOLD.keys()


def test_the_files_are_what_the_engine_gives() -> None:
    assert different(made()) == [], "make them anew with tools/generate_testdata"
