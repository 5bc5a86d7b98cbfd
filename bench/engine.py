"""How fast the rules are: against OpenSpiel's euchre, and our own ways of playing to one another.

Every contender plays random hands, dealing included, and costs so much CPU time a decision. The
figures are ratios of two costs, because a machine that is shared or saves power runs at changing
speeds. So the contenders take turns in short rounds, each rotation gives a ratio whose two costs
were taken a moment apart, and the median over the rotations counts. (The ratio of the least costs
is thrown by one fast moment that only one contender met; when tried, it spread twice as far.) No
hand is played twice, as in a league: hands seen before would find our tables in the cache.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from typing import Any

from figures import Row, as_json, as_table

from referee.engine.game import Game
from referee.engine.registry import preset

ROTATIONS = 61
HANDS = 500
"""In a round."""
DEALT = 22
"""OpenSpiel's chance nodes before the first decision: who deals, twenty cards, the upcard."""

Contender = Callable[[int, Random], int]
"""Plays the hand of a number, choosing at random; gives how many decisions there were."""
OpenSpiel = Any
"""It comes without types."""


def played(game: Game) -> Contender:
    """Play as the match runner does."""
    deck_of = game.decks(bytes(32), "bench")

    def play_hand(hand: int, rng: Random) -> int:
        random = rng.random
        decisions = 0
        state = game.start(deck_of(hand), hand % 4)
        while state.actor is not None:
            legal = state.legal
            state = state.play(legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return play_hand


def applied(game: Game) -> Contender:
    """Play with a new state for each decision, and the old one left as it was."""
    deck_of = game.decks(bytes(32), "bench")

    def play_hand(hand: int, rng: Random) -> int:
        random = rng.random
        decisions = 0
        state = game.start(deck_of(hand), hand % 4)
        while state.actor is not None:
            legal = state.legal
            state = state.apply(legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return play_hand


def openspiel(game: OpenSpiel) -> Contender:
    """Play with OpenSpiel by the same loop, which deals too: every deal is as likely."""

    def play_hand(hand: int, rng: Random) -> int:  # noqa: ARG001 (it deals its own)
        random = rng.random
        actions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            actions += 1
        return actions - DEALT

    return play_hand


def openspiel_lean(game: OpenSpiel) -> Contender:
    """Play with OpenSpiel in the fewest and cheapest calls: no outcome listed, no end asked for."""
    cards = range(24)

    def play_hand(hand: int, rng: Random) -> int:
        random = rng.random
        decisions = 0
        state = game.new_initial_state()
        legal_actions, apply_action = state.legal_actions, state.apply_action
        apply_action(hand % 4)
        for card in rng.sample(cards, 21):
            apply_action(card)
        while legal := legal_actions():
            apply_action(legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return play_hand


def openspiel_documented(game: OpenSpiel) -> Contender:
    """Play with OpenSpiel as its documentation does, each chance outcome with its probability."""

    def play_hand(hand: int, rng: Random) -> int:  # noqa: ARG001 (it deals its own)
        random = rng.random
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_drawn(state.chance_outcomes(), random()))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
                decisions += 1
        return decisions

    return play_hand


def _drawn(outcomes: Sequence[tuple[int, float]], uniform: float) -> int:
    for outcome, probability in outcomes:
        uniform -= probability
        if uniform < 0:
            return outcome
    return outcomes[-1][0]


def measure(pyspiel: OpenSpiel) -> list[Row]:
    """Play all rounds."""
    euchre = preset("euchre").game()
    theirs = pyspiel.load_game("euchre(stick_the_dealer=true)")
    ours, applying, whist, natural, lean, documented = zip(
        *rotations(
            played(euchre),
            applied(euchre),
            played(preset("whist").game()),
            openspiel(theirs),
            openspiel_lean(theirs),
            openspiel_documented(theirs),
        ),
        strict=True,
    )
    against = "euchre decisions per second, deal included, against OpenSpiel's euchre"
    return [
        Row(f"{against} driven from Python", _ratio(natural, ours), "at_least", 1.5),
        Row(f"{against} driven as leanly as we know how", _ratio(lean, ours), "at_least", 0.9),
        Row(f"{against} driven as documented", _ratio(documented, ours), "at_least", 1.5),
        Row("whist decision against euchre decision (cost)", _ratio(whist, ours), "at_most", 1.5),
        Row("pure `apply` against in-place `play` (cost)", _ratio(applying, ours), "at_most", 6.0),
    ]


def rotations(*contenders: Contender) -> list[list[float]]:
    """Play a round of each in turn, again and again; return the CPU time a decision of each."""
    return [
        [cost(contender, range(turn * HANDS, (turn + 1) * HANDS)) for contender in contenders]
        for turn in range(ROTATIONS)
    ]


def cost(contender: Contender, hands: range) -> float:
    """Return the CPU time a decision."""
    rng = Random(hands.start)
    start = process_time()
    decisions = sum(contender(hand, rng) for hand in hands)
    return (process_time() - start) / decisions


def _ratio(these: Sequence[float], those: Sequence[float]) -> float:
    return median(this / that for this, that in zip(these, those, strict=True))


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure the rules engine, in ratios.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    try:
        pyspiel = import_module("pyspiel")
    except ModuleNotFoundError:
        sys.stderr.write("needs OpenSpiel; get it with: pip install -e '.[openspiel]'\n")
        return 2
    rows = measure(pyspiel)
    sys.stdout.write((as_json(rows) if wanted.json else as_table(rows)) + "\n")
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
