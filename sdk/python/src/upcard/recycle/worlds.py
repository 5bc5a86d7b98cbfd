"""Positions that agree with what a player sees."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from upcard.recycle import finding
from upcard.recycle.errors import ProgramError
from upcard.recycle.position import Position
from upcard.recycle.program import Program
from upcard.recycle.state import UNUSED
from upcard.recycle.values import Seen, SeenPlace, Source

_ATTEMPTS: Final = 20
"""How often cards are dealt at most, until the actor has the options that are seen."""

Draw = Callable[[int], int]
_Key = TypeVar("_Key")


def world(program: Program, view: Seen, draw: Draw, source: Source) -> Position:
    """Return a position that agrees with what somebody sees, the rest dealt at random.

    An unseen card may lie wherever a card of its back does. Should the options depend on cards that
    the actor does not see, they are dealt again a few times, for his options to be those he sees.

    Args:
        program: the program that is played.
        view: what is seen of the position.
        draw: returns a random number below the one it is given.
        source: where the new position takes its own shuffles and draws from.

    Raises:
        ValueError: nothing of the kind is ever seen of this program.
        ProgramError: it cannot go on from any of the positions that were dealt.
    """
    attempts = _ATTEMPTS
    while True:
        attempts -= 1
        try:
            position = _dealt(program, view, draw, source)
        except ProgramError:
            if not attempts:
                raise
            continue
        if not attempts or not view.options or position.options == view.options:
            return position


def _dealt(program: Program, view: Seen, draw: Draw, source: Source) -> Position:
    """Return a position whose unseen cards are dealt at random."""
    position = Position(program, source)
    position.piles[:] = [UNUSED] * len(position.piles)
    _lay_out(program, view, draw, position)
    for (owner, name), number in view.numbers.items():
        position.counts[finding.stored(position, 0, "sto", owner, name)] = number
    for (owner, name), text in view.texts.items():
        position.words[finding.stored(position, 0, "str", owner, name)] = text
    for (owner, name), awards in view.maps.items():
        slot = finding.stored(position, 0, "points", owner, name)
        position.charts[slot] = position.tables.charts_of_cards.chart(awards)
    position.stand(view.flow)
    return position


def _lay_out(program: Program, view: Seen, draw: Draw, position: Position) -> None:
    """Put every card into a place."""
    of_face: dict[int, list[int]] = {}
    for card, face in enumerate(program.cards):
        of_face.setdefault(face, []).append(card)
    left = {face: cards[::-1] for face, cards in of_face.items()}
    hidden = []
    for seen_place in view.places:
        if seen_place.faces is None:
            hidden.append(seen_place)
        elif seen_place.place.kind == "mem":
            _put(position, seen_place, _references(seen_place.faces, of_face))
        else:
            _put(position, seen_place, [_taken(left, face) for face in seen_place.faces])
    pools: dict[str, list[int]] = {}
    for face, cards in left.items():
        pools.setdefault(program.faces[face].back, []).extend(cards)
    for cards in pools.values():
        _shuffle(cards, draw)
    some_back = next(iter(pools), "")
    for seen_place in hidden:
        backs = seen_place.backs or ((some_back, seen_place.size),)
        cards = [_taken(pools, back) for back, count in backs for _ in range(count)]
        _shuffle(cards, draw)
        _put(position, seen_place, cards)
    if any(pools.values()):
        raise ValueError("some cards of the program lie nowhere")


def _put(position: Position, seen_place: SeenPlace, cards: Sequence[int]) -> None:
    """Put cards, or references to them, into a place."""
    slot = finding.place(position, 0, *seen_place.place)
    position.piles[slot] = list(cards)
    if seen_place.place.kind == "mem":
        position.references += len(cards)
        return
    for card in cards:
        position.where[card] = slot


def _taken(left: dict[_Key, list[int]], key: _Key) -> int:
    """Return a card that is left, which then is not."""
    cards = left.get(key)
    if not cards:
        raise ValueError("there are more cards than the program has")
    return cards.pop()


def _references(faces: Iterable[int], of_face: dict[int, list[int]]) -> list[int]:
    """Return cards of those faces, of equal ones as many different ones as there are."""
    taken: dict[int, int] = {}
    found = []
    for face in faces:
        cards = of_face[face]
        found.append(cards[taken.get(face, 0) % len(cards)])
        taken[face] = taken.get(face, 0) + 1
    return found


def _shuffle(cards: list[int], draw: Draw) -> None:
    """Put cards into a random order."""
    for last in range(len(cards) - 1, 0, -1):
        other = draw(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
