"""Decides the turns of a frame, without the network: frames in, answers out."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple

from upcard import euchre, recycle_view, whist
from upcard.bot import Bot, create_bot
from upcard.cards import Action, Rules, Seat
from upcard.errors import IllegalChoice, NotKnown
from upcard.logs import deciding
from upcard.pieces import Pieces
from upcard.recycle_view import RecycleRules, RecycleView
from upcard.v1.referee_pb2 import Frame, Turn, Welcome
from upcard.view import View

Chooser = Callable[[Any, tuple[Action, ...]], Action]
"""A bot's own way to decide."""

_MOST_LISTED: Final = 100
"""Legal actions that an error lists."""


class GameReader(NamedTuple):
    """How to read the turns of a game."""

    field: str
    """Where a turn has its view, and a welcome its rules."""
    view: Callable[..., View | RecycleView]
    legal: Callable[[Any], tuple[Action, ...]]
    rules: Callable[[Any], Rules | RecycleRules]


_GAMES: Final = {
    game.field: game
    for game in (
        GameReader("euchre", euchre.EuchreView, euchre.legal_actions, euchre.rules_of),
        GameReader("whist", whist.WhistView, whist.legal_actions, whist.rules_of),
        GameReader("recycle", RecycleView, recycle_view.legal_actions, recycle_view.rules_of),
    )
}


class Seated:
    """What a welcome says: the game, its rules and the seat; and so how turns are read."""

    def __init__(self, welcome: Welcome) -> None:
        """Read the welcome."""
        self.game: GameReader = _game(welcome)
        self.rules: Rules | RecycleRules = self.game.rules(getattr(welcome, self.game.field))
        self.seat: Seat = (welcome.recycle.seat or welcome.seat) - 1

    def view(self, turn: Turn) -> View | RecycleView:
        """Return the view of a turn."""
        message = getattr(turn, self.game.field)
        return self.game.view(turn, message, self.game.legal(message), self.rules)


class Tables:
    """The tables at which a bot plays, with a `Bot` of its own for each."""

    def __init__(self, kind: type[Bot], welcome: Welcome) -> None:
        """Read the game, its rules and the seat from the welcome."""
        self._kind = kind
        self._seated = Seated(welcome)
        self._choosers: dict[int, Chooser] = {}

    def answer(self, frame: Frame, pieces: Pieces) -> None:
        """Answer every turn of a frame; if a decision fails, those before it are sent."""
        for table in frame.opened:
            # The numbers, not the message, which would keep all of its frame in memory.
            first = partial(self._choose_first, table.table_id, table.seed)
            self._choosers[table.table_id] = first
        if frame.turns:
            pieces.begin(len(frame.turns))
            try:
                self._decide(frame.turns, pieces)
            finally:
                pieces.end()
        for closed in frame.closed:
            self._choosers.pop(closed.table_id, None)

    def situation(self) -> str:
        """Return what is being decided, in one line of text."""
        turn = deciding.get()
        if turn is None:
            return "no decision was due"
        view = self._seated.view(turn)
        return f"{view}, legal {_listed(view.legal)}"

    def _choose_first(
        self,
        table: int,
        seed: int,
        view: Any,  # noqa: ANN401 (of the game that is played)
        legal: tuple[Action, ...],
    ) -> Action:
        """Create the bot of a table and ask it: only when it is due, as many may open at once."""
        bot = create_bot(self._kind, self._seated.seat, self._seated.rules, seed)
        self._choosers[table] = bot.choose
        return bot.choose(view, legal)

    def _decide(self, turns: Iterable[Turn], pieces: Pieces) -> None:
        # This loop is all that the SDK costs in a large frame, so its names are local.
        field, view_of, legal_actions, _ = self._seated.game
        choosers, rules, clock = self._choosers, self._seated.rules, pieces.clock
        now_deciding = deciding.set
        turn_ids, choices = pieces.turn_ids, pieces.choices
        for turn in turns:
            message = getattr(turn, field)
            try:
                legal = legal_actions(message)
            except KeyError:
                legal = ()
            if not legal:
                now_deciding(None)
                raise NotKnown(f"turn {turn.turn_id} at table {turn.table_id} offers an action")
            now_deciding(turn)
            choice = choosers[turn.table_id](view_of(turn, message, legal, rules), legal)
            place = index_of(choice, legal)
            turn_ids.append(turn.turn_id)
            choices.append(place)
            if clock() >= pieces.due:
                pieces.send()
        now_deciding(None)


def _game(welcome: Welcome) -> GameReader:
    game = _GAMES.get(welcome.WhichOneof("rules") or "")
    if game is None:
        raise NotKnown("the referee plays a game")
    return game


def index_of(choice: Action, legal: tuple[Action, ...]) -> int:
    """Return the place of a bot's choice among the legal actions.

    Raises:
        IllegalChoice: it is none of them.
    """
    try:
        return legal.index(choice)
    except ValueError:
        message = f"the bot returned {choice!r:.80}; legal here: {_listed(legal)}"
        raise IllegalChoice(message) from None


def _listed(legal: tuple[Action, ...]) -> str:
    """List actions; moves in words have spaces inside, and there may be thousands."""
    more = f" and {len(legal) - _MOST_LISTED} more" if len(legal) > _MOST_LISTED else ""
    between = "; " if any(" " in action for action in legal) else " "
    return between.join(legal[:_MOST_LISTED]) + more
