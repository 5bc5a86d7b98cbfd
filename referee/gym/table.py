"""A match in this process, with bots of the SDK in some of the seats."""

from collections.abc import Mapping
from operator import sub

from referee.engine.cards import Action, Seat
from referee.engine.dealing import table_seed
from referee.engine.game import State
from referee.engine.match import Match
from referee.engine.record import Scoresheet, SeededDeal
from referee.rpc.seat_views import SeatViews
from upcard import Bot, View
from upcard.answering import index_of
from upcard.bot import create_bot


class Table:
    """A match, or its first hands, that stops wherever a seat without a bot has to decide.

    As in a league, a move that leaves no choice is made without asking.
    """

    def __init__(
        self,
        views: SeatViews,
        first_dealer: Seat,
        dealt: SeededDeal,
        bots: Mapping[Seat, type[Bot]],
        hands: int | None = None,
    ) -> None:
        """Deal, and play on to the first decision.

        Args:
            views: what the seats of the game are told.
            first_dealer: who deals first.
            dealt: where the decks come from, and what the bots draw on.
            bots: who plays for some of the seats.
            hands: after how many it ends, if the match is not over before.

        Raises:
            IllegalChoice: a bot returned what is not legal.
        """
        self._views = views
        self._bots = {
            seat: create_bot(kind, seat, views.rules(seat), table_seed(*dealt, seat))
            for seat, kind in bots.items()
        }
        self._hands = hands
        self._asked = 0
        self._sheet = Scoresheet(views.game, first_dealer, dealt)
        self._shown = self._position()
        self._play_on()

    @property
    def over(self) -> bool:
        """Whether nothing more is played."""
        match = self._sheet.match
        return match.over or match.hand == self._hands

    @property
    def score(self) -> tuple[int, ...]:
        """The points of each side."""
        return self._sheet.match.score

    @property
    def actor(self) -> Seat | None:
        """Who has to decide; None when it is over."""
        return None if self.over else self._sheet.state.actor

    def view(self, seat: Seat) -> View:
        """Return what a seat sees now; when it is over, what it saw before the last action."""
        view = self._views.view(*self._shown, seat, self._asked)
        assert isinstance(view, View)
        return view

    def play(self, action: Action) -> tuple[int, ...]:
        """Play an action, and then on to the next decision; return what each side scored.

        Raises:
            IllegalAction: it is not allowed now.
            IllegalChoice: a bot returned what is not legal.
        """
        before = self.score
        self._step(action)
        self._play_on()
        return tuple(map(sub, self.score, before))

    def _play_on(self) -> None:
        while not self.over and (action := self._made()) is not None:
            self._step(action)

    def _made(self) -> Action | None:
        """Return the action if there is no other, or if a bot decides."""
        seat, legal = self._sheet.state.actor, self._sheet.state.legal
        if len(legal) == 1:
            return legal[0]
        assert seat is not None
        self._asked += 1
        bot = self._bots.get(seat)
        if bot is None:
            return None
        view = self.view(seat)
        return legal[index_of(bot.choose(view, view.legal), view.legal)]

    def _step(self, action: Action) -> None:
        self._sheet.play(action)
        if not self.over:
            self._shown = self._position()

    def _position(self) -> tuple[Match, State]:
        # A copy, for the state itself is spent by the next action.
        return self._sheet.match, self._sheet.state.copy()
