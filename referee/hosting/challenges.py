"""Plays challenges: unrated duels between two bots of a ladder, each an ordinary league of two."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.hosting.shared_pool import SharedPool
from referee.league.running import Quiet, RunOptions, run_league
from referee.store.challenges import challenge, set_challenge_state
from referee.store.database import Store, writing
from referee.store.hosting_models import Challenge, ChallengeState, Job
from referee.store.jobs import KILLED, claim, fail, finish, put_back, running_jobs
from referee.store.ladders import ladder, ladder_entrants
from referee.store.leagues import create_league, league_names
from referee.store.models import Plan

_PAUSE: Final = 1.0
_LOG: Final = logging.getLogger("upcard.queue")


def league_of(found: Challenge) -> str:
    """Return the name of the league in which a challenge is played."""
    return f"challenge-{found.id}"


@dataclass(frozen=True)
class Challenges:
    """Plays what was challenged, one after the other."""

    store: Store
    pool: SharedPool
    clock: Callable[[], datetime]
    stops: Callable[[], int]

    def work(self) -> None:
        """Play what is queued, until the host stops."""
        while not self.stops():
            if not self.play_next():
                time.sleep(_PAUSE)

    def play_next(self) -> bool:
        """Play the challenge that waits for longest; return whether there was one."""
        job = claim(self.store, ["challenge"], self.clock())
        if job is None:
            return False
        try:
            self._play(job)
        except KeyboardInterrupt:
            put_back(self.store, job)
        except Exception as error:  # noqa: BLE001 (whatever it is, the others do not wait for it)
            _LOG.exception("challenge %d was not played", job.subject)
            _fail(self.store, job, str(error) or type(error).__name__, self.clock())
        return True

    def _play(self, job: Job) -> None:
        found = challenge(self.store, job.subject)
        on = ladder(self.store, found.ladder)
        name, plan = league_of(found), on.plan
        if name not in league_names(self.store):
            of = {each.number: each.bot.digest for each in ladder_entrants(self.store, on)}
            league_plan = Plan(plan.terms, found.duels, 0)
            digests = [of[found.first], of[found.second]]
            create_league(self.store, name, league_plan, digests, self.clock())
        with writing(self.store) as connection:
            set_challenge_state(connection, found.id, "running", league=name)
        engine = self.pool.engine("challenge")
        options = RunOptions(accepted=plan.accepted, sandboxed=plan.sandboxed, engine=engine)
        run_league(self.store, name, options, Quiet(), self.stops)
        with writing(self.store) as connection:
            set_challenge_state(connection, found.id, "done")
            finish(connection, job, self.clock())


def fail_killed(store: Store, now: datetime) -> int:
    """Note that a process was killed which played challenges; return how many it was at."""
    killed = running_jobs(store, "challenge")
    for job in killed:
        _fail(store, job, KILLED, now)
    return len(killed)


def _fail(store: Store, job: Job, error: str, now: datetime) -> None:
    with writing(store) as connection:
        given_up = fail(connection, job, error, now)
        state: ChallengeState = "failed" if given_up else "queued"
        set_challenge_state(connection, job.subject, state, error)
