"""A game described in RECYCLE as a player sees it, and what it may do.

Nothing here knows a game: there are places with cards, what the program stored, and moves. Players
and owners count from 1, as on the wire: an owner is 0 for the table, n for player n, -n for team n.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from upcard.cards import Action, Seat
from upcard.errors import UpcardError
from upcard.lazy import lazy
from upcard.recycle.values import (
    Award,
    Key,
    Option,
    Place,
    PointsMap,
    Seen,
    SeenPlace,
    Step,
)
from upcard.v1.recycle_pb2 import RecycleAttribute, RecycleAward
from upcard.v1.recycle_pb2 import RecyclePlace as PlaceMessage
from upcard.v1.recycle_pb2 import RecycleRules as RulesMessage
from upcard.v1.recycle_pb2 import RecycleStep as StepMessage
from upcard.v1.recycle_pb2 import RecycleView as Message
from upcard.v1.referee_pb2 import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.recycle import Program


class RecycleFace(NamedTuple):
    """What is printed on a card; equal cards have one face."""

    name: str
    """The values that tell it from the others: ``"NINE-HEARTS"``."""
    attributes: Mapping[str, str]
    """All that is printed on it."""
    back: str
    """The design on its back."""
    cards: int
    """How many cards have this face."""

    def __str__(self) -> str:
        """Return its name."""
        return self.name


class RecyclePlace(NamedTuple):
    """A place for cards, with what you may know of them."""

    owner: int
    """0 the table, n player n, -n team n."""
    kind: str
    """``"vloc"`` seen by all, ``"iloc"`` by its owner, ``"hloc"`` by nobody, ``"oloc"`` by all but
    its owner, ``"mem"`` by all: it refers to cards that lie elsewhere."""
    name: str
    """What the program calls it."""
    index: int = 0  # type: ignore[assignment]  # no tuple to look things up in
    """Its number among the places of one name."""
    size: int = 0
    """How many cards lie there."""
    faces: tuple[RecycleFace, ...] | None = ()
    """The cards, the bottom one first; None if they are hidden from you."""
    backs: tuple[tuple[str, int], ...] = ()
    """How many hidden cards of each back there are, if the deck has several."""


class RecycleStep(NamedTuple):
    """One thing that is done; what does not apply is None."""

    verb: str
    """What it is: ``"move"``, ``"inc"`` and so on, as `upcard.recycle.Step` lists them."""
    face: RecycleFace | None
    """The card; None also if you may not see it."""
    source: RecyclePlace | None
    target: RecyclePlace | None
    owner: int | None
    """Whose storage it is, or which player is meant."""
    name: str | None
    """What is stored."""
    value: int | str | PointsMap | None
    """What it is done with; None also where that is drawn when it is done."""
    other_face: RecycleFace | None
    """The second card that is swapped."""


class RecycleMove(NamedTuple):
    """Something you may do."""

    text: str
    """The move in words, as it stands in `legal`."""
    steps: tuple[RecycleStep, ...]
    """What is done, one after the other; empty where a decision has too many moves to tell."""


class RecycleRules(NamedTuple):
    """A game described in RECYCLE."""

    name: str
    """What the game is called."""
    program: str
    """Its rules: the program, which ``upcard.recycle.read`` understands."""
    numbering: int
    """With which number the program begins to count players: 0 or 1."""
    hands: int
    """How many hands a match has."""
    players: int
    """How many players there are."""
    sides: tuple[int, ...]
    """The side of each player, from 1."""
    seat: int
    """Your seat for the whole match, from 1."""
    lowest_wins: bool
    """Whether the program's scores are the better the lower; what you are told is turned round."""
    faces: tuple[RecycleFace, ...]
    """The different cards."""


