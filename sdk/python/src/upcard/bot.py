"""What a bot's author writes: a class that is asked for decisions."""

from random import Random
from typing import TYPE_CHECKING, NoReturn, TypeVar

from upcard.cards import Action, Rules, Seat
from upcard.errors import MissingMethod
from upcard.euchre import EuchreView
from upcard.recycle_view import RecycleRules, RecycleView
from upcard.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

_Kind = TypeVar("_Kind", bound="Bot")


class Bot:
    """A player for one match: a new object is created for every table, at its first decision.

    Write `choose`, or `bid`, `discard` and `play` (whist needs only `play`, a game described in
    RECYCLE only `act`). What you keep in the object is its memory of the match; `__init__`, if you
    write one, takes no arguments.
    """

    seat: Seat
    """Your seat, the same for the whole match; in a game described in RECYCLE from 0 to 7."""
    rules: Rules
    """The rules at the table; a `RecycleRules` in a game described in RECYCLE."""
    random: Random
    """Draw from nothing else, and the same match played again goes the same way."""

    def choose(self, view: View, legal: tuple[Action, ...], /) -> Action:
        """Return one of the legal actions; asks the method for what is due if not overridden.

        In a game described in RECYCLE `view` is a `RecycleView`, and `legal` the texts of moves.
        """
        decide: Callable[[View, tuple[Action, ...]], Action] = getattr(self, _METHODS[view.phase])
        return decide(view, legal)

    def bid(self, view: EuchreView, legal: tuple[Action, ...], /) -> Action:  # noqa: ARG002 (there is none)
        """Return a call: euchre's ``"pass"``, ``"order_up"``, ``"name:S"`` and so on."""
        self._miss("bid")

    def discard(self, view: EuchreView, legal: tuple[Action, ...], /) -> Action:  # noqa: ARG002 (nor here)
        """Return what to lay away after taking the upcard: ``"discard:9H"``."""
        self._miss("discard")

    def play(self, view: View, legal: tuple[Action, ...], /) -> Action:  # noqa: ARG002 (nor here)
        """Return the card to play: ``"play:JD"``."""
        self._miss("play")

    def act(self, view: RecycleView, legal: tuple[Action, ...], /) -> Action:  # noqa: ARG002 (nor here)
        """Return the text of a move, in a game described in RECYCLE."""
        self._miss("act")

    def _miss(self, method: str) -> NoReturn:
        raise MissingMethod(
            f"{type(self).__name__} cannot decide: write {method}(self, view, legal) for this, "
            "or choose(self, view, legal) for everything"
        )


_METHODS = {"bidding": "bid", "discarding": "discard", "playing": "play", "acting": "act"}


def create_bot(kind: type[_Kind], seat: Seat, rules: "Rules | RecycleRules", seed: int) -> _Kind:
    """Create the bot of a table; it knows where it sits before its own `__init__` runs."""
    bot = kind.__new__(kind)
    bot.seat = seat
    bot.rules = rules  # type: ignore[assignment]  # a bot knows which games it plays
    bot.random = Random(seed)  # noqa: S311 (it keeps no secret)
    kind.__init__(bot)
    return bot
