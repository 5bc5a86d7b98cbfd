"""A hand with every card open: for the record of a hand that is over, and for nobody who plays."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Final, NamedTuple

from referee.engine.cards import Action, Card, Seat
from referee.engine.game import State
from referee.engine.recycle.hand import RecycleHand, TurnedProgram
from referee.engine.recycle.wording import Wording, points_text
from upcard.recycle import Key, Option, Owner, Place, Step

_OWNER_SEES: Final = {"vloc", "iloc", "mem"}
_OTHERS_SEE: Final = {"vloc", "oloc", "mem"}
"""All who are not the owner; the table is nobody, so all are others to it."""


class PlaceName(NamedTuple):
    """Which place it is."""

    owner: str
    """The token of a seat, the name of a side, or ``table``."""
    kind: str
    """``vloc``, ``iloc``, ``hloc``, ``oloc``, or ``mem`` with references to cards."""
    name: str
    nth: int
    """Which of several places of one name, from 0."""


class ValueName(NamedTuple):
    """Which value it is."""

    owner: str
    """As that of a place."""
    kind: str
    """``sto`` for a number, ``str`` for a text, ``points`` for a points map."""
    name: str


class OpenPlace(NamedTuple):
    """What lies at a place."""

    cards: tuple[Card, ...]
    """Bottom first."""
    seen_by: tuple[Seat, ...]
    """The seats that see the cards there."""


class OpenHand(NamedTuple):
    """Everything there is in a hand at one moment."""

    places: Mapping[PlaceName, OpenPlace]
    stored: Mapping[ValueName, int | str]
    stopped: str | None
    """Why the hand could not go on; None as long as it could."""


class ToldMove(NamedTuple):
    """A move in words."""

    seats: tuple[Seat, ...]
    """Who is told it as it is."""
    words: str
    """What they are told."""
    others: str
    """What the others are told, who do not see all of its cards."""


class Move(NamedTuple):
    """A move that a seat is about to make."""

    turned: TurnedProgram
    seat: Seat
    option: Option

    def told(self, before: OpenHand, after: OpenHand) -> ToldMove:
        """Return who is told what of the move, which leads from one moment to the next.

        A card is known to those who see where it was, or where it lies then.
        """
        wording, everybody = Wording(self.turned), range(self.turned.program.players)
        witnesses = {
            number: _witnesses(wording, step, before, after)
            for number, step in enumerate(self.option.steps)
            if step.face is not None
        }
        hidden = {number for number, seats in witnesses.items() if not seats.issuperset(everybody)}
        player = self.turned.player(self.seat)
        return ToldMove(
            tuple(
                seat
                for seat in everybody
                if seat == self.seat or all(seat in seats for seats in witnesses.values())
            ),
            wording.move(player, self.option),
            wording.move(player, self.option, hidden),
        )


def move_of(state: State, action: Action) -> Move:
    """Return a legal action as a move."""
    assert isinstance(state, RecycleHand)
    assert state.actor is not None
    return Move(state.turned, state.actor, state.position.options[state.legal.index(action)])


def opened(state: State) -> OpenHand:
    """Return everything there is in a hand of a described game."""
    assert isinstance(state, RecycleHand)
    turned, position = state.turned, state.position
    program, wording = turned.program, Wording(turned)
    seen_by = cache(partial(_seen_by, turned))
    maps = {key: points_text(points) for key, points in position.maps.items()}
    values: Mapping[str, Mapping[Key, int | str]] = {
        "sto": position.numbers,
        "str": position.texts,
        "points": maps,
    }
    return OpenHand(
        {
            _named(wording, place): OpenPlace(
                tuple(Card(program.faces[program.cards[card]].name) for card in cards),
                seen_by(place.kind, place.owner),
            )
            for place, cards in position.places().items()
        },
        {
            ValueName(wording.owner(owner), kind, name): value
            for kind, stored in values.items()
            for (owner, name), value in stored.items()
        },
        state.stopped,
    )


def _named(wording: Wording, place: Place) -> PlaceName:
    return PlaceName(wording.owner(place.owner), place.kind, place.name, place.index)


def _seen_by(turned: TurnedProgram, kind: str, owner: Owner) -> tuple[Seat, ...]:
    """Return the seats that see the places of a kind and an owner, as `seen` has it."""
    own = turned.seat(owner - 1) if owner else None
    return tuple(
        seat
        for seat in range(turned.program.players)
        if (kind in _OWNER_SEES if seat == own else kind in _OTHERS_SEE)
    )


def _witnesses(wording: Wording, step: Step, before: OpenHand, after: OpenHand) -> set[Seat]:
    """Return the seats that see a card of a step."""
    found: set[Seat] = set()
    for place, hand in ((step.source, before), (step.target, after)):
        lies = place and hand.places.get(_named(wording, place))
        found.update(lies.seen_by if lies else ())
    return found
