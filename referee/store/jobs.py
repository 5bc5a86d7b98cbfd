"""The queue of what is to be done on a host: each job once, whatever is killed meanwhile.

One process at a time works on the queue. What it was doing when it was killed is queued again when
the next one begins, and done from the start: whatever a job does has to bear that. An examination
counts as failed by the host's own fault then, for it may be what killed it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import Job, JobKind
from referee.store.hosting_rows import JOB

KILLED: Final = "the process that did it was killed"
TRIED_AGAIN: Final = "our fault: tried again soon"
"""What an author reads of a job of hers that failed, and is not given up."""
MOST_ATTEMPTS: Final = 3
"""After so many failures by the host's own fault a job is given up."""
_RETRY: Final = timedelta(seconds=20)
"""Before the second attempt; twice that before each next one."""
_JOB: Final = [JOB.c[field] for field in Job._fields]


def enqueue(connection: Connection, kind: JobKind, subject: int, now: datetime) -> None:
    """Add a job, in the transaction that makes what it is about."""
    row = {"kind": kind, "subject": subject, "state": "queued", "attempts": 0}
    connection.execute(insert(JOB), row | {"created": now, "due": now, "error": ""})


def enqueue_again(connection: Connection, kind: JobKind, subject: int, now: datetime) -> None:
    """Queue a job that is over once more, behind all others."""
    this = (JOB.c.kind == kind) & (JOB.c.subject == subject)
    values = {"state": "queued", "attempts": 0, "created": now, "due": now, "error": ""}
    connection.execute(update(JOB).where(this).values(started=None, finished=None, **values))


def drop(
    connection: Connection, kind: JobKind, subjects: Select[tuple[int]], now: datetime
) -> None:
    """End the jobs of a kind about some subjects that nobody has begun."""
    these = (JOB.c.kind == kind) & (JOB.c.state == "queued") & JOB.c.subject.in_(subjects)
    connection.execute(update(JOB).where(these).values(state="done", finished=now))


def running_jobs(store: Store) -> list[Job]:
    """Return the jobs that were begun and are not over."""
    asked = select(*_JOB).where(JOB.c.state == "running").order_by(JOB.c.id)
    with reading(store) as connection:
        return [_job(row) for row in connection.execute(asked)]


def put_back(store: Store, job: Job) -> None:
    """Queue a job again that was begun, because the host stops: that is no failure."""
    this = (JOB.c.id == job.id) & (JOB.c.state == "running")
    with writing(store) as connection:
        connection.execute(update(JOB).where(this).values(state="queued", started=None))


def claim(store: Store, kinds: Collection[JobKind], now: datetime) -> Job | None:
    """Begin the job of some kinds that waits for longest, if one is due."""
    waits = (JOB.c.state == "queued") & (JOB.c.due <= now) & JOB.c.kind.in_(kinds)
    asked = select(*_JOB).where(waits).order_by(JOB.c.created, JOB.c.id).limit(1)
    with reading(store) as connection:
        found = connection.execute(asked).one_or_none()
    if found is None:
        return None
    with writing(store) as connection:
        this = (JOB.c.id == found.id) & (JOB.c.state == "queued")
        begun = update(JOB).where(this).values(state="running", started=now)
        return _job(found) if connection.execute(begun).rowcount else None


def finish(connection: Connection, job: Job, now: datetime) -> None:
    """End a job, in the transaction that stores what came of it."""
    values = {"state": "done", "finished": now, "error": ""}
    connection.execute(update(JOB).where(JOB.c.id == job.id).values(values))


def fail(connection: Connection, job: Job, error: str, now: datetime) -> bool:
    """Note that a job failed by the host's own fault; return whether it is given up."""
    attempts = job.attempts + 1
    given_up = attempts >= MOST_ATTEMPTS
    values: dict[str, object] = {"attempts": attempts, "error": error[:1000]}
    if given_up:
        values |= {"state": "failed", "finished": now}
    else:
        values |= {"state": "queued", "started": None, "due": now + _RETRY * 2**job.attempts}
    connection.execute(update(JOB).where(JOB.c.id == job.id).values(values))
    return given_up


def queue(store: Store) -> list[Job]:
    """Return the jobs that are not over, in the order in which they will be done."""
    asked = select(*_JOB).where(JOB.c.state.in_(["running", "queued"]))
    with reading(store) as connection:
        jobs = [_job(row) for row in connection.execute(asked)]
    return sorted(jobs, key=lambda job: (job.state != "running", job.created, job.id))


def places(store: Store, kind: JobKind, subjects: Sequence[int]) -> dict[int, int]:
    """Return how many jobs of a kind come before each of some, and it itself; 0 is being done."""
    line = [job for job in queue(store) if job.kind == kind]
    running = sum(job.state == "running" for job in line)
    places = {job.subject: max(0, place - running) for place, job in enumerate(line, start=1)}
    return {subject: places[subject] for subject in subjects if subject in places}


def failed_jobs(store: Store, most: int) -> list[Job]:
    """Return the jobs that were given up, the latest first."""
    asked = select(*_JOB).where(JOB.c.state == "failed").order_by(JOB.c.finished.desc())
    with reading(store) as connection:
        return [_job(row) for row in connection.execute(asked.limit(most))]


def count_jobs(store: Store) -> dict[tuple[str, str], int]:
    """Return how many jobs there are of each kind in each state."""
    asked = select(JOB.c.kind, JOB.c.state, func.count()).group_by(JOB.c.kind, JOB.c.state)
    with reading(store) as connection:
        return {(kind, state): count for kind, state, count in connection.execute(asked)}


def _job(row: Row[Any]) -> Job:
    return exact(Job, row)
