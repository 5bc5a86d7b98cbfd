"""Who is suspended in an export follows from its duels."""

from pathlib import Path

from referee.cli.on_trust import on_trust
from referee.publication.export import export
from referee.scheduling.keys import DuelKey
from referee.store.models import NEVER_STARTED
from tests.publication.exports import LogWriter, checked, exported, league, logged

DUELS = 12
FAULTY = [DuelKey(1, 2, number) for number in range(DUELS)]


def written(directory: Path, suspended: int | None, beyond: int = 0) -> Path:
    """Export a league of two in which the first is at fault in every duel; some beyond its last."""
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
    duels = [duel for duel in whole.duels if duel.key.number <= last + beyond]
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


def test_a_duel_beyond_a_suspension_is_found(tmp_path: Path) -> None:
    assert str(checked(written(tmp_path / "out", 9, beyond=1)).failures[0]) == (
        "duels.jsonl, line 11: number: is 10, beyond the suspension of an entrant"
    )


def test_the_duels_of_an_entrant_that_never_started_are_missing(tmp_path: Path) -> None:
    found = league(target=1)
    entries = (*found.entries[:2], found.entries[2]._replace(suspended=NEVER_STARTED))
    whole, log = logged(exported(found._replace(entries=entries))), LogWriter()
    for entry in whole.log:
        if entry.kind == "complete":
            body = {"entrant": 3, "after": NEVER_STARTED, "reason": "it never started"}
            log.add("suspended", body)
        if entry.kind != "duel" or 3 not in entry.body["duel"][:2]:
            log.add(entry.kind, entry.body)
    duels = [duel for duel in whole.duels if 3 not in duel.key[:2]]
    isolations = [(whole.isolations[0][0], len(duels))]
    export(tmp_path / "out", whole._replace(duels=duels, log=log.entries, isolations=isolations))
    report = checked(tmp_path / "out")
    assert (report.failures, report.completeness.missing) == ([], 4)
    assert report.league
    words = [*on_trust(report, report.league)]
    assert "4 duels not there: not played, or not shown" in words
    assert "never started: cid@1.0" in words
