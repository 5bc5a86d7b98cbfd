"""Situations as authors of bots tell them in tests: what follows from them, or why they are none.

What follows is the engine's view of decisions in matches, told with as few words as there may be.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from referee.engine.cards import Card, suit
from referee.engine.game import TrickView
from referee.engine.tricks import trick_view

from .choosing import chosen
from .moments import DueDecision
from .seen import Facts, seen
from .worth import PACKS, Worth

_USUAL: Final[dict[str, Facts]] = {
    "euchre": {
        "target": 10,
        "alone": True,
        "stick_dealer": True,
        "partner_must_go_alone": False,
    },
    "whist": {
        "target": 10,
        "alone": False,
        "stick_dealer": False,
        "partner_must_go_alone": False,
    },
}
_WEST: Final = 3
_ALONE: Final = ("order_up_alone", "name_alone")
_EVERY: Final = 2
"""One moment in so many is told."""


def situations() -> Iterator[Facts]:
    """Return situations with the view of who is to act, then such as there cannot be."""
    for game in PACKS:
        for number, (moment, _) in enumerate(chosen(game)[::_EVERY]):
            view = trick_view(moment.state, moment.state.actor)
            telling, view = _TELLINGS[number % len(_TELLINGS)](moment, view)
            facts = seen(moment._replace(table_id=1, turn_id=1, time_left_ms=0), view)
            yield {"situation": telling, "view": facts}
    for why, told in _IMPOSSIBLE:
        yield {"situation": told, "refused": why}


Telling = tuple[Facts, TrickView]


def _whole(moment: DueDecision, view: TrickView) -> Telling:
    """Return a situation in which everything is told."""
    facts, rules = seen(moment, view), moment.game.rules._asdict()
    told = {
        "game": moment.game.name,
        **{name: facts[name] for name in ("seat", "dealer", "score", "hand_number", "hand")},
        "played": [card for _, card in facts["plays"]],
        "rules": _USUAL[moment.game.name] | rules,
    }
    if moment.game.name == "whist":
        return told | {"trump_card": view.turned}, view
    told |= {"upcard": view.turned, "calls": view.calls, "dealer_stuck": facts["dealer_stuck"]}
    return told | {name: facts[name] for name in ("trump", "maker", "discard")}, view


def _brief(moment: DueDecision, view: TrickView) -> Telling:
    """Leave out what follows from the rest, or is as usual."""
    told, _ = _whole(moment, view)
    usual = _USUAL[moment.game.name]
    as_usual = {
        "game": "euchre",
        "dealer": _WEST,
        "score": (0, 0),
        "hand_number": 0,
        "played": [],
        "calls": (),
        "rules": usual,
        "dealer_stuck": told["rules"]["stick_dealer"],
    }
    follows = ("seat", "trump", "maker")
    return {
        name: value
        for name, value in told.items()
        if name not in follows and value is not None and as_usual.get(name) != value
    }, view


def _by_trump(moment: DueDecision, view: TrickView) -> Telling:
    """Return the telling with trump and who made it instead of the calls."""
    told, _ = _brief(moment, view)
    call = view.calls[-1].partition(":")[0] if view.calls else "pass"
    if view.trump is None or call in (*_ALONE, "pass"):
        return told, view
    facts = seen(moment, view)
    del told["calls"]
    told["trump"] = view.trump
    if facts["maker"] != (view.dealer + 1) % 4:
        told["maker"] = facts["maker"]
    if not view.picked_up:
        del told["upcard"]
        view = view._replace(turned=_nobodys(view))  # type: ignore[attr-defined] # it has fields
    return told, view


def _nobodys(view: TrickView) -> Card:
    """Return the first card of a suit that is not trump, of those that nobody is said to have."""
    known = {*view.hand, *view.played}
    pack = PACKS["euchre"].cards
    return next(card for card in pack if suit(card) != view.trump and card not in known)


def _in_part(moment: DueDecision, view: TrickView) -> Telling:
    """Leave out cards that are held: every other one, but not the card turned up."""
    if view.trump is None or moment.state.phase != "playing":
        return _brief(moment, view)
    hand = [card for card in view.hand[::2] if card != view.turned]
    hand += [card for card in view.hand if card == view.turned]
    held = PACKS[moment.game.name].names(PACKS[moment.game.name].bits(hand))
    legal = Worth.of(moment.game.name, view.trump).legal(
        held, view.trick[0] if view.trick else None
    )
    part: Any = view
    view = part._replace(hand=held, legal=tuple(f"play:{card}" for card in legal))
    return _brief(moment, view)


_TELLINGS: Final[Sequence[Callable[[DueDecision, TrickView], Telling]]] = (
    _whole,
    _brief,
    _by_trump,
    _in_part,
)

_NORTH, _EAST, _SOUTH = range(3)
_FIVE: Final = "9C JC AH TS KS"
_PASSES: Final = "pass pass pass pass"
_RULES: Final = _USUAL["euchre"]
_NAMES: Final = "name:C name:D name:H name_alone:C name_alone:D name_alone:H"


def _told(**words: Any) -> Facts:  # noqa: ANN401 (what is told)
    lists = ("hand", "calls", "played")
    return {name: each.split() if name in lists else each for name, each in words.items()}


def _bid(**more: Any) -> Facts:  # noqa: ANN401 (what is told)
    return _told(**{"hand": _FIVE, "upcard": "QS"} | more)


def _card(**more: Any) -> Facts:  # noqa: ANN401 (what is told)
    return _told(**{"hand": "9C JD AH", "trump": "H"} | more)


def _whist(**more: Any) -> Facts:  # noqa: ANN401 (what is told)
    return _told(**{"game": "whist", "hand": "2C 3D AH", "trump_card": "9S"} | more)


_IMPOSSIBLE: Final[Sequence[tuple[str, Facts]]] = (
    # The rules, and the score.
    ("a match is to 1 to 100 points, not 0", _bid(rules=_RULES | {"target": 0})),
    ("a match is to 1 to 100 points, not 101", _bid(rules=_RULES | {"target": 101})),
    (
        "nobody can be made to go alone where nobody may",
        _bid(rules=_RULES | {"alone": False, "partner_must_go_alone": True}),
    ),
    ("the score is not 10 to 3 in a match to 10", _bid(score=[10, 3])),
    (
        "the score is not 4 to 5 in a match to 5",
        _whist(score=[4, 5], rules=_USUAL["whist"] | {"target": 5}),
    ),
    # What a game has not.
    ("euchre has no trump card", _bid(trump_card="9S")),
    ("whist has no upcard", _whist(upcard="9H")),
    ("whist has no trump to be made", _whist(trump="S")),
    ("whist has no maker", _whist(maker=_NORTH)),
    ("whist has no calls", _whist(calls="pass")),
    ("whist has no discard", _whist(discard="9H")),
    ("whist has no stuck dealer", _whist(dealer_stuck=True)),
    # What is missing.
    ("the upcard is missing", _told(hand=_FIVE)),
    ("the upcard is missing", _card(hand="9C JC AH TS KS QS")),
    ("the trump card is missing", _told(game="whist", hand="2C")),
    ("the hand is empty", _bid(hand="")),
    ("the trump that East made is missing", _bid(maker=_EAST)),
    # Cards.
    ("2C is no card of euchre", _bid(hand="2C 9C")),
    ("9C is there twice", _bid(hand="9C JD 9C")),
    ("QS is there twice", _bid(hand="9C QS")),
    ("JD is there twice", _card(played="9H JD")),
    ("QS is there twice", _card(upcard="QS", played="QS")),
    ("KC is there twice", _whist(played="KC KC")),
    # The bidding.
    ("East may not say name:H; only pass order_up order_up_alone", _bid(calls="pass name:H")),
    (
        "North may not say order_up_alone; only pass order_up",
        _bid(calls="order_up_alone", rules=_RULES | {"alone": False}),
    ),
    (
        "East may not say order_up; only pass order_up_alone",
        _bid(calls="pass order_up", rules=_RULES | {"partner_must_go_alone": True}),
    ),
    (f"North may not say order_up; only pass {_NAMES}", _bid(calls=f"{_PASSES} order_up")),
    (f"North may not say name:S; only pass {_NAMES}", _bid(calls=f"{_PASSES} name:S")),
    (f"West may not say pass; only {_NAMES}", _bid(calls=f"{_PASSES} {_PASSES}")),
    (
        "all have passed twice: the hand is thrown in",
        _bid(calls=f"{_PASSES} {_PASSES}", rules=_RULES | {"stick_dealer": False}),
    ),
    ("nothing is said after order_up", _bid(calls="order_up pass")),
    ("nobody has made trump yet", _bid(calls="pass", trump="S")),
    ("nobody has made trump yet", _bid(calls="pass", maker=_NORTH)),
    ("trump is S by the calls, not H", _bid(calls="order_up", trump="H")),
    ("North made trump, not East", _bid(calls="order_up", maker=_EAST)),
    ("a card is played before trump is made", _bid(calls="pass", played="KC")),
    ("East is to act, not South", _bid(calls="pass", seat=_SOUTH)),
    ("North holds at most 5 cards here, not 6", _bid(hand=f"{_FIVE} JD")),
    ("North laid no card away", _bid(discard="JD")),
    # The dealer's discard.
    ("West is to act, not South", _bid(hand=f"{_FIVE} QS", calls="order_up", seat=_SOUTH)),
    ("QS is missing among West's cards", _bid(hand=f"{_FIVE} JD", calls="order_up")),
    (
        "North holds at most 5 cards here, not 6",
        _bid(hand=f"{_FIVE} JD", calls=f"{_PASSES} name:H"),
    ),
    ("what West laid away is missing", _bid(hand="9C QS", calls="order_up", played="9H TH KH")),
    (
        "QS is missing among West's cards",
        _bid(hand="9C", calls="order_up", played="9H TH KH", discard="JD"),
    ),
    ("North laid no card away", _card(discard="9D")),
    ("North laid no card away", _card(upcard="9H", discard="9D")),
    # The play.
    ("North is to act, not South", _card(seat=_SOUTH)),
    ("East is to act, not South", _card(played="9H", seat=_SOUTH)),
    (
        "North holds at most 4 cards here, not 5",
        _card(hand="9S JD TH 9D TD", played="AC TC QC KC"),
    ),
    ("QS is West's, and nobody else's", _bid(hand="9C QS", calls="order_up")),
    ("QS is West's, and nobody else's", _bid(hand="9C", calls="order_up", played="9H QS")),
    (
        "East did not follow C, and has KC",
        _card(hand="9D", played="AC 9S TC QC KS KC"),
    ),
    (
        "East did not follow H, and has JD",
        _card(hand="9C", played="AH 9S TH QH AC JD"),
    ),
    (
        "North did not follow C, and has 9C",
        _card(hand="9C", dealer=_SOUTH, played="KC 9S AC TC AS KS QS"),
    ),
    ("9S is West's, and nobody else's", _whist(hand="2C 9S")),
    ("9S is missing among West's cards", _whist(played="2D 4D 5D")),
    (
        "North holds at most 13 cards here, not 14",
        _whist(hand="2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"),
    ),
    (
        "all tricks are played",
        _card(hand="9D", played="TC QC KC AC TS QS KS AS TD QD KD AD TH QH KH 9H 9S 9C JC JS"),
    ),
)
