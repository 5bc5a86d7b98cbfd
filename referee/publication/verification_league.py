"""Checks what an export says of the league itself, and that no pairing lacks a duel."""

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import combinations, pairwise
from typing import NamedTuple

from referee.engine.dealing import commitment
from referee.errors import RecordError
from referee.json_fields import expect, instant
from referee.publication.league import WITH_LOG, ExportedEntrant, ExportedLeague
from referee.publication.log_reading import CLOCK_SET
from referee.ratings.results import Result
from referee.ratings.stopping import is_adaptive, looks, may_stop, plays_on
from referee.ratings.suspension import Judged, Layers, at_fault_in_most
from referee.scheduling.keys import DuelKey, pairing
from referee.scheduling.rounds import Rounds
from referee.store.models import NEVER_STARTED


class Completeness(NamedTuple):
    """Which of the duels a league planned are there."""

    unplayed: int
    """Void so often that they were given up."""
    missing: int
    """Not there for a reason that only the organiser knows."""
    sure: int = 0
    """Not to be played, as the places they were about were sure."""


def check_league(league: ExportedLeague, now: datetime) -> None:
    """Refuse a league that contradicts itself, or whose seeds are not those committed to."""
    _check_entrants(league.entrants, len(league.epochs))
    _check_times(league, now)
    for place, epoch in enumerate(league.epochs):
        field = f"epochs[{place}]"
        expect(f"{field}.number", epoch.number, place + 1)
        if epoch.seed is None and league.state != "open":
            raise RecordError(f"{field}.seed", f"is missing, though the league is {league.state}")
        if (epoch.secret is None) != (epoch.seed is None) and league.schema >= WITH_LOG:
            raise RecordError(f"{field}.secret", "is out where its seed is, and only there")
        secret = epoch.secret or epoch.seed
        if secret is not None:
            expect(f"{field}.commitment", epoch.commitment, commitment(secret))


def _check_entrants(entrants: Sequence[ExportedEntrant], epochs: int) -> None:
    numbers: dict[str, int] = {}
    for place, entrant in enumerate(entrants):
        field = f"entrants[{place}]"
        expect(f"{field}.number", entrant.number, place + 1)
        if entrant.epoch > epochs:
            raise RecordError(f"{field}.epoch", f"is {entrant.epoch}, which never began")
        other = numbers.setdefault(entrant.digest, entrant.number)
        if other != entrant.number:
            raise RecordError(f"{field}.digest", f"is that of entrant {other}, entered twice")


def _check_times(league: ExportedLeague, now: datetime) -> None:
    """Refuse what was later than now, or than what came after it."""
    opened = [(f"epochs[{n}].opened", epoch.opened) for n, epoch in enumerate(league.epochs)]
    for (before, earlier), (field, later) in pairwise([("created", league.created), *opened]):
        refuse_earlier(field, later, before, instant(earlier))
    withdrawn = [
        (f"entrants[{n}].withdrawn", entrant.withdrawn)
        for n, entrant in enumerate(league.entrants)
        if entrant.withdrawn
    ]
    for field, moment in withdrawn:
        refuse_earlier(field, moment, "created", instant(league.created))
    for field, moment in [("created", league.created), *opened, *withdrawn]:
        refuse_future(field, moment, now)


def refuse_earlier(field: str, moment: str, before: str, earlier: datetime) -> None:
    """Refuse a time that is earlier than one which comes before it."""
    if earlier - instant(moment) > CLOCK_SET:
        raise RecordError(field, f"is {moment}, earlier than {before}")


def refuse_future(field: str, moment: str, now: datetime) -> None:
    """Refuse a time that is still to come."""
    if instant(moment) - now > CLOCK_SET:
        raise RecordError(field, f"is {moment}, still to come by the clock of this machine")


def rounds_so_far(
    league: ExportedLeague, logged: Sequence[Collection[tuple[int, int]]]
) -> Rounds | None:
    """Return what is played in the rounds that a log has; None if everybody meets everybody."""
    return None if league.round_duels is None else Rounds(league.round_duels, logged)


def check_completeness(
    league: ExportedLeague,
    results: Sequence[Result],
    given_up: Collection[DuelKey],
    rounds: Rounds | None = None,
) -> Completeness:
    """Refuse a complete league in which anything is still to be played; count what is lacking."""
    played = {*_keys(results)}
    if kept := min(played & {*given_up}, default=None):
        reason = f"the duel {named(kept)} is there, though it was void too often to be played"
        raise RecordError("", reason)
    done = played | {*given_up}
    if rounds is not None:
        return _check_rounds(league, rounds, done, len(given_up))
    if is_adaptive(league.until):
        return _check_adaptive(league, results, given_up)
    if league.state == "complete" and not _changed_its_mind(league):
        missing = _next(league, results, done)
        if missing:
            reason = f"the duel {named(missing)} is missing, though the league is complete"
            raise RecordError("", reason)
        if league.until:
            _refuse_too_many(league, results, done)
    return Completeness(len(done) - len(results), _lacking(league, done))


