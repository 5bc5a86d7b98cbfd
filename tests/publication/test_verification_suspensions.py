"""Who is suspended in an export follows from its duels."""

from pathlib import Path

from referee.publication.export import export
from referee.scheduling.keys import DuelKey
from tests.publication.exports import LogWriter, checked, exported, league, logged

DUELS = 12
FAULTY = [DuelKey(1, 2, number) for number in range(DUELS)]


def written(directory: Path, suspended: int | None) -> Path:
    """Export a league of two in which the first is at fault in every duel."""
    found = league("closed", entrants=2, duels=DUELS, target=1)
    first, second = (entry._replace(epoch=1) for entry in found.entries)
    entries = (first._replace(suspended=suspended), second)
    found = found._replace(entries=entries, epochs=found.epochs[:1])
    whole, log = logged(exported(found, FAULTY)), LogWriter()
    last = DUELS if suspended is None else suspended
    for entry in whole.log:
        if entry.kind == "closed" and suspended is not None:
            body = {"entrant": 1, "after": suspended, "reason": "at fault in 10 of 10 duels"}
            log.add("suspended", body)
        log.add(entry.kind, entry.body)
    duels = [duel for duel in whole.duels if duel.key.number <= last]
    isolations = [(whole.isolations[0][0], len(duels))]
    export(directory, whole._replace(duels=duels, log=log.entries, isolations=isolations))
    return directory


def test_a_suspension_that_follows_from_the_duels_is_sound(tmp_path: Path) -> None:
    assert checked(written(tmp_path / "out", 9)).failures == []


def test_a_suspension_that_came_too_late_is_found(tmp_path: Path) -> None:
    failures = map(str, checked(written(tmp_path / "out", 10)).failures)
    assert "league.json: entrants[0].suspended: is 10, but should be 9" in failures


def test_a_suspension_that_somebody_was_spared_is_found(tmp_path: Path) -> None:
    failures = map(str, checked(written(tmp_path / "out", None)).failures)
    assert "league.json: entrants[0].suspended: is null, but should be 9" in failures


def test_a_suspension_without_so_many_faults_is_found(tmp_path: Path) -> None:
    failures = map(str, checked(written(tmp_path / "out", 3)).failures)
    assert "league.json: entrants[0].suspended: is 3, but should be null" in failures
