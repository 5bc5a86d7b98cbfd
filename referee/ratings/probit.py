"""The normal distribution as far out as a rating can drive it, without losing digits."""

from math import erfc, log, pi, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]

_LOG_ROOT: Final = log(2 * pi) / 2
_FAR: Final = -30.0
"""From here on down `erfc` comes close to the smallest number there is."""
_DEPTH: Final = 12
"""Of the continued fraction; at `_FAR` and beyond that is every digit."""


def log_density(x: Numbers) -> Numbers:
    """Return the logarithm of the density at `x`."""
    return -x * x / 2 - _LOG_ROOT


def log_chance(x: Numbers) -> Numbers:
    """Return the logarithm of the chance of falling below `x`."""
    near = np.maximum(x, _FAR)
    found = np.log(np.array([erfc(value) for value in near / -sqrt(2)]) / 2)
    far = x < _FAR
    if far.any():
        found[far] = log_density(x[far]) - np.log(_fraction(-x[far]))
    return found


def _fraction(x: Numbers) -> Numbers:
    """Return density over chance, by Laplace's continued fraction."""
    value = x.copy()
    for term in range(_DEPTH, 0, -1):
        value = x + term / value
    return value


def hazard(x: Numbers) -> Numbers:
    """Return the slope of `log_chance`: density over chance."""
    return np.exp(log_density(x) - log_chance(x))


def chance(x: float) -> float:
    """Return the chance of falling below `x`."""
    return erfc(-x / sqrt(2)) / 2
