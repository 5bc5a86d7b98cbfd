"""The directory that a duel leaves: matches, result, what the bots wrote, faults, the sandbox."""

import json
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.engine.game import Game
from referee.engine.record import to_json
from referee.errors import ConfigError, FileError
from referee.league.bot_logs import LogFiles
from referee.league.table import LeagueTable
from referee.reports.duels import lines
from referee.reports.facts import facts
from referee.reports.head_to_head import head_to_head
from referee.store.database import Store
from referee.store.duels import fault_bundles, stored_duels
from referee.store.leagues import suspension_bundle

MATCHES: Final = "duels.jsonl"
RESULT: Final = "result.json"
GUARANTEES: Final = "guarantees.json"
OUTPUT: Final = "output"
_FAULTS: Final = "faults"
_OURS: Final = {MATCHES, RESULT, GUARANTEES, OUTPUT, _FAULTS}
_MOST_BUNDLES: Final = 20
"""A bundle for each of a thousand faults would help nobody."""


class FaultFile(NamedTuple):
    """A fault bundle that was written."""

    file: Path
    last_line: str
    """The last that the bot wrote."""


def prepare(directory: Path, names: tuple[str, str], game: Game) -> None:
    """Make a directory for logs, without older ones; if there is one, it may hold nothing else.

    Raises:
        ConfigError: it holds something else.
        FileError: it cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        found = sorted(directory.iterdir())
        strange = [path.name for path in found if path.name not in _OURS]
        if strange:
            raise ConfigError(
                f"{directory} holds {strange[0]}, which is no log of duels; name another with "
                "--logs"
            )
        for path in found:
            _remove(path)
        (directory / OUTPUT).mkdir()
        for file in log_files(directory, names, game).values():
            file.touch()
    except FileExistsError:
        raise ConfigError(f"{directory} is not a directory; name another with --logs") from None
    except OSError as error:
        raise FileError(f"cannot write logs to {directory}: {error.strerror}") from None


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def log_files(directory: Path, names: tuple[str, str], game: Game) -> LogFiles:
    """Return the file of each seat of both bots."""
    return {
        (entrant, seat): log_file(directory, name, called).absolute()
        for entrant, name in enumerate(names)
        for seat, called in enumerate(game.seat_names)
    }


def log_file(directory: Path, name: str, seat: str) -> Path:
    """Return the file of what a bot writes in a seat, by what that is called."""
    return directory / OUTPUT / f"{name}-{seat.lower().replace(' ', '-')}.log"


def write_logs(directory: Path, store: Store, table: LeagueTable) -> Mapping[int, FaultFile]:
    """Write all that is known at the end; return the bundles by the numbers of their faults.

    Raises:
        FileError: it cannot be written.
    """
    try:
        with (directory / MATCHES).open("w") as matches:
            for line in lines(table, stored_duels(store, table.league.name)):
                matches.writelines(f"{to_json(record)}\n" for record in line.rooms)
        _write_json(directory / RESULT, head_to_head(store, table))
        _write_json(directory / GUARANTEES, facts(table)["held"])
        _write_never_started(directory, store, table)
        return dict(_write_bundles(directory / _FAULTS, store, table))
    except OSError as error:
        raise FileError(f"cannot write logs to {directory}: {error.strerror}") from None


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, indent=1) + "\n")


def never_started_file(directory: Path, entrant: int) -> Path:
    """Return the file of the fault bundle of an entrant that never started."""
    return directory / _FAULTS / f"never-started-{entrant}.json"


def _write_never_started(directory: Path, store: Store, table: LeagueTable) -> None:
    for entrant in table.suspensions:
        with suppress(ConfigError):  # it was suspended without one
            bundle = zlib.decompress(suspension_bundle(store, table.league.name, entrant))
            (directory / _FAULTS).mkdir(exist_ok=True)
            _write_json(never_started_file(directory, entrant), json.loads(bundle))


def _write_bundles(
    directory: Path, store: Store, table: LeagueTable
) -> Iterator[tuple[int, FaultFile]]:
    for number, packed in fault_bundles(store, table.league.name, _MOST_BUNDLES):
        bundle: dict[str, Any] = json.loads(zlib.decompress(packed))
        directory.mkdir(exist_ok=True)
        file = directory / f"fault-{number:03}-{bundle['fault']['kind']}.json"
        _write_json(file, bundle)
        written = bundle["output"]["tail"].strip().splitlines()
        yield number, FaultFile(file, written[-1] if written else "")
