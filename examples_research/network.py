"""A network with one hidden layer that says what each action of euchre is worth, in points."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.encoding import EUCHRE_V0

Array = npt.NDArray[Any]

INPUTS = EUCHRE_V0.where["points"].start
"""How many bytes of an observation it sees: not the score, which is the same in all lessons."""
HIDDEN = 64
_MEAN, _SQUARE = 0.1, 0.001
"""How fast Adam forgets earlier gradients, and their squares."""


class Weights:
    """An array that learns by Adam."""

    def __init__(self, values: Array) -> None:
        """Take the values it begins with."""
        self.values = values
        self._mean = np.zeros_like(values)
        self._square = np.zeros_like(values)
        self._steps = 0

    def move(self, gradient: Array, step: float) -> None:
        """Move against a gradient."""
        self._steps += 1
        self._mean += _MEAN * (gradient - self._mean)
        self._square += _SQUARE * (gradient**2 - self._square)
        mean = self._mean / (1 - (1 - _MEAN) ** self._steps)
        square = self._square / (1 - (1 - _SQUARE) ** self._steps)
        self.values -= step * mean / (np.sqrt(square) + 1e-8)


class Network:
    """What each action is worth, given an observation."""

    def __init__(self, random: np.random.Generator) -> None:
        """Begin with small weights, drawn at random."""
        actions = len(EUCHRE_V0.actions)
        self._first = Weights(random.normal(0, INPUTS**-0.5, (INPUTS, HIDDEN)))
        self._first_bias = Weights(np.zeros(HIDDEN))
        self._second = Weights(random.normal(0, 0.1 * HIDDEN**-0.5, (HIDDEN, actions)))
        self._second_bias = Weights(np.zeros(actions))

    def worth(self, observations: Array) -> Array:
        """Return what each action is worth, for an observation or for each of many."""
        return self._from_hidden(self._hidden(observations))

    def learn(self, observations: Array, actions: Array, brought: Array, step: float) -> None:
        """Move what some actions are worth towards what they brought."""
        hidden = self._hidden(observations)
        worth = self._from_hidden(hidden)
        rows = np.arange(len(actions))
        error = np.zeros_like(worth)
        error[rows, actions] = (worth[rows, actions] - brought) / len(actions)
        back = (error @ self._second.values.T) * (hidden > 0)
        self._second.move(hidden.T @ error, step)
        self._second_bias.move(error.sum(0), step)
        self._first.move(observations[:, :INPUTS].T @ back, step)
        self._first_bias.move(back.sum(0), step)

    def write(self, path: Path) -> None:
        """Write the weights for the bot."""
        layers = self._first, self._first_bias, self._second, self._second_bias
        path.write_text(json.dumps([np.round(each.values, 4).tolist() for each in layers]))

    def _hidden(self, observations: Array) -> Array:
        inputs = observations[..., :INPUTS]
        hidden: Array = np.maximum(inputs @ self._first.values + self._first_bias.values, 0)
        return hidden

    def _from_hidden(self, hidden: Array) -> Array:
        worth: Array = hidden @ self._second.values + self._second_bias.values
        return worth
