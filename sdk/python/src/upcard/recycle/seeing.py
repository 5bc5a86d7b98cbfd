"""What a player may know of a position: the one way by which anything leaves the core."""

from collections import Counter

from upcard.recycle.position import Position
from upcard.recycle.values import Seen, SeenPlace


def seen(position: Position, player: int | None) -> Seen:
    """Return what a player may know of a position; for None, what everybody may.

    A card is only ever its face, and of a place that is not seen there is neither face nor order.
    """
    return Seen(
        player,
        position.actor,
        _places(position, player),
        position.numbers,
        position.texts,
        position.maps,
        position.flow,
        position.options if player is not None and player == position.actor else (),
    )


def _places(position: Position, player: int | None) -> tuple[SeenPlace, ...]:
    """Return every place that ever had a card."""
    slots = position.place_slots
    program = position.program
    viewers = slots.everybody() if player is None else 1 << player
    has_backs = len({face.back for face in program.faces}) > 1
    found = []
    for place, cards in position.places().items():
        faces = [program.cards[card] for card in cards]
        if slots.sights[slots.slots[place]] & viewers == viewers:
            found.append(SeenPlace(place, len(cards), tuple(faces)))
        else:
            backs = Counter(program.faces[face].back for face in faces if has_backs)
            found.append(SeenPlace(place, len(cards), None, tuple(sorted(backs.items()))))
    return tuple(found)
