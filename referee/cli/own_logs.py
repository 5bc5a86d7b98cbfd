"""What bots logged in the duels of a directory, for the pages that their author looks at."""

from pathlib import Path

from referee.cli.duel_logs import MATCHES, log_files
from referee.cli.played_duels import names_beside
from referee.engine.record import MatchRecord, SeededDeal
from referee.errors import ConfigError
from referee.league.bot_logs import Logged, read_logs
from referee.league.duel_names import number_in
from referee.record_file import read_records


class OwnLogs:
    """The logs in a directory that `upcard try` or `duel` wrote."""

    def __init__(self, directory: Path) -> None:
        """Find out which duels they are of.

        Raises:
            ConfigError: there are none.
            FileError: they cannot be read.
        """
        matches = directory / MATCHES
        if not matches.is_file():
            raise ConfigError(
                f"{directory} has no {MATCHES}; name a directory that 'upcard try' wrote, such as "
                "upcard-logs/mine-vs-steady"
            )
        self._directory = directory
        self._bots = names_beside(matches)
        self._dealt = {record.dealt for record in read_records(matches)}

    def of(self, match: MatchRecord) -> Logged:
        """Return what the bots logged in the duel of a match; nothing if it is none of these."""
        dealt = match.dealt
        if not isinstance(dealt, SeededDeal) or dealt not in self._dealt:
            return {}
        files = log_files(self._directory, self._bots, match.game)
        return read_logs(files, match.game, number_in(dealt.duel))
