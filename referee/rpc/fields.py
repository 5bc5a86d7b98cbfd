"""How fields of a message are written as bytes, where the generated messages take too long."""

from collections.abc import Iterable
from functools import lru_cache


@lru_cache(4096)
def varint(number: int) -> bytes:
    """Write a number: seven bits a byte, the lowest first."""
    last = number < 128
    return bytes((number,)) if last else bytes((number & 127 | 128,)) + varint(number >> 7)


def number_field(field: int, number: int) -> bytes:
    """Write a field that is a number; 0 is left out."""
    return varint(field << 3) + varint(number) if number else b""


@lru_cache(4096)
def head(field: int, size: int) -> bytes:
    """Write the head of a field that is so many bytes."""
    return varint(field << 3 | 2) + varint(size)


def sized(field: int, content: bytes) -> bytes:
    """Write a field that is bytes, with its head."""
    return head(field, len(content)) + content


def text_field(field: int, text: str) -> bytes:
    """Write a field that is a text; an empty one is left out."""
    return sized(field, text.encode()) if text else b""


def signed_number(field: int, number: int) -> bytes:
    """Write a field that is a number which may be below 0; 0 is left out."""
    return number_field(field, _zigzag(number))


def signed_list(field: int, numbers: Iterable[int]) -> bytes:
    """Write a list of numbers which may be below 0; an empty one is left out."""
    content = b"".join([varint(_zigzag(number)) for number in numbers])
    return sized(field, content) if content else b""


def _zigzag(number: int) -> int:
    """Put numbers below 0 between the others: 0, -1, 1, -2 are 0, 1, 2, 3."""
    return number << 1 if number >= 0 else (-number << 1) - 1
