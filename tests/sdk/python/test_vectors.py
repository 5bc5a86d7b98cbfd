"""The Python SDK and the vectors in `sdk/testdata` that every SDK is held against."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import upcard
from tests.sdk.python.turns import cards, seat, suit
from tools.testdata.files import VECTORS, different, made
from upcard import View, euchre, whist
from upcard.cards import CARD_OF, SUITS, Rules
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
    view = kind(turn, message, legal_actions(message), rules)
    otherwise = told_otherwise(view)
    plain = {name: getattr(view, name) for name in line["view"].keys() - otherwise.keys()}
    return {"view": plain | otherwise}


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


TOLD: dict[str, Callable[[Line], Line]] = {
    "cards.jsonl": told_card,
    "effective_suit.jsonl": told_suit,
    "beats.jsonl": told_beats,
    "trick_winner.jsonl": told_winner,
    "legal_plays.jsonl": told_legal,
    "views.jsonl": told_view,
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
