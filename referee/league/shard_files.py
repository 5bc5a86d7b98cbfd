"""Files of shards: what was played of one, a line of JSON for each duel, as soon as it is known.

The first line is a header: of which league the duels are, by digests of all that fixes it, and what
isolated the bots. A process that goes on with a file writes another header before the next duel. A
line that was not written to its end, as by a machine that lost power, is no line.
"""

import fcntl
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from referee import json_fields
from referee.engine.game import Game
from referee.errors import ConfigError, FileError, RecordError
from referee.files.reading import opened
from referee.json_fields import expect
from referee.league.channel import HalfPlayed, NeverStarted
from referee.league.outcome_forms import (
    Form,
    isolation_as_json,
    isolation_from_json,
    news_as_json,
    news_from_json,
)
from referee.record_file import read_lines, refuse_too_long
from referee.scheduling.shards import Shard, shard_from_text
from referee.store.chain import canonical_json
from referee.store.models import MOST_ENTRANTS, Isolation, League, StoredOutcome
from referee.store.plans import plan_columns

SCHEMA: Final = 1
LARGEST_FILE: Final = 1 << 34
"""In bytes; millions of duels."""
_OUTCOMES: Final = ("duel", "void", "never_started")

ShardOutcome = StoredOutcome | NeverStarted


class ShardEpoch(NamedTuple):
    """What a header says of an epoch."""

    commitment: str
    statement: str | None
    """The digest of its opening statement; None of one that is older than statements."""


class ShardHeader(NamedTuple):
    """Of what the outcomes are that follow it in a file."""

    upcard: str
    league: str
    plan: str
    """The digest of all that was fixed when the league was created."""
    shard: Shard
    entrants: tuple[str, ...]
    """The digests of their bundles."""
    epochs: tuple[ShardEpoch, ...]
    isolation: Isolation


Item = ShardHeader | ShardOutcome


def header_of(league: League, shard: Shard, isolation: Isolation) -> ShardHeader:
    """Return what a shard says of itself."""
    return ShardHeader(
        version("upcard-referee"),
        league.name,
        _plan_digest(league),
        shard,
        tuple(entry.bot.digest for entry in league.entries),
        tuple(
            ShardEpoch(epoch.commitment, epoch.opening and epoch.opening.digest)
            for epoch in league.epochs
        ),
        isolation,
    )


def _plan_digest(league: League) -> str:
    return sha256(canonical_json(plan_columns(league.plan))).hexdigest()


def refuse_other_league(header: ShardHeader, league: League) -> None:
    """Refuse what was played of another league, or of one in which other bots play.

    Since it was played, the league may have got more entrants, and epochs.

    Raises:
        RecordError: it is of another one.
    """
    here = header_of(league, header.shard, header.isolation)
    expect("league", header.league, here.league)
    expect("plan", header.plan, here.plan)
    for name in ("entrants", "epochs"):
        found, known = len(getattr(header, name)), len(getattr(here, name))
        if found > known:
            raise RecordError(name, f"are {found}, but {league.name} has {known}")
    for number, (there, bot) in enumerate(zip(header.entrants, here.entrants, strict=False)):
        expect(f"entrants[{number}]", there, bot)
    for number, epochs in enumerate(zip(header.epochs, here.epochs, strict=False)):
        for name, said, stored in zip(ShardEpoch._fields, *epochs, strict=True):
            expect(f"epochs[{number}].{name}", said, stored)


def header_as_json(header: ShardHeader) -> Form:
    """Return a header."""
    return {
        "type": "shard",
        "schema": SCHEMA,
        **header._asdict(),
        "shard": str(header.shard),
        "epochs": [epoch._asdict() for epoch in header.epochs],
        "isolation": isolation_as_json(header.isolation),
    }


def header_from_json(read: object) -> ShardHeader:
    """Read a header.

    Raises:
        RecordError: it is not what `header_as_json` returns.
    """
    json_fields.refuse_other_schema(read, SCHEMA, "shard")
    found = json_fields.fields(read, "", ("type", "schema", *ShardHeader._fields))
    entrants = json_fields.items(found["entrants"], "entrants", MOST_ENTRANTS)
    epochs = json_fields.items(found["epochs"], "epochs", MOST_ENTRANTS)
    return ShardHeader(
        json_fields.printable(found["upcard"], "upcard"),
        json_fields.printable(found["league"], "league"),
        json_fields.digest(found["plan"], "plan"),
        _shard(found["shard"]),
        tuple(json_fields.digest(each, field) for field, each in entrants),
        tuple(_epoch(each, field) for field, each in epochs),
        isolation_from_json(found["isolation"], "isolation"),
    )


