"""Duels that were played, found by what people call them: in a file of records, or in a league."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.arena.duel import Duel
from referee.arena.fault import ENTRANT_NAMES
from referee.cli.duel_logs import RESULT, log_files
from referee.cli.league_argument import chosen_league
from referee.engine.game import Game
from referee.engine.record import MatchRecord, ReplayedHand, SeededDeal
from referee.engine.record import replay as play_again
from referee.engine.seating import room_names
from referee.errors import ConfigError, FileError, RecordError
from referee.league.bot_logs import Logged, read_logs
from referee.league.duel_names import duel_name, duel_named, is_named, number_in
from referee.league.table import names
from referee.record_file import read_records, replayed
from referee.scheduling.keys import DuelKey
from referee.store.duels import rooms
from referee.store.leagues import league as find_league
from referee.store.models import League
from referee.store.opening import open_store

_RECORDS: Final = ".jsonl"
_PATH: Final = re.compile(r"(?:(.+?)/)??([0-9]{1,9}-[0-9]{1,9}/[0-9]{1,9}|[0-9]{1,9})")


class PlayedDuel(NamedTuple):
    """A duel that was played, which follows from the rules."""

    name: str
    """``18``, or ``1-2/17``."""
    bots: tuple[str, str]
    """What the two are called, A first."""
    rooms: Sequence[MatchRecord]
    hands: Sequence[Sequence[ReplayedHand]]
    """Those of each room, played again."""
    logged: Logged = MappingProxyType({})
    """What the bots wrote about their decisions, as far as that is known."""
    league: League | None = None
    """The one it is of, if it was found there."""
    key: DuelKey | None = None

    @property
    def game(self) -> Game:
        """What was played."""
        return self.rooms[0].game

    @property
    def deals(self) -> Duel:
        """Return its deals, as the only duel of others.

        Raises:
            ConfigError: they are secret as long as its league deals from the same seed.
        """
        if self.league and self.key and not _is_revealed(self.league, self.key):
            raise ConfigError(
                f"{self.league.name} still deals from its seed, which is secret; play its deals "
                "again once it is complete or closed"
            )
        dealt = self.rooms[0].dealt
        assert isinstance(dealt, SeededDeal)
        return Duel(0, dealt, self.rooms[0].first_dealer)


def _is_revealed(league: League, key: DuelKey) -> bool:
    epoch = league.epoch(key.first, key.second)
    return epoch is not None and epoch.revealed


def duel_in_file(file: Path, duel: str) -> PlayedDuel:
    """Find a duel in a file; its matches are written in the order of the rooms.

    Raises:
        ConfigError: the file does not have it.
        FileError: it breaks the rules.
    """
    found = [
        (line, record)
        for line, record in enumerate(read_records(file), start=1)
        if isinstance(record.dealt, SeededDeal) and is_named(duel, record.dealt.duel)
    ]
    if not found or len(found) != len(room_names(found[0][1].game)):
        raise ConfigError(
            f"{file} has {len(found) or 'no'} matches of a duel {duel[:80]!r}; 'upcard replay FILE "
            "--match N' shows any match"
        )
    game, bots = found[0][1].game, names_beside(file)
    hands = [replayed(file, line, record) for line, record in found]
    number = number_in(duel)
    logged = read_logs(log_files(file.parent, bots, game), game, number)
    return PlayedDuel(duel, bots, [record for _, record in found], hands, logged)


def names_beside(file: Path) -> tuple[str, str]:
    """Return what the bots are called in the result that is written beside the matches."""
    try:
        first, second = json.loads(file.with_name(RESULT).read_text())["bots"]
        return str(first["name"]), str(second["name"])
    except (OSError, ValueError, LookupError, TypeError):
        return ENTRANT_NAMES


def duel_in_league(db: str, name: str | None, duel: str) -> PlayedDuel:
    """Find a duel in a league, or in the only one.

    Raises:
        ConfigError: it does not have it, or not yet.
        FileError: it breaks the rules.
    """
    with open_store(db) as store:
        league = find_league(store, chosen_league(store, name))
        key = duel_named(league, duel)
        records = rooms(store, league, key)
    called = names(league.entries)
    shown = duel if duel.isdigit() else duel_name(key)
    hands = [replayed_in(league, shown, record) for record in records]
    bots = called[key.first], called[key.second]
    return PlayedDuel(shown, bots, records, hands, league=league, key=key)


def replayed_in(league: League, duel: str, record: MatchRecord) -> Sequence[ReplayedHand]:
    """Play a match of a league again by the rules.

    Raises:
        FileError: it breaks them; the error names its duel.
    """
    try:
        return list(play_again(record))
    except RecordError as error:
        raise FileError(f"duel {duel} of {league.name} breaks the rules: {error}") from None


def find_duel(db: str, what: str, duel: str | None) -> PlayedDuel:
    """Find a duel of a file or a league; of the only league, where the duel alone is named.

    Raises:
        ConfigError: it is not there.
        FileError: it breaks the rules.
    """
    if duel is None:
        return duel_in_league(db, None, what)
    if Path(what).exists():
        return duel_in_file(Path(what), duel)
    if "/" in what or what.endswith(_RECORDS):
        raise ConfigError(f"there is no file {what}")
    return duel_in_league(db, what, duel)


def duel_of_path(db: str, text: str) -> PlayedDuel:
    """Find a duel that is named in one word: FILE/18, LEAGUE/1-2/17, or 1-2/17 of the only league.

    Raises:
        ConfigError: it is not there.
        FileError: it breaks the rules.
    """
    found = _PATH.fullmatch(text)
    if found is None:
        raise ConfigError(
            f"a duel that was played is named like LEAGUE/1-2/17 or FILE/18, not {text[:80]!r}"
        )
    what, duel = found.groups()
    return find_duel(db, duel, None) if what is None else find_duel(db, what, duel)
