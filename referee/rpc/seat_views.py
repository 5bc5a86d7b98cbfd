"""Views of a match as bots get them in play, for those who let bots decide in this process.

A view is written by the codec, read by the SDK's own message, and shown by the SDK's own view. So
nothing of it can differ from what a bot in a league sees.
"""

from referee.arena.limits import Terms
from referee.engine.cards import Seat
from referee.engine.game import Game, State
from referee.engine.match import Match
from referee.rpc.codec import encode_view, encode_welcome
from upcard import RecycleRules, RecycleView, Rules, View
from upcard.answering import Seated
from upcard.v1.referee_pb2 import PlayResponse, Turn


class SeatViews:
    """What each seat of a game is told."""

    def __init__(self, game: Game) -> None:
        """Welcome every seat."""
        self.game = game
        self._seats = [_seated(game, seat) for seat in range(len(game.seats))]

    def rules(self, seat: Seat) -> Rules | RecycleRules:
        """Return the rules as the bot in a seat is told them."""
        return self._seats[seat].rules

    def view(self, match: Match, state: State, seat: Seat, turn: int = 0) -> View | RecycleView:
        """Return what a seat sees of a hand in play, whether or not it is to act.

        Args:
            match: where the match stood before the hand.
            state: the hand.
            seat: whose view it is.
            turn: the number of the decision.
        """
        said = Turn(turn_id=turn)
        said.MergeFromString(encode_view(match, state.view(seat)))
        return self._seats[seat].view(said)


def _seated(game: Game, seat: Seat) -> Seated:
    said = PlayResponse.FromString(encode_welcome(Terms(game), seat, tables=1))
    return Seated(said.welcome)
