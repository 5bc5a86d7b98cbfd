"""Views as bytes and actions as numbers, for programs that learn to play euchre and whist.

An encoding is frozen. `EUCHRE_V0` never changes: another layout, or another number of an action,
would be `EUCHRE_V1`. It needs nothing but the standard library, so that a bot can encode what it
sees in play exactly as it was trained in an environment (`docs/research.md`) or on a dataset.

>>> upcard.encoding.EUCHRE_V0.number("play:JD")
43
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final, NamedTuple

from upcard.cards import CALL_OF, Action, Play, Seat
from upcard.errors import UpcardError
from upcard.euchre import EUCHRE
from upcard.game import Game
from upcard.view import View
from upcard.whist import WHIST

_PHASES: Final = ("bidding", "discarding", "playing")
_SUITS: Final = "CDHS"
_CALLS: Final = tuple(CALL_OF.values())
_PLACE_OF_CALL: Final = {call: place for place, call in enumerate(_CALLS)}
_SEATS: Final = 4
HIGHEST: Final = 100
"""No target is higher, and so no score before a hand either."""


class Field(NamedTuple):
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    """Its bytes in order, as of an array whose last index changes fastest."""
    meaning: str
    """What each index counts, and what a byte says."""
    write: Callable[[View, bytearray, int], None]
    """Writes it into an observation, from a byte on; all are still 0."""
    most: int = 1
    """No byte is higher."""

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return prod(self.shape)


class Encoding:
    """How the views of a game are written as bytes, and its actions as numbers."""

    def __init__(
        self, game: Game, version: int, actions: Iterable[Action], fields: Sequence[Field]
    ) -> None:
        """Lay out the fields one after the other."""
        self.game: Final = game.name
        """What it encodes: ``"euchre"`` or ``"whist"``."""
        self.name: Final = f"{game.name}_v{version}"
        """Game and version: ``"euchre_v0"``."""
        self.actions: Final[tuple[Action, ...]] = tuple(actions)
        """Every action, by its number."""
        self.fields: Final[tuple[Field, ...]] = tuple(fields)
        """The parts of an observation, in order."""
        self.size: Final = sum(field.size for field in fields)
        """How many bytes an observation has."""
        self.most: Final = bytes(field.most for field in fields for _ in range(field.size))
        """The highest value of each byte of an observation; the lowest is 0."""
        self._numbers: Final = {action: number for number, action in enumerate(self.actions)}
        starts = [sum(field.size for field in fields[:place]) for place in range(len(fields))]
        placed = [*zip(fields, starts, strict=True)]
        self._writers: Final = [(field.write, start) for field, start in placed]
        self.where: Final[Mapping[str, slice]] = MappingProxyType(
            {field.name: slice(start, start + field.size) for field, start in placed}
        )
        """Where each field lies in an observation, by its name."""

    def observe(self, view: View) -> bytearray:
        """Return what a seat sees as bytes: the fields, one after the other.

        Raises:
            UpcardError: the view is of another game.
        """
        if view.game != self.game:
            raise UpcardError(f"{self.name} does not encode a view of {view.game}")
        observation = bytearray(self.size)
        for write, start in self._writers:
            write(view, observation, start)
        return observation

    def number(self, action: Action) -> int:
        """Return the number of an action.

        Raises:
            UpcardError: it is none of this game.
        """
        try:
            return self._numbers[action]
        except KeyError:
            raise UpcardError(f"{self.name} has no action {action!r:.80}") from None

    def mask(self, legal: Iterable[Action]) -> bytearray:
        """Return a byte for each action: 1 if it is among the legal ones, else 0."""
        mask = bytearray(len(self.actions))
        for action in legal:
            mask[self.number(action)] = 1
        return mask


Marked = Callable[[View], Iterable[int]]
"""Which bytes of a field are 1."""


def _marks(name: str, shape: tuple[int, ...], meaning: str, marked: Marked) -> Field:
    """Return a field of zeros and ones."""

    def write(view: View, observation: bytearray, start: int) -> None:
        for place in marked(view):
            observation[start + place] = 1

    return Field(name, shape, meaning, write)


def _relative(view: View, seat: Seat | None) -> tuple[int, ...]:
    """Return where somebody sits as the observer sees it; nowhere if there is nobody."""
    return () if seat is None else ((seat - view.seat) % _SEATS,)


def _calls(view: View) -> Iterable[int]:
    eldest = view.dealer + 1 - view.seat
    for turn, call in enumerate(view.calls):
        seat = turn // _SEATS * _SEATS + (eldest + turn) % _SEATS
        yield seat * len(_CALLS) + _PLACE_OF_CALL[call]


def _leaders(view: View) -> Iterable[int]:
    leaders = [trick.leader for trick in view.tricks]
    if view.leader is not None:
        leaders.append(view.leader)
    return [number * _SEATS + (seat - view.seat) % _SEATS for number, seat in enumerate(leaders)]


def _points(view: View, observation: bytearray, start: int) -> None:
    observation[start : start + 3] = *view.score, view.target


def _trick_size(view: View) -> int:
    return _SEATS if view.sits_out is None else _SEATS - 1


class _Cards:
    """The fields that have a byte for each card, of a game with so many tricks."""

    def __init__(self, game: Game, tricks: int) -> None:
        self._place = {card: place for place, card in enumerate(game.pack)}
        self._count = len(game.pack)
        self._tricks = tricks

    def held(self, name: str, meaning: str, cards: Callable[[View], Iterable[str | None]]) -> Field:
        """Return a field of some cards."""
        place = self._place

        def marked(view: View) -> Iterable[int]:
            return [place[card] for card in cards(view) if card]

        return _marks(name, (self._count,), meaning, marked)

    def table(self) -> tuple[Field, ...]:
        """Return the fields of the play."""
        shape = self._count
        return (
            _marks(
                "trick",
                (_SEATS, shape),
                "seat, card: who played it to the trick in progress",
                lambda view: self._by(view, view.plays[len(view.plays) - len(view.trick) :]),
            ),
            _marks(
                "leaders",
                (self._tricks, _SEATS),
                "trick, seat: who leads it, the one in progress included",
                _leaders,
            ),
            _marks(
                "played_by",
                (_SEATS, shape),
                "seat, card: who played it in this hand",
                lambda view: self._by(view, view.plays),
            ),
            _marks(
                "played_in",
                (self._tricks, shape),
                "trick, card: to which trick it was played",
                self._in,
            ),
        )

    def _by(self, view: View, plays: Iterable[Play]) -> Iterable[int]:
        own, count, place = view.seat, self._count, self._place
        return [(seat - own) % _SEATS * count + place[card] for seat, card in plays]

    def _in(self, view: View) -> Iterable[int]:
        size, count, place = _trick_size(view), self._count, self._place
        return [n // size * count + place[play.card] for n, play in enumerate(view.plays)]


def _seat(name: str, meaning: str, who: Callable[[View], Seat | None]) -> Field:
    return _marks(name, (_SEATS,), f"seat: {meaning}", lambda view: _relative(view, who(view)))


_TRUMP: Final = _marks(
    "trump",
    (len(_SUITS),),
    "suit: whether it is trump; none before trump is made",
    lambda view: () if view.trump is None else (_SUITS.index(view.trump),),
)
_POINTS: Final = Field(
    "points",
    (3,),
    "our points before this hand, theirs, and the target, as numbers",
    _points,
    HIGHEST,
)
_DEALER: Final = _seat("dealer", "who deals", lambda view: view.dealer)


def _euchre() -> tuple[Field, ...]:
    cards = _Cards(EUCHRE, tricks=5)
    return (
        _marks(
            "phase",
            (len(_PHASES),),
            "bidding, discarding, playing: what is due",
            lambda view: (_PHASES.index(view.phase),),
        ),
        cards.held("hand", "card: whether you hold it", lambda view: view.hand),
        cards.held("upcard", "card: whether it was turned up", lambda view: (view.upcard,)),
        _DEALER,
        _marks(
            "dealer_stuck",
            (1,),
            "whether the dealer, when she speaks last, must name a suit",
            lambda view: (0,) if view.dealer_stuck else (),
        ),
        _marks(
            "calls",
            (2, _SEATS, len(_CALLS)),
            "round, seat, call: who said what; the calls are in the order of their numbers",
            _calls,
        ),
        _TRUMP,
        _seat("maker", "who made trump", lambda view: view.maker),
        _seat("sits_out", "who sits out, as the partner of a lone maker", lambda v: v.sits_out),
        cards.held(
            "discard", "card: what you laid away as the dealer", lambda view: (view.discard,)
        ),
        *cards.table(),
        _POINTS,
    )


def _whist() -> tuple[Field, ...]:
    cards = _Cards(WHIST, tricks=13)
    return (
        cards.held("hand", "card: whether you hold it", lambda view: view.hand),
        cards.held(
            "trump_card", "card: whether it was dealt last", lambda view: (view.trump_card,)
        ),
        _DEALER,
        _TRUMP,
        *cards.table(),
        _POINTS,
    )


EUCHRE_V0: Final = Encoding(
    EUCHRE,
    0,
    (*_CALLS, *(f"{verb}:{card}" for verb in ("discard", "play") for card in EUCHRE.pack)),
    _euchre(),
)
"""Euchre: the calls, then a discard of each card, then a play of each."""
WHIST_V0: Final = Encoding(WHIST, 0, (f"play:{card}" for card in WHIST.pack), _whist())
"""Whist: a play of each card."""
ENCODINGS: Final[Mapping[str, Encoding]] = MappingProxyType(
    {"euchre": EUCHRE_V0, "whist": WHIST_V0}
)
"""The newest encoding of each game."""
