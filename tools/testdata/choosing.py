"""Which moments are worth telling: a few of every kind that there is something to be said of."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Final

from referee.engine.cards import suit

from .moments import DueDecision, moments
from .seen import Facts, seen

Kind = Callable[[Facts], bool]

_EUCHRE: Final[Mapping[str, tuple[int, Kind]]] = {
    "first round": (5, lambda view: view["phase"] == "bidding" and len(view["calls"]) < 4),
    "only alone": (1, lambda view: view["legal"] == ("pass", "order_up_alone")),
    "nobody alone": (1, lambda view: view["legal"] == ("pass", "order_up")),
    "second round": (4, lambda view: view["phase"] == "bidding" and len(view["calls"]) > 4),
    "stuck": (3, lambda view: len(view["calls"]) == 7 and "pass" not in view["legal"]),
    "not stuck": (1, lambda view: len(view["calls"]) == 7 and "pass" in view["legal"]),
    "discard": (5, lambda view: view["phase"] == "discarding"),
    "first lead": (3, lambda view: view["leader"] is not None and not view["plays"]),
    "lone hand": (4, lambda view: view["sits_out"] is not None and len(view["tricks"]) == 1),
    "last of three": (3, lambda view: view["sits_out"] is not None and view["last_to_play"]),
    "named": (4, lambda view: _in_play(view) and not view["picked_up"]),
    "own discard": (4, lambda view: _in_play(view) and view["discard"] is not None),
    "left bower led": (4, lambda view: _led(view) and view["suit_led"] != suit(view["trick"][0])),
    "two void": (4, lambda view: sum(map(bool, view["void_suits"])) > 1 and view["trick"]),
    "last to play": (3, lambda view: view["last_to_play"] and view["sits_out"] is None),
    "partner wins": (3, lambda view: view["partner_is_winning"] and len(view["legal"]) > 1),
    "must follow": (3, lambda view: 1 < len(view["legal"]) < len(view["hand"])),
    "many tricks": (3, lambda view: len(view["tricks"]) > 2 and view["trick"]),
    "scored": (3, lambda view: min(view["score"]) > 3 and _led(view)),
}
_WHIST: Final[Mapping[str, tuple[int, Kind]]] = {
    "first lead": (2, lambda view: not view["plays"]),
    "dealer": (3, lambda view: view["trump_card"] in view["hand"]),
    "must follow": (3, lambda view: 1 < len(view["legal"]) < len(view["hand"])),
    "trumped": (3, lambda view: _led(view) and suit(view["winning_card"]) != view["suit_led"]),
    "partner wins": (3, lambda view: view["partner_is_winning"] and view["last_to_play"]),
    "two void": (3, lambda view: sum(map(bool, view["void_suits"])) > 1),
    "late": (3, lambda view: len(view["tricks"]) > 9),
    "leads": (2, lambda view: len(view["tricks"]) > 4 and not view["trick"]),
    "scored": (2, lambda view: min(view["score"]) > 0),
}
_PLAYED: Final = {
    "euchre": (
        _EUCHRE,
        (
            {},
            {"target": 5},
            {"alone": False, "stick_dealer": False},
            {"partner_must_go_alone": True},
        ),
    ),
    "whist": (_WHIST, ({}, {"target": 100})),
}
"""For each game the kinds of moments wanted, and the rules its matches are played by."""
MATCHES: Final = 120
_EVERY: Final = 29
"""One moment in so many is looked at, so that they are of many hands."""


def _in_play(view: Facts) -> bool:
    return view["phase"] == "playing" and bool(view["plays"])


def _led(view: Facts) -> bool:
    return bool(view["trick"])


def played(game: str) -> Iterator[DueDecision]:
    """Return every decision of some matches, by all the rules in turn."""
    _, rules = _PLAYED[game]
    return chain.from_iterable(
        moments(game, rules[number % len(rules)], number) for number in range(MATCHES)
    )


def chosen(game: str) -> list[tuple[DueDecision, Facts]]:
    """Return so many moments of each kind as are wanted, as they come."""
    kinds, _ = _PLAYED[game]
    wanted = {name: number for name, (number, _) in kinds.items()}
    found = []
    for moment in islice(played(game), 0, None, _EVERY):
        view = seen(moment)
        name = next((name for name in wanted if kinds[name][1](view)), None)
        if name:
            found.append((moment, view))
            wanted = {other: left - (other == name) for other, left in wanted.items()}
            wanted = {other: left for other, left in wanted.items() if left}
        if not wanted:
            return found
    raise AssertionError(f"too few matches of {game} were played for {', '.join(wanted)}")