class RecycleView:
    """What you know of a hand of a game that is described in RECYCLE.

    It converts only what is asked for.
    """

    game: ClassVar = "recycle"
    phase: ClassVar = "acting"

    def __init__(
        self, turn: Turn, message: Message, legal: tuple[Action, ...], rules: RecycleRules
    ) -> None:
        """Wrap a turn, the message in it, what is legal, and the game."""
        self._turn = turn
        self._message = message
        self.legal = legal
        """The texts of what you may do; return one of them."""
        self.rules = rules
        """The game at this table."""

    def __str__(self) -> str:
        """Return the situation in one line of text."""
        hand = f", hand {self.hand_number + 1}" if self.rules.hands > 1 else ""
        return f"{self.game}, {self.phase}: {self.rules.name}{hand}, player {self.player}"

    @lazy
    def table(self) -> int:
        """The table: a number that means nothing, another one for every match."""
        return self._turn.table_id

    @lazy
    def turn(self) -> int:
        """The number of this decision; the referee counts them."""
        return self._turn.turn_id

    @lazy
    def time_left(self) -> float | None:
        """The seconds left for this match; None if only each decision is limited."""
        return self._turn.time_left_ms / 1000 or None

    @lazy
    def hand_number(self) -> int:
        """The number of this hand in its match, from 0."""
        return self._message.hand_number

    @property
    def seat(self) -> Seat:
        """Your seat for the whole match, from 0."""
        return self.rules.seat - 1

    @lazy
    def player(self) -> int:
        """Which player of the program you are in this hand, from 1."""
        return self._message.player

    @lazy
    def scores(self) -> tuple[int, ...]:
        """What each side of this hand scored before it, the first side first; more is better."""
        return tuple(self._message.scores)

    @lazy
    def places(self) -> tuple[RecyclePlace, ...]:
        """The places that were used in this hand."""
        return tuple([self._place(place) for place in self._message.places])

    @lazy
    def numbers(self) -> Mapping[Key, int]:
        """The numbers that are stored, by owner and name; what is not there is 0."""
        numbers = self._message.numbers
        return MappingProxyType({(each.owner, each.name): each.value for each in numbers})

    @lazy
    def texts(self) -> Mapping[Key, str]:
        """The texts that are stored, by owner and name; what is not there is empty."""
        texts = self._message.texts
        return MappingProxyType({(each.owner, each.name): each.value for each in texts})

    @lazy
    def points(self) -> Mapping[Key, PointsMap]:
        """What cards score, by the owner and the name of a map; the awards of a card add up."""
        points = self._message.points
        return MappingProxyType({(each.owner, each.name): _map(each.awards) for each in points})

    @lazy
    def flow(self) -> tuple[int, ...]:
        """Where the program stands; for ``upcard.recycle``."""
        return tuple(self._message.flow)

    @lazy
    def moves(self) -> tuple[RecycleMove, ...]:
        """What you may do, in the order of `legal`."""
        return tuple(
            [
                RecycleMove(move.text, tuple(map(self._step, move.steps)))
                for move in self._message.legal
            ]
        )

    def seen(self, program: "Program") -> Seen:
        """Return what you know, for playing on by the program itself: see `upcard.recycle`.

        Args:
            program: what ``upcard.recycle.read(rules.program, rules.numbering)`` gave.
        """
        if len(program.faces) != len(self.rules.faces):
            raise UpcardError("this is the view of another program")
        player = self.player - 1
        return Seen(
            player=player,
            actor=player,
            places=tuple(map(_seen_place, self._message.places)),
            numbers=self.numbers,
            texts=self.texts,
            maps=self.points,
            flow=self.flow,
            options=tuple(
                [
                    Option(tuple(map(_seen_step, move.steps)), move.text)
                    for move in self._message.legal
                ]
            ),
        )

    def _place(self, place: PlaceMessage) -> RecyclePlace:
        faces = None if place.hidden else tuple([self.rules.faces[f - 1] for f in place.faces])
        backs = tuple([(back.name, back.cards) for back in place.backs])
        where = place.owner, place.kind, place.name, place.index
        return RecyclePlace(*where, place.size, faces, backs)

    def _step(self, step: StepMessage) -> RecycleStep:
        return RecycleStep(
            step.verb,
            self._face(step.face),
            _where(step.source) if step.HasField("source") else None,
            _where(step.target) if step.HasField("target") else None,
            step.owner if step.HasField("owner") else None,
            step.name or None,
            _value(step),
            self._face(step.other_face),
        )

    def _face(self, number: int) -> RecycleFace | None:
        return self.rules.faces[number - 1] if number else None


def legal_actions(message: Message) -> tuple[Action, ...]:
    """List what the message offers."""
    return tuple([move.text for move in message.legal])


def rules_of(message: RulesMessage) -> RecycleRules:
    """Read the rules."""
    return RecycleRules(
        name=message.name,
        program=message.program,
        numbering=message.numbering,
        hands=message.hands,
        players=message.players,
        sides=tuple(message.sides),
        seat=message.seat,
        lowest_wins=message.lowest_wins,
        faces=tuple(
            [
                RecycleFace(
                    face.name,
                    MappingProxyType(dict(_pairs(face.attributes))),
                    face.back,
                    face.cards,
                )
                for face in message.faces
            ]
        ),
    )


def _where(place: PlaceMessage) -> RecyclePlace:
    return RecyclePlace(place.owner, place.kind, place.name, place.index)


def _seen_place(place: PlaceMessage) -> SeenPlace:
    faces = None if place.hidden else tuple([face - 1 for face in place.faces])
    backs = tuple([(back.name, back.cards) for back in place.backs])
    return SeenPlace(_spot(place), place.size, faces, backs)


def _seen_step(step: StepMessage) -> Step:
    return Step(
        verb=step.verb,
        face=step.face - 1 if step.face else None,
        source=_spot(step.source) if step.HasField("source") else None,
        target=_spot(step.target) if step.HasField("target") else None,
        owner=step.owner if step.HasField("owner") else None,
        name=step.name or None,
        value=step.other_face - 1 if step.other_face else _value(step),
    )


def _spot(place: PlaceMessage) -> Place:
    return Place(place.owner, place.kind, place.name, place.index)


def _value(step: StepMessage) -> int | str | PointsMap | None:
    kind = step.WhichOneof("value")
    if kind == "points":
        return _map(step.points.awards)
    return getattr(step, kind) if kind else None


def _map(awards: "Iterable[RecycleAward]") -> PointsMap:
    return tuple([Award(_pairs(award.attributes), award.points) for award in awards])


def _pairs(attributes: "Iterable[RecycleAttribute]") -> tuple[tuple[str, str], ...]:
    return tuple([(each.key, each.value) for each in attributes])
