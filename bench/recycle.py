"""How fast a game described in RECYCLE is: euchre from its program, against the engine's own.

Both are the same game: the example `euchre` offers the same choices at every decision. So the hands
that each plays at random are compared, and then leagues of two bots that play at random, whose
matches have as many hands. A shared machine changes its speed from second to second, so contenders
take turns, and each figure is the median of ratios taken one right after the other.
"""

import argparse
import ctypes
import os
import sys
from random import Random
from statistics import mean, median
from typing import Final

from engine import HANDS, played, rotations
from figures import Row, as_json, as_table
from league import SEED, play

from referee.engine.cards import Action
from referee.engine.game import Game, State
from referee.engine.record import SeededDeal, play_match
from referee.engine.registry import preset
from referee.game_files import find_game

ROUNDS: Final = 5
MATCHES: Final = 300
"""Of random play, from which the hands of a match are counted."""
_SUBREAPER: Final = 36


def of_hands() -> list[Row]:
    """Measure hands at random, of both in turn."""
    euchre, program = played(preset("euchre").game()), played(find_game("euchre.rcy").game())
    own, described = zip(*rotations(euchre, program), strict=True)
    decisions = mean(euchre(hand, Random(hand)) for hand in range(HANDS))
    return [
        Row(
            "hands of euchre from its program, against the engine's own",
            median(this / that for this, that in zip(own, described, strict=True)),
            "at_least",
            0.08,
        ),
        Row(
            "thousands of hands of euchre from its program in a second of a core",
            1 / (1000 * decisions * median(described)),
            "at_least",
            1.0,
        ),
    ]


def of_leagues(core: int) -> Row:
    """Measure leagues, of both in turn."""
    euchre, program = preset("euchre").game(), find_game("euchre.rcy")
    hands = round(hands_a_match(euchre))
    ratios = []
    for _ in range(ROUNDS):
        one = play([core], euchre)
        other = play([core], program.game({"hands": hands}))
        ratios.append(one.going / other.going)
    name = f"matches of a league of {hands} such hands, against the engine's own"
    return Row(name, median(ratios), "at_least", 0.3)


def hands_a_match(game: Game) -> float:
    """Return how many hands a match of random play has on average."""
    draw = Random(0).random

    def choose(state: State) -> Action:
        return state.legal[int(draw() * len(state.legal))]

    deals = [SeededDeal(SEED, str(number)) for number in range(MATCHES)]
    return mean(len(play_match(game, 3, dealt, choose).hands) for dealt in deals)


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure games from RECYCLE, in ratios.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--hands", action="store_true", help="only hands: half a minute")
    wanted = parser.parse_args()
    # Bots are killed together with what started them; their processor time is for us to inherit.
    ctypes.CDLL(None).prctl(_SUBREAPER, 1)
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    rows = of_hands() if wanted.hands else [*of_hands(), of_leagues(core)]
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
