"""The decisions of a match as rows of arrays, and what each column says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from referee.datasets.npz import Array, Column, npz_file
from referee.engine.cards import Action, Seat
from referee.engine.game import Game
from referee.engine.record import MatchRecord, ReplayedHand
from referee.errors import ConfigError
from referee.rpc.seat_views import SeatViews
from upcard import View
from upcard.encoding import ENCODINGS, Encoding

MEANINGS: Final[Mapping[str, str]] = {
    "observation": "what the seat saw, as the encoding writes it",
    "action_mask": "1 for each action that was legal",
    "action": "the number of the action it chose",
    "points": "what its side scored in this hand, less what the other side did",
    "won": "1 if its side won the match, else 0",
    "seat": "its seat: 0 to 3 for North, East, South, West",
    "hand": "the number of the hand in its match, from 0",
    "match": "the number of the match in this file, from 0",
    "entrant": "who decided: a number of `entrants`",
    "opponent": "the other entrant of the duel",
    "duel": "the number of the duel in its pairing, from 1",
    "room": "the number of the room in its duel, from 0",
}
"""What each column says, in their order."""
_NUMBERS: Final[Mapping[str, str]] = {
    "action": "u1",
    "points": "i1",
    "won": "u1",
    "seat": "u1",
    "hand": "<u2",
    "match": "<u4",
    "entrant": "<u2",
    "opponent": "<u2",
    "duel": "<u4",
    "room": "u1",
}
"""The types of those that hold a number."""


class PlayedMatch(NamedTuple):
    """A match that was played again, and where it comes from."""

    number: int
    """In the file, from 0."""
    record: MatchRecord
    hands: Sequence[ReplayedHand]
    duel: int = 0
    """In its pairing, from 1; 0 if it is no league's."""
    room: int = 0
    entrants: tuple[int, int] = (0, 0)
    """Who played North-South, and who East-West; 0 if nobody knows."""


class _Decision(NamedTuple):
    hand: int
    seat: Seat
    view: View
    action: Action
    points: int


def encoding_of(game: Game) -> Encoding:
    """Return how the decisions of a game are encoded.

    Raises:
        ConfigError: they are not.
    """
    encoding = ENCODINGS.get(game.name)
    if encoding is None:
        raise ConfigError(
            f"{game.title} has no arrays, for nobody can list all its actions beforehand; "
            f"there are arrays of {' and '.join(ENCODINGS)}"
        )
    return encoding


def columns_of(encoding: Encoding) -> dict[str, Column]:
    """Return the columns of decisions."""
    return {
        "observation": Column("u1", (encoding.size,)),
        "action_mask": Column("i1", (len(encoding.actions),)),
        **{name: Column(dtype) for name, dtype in _NUMBERS.items()},
    }


def rows_of(match: PlayedMatch, encoding: Encoding) -> dict[str, Array]:
    """Return the decisions of the hands that were played out, in order, as columns.

    A move that left no choice is no decision.
    """
    decisions = list(_decisions(match))
    views = [decision.view for decision in decisions]
    seats = np.array([decision.seat for decision in decisions], np.uint8)
    sides = seats % 2
    entrants = np.array(match.entrants, np.uint16)
    numbers = [encoding.number(decision.action) for decision in decisions]
    count = len(decisions)
    return {
        "observation": _bytes(encoding.size, map(encoding.observe, views)),
        "action_mask": _bytes(
            len(encoding.actions), (encoding.mask(view.legal) for view in views)
        ).view(np.int8),
        "action": np.array(numbers, np.uint8),
        "points": np.array([decision.points for decision in decisions], np.int8),
        "won": (sides == match.record.winner).astype(np.uint8),
        "seat": seats,
        "hand": np.array([decision.hand for decision in decisions], np.uint16),
        "match": np.full(count, match.number, np.uint32),
        "entrant": entrants[sides],
        "opponent": entrants[1 - sides],
        "duel": np.full(count, match.duel, np.uint32),
        "room": np.full(count, match.room, np.uint8),
    }


def _bytes(width: int, rows: Iterator[bytearray]) -> Array:
    return np.frombuffer(b"".join(rows), np.uint8).reshape(-1, width)


def _decisions(match: PlayedMatch) -> Iterator[_Decision]:
    record = match.record
    views = SeatViews(record.game)
    for number, (hand, again) in enumerate(zip(record.hands, match.hands, strict=True)):
        net = hand.result.points[0] - hand.result.points[1]
        state = again.first.copy()
        for seat, action in hand.actions:
            if len(state.legal) > 1:
                view = views.view(again.match, state, seat)
                assert isinstance(view, View)
                yield _Decision(number, seat, view, action, -net if seat % 2 else net)
            state = state.play(action)


def write_dataset(
    path: Path, encoding: Encoding, matches: Iterable[PlayedMatch], entrants: Sequence[str]
) -> int:
    """Write the decisions of matches into a file of arrays; return how many there are.

    Args:
        path: the file; it appears when all went well.
        encoding: that of the game of all matches.
        matches: the matches.
        entrants: what the entrants are called, by their numbers.

    Raises:
        ConfigError: a match is of another game, or the path is not that of a file.
        FileError: the file cannot be written.
    """
    constants = {"encoding": np.array(encoding.name), "entrants": np.array(entrants)}
    with npz_file(path, columns_of(encoding), constants) as rows:
        for match in matches:
            if encoding_of(match.record.game) is not encoding:
                raise ConfigError(
                    f"match {match.number + 1} is of {match.record.game.name}; "
                    f"{encoding.name} has no place for it"
                )
            rows.add(rows_of(match, encoding))
    return rows.count
