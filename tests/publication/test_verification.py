"""What is verified in a sound export, and what is wrong with one that lacks duels."""

import json
import shutil
from pathlib import Path

import pytest

from referee.publication.export import export
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from tests.publication.exports import (
    FAULTY,
    NOW,
    checked,
    exported,
    forged_text,
    league,
    written,
    wrong,
)


@pytest.mark.parametrize("game", ["euchre", "whist"])
def test_a_sound_export_is_verified(tmp_path: Path, game: str) -> None:
    report = checked(written(tmp_path / "out", league(game=game), [FAULTY]))
    assert (report.failures, report.outcome) == ([], "consistent")


def test_what_was_checked_is_counted(out: Path) -> None:
    found = checked(out).checked
    assert {name: found[name] for name in ("files", "commitments", "duels", "matches")} == {
        "files": 7,
        "commitments": 2,
        "duels": 6,
        "matches": 12,
    }


def test_every_deck_hand_and_action_is_counted(out: Path) -> None:
    decks = hands = actions = 0
    for line in (out / "duels.jsonl").read_text().splitlines():
        duel = json.loads(line)
        decks += len(duel["decks"])
        for room in duel["rooms"]:
            hands += len(room["hands"])
            actions += sum(len(hand["actions"]) for hand in room["hands"])
            actions += len(room.get("forfeit", {"actions": []})["actions"])
    found = checked(out).checked
    assert (found["decks"], found["hands"], found["actions"]) == (decks, hands, actions)


def test_an_open_league_is_incomplete_because_its_seed_is_secret(tmp_path: Path) -> None:
    report = checked(written(tmp_path / "out", league("open")))
    assert (report.failures, report.outcome, report.checked["decks"]) == ([], "incomplete", 0)


def test_a_closed_league_may_lack_duels(tmp_path: Path) -> None:
    whole = exported(league("closed"))
    duels = list(whole.duels)[1:]
    export(tmp_path / "out", whole._replace(duels=duels, isolations=[(whole.isolations[0][0], 5)]))
    report = checked(tmp_path / "out")
    assert (report.outcome, report.extent.missing) == ("consistent", 1)


def test_an_unplayed_duel_is_not_missing(tmp_path: Path) -> None:
    report = checked(written(tmp_path / "out", league(), lacking=[DuelKey(3, 1, 0)]))
    assert (report.outcome, report.extent.unplayed, report.voids) == ("consistent", 1, 3)


def test_faults_are_counted_by_kind(out: Path) -> None:
    report = checked(out)
    assert (dict(report.kinds), report.checked["forfeits"]) == ({"crashed": 2}, 2)


def test_a_withdrawn_entrant_may_lack_duels(tmp_path: Path) -> None:
    found = league()
    entries = (*found.entries[:2], found.entries[2]._replace(withdrawn=NOW))
    whole = exported(found._replace(entries=entries))
    duels = [duel for duel in whole.duels if 3 not in duel.key[:2]]
    export(tmp_path / "out", whole._replace(duels=duels, isolations=[(whole.isolations[0][0], 2)]))
    report = checked(tmp_path / "out")
    assert (report.failures, report.extent.missing) == ([], 4)


def test_a_league_that_never_began_has_nothing_wrong(tmp_path: Path) -> None:
    found = league("open")
    entries = tuple(entry._replace(epoch=0) for entry in found.entries)
    early = found._replace(entries=entries, epochs=())
    report = checked(written(tmp_path / "out", early))
    assert (report.failures, report.outcome) == ([], "incomplete")


def test_a_league_in_which_everybody_is_put_apart_has_nothing_wrong(tmp_path: Path) -> None:
    found = league()
    entries = tuple(entry._replace(withdrawn=NOW) for entry in found.entries)
    report = checked(written(tmp_path / "out", found._replace(entries=entries)))
    assert (report.failures, report.checked["ratings"]) == ([], 3)


def stopped(directory: Path, after: int, confidence: float) -> Path:
    """Export a league of two that stopped early; one of them lost everything."""
    found = league(entrants=2, duels=40, until=Until(confidence, "rating"), target=1)
    found = found._replace(
        entries=tuple(entry._replace(epoch=1) for entry in found.entries), epochs=found.epochs[:1]
    )
    whole = exported(found, [DuelKey(1, 2, number) for number in range(40)])
    duels = list(whole.duels)[:after]
    export(directory, whole._replace(duels=duels, isolations=[(whole.isolations[0][0], after)]))
    return directory


def test_a_league_may_stop_early_where_its_rule_allows(tmp_path: Path) -> None:
    assert checked(stopped(tmp_path / "out", 8, 0.5)).outcome == "consistent"


def test_a_league_that_stopped_too_early_is_found(tmp_path: Path) -> None:
    assert wrong(stopped(tmp_path / "out", 8, 0.999999)).startswith(
        "duels.jsonl: the duel 1-2/9 is missing"
    )


@pytest.mark.parametrize("after", [9, 16, 40])
def test_a_league_that_stopped_too_late_is_found(tmp_path: Path, after: int) -> None:
    said = wrong(stopped(tmp_path / "out", after, 0.5))
    assert (
        said == f"duels.jsonl: number: the league had to stop before the duels numbered {after - 1}"
    )


RELEASED = Path(__file__).with_name("released")


@pytest.mark.parametrize("name", sorted(path.name for path in RELEASED.iterdir()))
def test_an_export_of_an_earlier_version_is_verified_as_what_it_was(name: str) -> None:
    report = checked(RELEASED / name)
    assert (report.outcome, report.failures) == ("consistent", [])


@pytest.mark.parametrize(
    ("file", "old", "new", "column"),
    [
        ("ratings.csv", "20.033673", "26.914643", "rating"),
        ("ratings.csv", ",26.914643,", ",20.033673,", "mean"),
        ("crosstable.csv", "0.169778", "0.119280", "better"),
    ],
)
def test_an_export_of_an_earlier_version_is_not_verified_as_a_later_one(
    tmp_path: Path, file: str, old: str, new: str, column: str
) -> None:
    copy = Path(shutil.copytree(RELEASED / "0.1-places", tmp_path / "copy"))
    report = checked(forged_text(copy, file, lambda text: text.replace(old, new)))
    assert {(failure.file, failure.field) for failure in report.failures} == {(file, column)}
