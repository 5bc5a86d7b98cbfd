"""What is verified in a sound export, and what is wrong with one that lacks duels."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from referee.league.pending import judged_layers
from referee.publication.duels import ExportedDuel
from referee.publication.export import export
from referee.publication.tables import FORMATS, RATINGS
from referee.ratings.results import Result
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
    assert (report.outcome, report.completeness.missing) == ("consistent", 1)


def test_an_unplayed_duel_is_not_missing(tmp_path: Path) -> None:
    report = checked(written(tmp_path / "out", league(), lacking=[DuelKey(3, 1, 0)]))
    assert (report.outcome, report.completeness.unplayed, report.voids) == ("consistent", 1, 3)


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
    assert (report.failures, report.completeness.missing) == ([], 4)


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


@pytest.mark.slow
@pytest.mark.parametrize("after", [9, 16, 40])
def test_a_league_that_stopped_too_late_is_found(tmp_path: Path, after: int) -> None:
    said = wrong(stopped(tmp_path / "out", after, 0.5))
    assert (
        said == f"duels.jsonl: number: the league had to stop before the duels numbered {after - 1}"
    )


ADAPTIVE = Until(0.5, "rating", adaptive=True)


def adaptive(directory: Path, *, lacking: int = 0, beyond: int = 0) -> Path:
    """Export a league of three with adaptive rounds, 1 of which lost all its duels against 2.

    Of the duels that are to be played, some at the end are not there; of the others, some are.
    """
    found = league(entrants=3, duels=16, until=ADAPTIVE, target=1)
    entries = tuple(entry._replace(epoch=1) for entry in found.entries)
    found = found._replace(entries=entries, epochs=found.epochs[:1])
    while_open = found._replace(epochs=(found.epochs[0]._replace(revealed=False),))
    whole = exported(found, [DuelKey(1, 2, number) for number in range(8)])
    results = {duel.key: result_of(duel) for duel in whole.duels}
    first = {key: result for key, result in results.items() if key.number < 8}
    stage = judged_layers(while_open, first.values(), ()).stages[-1]
    to_play = [key for key in results if key.number < 8 or stage.includes(*key[:2])]
    others = [key for key in results if key not in to_play]
    assert others
    there = {*to_play[: len(to_play) - lacking], *others[:beyond]}
    duels = [duel for duel in whole.duels if duel.key in there]
    isolations = [(whole.isolations[0][0], len(duels))]
    export(directory, whole._replace(duels=duels, isolations=isolations))
    return directory


def result_of(duel: ExportedDuel) -> Result:
    by_each = Counter(fault.entrant for fault in duel.faults)
    faults = by_each[duel.key.first], by_each[duel.key.second]
    return Result(*duel.key, duel.wins, duel.margin, duel.hands, faults)


def test_a_league_with_adaptive_rounds_is_verified_by_its_rule(tmp_path: Path) -> None:
    report = checked(adaptive(tmp_path / "out"))
    assert (report.outcome, report.failures) == ("consistent", [])
    assert report.completeness.missing == 0
    assert report.completeness.sure == 48 - report.checked["duels"] > 0


def test_a_duel_that_was_to_be_played_is_missed(tmp_path: Path) -> None:
    assert "is missing, though the league is complete" in wrong(
        adaptive(tmp_path / "out", lacking=1)
    )


@pytest.mark.slow
def test_a_duel_that_was_not_to_be_played_is_found(tmp_path: Path) -> None:
    assert wrong(adaptive(tmp_path / "out", beyond=1)).endswith(
        "/9 was not to be played: its place was sure"
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


@pytest.mark.parametrize("schema", [1, 2])
def test_the_tables_of_an_earlier_version_are_none_of_this(out: Path, schema: int) -> None:
    columns = ",".join(FORMATS[schema].ratings)
    forged_text(out, "ratings.csv", lambda text: "\n".join([columns, *text.splitlines()[1:], ""]))
    assert wrong(out) == f"ratings.csv: must begin with {','.join(RATINGS)}"
