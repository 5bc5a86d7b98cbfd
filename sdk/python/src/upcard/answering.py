"""A bot's side of the conversation without the network: frames in, answers out."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from upcard import euchre, whist
from upcard.bot import Bot, seated
from upcard.cards import Action, Rules
from upcard.errors import IllegalChoice, NotKnown
from upcard.telling import deciding
from upcard.v1.referee_pb2 import Answers, Frame, Turn, Welcome
from upcard.view import View

PIECE_SECONDS: Final = 0.1
"""What is answered is sent at the latest so long after what was sent before."""


Chooser = Callable[[View, tuple[Action, ...]], Action]
"""A bot's own way to decide."""


class Game(NamedTuple):
    """How to read the turns of a game."""

    field: str
    """Where a turn has its view, and a welcome its rules."""
    view: type[View]
    legal: Callable[[Any], tuple[Action, ...]]
    rules: Callable[[Any], Rules]


_GAMES: Final = {
    game.field: game
    for game in (
        Game("euchre", euchre.EuchreView, euchre.legal_actions, euchre.rules_of),
        Game("whist", whist.WhistView, whist.legal_actions, whist.rules_of),
    )
}


class Tables:
    """The tables a bot sits at, with a bot of its own for each."""

    def __init__(
        self, kind: type[Bot], welcome: Welcome, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Learn the game, its rules and the seat."""
        self._kind = kind
        self._game = _game(welcome)
        self._rules = self._game.rules(getattr(welcome, self._game.field))
        self._seat = welcome.seat - 1
        self._clock = clock
        self._choosers: dict[int, Chooser] = {}

    def answers(self, frame: Frame) -> Iterator[Answers]:
        """Answer every turn of a frame, in one piece or, if that takes long, in several."""
        for table in frame.opened:
            # The numbers, not the message, which would keep all of its frame.
            first = partial(self._sit_down, table.table_id, table.seed)
            self._choosers[table.table_id] = first
        yield from self._decide(frame.turns)
        for closed in frame.closed:
            self._choosers.pop(closed.table_id, None)

    def situation(self) -> str:
        """Tell what is being decided, in a line."""
        turn = deciding.get()
        if turn is None:
            return "no decision was due"
        message = getattr(turn, self._game.field)
        legal = self._game.legal(message)
        return f"{self._game.view(turn, message, legal, self._rules)}, legal {' '.join(legal)}"

    def _sit_down(self, table: int, seed: int, view: View, legal: tuple[Action, ...]) -> Action:
        """Make the bot of a table and ask it: only when it is due, as many may open at once."""
        bot = seated(self._kind, self._seat, self._rules, seed)
        self._choosers[table] = bot.choose
        return bot.choose(view, legal)

    def _decide(self, turns: Iterable[Turn]) -> Iterator[Answers]:
        # This loop is all that the SDK costs in a large frame, so its names are local.
        field, view_of, legal_actions, _ = self._game
        choosers, rules, clock = self._choosers, self._rules, self._clock
        now_deciding = deciding.set
        turn_ids: list[int] = []
        choices: list[int] = []
        due = clock() + PIECE_SECONDS
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
            try:
                choices.append(legal.index(choice))
            except ValueError:
                raise _illegal(choice, legal) from None
            turn_ids.append(turn.turn_id)
            if clock() >= due:
                yield Answers(turn_ids=turn_ids, choices=choices)
                turn_ids, choices = [], []
                due = clock() + PIECE_SECONDS
        now_deciding(None)
        if turn_ids:
            yield Answers(turn_ids=turn_ids, choices=choices)


def _game(welcome: Welcome) -> Game:
    game = _GAMES.get(welcome.WhichOneof("rules") or "")
    if game is None:
        raise NotKnown("the referee plays a game")
    return game


def _illegal(choice: object, legal: tuple[Action, ...]) -> IllegalChoice:
    return IllegalChoice(f"the bot returned {choice!r:.80}; legal here: {' '.join(legal)}")
