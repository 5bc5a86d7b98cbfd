"""Reads decks, and makes their cards."""

from itertools import chain, product
from math import prod
from typing import Final, NamedTuple

from upcard.recycle import bounds
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes import Node
from upcard.recycle.reader import Reader
from upcard.recycle.tokens import Token
from upcard.recycle.tree import Form, Item, is_token
from upcard.recycle.values import Face, Place

DEFAULT_BACK: Final = "DEFAULT"
_USAGE: Final = "(KEY (A, B, …)) or (KEY (A ATTRIBUTE…) (B ATTRIBUTE…))"

Attributes = tuple[tuple[str, str], ...]


class Value(NamedTuple):
    """One value of an attribute, and the attributes that only its cards have."""

    name: str
    nested: "tuple[Attribute, ...]"


class Attribute(NamedTuple):
    """An attribute that the cards of a deck have."""

    key: str
    values: tuple[Value, ...]


class Deck(NamedTuple):
    """Cards, and where they lie at the start."""

    place: Node
    back: str
    cards: tuple[Attributes, ...]
    """Of each card its attributes, the first to be put down first."""

    def where(self, numbering: int) -> Place:
        """Return where they lie, if the first player is called by that number."""
        owner, name, *index = self.place.parts
        whose = 0 if owner.op == "table" else owner.parts[0].number - numbering + 1
        return Place(whose, self.place.word, name.word, index[0].number if index else 0)


def read_deck(reader: Reader, form: Form, times: int, room: int) -> Deck:
    """Read ``(create deck [BACK] PLACE (deck ATTRIBUTE…))``, with that many copies of each card.

    There is room for so many cards. Of those without copies there has to be room for one each.
    """
    usage = "(create deck [BACK] PLACE (deck ATTRIBUTE…))"
    _, _, *back, location, deck = reader.sized(form, usage, 4, 5)
    place = reader.value(location, Kind.PLACE)
    if place.op != "place" or not _is_known(place):
        raise reader.expected("a place that is known now, as (game iloc STOCK)", location)
    if not isinstance(deck, Form) or len(deck.items) < 2 or not is_token(deck.items[0], "deck"):
        raise reader.expected("(deck ATTRIBUTE…)", deck)
    attributes = tuple(_attribute(reader, item) for item in deck.items[1:])
    if _width(attributes) > bounds.ATTRIBUTES:
        message = f"(create deck …): cards have at most {bounds.ATTRIBUTES} different attributes"
        raise reader.error(deck, message)
    if _count(attributes) * max(times, 1) > room:
        raise reader.error(deck, f"(create deck …): there are at most {bounds.CARDS} cards")
    cards = tuple(_combinations(attributes)) if times else ()
    for card in cards:
        if len(dict(card)) < len(card):
            keys = [key for key, _ in card]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise reader.error(deck, f"(deck …): a card has the attribute {twice} twice")
    return Deck(place, _text(reader, back[0]) if back else DEFAULT_BACK, cards * times)


def _is_known(place: Node) -> bool:
    """Whether it is known before play which place it is."""
    owner, name, *index = place.parts
    return (
        (owner.op == "table" or (owner.op == "seat" and owner.parts[0].op == "number"))
        and name.op == "string"
        and all(number.op == "number" for number in index)
    )


def _attribute(reader: Reader, item: Item) -> Attribute:
    """Read an attribute with its values."""
    if not isinstance(item, Form) or len(item.items) < 2:
        raise reader.expected(_USAGE, item)
    key, *groups = item.items
    values: list[Value] = []
    for group in groups:
        values += _values(reader, group)
    return Attribute(_text(reader, key), tuple(values))


def _values(reader: Reader, group: Item) -> list[Value]:
    """Read ``(A, B, …)`` or ``(A ATTRIBUTE…)``."""
    if not isinstance(group, Form) or not group.items:
        raise reader.expected(_USAGE, group)
    first, *rest = group.items
    if rest and isinstance(rest[0], Form):
        nested = tuple(_attribute(reader, item) for item in rest)
        return [Value(_text(reader, first), nested)]
    if any(not is_token(item, ",") for item in rest[::2]):
        raise reader.expected("',' between the values of an attribute", group)
    if len(rest) % 2:
        raise reader.expected("a value after the last ','", group)
    return [Value(_text(reader, item), ()) for item in group.items[::2]]


def _text(reader: Reader, item: Item) -> str:
    """Read a string that is known now."""
    if not isinstance(item, Token):
        raise reader.expected("a string", item)
    return reader.value(item, Kind.STRING).word


def _width(attributes: tuple[Attribute, ...]) -> int:
    """Return how many attributes the card has that has most."""
    return sum(
        1 + max((_width(value.nested) for value in attribute.values), default=0)
        for attribute in attributes
    )


def _count(attributes: tuple[Attribute, ...]) -> int:
    """Return how many cards there are with such attributes."""
    return prod(sum(_count(value.nested) for value in attribute.values) for attribute in attributes)


def _combinations(attributes: tuple[Attribute, ...]) -> list[Attributes]:
    """Return each card with such attributes; the first attribute changes last."""
    ways = []
    for attribute in attributes:
        way: list[Attributes] = []
        for value in attribute.values:
            own = (attribute.key, value.name)
            way += [(own, *more) for more in _combinations(value.nested)]
        ways.append(way)
    return [tuple(chain.from_iterable(chosen)) for chosen in product(*ways)]


def keys_of(decks: tuple[Deck, ...]) -> tuple[str, ...]:
    """Return every attribute, in the order in which they occur."""
    return tuple(dict.fromkeys(key for deck in decks for card in deck.cards for key, _ in card))


def faces_of(decks: tuple[Deck, ...]) -> tuple[tuple[Face, ...], tuple[int, ...]]:
    """Return the faces of all cards, and of each card which it has."""
    found: dict[tuple[Attributes, str], int] = {}
    cards = tuple(
        found.setdefault((card, deck.back), len(found)) for deck in decks for card in deck.cards
    )
    names = _names(keys_of(decks), list(found))
    faces = tuple(
        Face(name, attributes, back) for name, (attributes, back) in zip(names, found, strict=True)
    )
    return faces, cards


def _names(keys: tuple[str, ...], faces: list[tuple[Attributes, str]]) -> list[str]:
    """Name each face by as few attributes as tell them apart, and by the back if need be."""
    fronts = list(dict.fromkeys(attributes for attributes, _ in faces))
    rows = [[dict(front).get(key, "") for key in keys] for front in fronts]
    needed = list(range(len(keys)))
    for column in list(needed):
        fewer = [other for other in needed if other != column]
        if fewer and len(set(_joined(rows, fewer))) == len(rows):
            needed = fewer
    names = _joined(rows, needed)
    if len(set(names)) < len(names):  # values of different attributes read alike
        told = [
            [f"{key}:{value}" if value else "" for key, value in zip(keys, row, strict=True)]
            for row in rows
        ]
        names = _joined(told, needed)
    of_front = dict(zip(fronts, names, strict=True))
    if len(fronts) == len(faces):
        return [of_front[attributes] for attributes, _ in faces]
    return [f"{of_front[attributes]}-{back}" for attributes, back in faces]


def _joined(rows: list[list[str]], columns: list[int]) -> list[str]:
    """Return the values in some columns of each row; of all if it has none there."""
    return [
        "-".join(row[column] for column in columns if row[column]) or "-".join(filter(None, row))
        for row in rows
    ]
