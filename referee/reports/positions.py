"""What lies where in a hand of a described game, before the first move and after each one."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from typing_extensions import TypedDict

from referee.engine.cards import Action
from referee.engine.game import State
from referee.engine.recycle import TABLE, OpenHand, OpenPlace, PlaceName, ValueName, move_of, opened


class PlaceReport(TypedDict):
    """A place of a described game, and what lies there."""

    owner: str
    """A seat, a team (``Team 1``), or ``table``."""
    kind: str
    """``vloc``: everybody sees its cards; ``iloc``: its owner; ``hloc``: nobody; ``oloc``: all but
    its owner; ``mem``: it has references to cards that lie elsewhere."""
    name: str
    index: int
    """Which of several places of one name, from 0."""
    cards: list[str]
    """Bottom first."""
    seen_by: list[str]
    """The seats that see these cards."""


class StoredReport(TypedDict):
    """A value that a described game keeps."""

    owner: str
    """A seat, a team (``Team 1``), or ``table``."""
    kind: str
    """``sto``: a number; ``str``: a text; ``points``: what cards are worth."""
    name: str
    value: int | str | None
    """None if it is no longer kept: a number that is 0, or an empty text."""


class MovedReport(TypedDict):
    """What a move of a described game changes, up to the next decision."""

    places: list[PlaceReport]
    """The places whose cards are others now, or are seen by others."""
    stored: list[StoredReport]
    """The values that are others now."""
    told_to: list[str]
    """The seats that see every card of the move."""
    others_hear: str
    """What the other seats are told of it, in words."""


class PlayedMove(NamedTuple):
    """A move that was made."""

    state: State
    """What followed."""
    words: str
    """What the seat did."""
    moved: MovedReport


class HandPositions:
    """The places and values of a hand as it goes on."""

    def __init__(self, first: State, seats: Sequence[str]) -> None:
        """Begin before the first move."""
        self._seats = seats
        self._hand = opened(first)

    @property
    def places(self) -> list[PlaceReport]:
        """What lies where."""
        return self._places(self._hand.places)

    @property
    def stored(self) -> list[StoredReport]:
        """What is kept."""
        return _stored(self._hand.stored)

    @property
    def stopped(self) -> str | None:
        """Why the hand could not go on."""
        return self._hand.stopped

    def play(self, state: State, action: Action) -> PlayedMove:
        """Play a legal action."""
        earlier, move = self._hand, move_of(state, action)
        state = state.play(action)
        self._hand = now = opened(state)
        told = move.told(earlier, now)
        moved: MovedReport = {
            "places": self._places(_changed_places(earlier, now)),
            "stored": _stored(_changed_values(earlier, now)),
            "told_to": [self._seats[seat] for seat in told.seats],
            "others_hear": told.others,
        }
        return PlayedMove(state, told.words, moved)

    def _places(self, places: Mapping[PlaceName, OpenPlace]) -> list[PlaceReport]:
        owners = [TABLE, *self._seats]
        order = {owner: place for place, owner in enumerate(owners)}
        named = sorted(places.items(), key=lambda each: order.get(each[0].owner, len(owners)))
        return [
            {
                "owner": name.owner,
                "kind": name.kind,
                "name": name.name,
                "index": name.nth,
                "cards": [*place.cards],
                "seen_by": [self._seats[seat] for seat in place.seen_by],
            }
            for name, place in named
        ]


def _stored(values: Mapping[ValueName, int | str | None]) -> list[StoredReport]:
    return [
        {"owner": each.owner, "kind": each.kind, "name": each.name, "value": value}
        for each, value in values.items()
    ]


def _changed_places(before: OpenHand, after: OpenHand) -> dict[PlaceName, OpenPlace]:
    return {name: place for name, place in after.places.items() if before.places.get(name) != place}


def _changed_values(before: OpenHand, after: OpenHand) -> dict[ValueName, int | str | None]:
    keys = dict.fromkeys((*before.stored, *after.stored))
    return {
        key: after.stored.get(key)
        for key in keys
        if before.stored.get(key) != after.stored.get(key)
    }
