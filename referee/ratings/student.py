"""Student's t: how far an estimate strays whose error was itself estimated from few duels."""

from functools import cache
from math import exp, lgamma, log, log1p
from typing import Final

_TINY: Final = 1e-300
_DIGITS: Final = 1e-16
_TERMS: Final = 10_000


def chance(t: float, freedom: int) -> float:
    """Return the chance of falling below `t`."""
    beyond = _beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return beyond if t < 0 else 1 - beyond


@cache
def width(freedom: int) -> float:
    """Return how far 95 % of all estimates stray at most, in standard errors."""
    low, high = 1.0, 13.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if chance(middle, freedom) < 0.975 else (low, middle)
    return middle


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function, by the fraction that converges."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(scale) / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction from its front, as Lentz does."""
    value = above = 1.0
    below = 0.0
    for term in range(1, _TERMS):
        half = term // 2
        if term % 2:
            factor = -(a + half) * (a + b + half) * x / ((a + term - 1) * (a + term))
        else:
            factor = half * (b - half) * x / ((a + term - 1) * (a + term))
        below = 1 / ((1 + factor * below) or _TINY)
        above = (1 + factor / above) or _TINY
        value *= below * above
        if abs(below * above - 1) < _DIGITS:
            break
    return value
