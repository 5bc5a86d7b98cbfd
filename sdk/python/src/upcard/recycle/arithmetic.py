"""Whole numbers of 32 bits, as RECYCLE reckons with them.

Every function raises `ArithmeticError` with a message where there is no result.
"""

from collections.abc import Callable
from typing import Final

from upcard.recycle import bounds


def fitted(number: int) -> int:
    """Return a number that is within 32 bits."""
    if -bounds.INTEGER - 1 <= number <= bounds.INTEGER:
        return number
    raise OverflowError("the result is beyond 32 bits")


def added(*numbers: int) -> int:
    """Return the sum."""
    return fitted(sum(numbers))


def subtracted(number: int, other: int) -> int:
    """Return the difference."""
    return fitted(number - other)


def multiplied(*numbers: int) -> int:
    """Return the product."""
    product = 1
    for number in numbers:
        product = fitted(product * number)
    return product


def quotient(number: int, divisor: int) -> int:
    """Return the quotient, rounded toward zero."""
    if divisor == 0:
        raise ZeroDivisionError("division by zero")
    whole = abs(number) // abs(divisor)
    return fitted(whole if (number < 0) == (divisor < 0) else -whole)


def remainder(number: int, divisor: int) -> int:
    """Return the remainder, with the sign of the number that is divided."""
    if divisor == 0:
        raise ZeroDivisionError("division by zero")
    rest = abs(number) % abs(divisor)
    return -rest if number < 0 else rest


def power(base: int, exponent: int) -> int:
    """Return a power; its exponent is not negative."""
    if exponent < 0:
        raise ArithmeticError(f"the exponent {exponent} is negative")
    if abs(base) > 1 and exponent > 31:
        raise OverflowError("the result is beyond 32 bits")
    return fitted(base**exponent if abs(base) > 1 else base ** (exponent % 2 or 2 * bool(exponent)))


def triangular(number: int) -> int:
    """Return the sum of the numbers from 1 to this one."""
    return fitted(number * (number + 1) // 2)


def fibonacci(number: int) -> int:
    """Return the Fibonacci number of that index; the first and the second are 1."""
    if number < 0:
        raise ArithmeticError(f"there is no Fibonacci number {number}")
    if number > 46:
        raise OverflowError("the result is beyond 32 bits")
    last, this = 1, 0
    for _ in range(number):
        last, this = this, last + this
    return this


OPERATIONS: Final[dict[str, Callable[..., int]]] = {
    "+": added,
    "-": subtracted,
    "*": multiplied,
    "//": quotient,
    "%": remainder,
    "^": power,
    "tri": triangular,
    "fib": fibonacci,
}
"""The function of each operation, by its keyword."""
