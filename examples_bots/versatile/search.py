"""Finds the best move by trying: worlds at random, and halves of the moves given up in turn.

In each round every move that is left is tried in the same worlds, so that luck is the same for all;
then the worse half is given up. Most tries go to the moves that are hard to tell apart.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

import upcard
from upcard import recycle

MOST_MOVES = 64
"""Of more moves than these, as many are drawn."""
LONGEST = 400
"""Decisions after which a try is given up, as if it had ended level."""
LEVEL = 0.5


class Luck:
    """The shuffles and other draws of a try."""

    def __init__(self, random: Random) -> None:
        """Draw from the bot's own numbers."""
        self._random = random

    def shuffle(self, k: int, n: int) -> Sequence[int]:  # noqa: ARG002 (each is new)
        """Return an order of `n` cards."""
        return self._random.sample(range(n), n)

    def below(self, k: int, n: int) -> int:  # noqa: ARG002 (each is new)
        """Return a number below `n`."""
        return self._random.randrange(n)


def best_move(view: upcard.RecycleView, random: Random, may_try: Callable[[], bool]) -> int:
    """Return the index of the move that did best until `may_try` said no."""
    program = _program(view.rules.program, view.rules.numbering)
    seen = view.seen(program)
    luck = Luck(random)
    moves = list(range(len(view.legal)))
    random.shuffle(moves)
    moves = moves[:MOST_MOVES]
    won = dict.fromkeys(moves, 0.0)
    tries = dict.fromkeys(moves, 0)

    def mean(move: int) -> float:
        return won[move] / tries[move] if tries[move] else 0.0

    worlds = 1
    while len(moves) > 1:
        for _ in range(worlds):
            try:
                world = recycle.world(program, seen, random.randrange, luck)
            except recycle.ProgramError:  # there is none, as far as chance can find one
                return max(moves, key=mean)
            for move in moves:
                if not may_try():
                    return max(moves, key=mean)
                won[move] += _outcome(world.copy(), move, view, program, random)
                tries[move] += 1
        moves.sort(key=mean, reverse=True)
        worlds += worlds
        if worlds > 4:
            moves = moves[: (len(moves) + 1) // 2]
    return moves[0]


def _outcome(
    position: recycle.Position,
    move: int,
    view: upcard.RecycleView,
    program: recycle.Program,
    random: Random,
) -> float:
    """Return how a try ends for us: from 0, behind all others, to 1; a wide lead adds a little."""
    try:
        position.play(move)
        for _ in range(LONGEST):
            if position.scores is not None:
                return _worth(position.scores, view, program)
            position.play(random.randrange(len(position.options)))
    except recycle.ProgramError:  # then the referee ends the hand as it stands
        position.stop()
        assert position.scores is not None
        return _worth(position.scores, view, program)
    return LEVEL


def _worth(scores: Sequence[int], view: upcard.RecycleView, program: recycle.Program) -> float:
    sign = -1 if program.lowest_wins else 1
    own = program.sides[view.player - 1]
    points = {side: sign * score for side, score in zip(program.sides, scores, strict=True)}
    leads = [points[own] - other for side, other in points.items() if side != own]
    ahead = sum((lead > 0) + LEVEL * (lead == 0) for lead in leads) / len(leads)
    lead = sum(leads) / len(leads)
    return ahead + 0.1 * lead / (1 + abs(lead))


@lru_cache(maxsize=4)
def _program(text: str, numbering: int) -> recycle.Program:
    return recycle.read(text, numbering)
