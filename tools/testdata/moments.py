"""Decisions of matches that are played by chance, as the seat that is to act sees them."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.arena.limits import Terms
from referee.engine.cards import Action
from referee.engine.game import Game, State
from referee.engine.match import Match
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import preset
from referee.rpc.codec import encode_turn, encode_welcome
from upcard.v1.referee_pb2 import PlayResponse

from .chance import Chance

TABLES = (1, 128, 65_536, 270_544_960, 3_735_928_559, 4_294_967_295)
"""Of every size: most of them do not fit into a signed number of as many bits."""


class DueDecision(NamedTuple):
    """A decision that is due."""

    match: Match
    state: State
    turn_id: int
    table_id: int
    time_left_ms: int

    @property
    def game(self) -> Game:
        """The game, with its rules."""
        return self.match.game

    def turn(self) -> bytes:
        """Write the turn as the referee does."""
        time_left = self.time_left_ms / 1000
        return encode_turn(self.turn_id, self.table_id, time_left, self.match, self.state)

    def welcome(self) -> bytes:
        """Write what the bot in this seat was received with."""
        assert self.state.actor is not None
        response = encode_welcome(Terms(self.game), self.state.actor, tables=256)
        return PlayResponse.FromString(response).welcome.SerializeToString()


def moments(name: str, rules: Mapping[str, object], number: int) -> Iterator[DueDecision]:
    """Play a match of a game by chance; give each decision."""
    chance = Chance(number)
    dealt = SeededDeal(bytes(32), f"{name} {number}")
    sheet = Scoresheet(preset(name).game(rules), number % 4, dealt)
    turn_id = 0
    while sheet.state.actor is not None:
        turn_id += 1 + chance.below(3)
        time_left_ms = 500 * chance.below(9)
        table_id = TABLES[number % len(TABLES)]
        yield DueDecision(sheet.match, sheet.state.copy(), turn_id, table_id, time_left_ms)
        sheet.play(_choose(sheet.state.legal, chance))


def _choose(legal: tuple[Action, ...], chance: Chance) -> Action:
    """Pass more often than not, so that the second round is reached and the dealer is stuck."""
    return legal[0] if legal[0] == "pass" and chance.below(5) else chance.choose(legal)
