"""Plays duels between bots' classes in this process, each decision a message there and back."""

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from referee.engine.cards import Card
from referee.engine.dealing import decks, table_seed
from referee.engine.game import Game, State
from referee.engine.match import Match
from referee.engine.tricks import trick_view
from tests.sdk.python.turns import turn_of, welcome
from upcard import Bot
from upcard.answering import Tables
from upcard.pieces import Pieces
from upcard.v1.referee_pb2 import Answers, Frame, TableOpened

BOTS = Path(__file__).parents[2] / "examples_bots"
SEED = bytes(range(32))
Deal = Callable[[int], tuple[Card, ...]]


def bot(name: str, called: str) -> type[Bot]:
    """Return the class of an example bot."""
    kind: type[Bot] = getattr(module(name, "bot"), called)
    return kind


def module(name: str, called: str) -> ModuleType:
    """Return a module of an example bot."""
    with pytest.MonkeyPatch.context() as patch:
        # A bot is all that its directory holds, so nothing is left there.
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.syspath_prepend(BOTS / name)
        spec = spec_from_file_location(f"{name}_{called}", BOTS / name / f"{called}.py")
        assert spec is not None
        assert spec.loader is not None
        found = module_from_spec(spec)
        spec.loader.exec_module(found)
    return found


class Duel(NamedTuple):
    """How a duel went for the first bot."""

    matches: tuple[bool, bool]
    """Whether it won in the open room, and in the closed one."""
    hands: tuple[tuple[int, int], ...]
    """Its net points in each hand dealt in both rooms, by room."""


def duel(game: Game, kinds: tuple[type[Bot], type[Bot]], number: int) -> Duel:
    """Play both rooms of a duel."""
    rooms = [list(_hands(game, kinds, number, room)) for room in (0, 1)]
    won = [sum(hands) > 0 for hands in rooms]
    return Duel((won[0], won[1]), tuple(zip(*rooms, strict=False)))


def _hands(game: Game, kinds: tuple[type[Bot], type[Bot]], number: int, room: int) -> Iterator[int]:
    """Return the first bot's net points in each hand; it sits North in room 0, East in room 1."""
    key = f"duel {number}"
    seats = [seated(game, kinds[(seat + room) % 2], key, seat) for seat in range(4)]
    deal = decks(game.pack, SEED, key)
    match = Match.start(game, number % 4)
    while not match.over:
        state = play_hand(match, seats, deal(match.hand))
        assert state.result is not None
        match = match.after(state.result)
        points = state.result.points
        yield points[room] - points[1 - room]


def seated(game: Game, kind: type[Bot], key: str, seat: int) -> Tables:
    tables = Tables(kind, welcome(game, seat))
    opened = TableOpened(table_id=1, seed=table_seed(SEED, key, seat))
    tables.answer(Frame(opened=[opened]), Pieces(lambda _: None))
    return tables


def play_hand(match: Match, seats: Sequence[Tables], deck: tuple[Card, ...]) -> State:
    """Play a hand out; what has one legal action is not asked."""
    state = match.deal(deck)
    while state.actor is not None:
        choice = ask(match, state, seats[state.actor]) if len(state.legal) > 1 else 0
        state = state.play(state.legal[choice])
    return state


def ask(match: Match, state: State, tables: Tables) -> int:
    """Send a turn as bytes, and read the answer."""
    turn = turn_of(trick_view(state, state.actor), match)
    frame = Frame.FromString(Frame(turns=[turn]).SerializeToString())
    sent: list[Answers] = []
    tables.answer(frame, Pieces(sent.append))
    (answers,) = sent
    return answers.choices[0]
