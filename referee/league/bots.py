"""The bots of a league, read from the store, and the visits they play."""

from collections.abc import Iterable

from referee.arena.duel import Duel
from referee.bots.copying import refuse_changed
from referee.bots.manifest import read_manifest
from referee.bots.seating import Debugged, SeatedBot, limits_of
from referee.league.bot_logs import LogFiles
from referee.league.channel import VisitId
from referee.league.visit import Visit
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.runtimes import find_runtimes
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.bots import bundle
from referee.store.database import Store
from referee.store.models import League


class LeagueBots:
    """The bots that were read so far, by the numbers of their entrants."""

    def __init__(
        self,
        store: Store,
        logs: LogFiles | None = None,
        debugged: Debugged | None = None,
        again: Duel | None = None,
    ) -> None:
        """Take the store their bundles are in, and how they are looked into.

        Args:
            store: the store.
            logs: the files for what they write, if any.
            debugged: the bot that its author looks into, of a league of two.
            again: the duel whose deals are played again, instead of their own.
        """
        self._store = store
        self._logs = logs
        self._debugged = debugged
        self._again = again
        self._bots: dict[int, SeatedBot] = {}

    def read(self, league: League, numbers: Iterable[int]) -> list[SeatedBot]:
        """Return bots, ready to play.

        Raises:
            ConfigError: one of them was changed, or cannot play here.
        """
        return [self._bot(league, number) for number in numbers]

    def limits(self, league: League, numbers: Iterable[int]) -> list[SandboxLimits]:
        """Return the limits of the bots' sandboxes."""
        return [limits_of(bot.manifest) for bot in self.read(league, numbers)]

    def visit(self, league: League, block: Block, visit: VisitId) -> Visit:
        """Return all that says what is played in a visit.

        Args:
            league: the league.
            block: which duels are played.
            visit: what it is called.
        """
        return Visit(
            visit,
            league.plan.terms,
            (block.first, block.second),
            (self._bot(league, block.first), self._bot(league, block.second)),
            (league.entry(block.first).bot.digest, league.entry(block.second).bot.digest),
            tuple(self._again or _duel(league, key) for key in block.keys),
            self._logs,
            self._debugged,
        )

    def _bot(self, league: League, number: int) -> SeatedBot:
        if number not in self._bots:
            bot = league.entry(number).bot
            files = bundle(self._store, bot.digest)
            refuse_changed(bot, files)
            runtimes = find_runtimes()
            manifest = read_manifest(files, runtimes)
            self._bots[number] = SeatedBot(manifest, files, runtimes[manifest.runtime])
        return self._bots[number]


def _duel(league: League, key: DuelKey) -> Duel:
    return Duel(key.number, league.dealt(key), league.plan.terms.game.first_dealer(key.number))
