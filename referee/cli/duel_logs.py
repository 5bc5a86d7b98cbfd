"""Keeps what was played in a directory: the matches, the bots' words, their faults, the sandbox."""

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from referee.arena.duel import DuelResult
from referee.cli.duel_figures import all_faults
from referee.cli.playing import Played
from referee.engine.cards import SEAT_NAMES, Seat
from referee.engine.record import to_json
from referee.errors import ConfigError, FileError
from referee.examination.fault_bundle import write_bundle

MATCHES: Final = "duels.jsonl"
GUARANTEES: Final = "guarantees.json"
OUTPUT: Final = "output"
_FAULTS: Final = "faults"
_OURS: Final = {MATCHES, GUARANTEES, OUTPUT, _FAULTS}
_MOST_BUNDLES: Final = 20
"""A bundle for each of a thousand faults would help nobody."""


class Logs(NamedTuple):
    """What was kept, and where."""

    directory: Path
    bundles: dict[int, Path]
    """By the place of a fault among all faults: what its author can play again."""


def ready(directory: Path) -> Path:
    """Make a directory for logs; if there is one, it may hold nothing but older ones."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        strange = sorted(path.name for path in directory.iterdir() if path.name not in _OURS)
    except FileExistsError:
        raise ConfigError(f"{directory} is not a directory; name another with --logs") from None
    except OSError as error:
        raise FileError(f"cannot keep logs in {directory}: {error.strerror}") from None
    if strange:
        raise ConfigError(
            f"{directory} holds {strange[0]}, which is no log of duels; name another with --logs"
        )
    return directory


def _clear(directory: Path) -> None:
    for path in directory.iterdir():
        if path.name in _OURS:
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def write_logs(directory: Path, played: Played) -> Logs:
    """Write all of it, in the place of older logs."""
    try:
        _clear(directory)
        (directory / MATCHES).write_text("".join(_matches(played.results)))
        (directory / GUARANTEES).write_text(json.dumps(_guarantees(played), indent=2) + "\n")
        _write_output(directory, played)
        return Logs(directory, dict(_bundles(directory / _FAULTS, played)))
    except OSError as error:
        raise FileError(f"cannot write logs to {directory}: {error.strerror}") from None


def _matches(results: Iterable[DuelResult]) -> Iterator[str]:
    for result in results:
        for record in result.rooms:
            yield to_json(record) + "\n"


def _guarantees(played: Played) -> dict[str, object]:
    return {
        "sandboxed": played.asked.sandboxed,
        "strict": played.asked.strict,
        "guarantees": [guarantee._asdict() for guarantee in played.guarantees],
    }


def _write_output(directory: Path, played: Played) -> None:
    (directory / OUTPUT).mkdir()
    for (entrant, seat), written in played.output.items():
        (directory / output_file(played, entrant, seat)).write_bytes(written)


def output_file(played: Played, entrant: int, seat: Seat) -> Path:
    """Name the file, within the logs, of what a bot wrote in one seat."""
    return Path(OUTPUT, f"{played.names[entrant]}-{SEAT_NAMES[seat].lower()}.log")


def _bundles(directory: Path, played: Played) -> Iterator[tuple[int, Path]]:
    written: dict[int, Path] = {}
    for number, fault in enumerate(all_faults(played)):
        # One failure may cost several matches, and the same is known of all of them.
        known = id(fault.evidence)
        if known not in written and len(written) < _MOST_BUNDLES:
            entrant = played.asked.entrants[fault.entrant]
            written[known] = write_bundle(directory, fault, entrant, played.asked.terms)
        if known in written:
            yield number, written[known]
