"""Does what is queued, one job after the other; what fails by our own fault is tried again."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.store.challenges import fail_challenge
from referee.store.database import Store
from referee.store.hosting_models import Job, JobKind
from referee.store.jobs import KILLED, claim, put_back, running_jobs
from referee.store.lifecycle import fail_examination

_FAIL: Final[Mapping[JobKind, Callable[[Store, Job, str, datetime], None]]] = {
    "examine": fail_examination,
    "challenge": fail_challenge,
}
"""Notes that a job of a kind failed, and what follows for what it is about."""
_PAUSE: Final = 0.5
"""Seconds from one look at the queue to the next."""
_LOG: Final = logging.getLogger("upcard.queue")


@dataclass(frozen=True)
class Queued:
    """Does the jobs of one kind; several may do so at the same time."""

    store: Store
    kind: JobKind
    do: Callable[[Job], None]
    """Does one and stores what came of it; raises `KeyboardInterrupt` if the host stops."""
    clock: Callable[[], datetime]
    stops: Callable[[], int]

    def work(self) -> None:
        """Do what is queued, until the host stops."""
        while not self.stops():
            if not self.do_next():
                time.sleep(_PAUSE)

    def do_next(self) -> bool:
        """Do the job that waits for longest; return whether there was one."""
        job = claim(self.store, [self.kind], self.clock())
        if job is None:
            return False
        try:
            self.do(job)
        except KeyboardInterrupt:
            put_back(self.store, job)
        except Exception as error:  # noqa: BLE001 (whatever it is, the others do not wait for it)
            _LOG.exception("job %d (%s %d) was not done", job.id, job.kind, job.subject)
            told = f"{type(error).__name__}: {error}"
            _FAIL[job.kind](self.store, job, told, self.clock())
        return True


def queue_killed_again(store: Store, now: datetime) -> int:
    """Queue the jobs again that a process did which was killed; return how many those are.

    That counts as a failure of an examination, which may have been the reason. A challenge goes on
    where it was, like any league.
    """
    killed = running_jobs(store)
    for job in killed:
        if job.kind == "examine":
            fail_examination(store, job, KILLED, now)
        else:
            put_back(store, job)
    return len(killed)
