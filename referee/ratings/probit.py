"""The normal distribution as far out as a rating can drive it, without losing digits."""

from math import erfc, log, pi, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]

_LOG_ROOT: Final = log(2 * pi) / 2
_CENTRE: Final = 3.75
_SERIES: Final = (
    1.2375126308378275,
    -0.14024059858554697,
    0.0035854154854644293,
    0.0822767384901452,
    -0.10880393014174886,
    0.09230432116037748,
    -0.05869339858963677,
    0.028362277418956406,
    -0.009746579558029276,
    0.0017556258528952954,
    0.0002937136655913448,
    -0.0002901540805408417,
    5.164909889268241e-05,
    2.238423915508223e-05,
    -1.1444146237700524e-05,
    -9.73559896736775e-07,
    1.751637648849062e-06,
    -5.7218230603224086e-08,
    -2.5866850716155884e-07,
    2.3263508708859124e-08,
    3.8675334242222354e-08,
    -3.744210080962018e-09,
    -5.1739902140113095e-09,
    3.1114333809799254e-10,
    4.2514714447963895e-10,
)
"""Of `(1 + 2y) exp(y²) erfc(y)`, in powers of `(y - 3.75) / (y + 3.75)`: the form is Shepherd's and
Laframboise's; with these terms no digit of a number is lost."""
_BLOCK: Final = 16_384
"""So many numbers at a time stay in the processor's cache."""


def log_density(x: Numbers) -> Numbers:
    """Return the logarithm of the density at `x`."""
    return -x * x / 2 - _LOG_ROOT


def log_chance(x: Numbers) -> Numbers:
    """Return the logarithm of the chance of falling below `x`."""
    return _log_chance(x, _scaled(np.abs(x) / sqrt(2)))


def log_chance_and_slope(x: Numbers) -> tuple[Numbers, Numbers]:
    """Return `log_chance` and its slope: density over chance."""
    scaled = _scaled(np.abs(x) / sqrt(2))
    value = _log_chance(x, scaled)
    slope = sqrt(2 / pi) / scaled
    above = x > 0
    slope[above] = np.exp(log_density(x[above]) - value[above])
    return value, slope


def _log_chance(x: Numbers, scaled: Numbers) -> Numbers:
    value = np.log(scaled / 2) - x * x / 2
    above = x > 0
    value[above] = np.log1p(-np.exp(value[above]))
    return value


def _scaled(y: Numbers) -> Numbers:
    """Return `exp(y²) erfc(y)`, of numbers that are not negative."""
    found = np.empty(len(y))
    for begin in range(0, len(y), _BLOCK):
        part = y[begin : begin + _BLOCK]
        power = (part - _CENTRE) / (part + _CENTRE)
        value = found[begin : begin + _BLOCK]
        value[:] = _SERIES[-1]
        for coefficient in _SERIES[-2::-1]:
            value *= power
            value += coefficient
        value /= 1 + 2 * part
    return found


def chance(x: float) -> float:
    """Return the chance of falling below `x`."""
    return erfc(-x / sqrt(2)) / 2
