"""What kinds of things there are: each expression and each variable of a program has one."""

from enum import Enum
from typing import Final


class Kind(Enum):
    """What an expression is; the value is what a message calls it."""

    INTEGER = "an integer"
    TRUTH = "a condition"
    STRING = "a string"
    PLAYER = "a player"
    TEAM = "a team"
    CARD = "a card"
    PLACE = "a place"
    MEMORY = "a memory place"
    CARDS = "cards"
    PLACES = "a collection of places"
    SETS = "a collection of card collections"
    PLAYERS = "players"
    TEAMS = "teams"
    STRINGS = "strings"
    INTEGERS = "integers"
    POINTS = "a points map"
    TABLE = "the table"
    ACTION = "an action"


ELEMENT: Final = {
    Kind.TEAM: Kind.PLAYER,
    Kind.PLACE: Kind.CARD,
    Kind.MEMORY: Kind.CARD,
    Kind.CARDS: Kind.CARD,
    Kind.PLACES: Kind.PLACE,
    Kind.SETS: Kind.CARDS,
    Kind.PLAYERS: Kind.PLAYER,
    Kind.TEAMS: Kind.TEAM,
    Kind.STRINGS: Kind.STRING,
    Kind.INTEGERS: Kind.INTEGER,
}
"""What a collection of each kind consists of; a team is also the collection of its players."""

FILTERED: Final = {
    Kind.TEAM: Kind.PLAYERS,
    Kind.PLACE: Kind.CARDS,
    Kind.MEMORY: Kind.CARDS,
    Kind.CARDS: Kind.CARDS,
    Kind.PLACES: Kind.PLACES,
    Kind.SETS: Kind.SETS,
    Kind.PLAYERS: Kind.PLAYERS,
    Kind.TEAMS: Kind.TEAMS,
    Kind.STRINGS: Kind.STRINGS,
    Kind.INTEGERS: Kind.INTEGERS,
}
"""What some of the elements of a collection are together."""

COMPARED: Final = frozenset({Kind.INTEGER, Kind.STRING, Kind.CARD, Kind.PLAYER, Kind.TEAM})
"""What two of a kind can be tested for equality."""

_SERVES_AS: Final = {
    Kind.PLACE: {Kind.CARDS},
    Kind.MEMORY: {Kind.CARDS},
    Kind.PLACES: {Kind.SETS},
}


def serves(kind: Kind, wanted: Kind) -> bool:
    """Whether what is of one kind can stand where another is wanted: a place also is its cards."""
    return kind is wanted or wanted in _SERVES_AS.get(kind, ())
