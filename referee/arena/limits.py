"""What a session is played on: the game, how long a bot may take, what a fault costs."""

from typing import Final, NamedTuple

from referee.engine.game import Game

GRACE: Final = 0.1
"""Seconds after the last piece at which a bot sends what it has, so what a piece may wait."""
LATE: Final = 0.1
"""Seconds the referee may be behind, at least, before nobody is blamed for an overrun."""
STARVED: Final = 10
"""How many decision limits a process may go without a processor before the duel is void."""
IDLE_SECONDS: Final = 0.25
"""Processor time a bot may use while nothing is asked of it. Bots in languages that compile what
they have just run used up to 0.01 s."""
IDLE_SHARE: Final = 0.05
"""The share of the waiting time it may use besides."""
REST_FRAMES: Final = 10
"""After so many frames a bot is left at rest until it is seen not to compute. Opponents that answer
at once leave no time in which that shows by itself."""
REST_EVERY: Final = 2.0
"""Seconds after which that is repeated, unless it was seen meanwhile."""
BANK_DECISIONS: Final = 15
"""For so many decisions at the limit a bank lasts, unless another one is chosen: a seat makes some
45 decisions in a match of euchre and 70 in one of whist, 140 at the most."""
CREATED: Final = 128
"""Processes and threads a bot may create while nothing is asked of it, where nobody can say how
much each has computed."""
CREATED_SHARE: Final = 2
"""How many it may create besides in each second of waiting."""
MOST_FAILED_STARTS: Final = 3
"""An entrant whose process fails so often in a row before it has decided anything never started."""
MOST_RESTARTS: Final = 32
"""How often a process may be started again in a room before that is cut short."""
MOST_RESTART_SECONDS: Final = 120.0
"""For how long it may get ready again and be asked again what it was asked before."""
MOST_LOSSES: Final = 3
"""A place whose process was killed from outside so often ends its room."""
MOST_VOIDS: Final = 3
"""A duel that was void so often stays unplayed."""
MOST_TABLES: Final = 256
ASK_FORCED, SKIP_FORCED = 1, 2
"""How many choices a bot has at least where it is asked: 1 asks for moves that leave none."""


class TimeLimits(NamedTuple):
    """Seconds."""

    decision: float = 1.0
    """For one decision."""
    ready: float = 10.0
    """From the start of a process to its hello."""
    bank: float = 0.0
    """For all decisions of a seat in a match; 0 is no such limit."""
    increment: float = 0.0
    """Added to the bank with each decision."""

    @classmethod
    def with_bank(cls, decision: float, ready: float) -> "TimeLimits":
        """Return limits with the bank that is usual for a decision limit."""
        return cls(decision, ready, BANK_DECISIONS * decision)

    @property
    def late(self) -> float:
        """Return how far behind the referee may be before nobody is blamed for an overrun."""
        return max(LATE, self.decision / 4)


class Policy(NamedTuple):
    """What a fault costs: the match at the n-th, and before it a substituted action."""

    forfeit_at: int = 1


class Terms(NamedTuple):
    """What a session is played on."""

    game: Game
    limits: TimeLimits = TimeLimits()
    policy: Policy = Policy()
    tables: int = MOST_TABLES
    """How many matches are open in each room at most."""
    at_least: int = SKIP_FORCED
    """A bot is asked where it has at least so many choices."""
    beat: float = 0.0
    """Seconds. If there is one, partners have as few ways to signal as can be: one match is open at
    a time, turns are released on this beat only, and who is not to move is frozen."""