def _check_rounds(
    league: ExportedLeague, rounds: Rounds, done: Collection[DuelKey], unplayed: int
) -> Completeness:
    """Refuse a complete league that lacks a duel of a round; count those of who did not stay."""
    staying = {entrant.number for entrant in league.entrants if _stays(entrant)}
    never = {entrant.number for entrant in league.entrants if never_started(entrant)}
    missing = 0
    for block in rounds.blocks():
        for key in block.but(done).keys:
            if league.is_apart(key) and never.isdisjoint(key[:2]):
                continue  # that follows from the duels
            missing += 1
            if league.state == "complete" and staying.issuperset(key[:2]):
                reason = f"the duel {named(key)} is missing, though the league is complete"
                raise RecordError("", reason)
    return Completeness(unplayed, missing)


def check_suspensions(
    league: ExportedLeague,
    results: Sequence[Result],
    given_up: Collection[DuelKey],
    rounds: Rounds | None = None,
) -> None:
    """Refuse a suspension that does not follow from the duels, and one that is not there.

    Where somebody was withdrawn or reinstated, or came later, it followed from what was so then.
    """
    entrants = league.entrants
    changed = any(each.withdrawn or each.counted_from for each in entrants)
    # Where pairs are chosen, who came later is in no layer before that.
    came_later = len(league.epochs) != 1 and rounds is None
    if not league.suspends or changed or came_later:
        return
    suspended = _layers(league, results, given_up, rounds).suspended
    for place, each in enumerate(entrants):
        expect(f"entrants[{place}].suspended", each.suspended, suspended.get(each.number))


def _layers(
    league: ExportedLeague,
    results: Sequence[Result],
    given_up: Collection[DuelKey],
    rounds: Rounds | None = None,
) -> Layers:
    """Judge the layers of a league anew, as if nobody but who never started was suspended."""
    judged = {
        each.number: Judged(0, NEVER_STARTED if never_started(each) else None)
        for each in league.entrants
        if each.epoch and not each.withdrawn
    }
    pairs = [pairing(one, other) for one, other in combinations(judged, 2)]
    played = [*((key, None) for key in given_up), *zip(_keys(results), results, strict=True)]
    rule = partial(plays_on, league.until, league.duels) if is_adaptive(league.until) else None
    return Layers(judged, pairs, league.duels, played, rounds.plays_on if rounds else rule)


def _check_adaptive(
    league: ExportedLeague, results: Sequence[Result], given_up: Collection[DuelKey]
) -> Completeness:
    """Refuse a duel of a pairing that was not to play on, and one that is missing of one that was.

    Which pairings play on is found again from the duels before. Where somebody was withdrawn or
    reinstated, never started or came later, it followed from what was so then: what is missing is
    counted, whatever it is missing for.
    """
    done, unplayed = [*_keys(results), *given_up], len(given_up)
    everything = _lacking(league, done)
    entrants = league.entrants
    never = any(map(never_started, entrants))
    if never or len(league.epochs) > 1 or any(e.withdrawn or e.counted_from for e in entrants):
        return Completeness(unplayed, everything)
    layers = _layers(league, results, given_up)
    begins = [stage.begin for stage in layers.stages]
    for key in sorted(done):
        if not layers.stages[bisect(begins, key.number) - 1].includes(key.first, key.second):
            raise RecordError("", f"the duel {named(key)} was not to be played: its place was sure")
    if league.state != "complete":
        return Completeness(unplayed, everything)
    if layers.lacking:
        key = DuelKey(*layers.lacking)
        raise RecordError("", f"the duel {named(key)} is missing, though the league is complete")
    return Completeness(unplayed, 0, everything)


def named(key: DuelKey) -> str:
    """Return what a duel is called."""
    return f"{key.first}-{key.second}/{key.number + 1}"


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
        sound = numbers if league.suspends else {*numbers} - at_fault_in_most(early)
        if league.until and may_stop(league.until, early, sound, league.duels):
            return None
    return None


def _stays(entrant: ExportedEntrant) -> bool:
    return entrant.epoch > 0 and not entrant.withdrawn and entrant.suspended is None


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

    Some are withdrawn or suspended since; or some came when it was over, and others played no more.
    """
    gone = any(entrant.withdrawn or entrant.suspended is not None for entrant in league.entrants)
    return bool(league.until) and (gone or len(league.epochs) > 1)


def _lacking(league: ExportedLeague, done: Collection[DuelKey]) -> int:
    """Count what was planned and is not there, for a reason that only the organiser knows.

    What follows on a suspension for faults follows from the duels; that somebody never started
    does not.
    """
    is_over = league.state == "complete" and not is_adaptive(league.until)
    whole = is_over and not _changed_its_mind(league)
    there = Counter((first, second) for first, second, _ in done)
    begun = [entrant for entrant in league.entrants if entrant.epoch]
    return sum(
        _planned(league, one, other) - there[pairing(one.number, other.number)]
        for one, other in combinations(begun, 2)
        if not whole or any(each.withdrawn or never_started(each) for each in (one, other))
    )


def _planned(league: ExportedLeague, one: ExportedEntrant, other: ExportedEntrant) -> int:
    """Return how many duels two have, up to the first suspension for faults."""
    after = [each.suspended for each in (one, other) if not never_started(each)]
    return min([league.duels, *(last + 1 for last in after if last is not None)])


def never_started(entrant: ExportedEntrant) -> bool:
    """Return whether an entrant is suspended since it never started: no duel shows that."""
    return entrant.suspended == NEVER_STARTED
