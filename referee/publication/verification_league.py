"""Checks what an export says of the league itself, and that no pairing lacks a duel."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from referee.engine.dealing import commitment
from referee.errors import RecordError
from referee.json_fields import expect
from referee.publication.league import ExportedEntrant, ExportedLeague
from referee.ratings.results import Result
from referee.ratings.stopping import looks, may_stop
from referee.scheduling.keys import DuelKey, pairing


class Extent(NamedTuple):
    """Which of the duels a league planned are there."""

    unplayed: int
    """Void so often that they were given up."""
    missing: int
    """Not there for a reason that only the organiser knows."""


def check_league(league: ExportedLeague) -> None:
    """Refuse a league that contradicts itself, or whose seeds are not those committed to."""
    for place, entrant in enumerate(league.entrants):
        field = f"entrants[{place}]"
        expect(f"{field}.number", entrant.number, place + 1)
        if entrant.epoch > len(league.epochs):
            raise RecordError(f"{field}.epoch", f"is {entrant.epoch}, which never began")
    for place, epoch in enumerate(league.epochs):
        field = f"epochs[{place}]"
        expect(f"{field}.number", epoch.number, place + 1)
        if epoch.seed is None and league.state != "open":
            raise RecordError(f"{field}.seed", f"is missing, though the league is {league.state}")
        if epoch.seed is not None and league.state == "open" and epoch == league.epochs[-1]:
            raise RecordError(f"{field}.seed", "is out, though the league is open")
        if epoch.seed is not None:
            expect(f"{field}.commitment", epoch.commitment, commitment(epoch.seed))


def check_extent(
    league: ExportedLeague, results: Sequence[Result], given_up: Collection[DuelKey]
) -> Extent:
    """Refuse a complete league in which anything is still to be played; count what is lacking."""
    done = {*_keys(results), *given_up}
    if league.state == "complete" and not _changed_its_mind(league):
        missing = _next(league, results, done)
        if missing:
            first, second, number = missing
            name = f"{first}-{second}/{number + 1}"
            raise RecordError("", f"the duel {name} is missing, though the league is complete")
        if league.until:
            _refuse_too_many(league, results, done)
    return Extent(len(done) - len(results), _lacking(league, done))


def _keys(results: Iterable[Result]) -> Iterator[DuelKey]:
    return (DuelKey(*result[:3]) for result in results)


def _next(
    league: ExportedLeague, results: Sequence[Result], done: Collection[DuelKey]
) -> DuelKey | None:
    """Return a duel that comes next, as `referee.league.pending` does.

    A stranger may have planned more duels than fit in memory, so nothing is listed here.
    """
    numbers = [entrant.number for entrant in league.entrants if _stays(entrant)]
    pairs = [pairing(one, other) for one, other in combinations(numbers, 2)]
    ends = looks(league.duels) if league.until else (league.duels,)
    for begin, end in pairwise((0, *ends)):
        for pair in pairs:
            for number in range(begin, end):
                if (key := DuelKey(*pair, number)) not in done:
                    return key
        early = [result for result in results if result.number < end]
        if league.until and may_stop(league.until, early, numbers, league.duels):
            return None
    return None


def _stays(entrant: ExportedEntrant) -> bool:
    return entrant.epoch > 0 and not entrant.withdrawn


def _refuse_too_many(
    league: ExportedLeague, results: Sequence[Result], done: Collection[DuelKey]
) -> None:
    """Refuse the last duels of each pairing if they were not to be played after those before."""
    last = max((result.number for result in results), default=0)
    early = [result for result in results if result.number < last]
    if not _next(league, early, {key for key in done if key.number < last}):
        reason = f"the league had to stop before the duels numbered {last}"
        raise RecordError("number", reason)


def _changed_its_mind(league: ExportedLeague) -> bool:
    """Return whether it may have stopped by the order of other entrants than there are now.

    Some are withdrawn since; or some came when it was over, and others played no more.
    """
    gone = any(entrant.withdrawn for entrant in league.entrants)
    return bool(league.until) and (gone or len(league.epochs) > 1)


def _lacking(league: ExportedLeague, done: Collection[DuelKey]) -> int:
    """Count what was planned and is not there, for a reason that only the organiser knows."""
    whole = league.state == "complete" and not _changed_its_mind(league)
    there = Counter((first, second) for first, second, _ in done)
    begun = [entrant for entrant in league.entrants if entrant.epoch]
    return sum(
        league.duels - there[pairing(one.number, other.number)]
        for one, other in combinations(begun, 2)
        if not whole or one.withdrawn or other.withdrawn
    )