def _shard(read: object) -> Shard:
    try:
        return shard_from_text(json_fields.text(read, "shard"))
    except ConfigError as error:
        raise RecordError("shard", str(error)) from None


def _epoch(read: object, field: str) -> ShardEpoch:
    found = json_fields.fields(read, field, ShardEpoch._fields)
    statement = found["statement"]
    return ShardEpoch(
        json_fields.digest(found["commitment"], f"{field}.commitment"),
        None if statement is None else json_fields.digest(statement, f"{field}.statement"),
    )


class ShardReader:
    """Reads a file of a shard, which may be of a stranger, line by line."""

    def __init__(self, file: BinaryIO, game: Game | None, most: int = LARGEST_FILE) -> None:
        """Take the file, at its beginning, and how many bytes are read.

        Args:
            file: the file.
            game: what its league plays; None if nothing but a header is read.
            most: how many bytes are read.
        """
        self._file = file
        self._game = game
        self._most = most
        self._hash = sha256()
        self.line = 0
        """The number of the line that was read last, from 1."""
        self.size = 0
        """In bytes, of the whole lines up to that."""
        self.is_torn = False
        """Whether the last line was not written to its end, and so left out."""

    def __iter__(self) -> Iterator[Item]:
        """Yield what each line says.

        Raises:
            RecordError: a line is none of a shard.
        """
        for data in read_lines(self._file):
            if self.size == self._most:
                return
            self.line += 1
            refuse_too_long(data)
            if not data.endswith(b"\n"):
                self.is_torn = True
                return
            self.size += len(data)
            self._hash.update(data)
            if self.size > LARGEST_FILE:
                raise RecordError("", "this is larger than any shard")
            yield _item(data, self._game, is_first=self.line == 1)

    @property
    def digest(self) -> str:
        """Return the digest of the whole lines so far."""
        return self._hash.hexdigest()


def _item(data: bytes, game: Game | None, *, is_first: bool) -> Item:
    read = json_fields.parsed(data)
    allowed = ("shard",) if is_first else ("shard", *_OUTCOMES)
    said = read.get("type") if isinstance(read, dict) else None
    if json_fields.one_of(said, "type", allowed) == "shard":
        return header_from_json(read)
    assert game
    outcome = news_from_json(read, game)
    assert not isinstance(outcome, HalfPlayed)
    return outcome


class ShardFile:
    """The file that a shard is written to, which nobody else writes meanwhile."""

    def __init__(self, path: Path, descriptor: int, game: Game) -> None:
        """Take the file, and the game of its league."""
        self.path = path
        self._game = game
        self._descriptor = descriptor
        self._header: ShardHeader | None = None

    def read(self) -> Iterator[Item]:
        """Yield what is in it, and then remove what was not written to its end.

        Raises:
            FileError: it cannot be read, or is no file of a shard.
        """
        with opened(self.path) as file:
            reader = ShardReader(file, self._game)
            try:
                for item in reader:
                    if isinstance(item, ShardHeader):
                        self._header = item
                    yield item
            except RecordError as error:
                raise FileError(
                    f"{self.path}, line {reader.line}: {error}; name another file"
                ) from None
        with self._errors():
            os.ftruncate(self._descriptor, reader.size)

    def begin(self, header: ShardHeader) -> None:
        """Write a header, unless the last one says the same."""
        if header != self._header:
            self._append(header_as_json(header))
            self._header = header

    def append(self, outcome: ShardOutcome) -> None:
        """Write an outcome; a kill of this process does not undo it."""
        self._append(news_as_json(outcome, self._game))

    def _append(self, form: Form) -> None:
        data = json.dumps(form, separators=(",", ":")).encode() + b"\n"
        with self._errors():
            while data:
                data = data[os.write(self._descriptor, data) :]

    def sync(self) -> None:
        """Write everything to disk."""
        with self._errors():
            os.fsync(self._descriptor)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FileError(
                f"cannot write {self.path}: {error.strerror}; fix that, and run it again: what is "
                "in the file is not lost"
            ) from None


@contextmanager
def shard_file(path: Path, game: Game) -> Iterator[ShardFile]:
    """Open the file that a shard of a league is written to; make it if there is none.

    Raises:
        ConfigError: another process writes it.
        FileError: it cannot be written.
    """
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}; name another file") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"{path} is not a file; name another")
        _lock(path, descriptor)
        file = ShardFile(path, descriptor, game)
        try:
            yield file
        finally:
            with suppress(FileError):  # what is written is there unless the power fails
                file.sync()
    finally:
        os.close(descriptor)


def _lock(path: Path, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(f"{path} is being written by another process; name another") from None
    except OSError:  # some network file systems have no locks
        pass
