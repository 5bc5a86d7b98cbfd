"""Plays challenges: unrated duels between two bots of a ladder, each an ordinary league of two."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from referee.hosting.shared_pool import SharedPool
from referee.league.running import Quiet, RunOptions, run_league
from referee.store.challenges import challenge, set_challenge_state
from referee.store.database import Store, writing
from referee.store.hosting_models import Challenge, Job
from referee.store.jobs import finish
from referee.store.ladders import ladder, ladder_entrants
from referee.store.leagues import create_league, league_names
from referee.store.models import Plan


def league_of(found: Challenge) -> str:
    """Return the name of the league in which a challenge is played."""
    return f"challenge-{found.id}"


@dataclass(frozen=True)
class Challenges:
    """Plays what was challenged."""

    store: Store
    pool: SharedPool
    clock: Callable[[], datetime]
    stops: Callable[[], int]

    def play(self, job: Job) -> None:
        """Play the challenge of a job.

        Raises:
            KeyboardInterrupt: the host stops.
        """
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
