"""Goes through all duels of an export, and what is written of them in other notations."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from referee.errors import RecordError
from referee.publication.duel_reading import read_duel
from referee.publication.duels import ExportedDuel
from referee.publication.export import DUELS_FILE
from referee.publication.league import ExportedLeague
from referee.publication.notations import NotationFile, duel_text, notation_files
from referee.publication.verification_duels import check_duel
from referee.publication.verification_entries import Logged
from referee.publication.verification_files import VerificationFailure, opened
from referee.publication.verification_log import check_logged_duel
from referee.ratings.results import Result
from referee.record_file import read_lines, refuse_too_long
from referee.scheduling.keys import DuelKey

MOST_FAILURES: Final = 20
"""After so many duels that are wrong, nothing more is looked at."""
Watch = Callable[[Iterator[bytes], int], Iterable[bytes]]
"""Shows how far the duels have come, of about so many."""


class VerifiedPlay(NamedTuple):
    """What the duels have given so far."""

    checked: Counter[str]
    """How many of each kind of thing."""
    kinds: Counter[str]
    """Faults of each kind."""
    results: list[Result]
    failures: list[VerificationFailure]
    """Where they are wrong themselves."""
    notation_failures: list[VerificationFailure]
    """Where files in other notations do not agree with them."""


class _OpenNotation(NamedTuple):
    """The same matches in another notation, as far as they were read."""

    notation: NotationFile
    file: BinaryIO


def check_play(
    directory: Path, league: ExportedLeague, logged: Logged | None, watch: Watch
) -> VerifiedPlay:
    """Check every duel; of one that is wrong, only the first problem is reported.

    Args:
        directory: the export.
        league: what it says of the league.
        logged: what its log says of duels, if there is one.
        watch: shows how far it is.
    """
    played = VerifiedPlay(Counter(), Counter(), [], [], [])
    about = sum(each.duels for each in league.sandboxes)
    with ExitStack() as files:
        notations = [
            _OpenNotation(notation, files.enter_context(opened(directory, notation.file)))
            for notation in notation_files(league.terms.game)
        ]
        _compare(notations, played, [each.notation.heading for each in notations])
        duels = files.enter_context(opened(directory, DUELS_FILE))
        last: DuelKey | None = None
        for number, data in enumerate(watch(read_lines(duels), about), start=1):
            duel = _checked(league, data, number, last, played)
            if duel and logged:
                _check_logged(logged, duel, number, played)
            if duel:
                last = duel.key
                texts = [duel_text(each.notation, number, duel.rooms) for each in notations]
                _compare(notations, played, texts)
            elif len(played.failures) >= MOST_FAILURES:
                break
        _compare_ends(notations, played)
    return played


def _checked(
    league: ExportedLeague, data: bytes, number: int, last: DuelKey | None, played: VerifiedPlay
) -> ExportedDuel | None:
    try:
        refuse_too_long(data)
        read = read_duel(data, league.terms.game)
        replayed = check_duel(league, read, last)
    except RecordError as error:
        played.failures.append(VerificationFailure(DUELS_FILE, number, error.field, error.reason))
        return None
    duel = read.duel
    played.results.append(duel.result)
    played.kinds.update(fault.kind for fault in duel.faults)
    forfeits = sum(record.forfeit is not None for record in duel.rooms)
    done = {"duels": 1, "matches": len(duel.rooms), "forfeits": forfeits}
    played.checked.update(done | replayed._asdict())
    return duel


def _check_logged(logged: Logged, duel: ExportedDuel, number: int, played: VerifiedPlay) -> None:
    try:
        check_logged_duel(logged, duel)
    except RecordError as error:
        played.failures.append(VerificationFailure(DUELS_FILE, number, error.field, error.reason))


def _compare(notations: list[_OpenNotation], played: VerifiedPlay, texts: list[str]) -> None:
    """Compare what comes next; once anything was wrong, nobody knows what should come."""
    if played.failures or played.notation_failures:
        return
    for each, text in zip(notations, texts, strict=True):
        expected = text.encode()
        if each.file.read(len(expected)) != expected:
            number = played.checked["duels"]
            reason = f"is not what the duels give, from duel {number} of {DUELS_FILE} on"
            played.notation_failures.append(
                VerificationFailure(each.notation.file, None, "", reason)
            )


def _compare_ends(notations: list[_OpenNotation], played: VerifiedPlay) -> None:
    if played.failures or played.notation_failures:
        return
    for each in notations:
        if each.file.read(1):
            reason = "goes on after the last of the duels"
            played.notation_failures.append(
                VerificationFailure(each.notation.file, None, "", reason)
            )
