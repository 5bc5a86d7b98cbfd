"""A hand of a described game as text: what lies where, each move, and what it changes."""

from collections.abc import Iterable, Iterator, Mapping

from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.recycle import TABLE
from referee.reports.positions import PlaceReport, StoredReport
from referee.reports.replays import HandReport
from referee.text import counted, plain


def move_lines(game: Game, hand: HandReport, seen_by: Seat | None) -> Iterator[str]:
    """Yield a hand with every card open, or as one seat saw it."""
    names = dict(zip(game.seats, game.seat_names, strict=True))
    eyes = None if seen_by is None else game.seats[seen_by]
    yield from _places(names, hand.get("places", ()), eyes)
    yield from _values(names, hand.get("stored", ()))
    yield ""
    for number, step in enumerate(hand["steps"], start=1):
        moves = step["moves"]
        told = eyes is None or eyes in moves["told_to"]
        says = step["says"] if told else moves["others_hear"]
        yield f"{number:>3} {names[step['seat']]} {plain(says)}"
        for line in (
            *_places(names, moves["places"], eyes),
            *_values(names, moves["stored"]),
        ):
            yield f"      {line}"
    if "stopped" in hand:
        yield f"The hand could not go on, and is scored as it stands: {plain(hand['stopped'])}"


def _places(
    names: Mapping[str, str], places: Iterable[PlaceReport], eyes: str | None
) -> Iterator[str]:
    for place in places:
        owner = _owner(names, place["owner"])
        nth = f" {place['index']}" if place["index"] else ""
        yield f"{owner} {plain(place['name'])}{nth}: {_cards(place, eyes)}"


def _cards(place: PlaceReport, eyes: str | None) -> str:
    if not place["cards"]:
        return "empty"
    if eyes is None or eyes in place["seen_by"]:
        return plain(" ".join(place["cards"]))
    return f"{counted(len(place['cards']), 'card')} face down"


def _values(names: Mapping[str, str], values: Iterable[StoredReport]) -> Iterator[str]:
    for stored in values:
        owner = _owner(names, stored["owner"])
        value = "nothing" if stored["value"] is None else plain(str(stored["value"]))
        yield f"{owner} {plain(stored['name'])} = {value}"


def _owner(names: Mapping[str, str], owner: str) -> str:
    return "Table" if owner == TABLE else names.get(owner, owner)
