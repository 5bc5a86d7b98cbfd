"""What random play finds of a game, for its page: computed once, in the background."""

from collections.abc import Callable
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
"""After so many hands, or so many seconds, no further match begins."""
_LONGEST: Final = 10.0
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


class GameStatistics:
    """The statistics of the games that pages were asked for."""

    def __init__(self, *, at_once: bool = False, clock: Callable[[], float] = monotonic) -> None:
        """Compute nothing yet.

        Args:
            at_once: have whoever asks wait for the statistics, as when a site is written.
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

    def _compute(self, game: Game) -> Statistics | None:
        try:
            with self._computing:
                found = _statistics(game, self._clock)
        except Exception:
            with self._lock:
                self._found.pop(game, None)  # so that the next reader has it tried again
            _LOG.exception("the statistics of %s cannot be computed", game.title)
            if self._at_once:
                raise
            return None
        with self._lock:
            self._found[game] = found
        return found


def _one_hand(game: Game) -> Game:
    """Return a game whose matches have one hand, if it has any number: so each is short."""
    if isinstance(game, Recycle):
        return Recycle(game.rules._replace(hands=1))
    return game


def _statistics(game: Game, clock: Callable[[], float]) -> Statistics:
    summary, failure, ends = Summary(game, len(game.seats) - 1, SEED), None, clock() + _LONGEST
    try:
        for _ in simulate(summary, _HANDS):
            if summary.decisions_a_hand.count >= _HANDS or clock() > ends:
                break
    except UpcardError as error:
        failure = str(error)
    return Statistics(summary, _graph(game), failure)


def _graph(game: Game) -> str | None:
    if not isinstance(game, Recycle):
        return None
    try:
        found = movements(game.program, SEED)
    except UpcardError as error:
        _LOG.warning("how the cards of %s move cannot be drawn: %s", game.title, error)
        return None
    return draw(found, game.title, "how the cards move in one hand of random play")
