"""Which entrants are suspended: at fault so often that their duels say nothing about anybody.

The duels of a league are judged layer by layer. A layer is all duels of one number between
entrants that are neither withdrawn nor suspended so far, and it is judged when each of them was
played or given up, after all layers before it. So who is suspended after which number follows from
the results alone, in whatever order and however many at a time they were played.

Where a league may stop early, the layers also say which pairings play on after a look: it goes by
the duels of the layers before it, between those that are in the league then. Where pairs are chosen
round by round, they say which pairings each round has.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from referee.ratings.pair_bits import Pair, PairSet
from referee.ratings.results import Result
from referee.text import counted

Key = tuple[int, int, int]
"""Of a duel: A, B, and its number in their pairing, from 0."""
PlaysOn = Callable[[int, Sequence[Result], Collection[int]], Collection[frozenset[int]] | None]
"""Which pairings play the duels from a number on, by all results before it, of these entrants;
None if that does not change with this number."""

_NO_FAULTS: Final = (False, False)
_LEAST: Final = 10
"""Duels by which an entrant can be judged."""


class Judged(NamedTuple):
    """How an entrant is judged."""

    counted_from: int = 0
    """The first number of the duels by which it is."""
    suspended: int | None = None
    """After which number it is suspended already."""


class Stage(NamedTuple):
    """Layers in which the same pairings play."""

    begin: int
    """The number of its first duels."""
    pairings: Collection[frozenset[int]] | None
    """None if all of those still in the league do."""

    @property
    def is_last(self) -> bool:
        """Whether nothing is played any more."""
        return self.pairings is not None and not self.pairings

    def includes(self, first: int, second: int) -> bool:
        """Return whether two play in it, if both are still in the league."""
        return self.pairings is None or frozenset((first, second)) in self.pairings


class _Layer:
    """What came of the duels of one number, as far as they are played: little of each."""

    __slots__ = ("done", "faults", "given_up", "results")

    def __init__(self) -> None:
        self.done = PairSet()
        self.given_up: set[Pair] = set()
        self.faults: dict[Pair, tuple[bool, bool]] = {}
        """Which of the two were at fault, where one was."""
        self.results: dict[Pair, Result] = {}
        """All of them, if a look needs them."""

    def put(self, pair: Pair, result: Result | None, *, whole: bool) -> None:
        """Put a duel in, in place of what was there."""
        self.done.add(pair)
        if result is None:
            self.given_up.add(pair)
            return
        self.given_up.discard(pair)
        of_first, of_second = result.faults
        if of_first or of_second:
            self.faults[pair] = of_first > 0, of_second > 0
        if whole:
            self.results[pair] = result


class Layers:
    """The layers of a league, and who is suspended after which."""

    def __init__(
        self,
        entrants: Mapping[int, Judged],
        pairings: Iterable[tuple[int, int]],
        duels: int,
        played: Iterable[tuple[Key, Result | None]] = (),
        plays_on: PlaysOn | None = None,
    ) -> None:
        """Judge the layers that were played.

        Args:
            entrants: all that are not withdrawn.
            pairings: who still meets whom, A first; a pairing that is over keeps no layer waiting.
            duels: of each pairing, at most.
            played: all duels so far, in any order; None where one was given up.
            plays_on: which pairings play from a number on, unless all of them play all duels.
        """
        self._entrants = entrants
        self.suspended = {
            entrant: judged.suspended
            for entrant, judged in entrants.items()
            if judged.suspended is not None
        }
        """After which number each is suspended that is."""
        self._pairings = PairSet(pair for pair in pairings if not self.suspended.keys() & {*pair})
        self._playing = self._pairings
        """Those of them whose duels the next layer has."""
        self.stages = [Stage(0, None)]
        """Which pairings play, from which number on; the last is that of the next layer."""
        self._plays_on = plays_on
        self._results: list[Result] = []
        """Of the layers that were judged, if a look needs them."""
        self._duels = duels
        self._number = 0
        self._layers: defaultdict[int, _Layer] = defaultdict(_Layer)
        """Those that are not judged yet, as far as they are played."""
        self._played: Counter[int] = Counter()
        self._faulty: Counter[int] = Counter()
        if plays_on is not None:
            self._look(plays_on)
        # All of them first: no layer waits for the duels of those that are suspended already.
        for key, result in played:
            self._put(key, result)
        self._left = len(self._playing - self._layers[0].done)
        """How many duels the layer lacks that is judged next."""
        self._judge_layers()

    def add(self, key: Key, result: Result | None) -> bool:
        """Add a duel that was played, or was given up; return whether somebody is suspended by it.

        A duel of a layer that was judged before changes nothing.
        """
        number, pair = key[2], key[:2]
        if number < self._number:
            return False
        if number == self._number and pair in self._playing:
            self._left -= pair not in self._layers[number].done
        self._put(key, result)
        before = len(self.suspended)
        self._judge_layers()
        return len(self.suspended) > before

    def _put(self, key: Key, result: Result | None) -> None:
        self._layers[key[2]].put(key[:2], result, whole=self._plays_on is not None)

    @property
    def lacking(self) -> Key | None:
        """A duel that the next layer lacks; None if nothing is to be played any more."""
        if self._number == self._duels or not self._left:
            return None
        return (*min(self._playing - self._layers[self._number].done), self._number)

    def reason(self, entrant: int) -> str:
        """Return why an entrant is suspended that was judged here."""
        faulty, played = self._faulty[entrant], self._played[entrant]
        return f"at fault in {faulty} of {counted(played, 'duel')}"

    def _judge_layers(self) -> None:
        while self._pairings and self._number < self._duels and not self._left:
            self._judge()

    def _judge(self) -> None:
        number = self._number
        self._count(self._layers.pop(number, _Layer()))
        found = [
            entrant
            for entrant in sorted(self._faulty.keys() - self.suspended.keys())
            if is_faulty(self._played[entrant], self._faulty[entrant])
        ]
        if found:
            self.suspended.update(dict.fromkeys(found, number))
            out = frozenset(found)
            self._pairings = PairSet(pair for pair in self._pairings if out.isdisjoint(pair))
            self._playing &= self._pairings
        self._number += 1
        if self._plays_on is not None:
            self._look(self._plays_on)
        self._left = len(self._playing - self._layers[self._number].done)

    def _look(self, plays_on: PlaysOn) -> None:
        """Find out which pairings play on, by all that was judged, and if any does."""
        number = self._number
        sound = [each for each in self._entrants if self._takes_part(each, number)]
        chosen = plays_on(number, self._results, sound)
        if chosen is None:
            return
        if not chosen:
            self._pairings = PairSet()
        self.stages.append(Stage(number, chosen))
        self._playing = PairSet(pair for pair in self._pairings if frozenset(pair) in chosen)

    def _count(self, layer: _Layer) -> None:
        number = self._number
        judged = {
            entrant: number >= each.counted_from
            for entrant, each in self._entrants.items()
            if self._takes_part(entrant, number)
        }
        for pair in layer.done:
            if pair in layer.given_up or not (pair[0] in judged and pair[1] in judged):
                continue
            faults = layer.faults.get(pair, _NO_FAULTS)
            for entrant, at_fault in zip(pair, faults, strict=True):
                if judged[entrant]:
                    self._played[entrant] += 1
                    self._faulty[entrant] += at_fault
            if pair in layer.results:
                self._results.append(layer.results[pair])

    def _takes_part(self, entrant: int, number: int) -> bool:
        return entrant in self._entrants and number <= self.suspended.get(entrant, number)


def is_faulty(duels: int, faulty: int) -> bool:
    """Return whether so many faulty duels of at least ten suspend: more than half of them."""
    return duels >= _LEAST and 2 * faulty > duels


def at_fault_in_most(results: Iterable[Result]) -> set[int]:
    """Return those with at least ten faulty duels, if that is over half of their duels.

    By this rule the duels of an entrant counted for nobody before there were suspensions.
    """
    duels: Counter[int] = Counter()
    faulty: Counter[int] = Counter()
    for first, second, *_, (by_first, by_second) in results:
        duels[first] += 1
        duels[second] += 1
        faulty[first] += by_first > 0
        faulty[second] += by_second > 0
    return {
        entrant
        for entrant, count in faulty.items()
        if count >= _LEAST and is_faulty(duels[entrant], count)
    }


def among(entrants: Collection[int], results: Iterable[Result]) -> list[Result]:
    """Leave out the duels in which anybody else took part."""
    counting = frozenset(entrants)
    return [result for result in results if result.first in counting and result.second in counting]
