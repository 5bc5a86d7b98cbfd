"""Imports what shards have played: each duel is played again, and stored unless it is there.

A file is checked from its first line to its last before anything of it is stored, so one that was
forged or damaged anywhere changes nothing. What is stored depends on the duels alone, and not on
how many files they came in, in which order, or how often. So voids and failed starts are counted
and not stored: their duels stay missing, and the next run plays them.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypeVar

from referee.engine.game import Game
from referee.errors import ConfigError, FileError, RecordError
from referee.files.reading import opened
from referee.league.channel import NeverStarted
from referee.league.epochs import refuse_less
from referee.league.pace import smallest_visit
from referee.league.reported_duels import check_key, checked_duel
from referee.league.rounds import league_progress
from referee.league.shard_files import Item, ShardHeader, ShardReader, refuse_other_league
from referee.scheduling.keys import DuelKey
from referee.store.chain import duel_digest
from referee.store.database import Store
from referee.store.duels import stored_duels, stored_keys
from referee.store.leagues import league_names
from referee.store.leases import Lease, lease
from referee.store.models import Isolation, StoredDuel, StoredVoid
from referee.store.play import unpacked

_RENEW_EVERY: Final = 1000
"""Lines, which take a few seconds to check."""
_AT_ONCE: Final = 1 << 20
_Found = TypeVar("_Found")


class Refusal(NamedTuple):
    """Why nothing of a file was imported."""

    line: int | None
    """From 1; None if it could not be read at all."""
    field: str
    reason: str


@dataclass
class ImportedFile:
    """What came of a file."""

    path: Path
    league: str | None = None
    """None if it says of none."""
    duels: int = 0
    """How many are in it."""
    stored: int = 0
    """How many of them were not there before."""
    left_out: int = 0
    """How many are not to be played, or not yet as far as is known."""
    different: set[DuelKey] = field(default_factory=set)
    """Those that were there and went otherwise; what was stored before stays."""
    voids: int = 0
    never_started: set[int] = field(default_factory=set)
    """The entrants that did not start where it was played."""
    size: int = 0
    """In bytes, of the lines that were checked."""
    digest: str = ""
    """Of those lines."""
    is_torn: bool = False
    """Whether its last line was not written to its end."""
    refused: Refusal | None = None

    @property
    def present(self) -> int:
        """How many of its duels were there before."""
        return self.duels - self.stored - self.left_out


def import_files(store: Store, paths: Iterable[Path], now: datetime) -> list[ImportedFile]:
    """Import files of shards, each into the league that it says it is of.

    Args:
        store: the store.
        paths: the files.
        now: the time.

    Raises:
        ConfigError: somebody runs a league, or it is closed.
    """
    files = [ImportedFile(path) for path in paths]
    by_league: dict[str, list[ImportedFile]] = defaultdict(list)
    known = {*league_names(store)}
    for file in files:
        file.league = _league_of(file, known)
        if file.league is not None:
            by_league[file.league].append(file)
    for name, of_league in by_league.items():
        with lease(store, name) as own:
            _Import(own, now).take(of_league)
    return files


def _league_of(file: ImportedFile, known: Collection[str]) -> str | None:
    """Return the league that a file says it is of; None if it is empty or refused."""

    def read(reader: ShardReader) -> str | None:
        header = next(iter(reader), None)
        if header is None:
            return None
        assert isinstance(header, ShardHeader)  # as is the first line of each file
        if header.league not in known:
            raise RecordError("league", f"is {header.league!r}, which is not in this store")
        return header.league

    return _reading(file, None, read)


def _reading(
    file: ImportedFile, game: Game | None, read: Callable[[ShardReader], _Found]
) -> _Found | None:
    """Read a file of a game; if anything is wrong with it, it is refused."""
    try:
        with opened(file.path) as data:
            reader = ShardReader(data, game)
            try:
                return read(reader)
            except RecordError as error:
                file.refused = Refusal(reader.line, error.field, error.reason)
    except FileError as error:
        file.refused = Refusal(None, "", str(error))
    return None


class _Import:
    """The import into one league."""

    def __init__(self, own: Lease, now: datetime) -> None:
        self._own = own
        self._now = now
        self._progress = league_progress(own)
        self._progress.reload()
        self._stored = stored_keys(own.store, own.name)
        plan = self._progress.league.plan
        self._visit_size = plan.block or smallest_visit(plan.duels)
        self._rounds = self._rounds_to_come
        self._logged: tuple[str, Isolation, str] | None = None

    def take(self, files: Sequence[ImportedFile]) -> None:
        """Import files; nothing of those that are refused."""
        left = [file for file in files if self._is_sound(file)]
        # What is to be played only after a look may be known to be once the other files are in.
        while sum(map(self._store, left)):
            left = [file for file in left if file.left_out]
        self._save_snapshots()
        if not any(self._progress.missing(self._visit_size)):
            self._progress.complete()

    # Checking

    def _is_sound(self, file: ImportedFile) -> bool:
        """Check all of a file, and count what is in it."""

        def read(reader: ShardReader) -> None:
            for item in self._renewing(reader):
                self._check(item)
                _count(file, item)
            file.size, file.digest, file.is_torn = reader.size, reader.digest, reader.is_torn

        _reading(file, self._progress.league.plan.terms.game, read)
        if file.refused:
            file.duels = file.voids = 0
            file.never_started.clear()
        return file.refused is None

    def _check(self, item: Item) -> None:
        league = self._progress.league
        if isinstance(item, ShardHeader):
            refuse_other_league(item, league)
            try:
                refuse_less(league, item.isolation)
            except ConfigError as error:
                raise RecordError("isolation", str(error)) from None
        elif isinstance(item, StoredDuel):
            checked_duel(league, item, self._now)
        elif isinstance(item, StoredVoid):
            check_key(league, item.key)
        elif item.entrant > len(league.entries):
            raise RecordError("entrant", f"is {item.entrant}, which is not in {league.name}")

    # Storing

    def _store(self, file: ImportedFile) -> int:
        """Store what of a file is not there yet; return how many duels that were."""
        before, file.left_out = file.stored, 0
        with opened(file.path) as data:
            # Of a file that grows meanwhile, what was checked.
            if _digest(data, file.size) != file.digest:
                raise FileError(f"{file.path} was changed while it was read; import it again")
            data.seek(0)
            reader = ShardReader(data, self._progress.league.plan.terms.game, file.size)
            for header, duel in _duels(self._renewing(reader)):
                self._take(file, header, duel)
        return file.stored - before

    def _renewing(self, reader: ShardReader) -> Iterator[Item]:
        """Yield what is read, and keep the league meanwhile."""
        for item in reader:
            if reader.line % _RENEW_EVERY == 0:
                self._own.renew()
            yield item

    def _take(self, file: ImportedFile, header: ShardHeader, duel: StoredDuel) -> None:
        if duel.key in self._stored:
            if not self._is_stored_so(duel):
                file.different.add(duel.key)
        elif not self._progress.takes(duel.key):
            file.left_out += 1
        else:
            checked = checked_duel(self._progress.league, duel, self._now)
            self._log(file.digest, header)
            self._progress.save([checked], header.isolation)
            self._stored.add(duel.key)
            file.stored += 1

    def _log(self, digest: str, header: ShardHeader) -> None:
        """Append to the log from which file the next duels are, unless the last entry says so."""
        said = header.upcard, header.isolation, digest
        if said != self._logged:
            self._progress.imports(*said)
            self._logged = said

    def _is_stored_so(self, duel: StoredDuel) -> bool:
        """Return whether a duel went as it was stored; one that counts for nobody may differ."""
        number, found = duel.key.number, self._progress.league
        same = stored_duels(self._own.store, found.name, duel.key[:2], range(number, number + 1))
        return all(
            duel.digest
            == duel_digest(
                each.key,
                unpacked(each.play, found.dealt(each.key), found.plan.terms.game),
                [fault.form for fault in each.faults],
            )
            for each in same
        )

    # Ending

    @property
    def _rounds_to_come(self) -> set[int]:
        """The rounds of visits of which a duel is missing, as far as is known."""
        return {block.round for block in self._progress.missing(self._visit_size)}

    def _save_snapshots(self) -> None:
        """Store the ratings after each round that is over by now, as are all before it."""
        to_come = self._rounds_to_come
        for number in sorted(self._rounds - to_come):
            if number < min(to_come, default=inf):
                self._progress.save_snapshot(number, self._visit_size)


def _digest(data: BinaryIO, size: int) -> str:
    """Return the digest of the first so many bytes of a file."""
    found = sha256()
    while size > 0 and (part := data.read(min(size, _AT_ONCE))):
        found.update(part)
        size -= len(part)
    return found.hexdigest()


def _count(file: ImportedFile, item: Item) -> None:
    if isinstance(item, StoredDuel):
        file.duels += 1
    elif isinstance(item, StoredVoid):
        file.voids += 1
    elif isinstance(item, NeverStarted):
        file.never_started.add(item.entrant)


def _duels(items: Iterable[Item]) -> Iterator[tuple[ShardHeader, StoredDuel]]:
    """Yield the duels of a file, each with the header that it is under."""
    header: ShardHeader | None = None
    for item in items:
        if isinstance(item, ShardHeader):
            header = item
        elif isinstance(item, StoredDuel):
            assert header  # the first line is one
            yield header, item
