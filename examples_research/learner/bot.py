"""Plays euchre by what `learn.py` learnt; it needs no NumPy, which sandboxes may not have."""

import json
from pathlib import Path

import upcard
from upcard.encoding import EUCHRE_V0

WEIGHTS = Path(__file__).with_name("weights.json")

Numbers = list[float]


class Learner(upcard.Bot):
    """Take the action that seems worth most."""

    weights: tuple[list[Numbers], Numbers, list[Numbers], Numbers]
    """From the inputs to the hidden layer, its bias, from there to the actions, and theirs."""

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Ask the network."""
        worth = self.worth(EUCHRE_V0.observe(view))
        return max(legal, key=lambda action: worth[EUCHRE_V0.number(action)])

    def worth(self, observation: bytes | bytearray) -> Numbers:
        """Return what each action is worth."""
        first, first_bias, second, second_bias = self.weights
        # Most bytes are 0, and the score at the end of an observation has no weights.
        seen = [weights for byte, weights in zip(observation, first, strict=False) if byte]
        hidden = [max(0.0, sum(column)) for column in zip(first_bias, *seen, strict=True)]
        return [
            bias + sum(map(float.__mul__, hidden, column))
            for bias, column in zip(second_bias, zip(*second, strict=True), strict=True)
        ]


if __name__ == "__main__":
    if not WEIGHTS.exists():
        raise SystemExit("there is no weights.json yet; learn.py writes a bot that has them")
    Learner.weights = json.loads(WEIGHTS.read_text())
    upcard.run(Learner)
