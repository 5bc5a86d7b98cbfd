"""What random play finds of a game, for its page: computed once, in the background."""

from collections.abc import Callable
from functools import partial
from logging import getLogger
from threading import Lock, Thread
from time import monotonic
from typing import Final, NamedTuple

from referee.engine.game import Game
from referee.engine.recycle import Recycle
from referee.errors import UpcardError
from referee.rollouts.drawing import draw
from referee.rollouts.movements import movements
from referee.simulation import Summary, simulate

SEED: Final = bytes(32)
"""Of all random play for pages, so that everybody sees the same."""
_HANDS: Final = 1000
"""After so many hands no further match begins."""
_LONGEST: Final = 10.0
"""After so many seconds random play ends; the hand that is drawn has half of them."""
_MOST_GAMES: Final = 64
"""How many are kept; the one that was asked for first is dropped first."""
_LOG: Final = getLogger("uvicorn.error")
"""The log that the organiser reads."""


class Statistics(NamedTuple):
    """What random play found of a game."""

    summary: Summary
    graph: str | None
    """How its cards move, as SVG; only a program tells that."""
    failure: str | None
    """Why not all of it could be played."""
    undrawn: str | None = None
    """Why there is no drawing of a program."""


class _TimeUp(Exception):
    """Random play has taken as long as it may."""


class GameStatistics:
    """The statistics of the games that pages were asked for."""

    def __init__(self, *, at_once: bool = False, clock: Callable[[], float] = monotonic) -> None:
        """Compute nothing yet.

        Args:
            at_once: compute the statistics in the call itself, as when a site is written.
            clock: returns the time in seconds.
        """
        self._at_once = at_once
        self._clock = clock
        self._lock = Lock()
        self._computing = Lock()
        """One game at a time, so that the pages stay fast."""
        self._found: dict[Game, Statistics | None] = {}
        """None while they are being computed."""

    def of(self, game: Game) -> Statistics | None:
        """Return the statistics of a game; None as long as they are being computed."""
        game = _one_hand(game)
        with self._lock:
            if game in self._found:
                return self._found[game]
            while len(self._found) >= _MOST_GAMES:
                del self._found[next(iter(self._found))]
            self._found[game] = None
        if self._at_once:
            return self._compute(game)
        Thread(target=self._compute, args=(game,), daemon=True).start()
        return None

    def _compute(self, game: Game) -> Statistics:
        try:
            with self._computing:
                found = compute(game, self._clock)
        except Exception:  # noqa: BLE001 (logged)
            # It is not tried again: whatever is wrong, each reader would set it going.
            _LOG.exception("the statistics of %s cannot be computed", game.title)
            found = Statistics(_nothing(game), None, "it cannot be played at random")
        with self._lock:
            self._found[game] = found
        return found


def _one_hand(game: Game) -> Game:
    """Return a game whose matches have one hand, if it has any number: so each is short."""
    if isinstance(game, Recycle):
        return Recycle(game.rules._replace(hands=1))
    return game


def _nothing(game: Game) -> Summary:
    return Summary(game, len(game.seats) - 1, SEED)


def compute(game: Game, clock: Callable[[], float]) -> Statistics:
    """Play a game at random, as often as the time allows."""
    begin = clock()
    graph, undrawn = _graph(game, partial(_look, clock, begin + _LONGEST / 2))
    summary, failure = _nothing(game), None
    try:
        for _ in simulate(summary, _HANDS, partial(_look, clock, begin + _LONGEST)):
            if summary.decisions_a_hand.count >= _HANDS:
                break
    except _TimeUp:
        if not summary.decisions_a_hand.count:
            failure = f"no hand of random play was over within {_LONGEST:.0f} seconds"
    except UpcardError as error:
        failure = str(error)
    return Statistics(summary, graph, failure, undrawn)


def _look(clock: Callable[[], float], end: float) -> None:
    """Look at the clock, as before each decision: one hand of a program may take minutes.

    Raises:
        _TimeUp: it is time to end.
    """
    if clock() > end:
        raise _TimeUp


def _graph(game: Game, look: Callable[[], None]) -> tuple[str | None, str | None]:
    """Return the drawing of a game, or why there is none."""
    if not isinstance(game, Recycle):
        return None, None
    try:
        found = movements(game.program, SEED, before=look)
    except _TimeUp:
        return None, f"a hand of random play was not over within {_LONGEST / 2:.0f} seconds"
    except UpcardError as error:
        _LOG.warning("how the cards of %s move cannot be drawn: %s", game.title, error)
        return None, str(error)
    return draw(found, game.title, "how the cards move in one hand of random play"), None
