"""What was played on a ladder so far, over all of its epochs, by the numbers of its entrants.

Each epoch is a league with numbers of its own; a bot is the same by its digest. An epoch that is
over does not change, so it is read once.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.league.table import names
from referee.ratings.clusters import effects_on_wins
from referee.ratings.columns import between, result_columns
from referee.ratings.fitting import Rating, fit
from referee.ratings.pairs import count_pairs
from referee.ratings.renumbered import renumbered
from referee.ratings.results import Results
from referee.ratings.standings import Standings, standings
from referee.scheduling.rounds import Pair
from referee.store.database import Store
from referee.store.duels import results
from referee.store.hosting_models import EntrantState, Ladder, LadderEntrant, LadderEpoch
from referee.store.ladders import ladder_entrants, ladder_epochs
from referee.store.leagues import league
from referee.store.models import Entry, League
from referee.store.rounds import rounds

MOST_NUMBERS: Final = 4096
"""Numbers of duels in an epoch, at most."""


class EpochPlay(NamedTuple):
    """What was played in one epoch."""

    results: Results
    """By the entrants' numbers on the ladder; the duels of all epochs have different numbers."""
    pairs: Sequence[Pair]
    """Who met whom, once for each round, by the same numbers."""
    numbers: Mapping[int, int]
    """Those on the ladder, by those in the league."""


class LadderPlay(NamedTuple):
    """All that was played on a ladder."""

    ladder: Ladder
    entrants: Sequence[LadderEntrant]
    epochs: Sequence[LadderEpoch]
    played: Sequence[EpochPlay]
    """That of each epoch."""

    @property
    def rounds_of_each(self) -> Counter[int]:
        """Return how many rounds each entrant was paired in."""
        return Counter(number for epoch in self.played for pair in epoch.pairs for number in pair)

    @property
    def met(self) -> Counter[frozenset[int]]:
        """Return how many rounds two have met in."""
        return Counter(frozenset(pair) for epoch in self.played for pair in epoch.pairs)

    def of(self, *states: EntrantState) -> list[LadderEntrant]:
        """Return the entrants in certain states."""
        return [each for each in self.entrants if each.state in states]

    def numbers(self, *states: EntrantState) -> list[int]:
        """Return their numbers."""
        return [each.number for each in self.of(*states)]

    @property
    def house(self) -> list[int]:
        """Return the numbers of the house bots."""
        return [each.number for each in self.entrants if each.account is None]

    @property
    def results(self) -> Results:
        """Return the results of all epochs."""
        every = Results()
        for epoch in self.played:
            every.extend(epoch.results.columns)
        return every

    def standings(self) -> Standings:
        """Return the table: of those who play, by all that they and those who rest have played."""
        return standings(
            [each.number for each in self.entrants],
            self.results,
            self.numbers("banned"),
            suspended=self.numbers("suspended"),
            anchors=self.house,
            listed=self.numbers("active"),
        )

    def ratings(self) -> dict[int, Rating]:
        """Return the ratings in the table of those who have played: the rest takes as long."""
        excluded = {*self.numbers("banned", "suspended")}
        sound = [each.number for each in self.entrants if each.number not in excluded]
        counting = between(result_columns(self.results), sound)
        counts = count_pairs(counting.won)
        effects = effects_on_wins(counting.won)
        fitted = fit(sound, counts, effects, anchors=self.house)
        played = {number for pair in counts for number in pair}
        return {each: fitted.rating(each) for each in self.numbers("active") if each in played}


def ladder_names(play: LadderPlay) -> dict[int, str]:
    """Return what the entrants of a ladder are called: who plays by no more than tells them apart.

    Versions that rest do not count for that.
    """
    entries = [Entry(each.number, each.bot, 1) for each in play.entrants]
    active = {*play.numbers("active")}
    return names(entries) | names([each for each in entries if each.number in active])


class LadderHistory:
    """Reads what was played on ladders, each epoch that is over once."""

    def __init__(self, store: Store) -> None:
        """Know nothing yet."""
        self._store = store
        self._over: dict[str, EpochPlay] = {}

    def play(self, ladder: Ladder) -> LadderPlay:
        """Return all that was played on a ladder."""
        epochs = ladder_epochs(self._store, ladder)
        played = [self._played(epoch, ladder) for epoch in epochs]
        return LadderPlay(ladder, ladder_entrants(self._store, ladder), epochs, played)

    def _played(self, epoch: LadderEpoch, ladder: Ladder) -> EpochPlay:
        if epoch.league in self._over:
            return self._over[epoch.league]
        found = _epoch_play(self._store, epoch, ladder)
        if epoch.ended:
            self._over[epoch.league] = found
        return found


def _epoch_play(store: Store, epoch: LadderEpoch, ladder: Ladder) -> EpochPlay:
    played, paired = results(store, epoch.league), rounds(store, epoch.league)
    # Last, so that they know all who were paired.
    found = league(store, epoch.league)
    called = numbers_on_ladder(found, ladder_entrants(store, ladder))
    return EpochPlay(
        renumbered(played, called, epoch.number * MOST_NUMBERS),
        [(called[first], called[second]) for one in paired for first, second in one.pairs],
        called,
    )


def numbers_on_ladder(found: League, entrants: Sequence[LadderEntrant]) -> dict[int, int]:
    """Return the number on the ladder of each entrant of one of its leagues."""
    of = {each.bot.digest: each.number for each in entrants}
    return {entry.number: of[entry.bot.digest] for entry in found.entries}
