"""Grades of a course: what is handed in in time is worth as much as the house bot that it beats.

A bot beats another one if it is the better one with the chance that is asked for, by all that was
played on the ladder. So a grade does not depend on who else took the course.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from referee.hosting.ladder_history import LadderHistory, LadderPlay
from referee.ratings.fitting import Rating
from referee.ratings.standings import Standings
from referee.store.accounts import accounts
from referee.store.database import Store
from referee.store.hosting_models import (
    Account,
    Assignment,
    LadderEntrant,
    Submission,
    SubmissionState,
    Threshold,
)
from referee.store.ladders import ladder
from referee.store.submissions import submissions

_MOST: Final = 1_000_000
_HEADER: Final = (
    *("login", "name", "group", "points", "submission", "version", "received", "late_seconds"),
    *("rating", "spread", "duels"),
)
_COUNTING: Final[frozenset[SubmissionState]] = frozenset({"active", "resting"})


class Grade(NamedTuple):
    """What an author has reached in an assignment."""

    account: Account
    submission: Submission | None
    """The one that counts; None if none was accepted in time."""
    late: timedelta
    """By how much it was handed in after the day that it was due."""
    rating: Rating | None
    duels: int
    chances: tuple[float | None, ...]
    """Of each threshold, to be better than its house bot; None if that does not play."""
    points: float


def grades(
    assignment: Assignment,
    people: Iterable[Account],
    handed_in: Sequence[Submission],
    play: LadderPlay,
    standings: Standings,
) -> list[Grade]:
    """Return the grades of all authors of an assignment, by their logins.

    Args:
        assignment: the assignment.
        people: all accounts.
        handed_in: all submissions to the ladder.
        play: what was played on it.
        standings: its table.
    """
    entrants = {each.bot.digest: each for each in play.entrants}
    house = {each.bot.name: each for each in play.entrants if each.account is None}
    of_course = [
        each
        for each in people
        if each.role == "author" and each.deleted is None and assignment.group in {None, each.group}
    ]
    return [
        _grade(
            assignment,
            account,
            [each for each in handed_in if each.account == account.id],
            _Field(entrants, house, standings),
        )
        for account in sorted(of_course, key=lambda each: each.login)
    ]


def grades_of(store: Store, assignment: Assignment) -> list[Grade]:
    """Return the grades of an assignment, as they are now."""
    on = ladder(store, assignment.ladder)
    play = LadderHistory(store).play(on)
    own = submissions(store, ladder=on.id, most=_MOST)
    return grades(assignment, accounts(store), own, play, play.standings())


class _Field(NamedTuple):
    """Who is on the ladder, and how they stand."""

    entrants: dict[str, LadderEntrant]
    house: dict[str, LadderEntrant]
    standings: Standings

    def rating(self, found: Submission) -> Rating:
        assert found.bot
        return self.standings.fit.rating(self.entrants[found.bot].number)


def _grade(
    assignment: Assignment, account: Account, own: Sequence[Submission], field: _Field
) -> Grade:
    end = assignment.due + assignment.grace
    in_time = [
        each
        for each in own
        if each.received <= end and each.state in _COUNTING and each.bot in field.entrants
    ]
    if not in_time:
        nothing = tuple(None for _ in assignment.thresholds)
        return Grade(account, None, timedelta(0), None, 0, nothing, 0.0)
    if assignment.counts == "last":
        found = max(in_time, key=lambda each: each.received)
    else:
        found = max(in_time, key=lambda each: field.rating(each).mean)
    assert found.bot
    number = field.entrants[found.bot].number
    chances = tuple(_chance(number, each, field) for each in assignment.thresholds)
    met = [
        each.points
        for each, chance in zip(assignment.thresholds, chances, strict=True)
        if chance is not None and chance >= each.confidence
    ]
    late = max(timedelta(0), found.received - assignment.due)
    duels = sum(
        cell.won + cell.drawn + cell.lost
        for (one, _), cell in field.standings.cells.items()
        if one == number
    )
    return Grade(account, found, late, field.rating(found), duels, chances, max(met, default=0.0))


def _chance(number: int, threshold: Threshold, field: _Field) -> float | None:
    """Return how likely an entrant is better than the house bot of a threshold."""
    against = field.house.get(threshold.bot)
    return None if against is None else field.standings.fit.better(number, against.number)


def grades_header(found: Assignment) -> tuple[str, ...]:
    """Return the columns of the grades of an assignment."""
    return (*_HEADER, *(f"beats_{each.bot}" for each in found.thresholds))


def grade_row(grade: Grade) -> tuple[object, ...]:
    """Return a grade as a row for programs."""
    own, rating, account = grade.submission, grade.rating, grade.account
    return (
        *(account.login, account.name, account.group or "", grade.points),
        *(
            (own.id, own.version, own.received.isoformat(timespec="seconds"))
            if own
            else ("", "", "")
        ),
        int(grade.late.total_seconds()),
        *((round(rating.mean, 3), round(rating.spread, 3)) if rating else ("", "")),
        grade.duels,
        *("" if each is None else round(each, 4) for each in grade.chances),
    )
