"""Sets and numbers of pairings that take a bit or a few bytes for each: there may be a million.

A pairing is A and B, by their numbers. Its place is found without a table of all pairings, and is
the same however many entrants come later.
"""

from array import array
from collections.abc import Iterable, Iterator
from math import isqrt

from referee.ratings.results import Won

Pair = tuple[int, int]
"""A and B, by their numbers in the league."""


def place_of(pair: Pair) -> int:
    """Return the place of a pairing: those of the first n entrants are all below (n + 1) ** 2."""
    first, second = pair
    return second * second + first if first < second else first * first + first + second


def pair_at(place: int) -> Pair:
    """Return the pairing of a place."""
    larger = isqrt(place)
    rest = place - larger * larger
    return (rest, larger) if rest < larger else (larger, rest - larger)


class PairSet:
    """A set of pairings."""

    __slots__ = ("_bits",)

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        """Begin with these."""
        self._bits = bytearray()
        for pair in pairs:
            self.add(pair)

    def add(self, pair: Pair) -> None:
        """Add a pairing."""
        byte, bit = divmod(place_of(pair), 8)
        if byte >= len(self._bits):
            self._bits.extend(bytes(max(byte + 1, 2 * len(self._bits)) - len(self._bits)))
        self._bits[byte] |= 1 << bit

    def __contains__(self, pair: Pair) -> bool:
        """Return whether a pairing is in it."""
        byte, bit = divmod(place_of(pair), 8)
        return byte < len(self._bits) and bool(self._bits[byte] >> bit & 1)

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairings, by the larger of their two numbers."""
        for byte, bits in enumerate(self._bits):
            place = 8 * byte
            for bit in range(bits.bit_length()):
                if bits >> bit & 1:
                    yield pair_at(place + bit)

    def __len__(self) -> int:
        """Return how many there are."""
        return self._as_int().bit_count()

    def __and__(self, other: "PairSet") -> "PairSet":
        """Return those that are in both."""
        both = self._as_int() & other._as_int()
        found = PairSet()
        found._bits = bytearray(both.to_bytes(len(self._bits), "little"))
        return found

    def __sub__(self, other: "PairSet") -> "PairSet":
        """Return those that are not in another."""
        left = self._as_int() & ~other._as_int()
        found = PairSet()
        found._bits = bytearray(left.to_bytes(len(self._bits), "little"))
        return found

    def _as_int(self) -> int:
        return int.from_bytes(self._bits, "little")


class PairNumbers:
    """A number for each pairing, which is 0 until it is changed."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        """Begin with nothing."""
        self._numbers = array("d")

    def add(self, pair: Pair, number: float) -> None:
        """Add to the number of a pairing."""
        place = place_of(pair)
        if place >= len(self._numbers):
            longer = max(place + 1, 2 * len(self._numbers))
            self._numbers.frombytes(bytes(8 * (longer - len(self._numbers))))
        self._numbers[place] += number

    def __getitem__(self, pair: Pair) -> float:
        """Return the number of a pairing."""
        place = place_of(pair)
        return self._numbers[place] if place < len(self._numbers) else 0.0

    def items(self) -> Iterator[tuple[Pair, float]]:
        """Yield the pairings whose numbers are not 0, with these."""
        for place, number in enumerate(self._numbers):
            if number:
                yield pair_at(place), number


class DuelWins:
    """How it went for A, of each duel that was played; two bits for each."""

    __slots__ = ("_count", "bits", "duels")

    def __init__(self, duels: int) -> None:
        """Begin with none.

        Args:
            duels: of each pairing, at most.
        """
        self.duels = duels
        self.bits = bytearray()
        """Two for each duel of each pairing: how many matches A won and one more, or nothing."""
        self._count = 0

    def add(self, pair: Pair, number: int, wins: int) -> None:
        """Add a duel; one that is there already stays as it is."""
        byte, part = divmod(place_of(pair) * self.duels + number, 4)
        if byte >= len(self.bits):
            self.bits.extend(bytes(max(byte + 1, 2 * len(self.bits)) - len(self.bits)))
        if not self.bits[byte] >> 2 * part & 3:
            self.bits[byte] |= wins + 1 << 2 * part
            self._count += 1

    def __contains__(self, key: tuple[int, int, int]) -> bool:
        """Return whether a duel is in it: A's number, B's and its own."""
        first, second, number = key
        byte, part = divmod(place_of((first, second)) * self.duels + number, 4)
        return byte < len(self.bits) and bool(self.bits[byte] >> 2 * part & 3)

    def __len__(self) -> int:
        """Return how many duels there are."""
        return self._count

    def __iter__(self) -> Iterator[Won]:
        """Yield A's number, B's, the duel's own, and how it went for A."""
        for byte, bits in enumerate(self.bits):
            place = 4 * byte
            for part in range(4 if bits else 0):
                if won := bits >> 2 * part & 3:
                    pair, number = divmod(place + part, self.duels)
                    yield (*pair_at(pair), number, won - 1)
