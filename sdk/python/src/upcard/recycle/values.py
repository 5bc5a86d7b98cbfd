"""What programs, positions and views are made of: plain values, and no rule."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

Owner = int
"""Whose something is: 0 the table, n player n, -n team n. Players and teams count from 1 here."""
Key = tuple[Owner, str]
"""What a number, a text or a points map is stored under: its owner and its name."""


class Source(Protocol):
    """Where the randomness of a hand comes from; a position draws none of its own."""

    def shuffle(self, k: int, n: int) -> Sequence[int]:
        """Return the `k`-th shuffle of the hand (from 0), a permutation of ``range(n)``."""

    def below(self, k: int, n: int) -> int:
        """Return the `k`-th other draw of the hand (from 0), a number in ``range(n)``."""


class ProgramWarning(NamedTuple):
    """Something in a program that is allowed, but is hardly what its author meant."""

    line: int
    column: int
    message: str


class Face(NamedTuple):
    """What is printed on a card. Equal cards share a face."""

    name: str
    """The values of the attributes that it takes to tell the faces apart: ``"NINE-HEARTS"``."""
    attributes: tuple[tuple[str, str], ...]
    """Every attribute with its value, in the order of the deck."""
    back: str
    """The design of the back: ``"DEFAULT"`` unless the deck names one."""


class Place(NamedTuple):
    """Where cards lie."""

    owner: Owner
    kind: str
    """``"vloc"``, ``"iloc"``, ``"hloc"``, ``"oloc"``, or ``"mem"`` with references to cards."""
    name: str
    index: int = 0  # type: ignore[assignment]  # not that of a tuple
    """Which of several places of one name."""


class Award(NamedTuple):
    """What a points map gives to each card that has all the attributes."""

    attributes: tuple[tuple[str, str], ...]
    points: int


PointsMap = tuple[Award, ...]
"""A card scores the sum of all awards that apply to it."""


class Step(NamedTuple):
    """One primitive action of an option; what does not apply is None.

    ===========  ==============================================================================
    verb         what else is given
    ===========  ==============================================================================
    `move`       `face`, `source`, `target`; `value` is ``"bottom"`` or an index where the card
                 does not go on top
    `set`        `owner`, `name`, `value`: a number, a text or a points map
    `update`     `owner`, `name`, `value`: the awards that are added or replaced
    `inc` `dec`  `owner`, `name`, `value`: by how much
    `shuffle`    `source`
    `next`       `owner`: the player who is next
    `current`    `owner`: the player who is to act now
    `pass`       nothing
    `remember`   `face`, `source`, `target`: the place of references; `value` as for `move`
    `forget`     `face`, `source`: the place of references
    `swap`       `face`, `source`, and of the second card `value`, its face, and `target`
    `exchange`   `source`, `target`: all cards of two places
    ===========  ==============================================================================
    """

    verb: str
    face: int | None = None
    """The face of the card; None where the actor may not see it."""
    source: Place | None = None
    target: Place | None = None
    owner: Owner | None = None
    name: str | None = None
    value: int | str | PointsMap | None = None
    """None also where it is drawn at random when the option is carried out."""


class Option(NamedTuple):
    """One of the ways to decide."""

    steps: tuple[Step, ...]
    text: str
    """What it does, in a form no other option of the decision has."""


class Entry(NamedTuple):
    """One of the alternatives a `choice` lists; it gives any number of options."""

    line: int
    column: int


class Choice(NamedTuple):
    """A decision in the text of a program."""

    line: int
    column: int
    entries: tuple[Entry, ...]


class Part(NamedTuple):
    """A stage, an action block or a choice in the text of a program."""

    line: int
    column: int
    construct: str
    """``"stage"``, ``"choice"``, ``"do"``, ..."""


class SeenPlace(NamedTuple):
    """What somebody may know of a place."""

    place: Place
    size: int
    """How many cards lie there."""
    faces: tuple[int, ...] | None
    """The faces, bottom first; None where they are hidden."""
    backs: tuple[tuple[str, int], ...] = ()
    """How many cards of each back lie there: only if they are hidden and the deck has several."""


class Seen(NamedTuple):
    """What a player may know of a position, or, for no player, what everybody may."""

    player: int | None
    """Whose view it is, from 0; None is everybody's."""
    actor: int | None
    """Who is to act, from 0; None when the hand is over."""
    places: tuple[SeenPlace, ...]
    """Every place that ever had a card, in an order of its own."""
    numbers: Mapping[Key, int]
    """What is stored; what is at its default (0, empty text, empty map) is left out."""
    texts: Mapping[Key, str]
    maps: Mapping[Key, PointsMap]
    flow: tuple[int, ...]
    """Where the program stands."""
    options: tuple[Option, ...]
    """What the player may do; empty unless he is the actor."""
