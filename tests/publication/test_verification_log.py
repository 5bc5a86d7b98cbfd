"""What is found wrong with the log of an export, by itself and by the rest."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any, get_args

import pytest

from referee.publication.export import export
from referee.publication.log_reading import BODIES
from referee.publication.verification import VerificationRequest
from referee.scheduling.keys import DuelKey
from referee.store.log import Kind
from tests.publication.exports import (
    FAULTY,
    NOW,
    LogWriter,
    checked,
    exported,
    forged_duels,
    forged_league,
    forged_log,
    forged_text,
    league,
    logged,
    place,
    written,
    wrong,
)

LACKING = DuelKey(3, 1, 0)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write an export with a log, of a league with a fault and a duel that was given up."""
    directory = tmp_path_factory.mktemp("sound") / "out"
    export(directory, logged(exported(league(), [FAULTY], [LACKING])))
    return directory


@pytest.fixture
def out(sound: Path, tmp_path: Path) -> Path:
    """Copy the export, to be forged."""
    return copytree(sound, tmp_path / "out")


def log(directory: Path) -> list[Any]:
    return [json.loads(line) for line in (directory / "log.jsonl").read_text().splitlines()]


def test_a_league_with_its_log_is_consistent(out: Path) -> None:
    report = checked(out, VerificationRequest(required=["log", "statement", "complete"]))
    assert (report.failures, report.outcome) == ([], "consistent")
    assert report.logged.entries == len(log(out))


def test_duels_may_be_played_by_workers_that_joined(out: Path) -> None:
    def join(entries: list[Any]) -> None:
        run = entries[place(entries, "run")]
        _worker(entries, "joined", run["isolation"])
        _worker(entries, "refused", None)
        run["isolation"] = "0" * 64  # of the first that joined, which played nothing

    forged_log(out, join)
    assert checked(out).failures == []


def test_the_last_head_is_what_can_be_compared(out: Path) -> None:
    assert checked(out).found["head"] == log(out)[-1]["head"]


@pytest.mark.parametrize("number", [1, 7, -1])
def test_a_head_that_was_written_down_says_at_which_entry_it_stood(out: Path, number: int) -> None:
    entry = log(out)[number]
    report = checked(out, VerificationRequest(head=entry["head"]))
    assert (report.outcome, report.logged.written_down) == ("verified", entry["number"])


def test_a_head_of_another_log_is_found(out: Path) -> None:
    (failure,) = checked(out, VerificationRequest(head="1" * 64)).failures
    assert str(failure).startswith(f"log.jsonl: head: no entry has the head {'1' * 64}; one that")


def test_a_head_written_down_before_a_change_is_no_head_any_more(out: Path) -> None:
    head = log(out)[-1]["head"]
    forged_log(out, lambda entries: entries[place(entries, "run")].update(version="0.2.0"))
    assert checked(out).failures == []
    assert checked(out, VerificationRequest(head=head)).outcome == "failed"


def test_an_entry_that_says_something_else_breaks_the_chain(out: Path) -> None:
    forged_text(out, "log.jsonl", lambda text: text.replace('"0.1.0"', '"0.2.0"'))
    said = wrong(out)
    assert said == (
        f"log.jsonl, line {place(log(out), 'run') + 1}: head: does not follow from the entry and "
        "the head before it"
    )


def test_an_entry_that_was_left_out_breaks_the_chain(out: Path) -> None:
    forged_text(out, "log.jsonl", lambda text: "".join(text.splitlines(keepends=True)[1:]))
    assert wrong(out) == "log.jsonl, line 1: number: is 2, but should be 1"


def _forget_duel(entries: list[Any]) -> None:
    del entries[place(entries, "duel")]


def _forget_void(entries: list[Any]) -> None:
    del entries[place(entries, "void")]


def _play_twice(entries: list[Any]) -> None:
    entries.insert(place(entries, "duel", 1), {**entries[place(entries, "duel")]})


def _play_another(entries: list[Any]) -> None:
    entries.insert(place(entries, "duel"), _of_lacking(entries))


def _of_lacking(entries: list[Any]) -> Any:  # noqa: ANN401 # JSON
    return {**entries[place(entries, "duel")], "duel": [*LACKING]}


def _play_before_the_epoch(entries: list[Any]) -> None:
    entries.insert(1, entries.pop(place(entries, "duel")))


def _play_when_complete(entries: list[Any]) -> None:
    entries.append(entries.pop(place(entries, "duel")))


def _play_otherwise(entries: list[Any]) -> None:
    entries[place(entries, "duel")]["digest"] = "0" * 64


def _void_what_was_played(entries: list[Any]) -> None:
    duel = entries[place(entries, "duel")]["duel"]
    void = {**entries[place(entries, "void")], "duel": duel}
    entries.insert(place(entries, "complete"), void)


def _void_once_more(entries: list[Any]) -> None:
    entries.insert(place(entries, "run") + 1, {**entries[place(entries, "void")]})


def _void_another(entries: list[Any]) -> None:
    void = {**entries[place(entries, "void")], "duel": [1, 2, 0]}
    entries.insert(place(entries, "run") + 1, void)


def _begin_later(entries: list[Any]) -> None:
    del entries[0]


def _end_earlier(entries: list[Any]) -> None:
    del entries[-1]


def _be_created_otherwise(entries: list[Any]) -> None:
    entries[0]["plan"]["duels"] = 3


def _be_created_with_others(entries: list[Any]) -> None:
    entries[0]["entrants"].reverse()


def _commit_to_another(entries: list[Any]) -> None:
    entries[0]["commitment"] = "0" * 64


def _withdraw(entries: list[Any]) -> None:
    entries.append({"kind": "withdrawn", "at": NOW.isoformat(), "entrant": 1})


def _suspend(entries: list[Any]) -> None:
    body = {"entrant": 1, "after": 0, "reason": "at fault in 9 of 10 duels"}
    entries.insert(place(entries, "complete"), {"kind": "suspended", "at": NOW.isoformat(), **body})


def _reinstate(entries: list[Any]) -> None:
    body = {"entrant": 1, "counted_from": 0}
    entries.append({"kind": "reinstated", "at": NOW.isoformat(), **body})


def _isolate_otherwise(entries: list[Any]) -> None:
    entries[place(entries, "run")]["isolation"] = "0" * 64


def _import_otherwise(entries: list[Any]) -> None:
    at = place(entries, "run")
    shard = entries[at] | {"kind": "shard", "isolation": "0" * 64, "file": "1" * 64}
    entries.insert(at + 1, shard)


def _import_from_no_file(entries: list[Any]) -> None:
    at = place(entries, "run")
    entries.insert(at + 1, entries[at] | {"kind": "shard", "file": "shard.jsonl"})


def _worker(entries: list[Any], change: str, isolation: str | None) -> None:
    """Put in what happened to a worker after the run had begun."""
    at = place(entries, "run")
    said = {"kind": "worker", "worker": "hall 1", "change": change, "why": ""}
    entries.insert(at + 1, {"at": entries[at]["at"], **said, "isolation": isolation})


def _dance(entries: list[Any]) -> None:
    _worker(entries, "danced", None)


def _be_isolated_when_lost(entries: list[Any]) -> None:
    _worker(entries, "lost", "0" * 64)


def _go_back_in_time(entries: list[Any]) -> None:
    entries[0]["at"] = "2025-02-01T18:30:00+00:00"


def _be_unknown(entries: list[Any]) -> None:
    entries[-1]["kind"] = "forgotten"


def _reopen(entries: list[Any]) -> None:
    entries.append({"kind": "reopened", "at": NOW.isoformat()})


FORGED = [
    (_dance, "change: must be one of "),
    (_be_isolated_when_lost, "isolation: "),
    (_forget_duel, "duels.jsonl, line 1: is not in log.jsonl"),
    (_forget_void, "log.jsonl: void: 3-1/1 was void as often as voids.csv does not say"),
    (_play_twice, "duel: 1-2/1 was played before"),
    (_play_another, "duel: 3-1/1 was void too often to be played"),
    (_play_before_the_epoch, "log.jsonl, line 2: duel: 1-2/1 is of an epoch that had not begun"),
    (_play_when_complete, "kind: is duel, though the league was complete"),
    (_play_otherwise, "duels.jsonl, line 1: is not the duel that log.jsonl has"),
    (_void_what_was_played, "duel: 1-2/1 was played before"),
    (_void_once_more, "log.jsonl: void: 3-1/1 was void as often as voids.csv does not say"),
    (_void_another, "log.jsonl: void: 1-2/1 was void as often as voids.csv does not say"),
    (_begin_later, "log.jsonl, line 1: kind: a log begins with the league, or with what was"),
    (_end_earlier, 'log.jsonl: state: is "complete", but should be "open"'),
    (_be_created_otherwise, "log.jsonl, line 1: plan: is "),
    (_be_created_with_others, "log.jsonl: entrants: is "),
    (_commit_to_another, "commitment: is "),
    (_withdraw, "log.jsonl: entrants[0].withdrawn: is null, but should be "),
    (_suspend, "log.jsonl: entrants[0].suspended: is null, but should be 0"),
    (_reinstate, "entrant: is 1, which was neither withdrawn nor suspended"),
    (_isolate_otherwise, "duel: 1-2/1 was played in a sandbox of which league.json does not tell"),
    (_import_otherwise, "duel: 1-2/1 was played in a sandbox of which league.json does not tell"),
    (_import_from_no_file, "file: must be 64 lower-case hexadecimal digits"),
    (_go_back_in_time, "log.jsonl, line 1: at: is "),
    (_be_unknown, "kind: must be one of "),
    (_reopen, 'log.jsonl: state: is "complete", but should be "open"'),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"), FORGED, ids=[change.__name__.strip("_") for change, _ in FORGED]
)
def test_a_forged_log_is_found_and_named(
    out: Path, change: Callable[[list[Any]], None], says: str
) -> None:
    assert says in wrong(forged_log(out, change))


def test_a_duel_that_was_left_out_is_missed_by_the_log(tmp_path: Path) -> None:
    whole = logged(exported(league("closed")))
    isolation = whole.isolations[0][0]
    fewer = whole._replace(duels=list(whole.duels)[1:], isolations=[(isolation, 5)])
    export(tmp_path / "out", fewer)
    assert wrong(tmp_path / "out") == (
        "log.jsonl: duel: the duel 1-2/1 was played, and is not in the export"
    )


def test_a_fault_that_was_excused_is_found_by_the_log(out: Path) -> None:
    def excuse(duels: list[Any]) -> None:
        fault = next(duel for duel in duels if duel["faults"])["faults"][0]
        fault["explanation"] = "exit status 0"

    assert wrong(forged_duels(out, excuse)).endswith(": is not the duel that log.jsonl has")


def test_a_withdrawal_that_was_taken_out_is_found_by_the_log(tmp_path: Path) -> None:
    found = league()
    entries = (*found.entries[:2], found.entries[2]._replace(withdrawn=NOW))
    export(tmp_path / "out", logged(exported(found._replace(entries=entries))))
    assert checked(tmp_path / "out").failures == []

    def forget(document: Any) -> None:  # noqa: ANN401 # JSON
        document["entrants"][2]["withdrawn"] = None

    assert wrong(forged_league(tmp_path / "out", forget)).startswith(
        "log.jsonl: entrants[2].withdrawn: is null, but should be "
    )


def test_duels_after_a_suspension_are_no_part_of_the_export(tmp_path: Path) -> None:
    found = league()
    entries = (*found.entries[:2], found.entries[2]._replace(suspended=0))
    whole = logged(exported(found._replace(entries=entries)))
    log, late = LogWriter(), [duel for duel in whole.duels if duel.key in LATE]
    for entry in whole.log:
        if entry.kind == "complete":
            body = {"entrant": 3, "after": 0, "reason": "at fault in 9 of 10 duels"}
            log.add("suspended", body)
        log.add(entry.kind, entry.body, entry.at)
    duels = [duel for duel in whole.duels if duel not in late]
    isolations = [(whole.isolations[0][0], len(duels))]
    export(tmp_path / "out", whole._replace(duels=duels, log=log.entries, isolations=isolations))
    failures = [str(failure) for failure in checked(tmp_path / "out").failures]
    assert not [failure for failure in failures if failure.startswith("log.jsonl")]


LATE = (DuelKey(3, 1, 1), DuelKey(2, 3, 1))


def test_a_league_older_than_logs_begins_with_what_was_there(tmp_path: Path) -> None:
    whole, log = exported(league()), LogWriter()
    log.add("imported", {"duels": 6})
    log.add("closed", {})
    found = whole.league._replace(state="closed")
    export(tmp_path / "out", whole._replace(league=found, log=log.entries))
    report = checked(tmp_path / "out")
    assert (report.failures, report.logged.unlogged) == ([], 6)
    failures = checked(tmp_path / "out", VerificationRequest(required=["log"])).failures
    assert [str(each) for each in failures] == [
        "log.jsonl: does not begin with the league, and was required"
    ]


def test_no_more_duels_are_older_than_a_log_than_it_says(tmp_path: Path) -> None:
    whole, log = exported(league()), LogWriter()
    log.add("imported", {"duels": 5})
    log.add("closed", {})
    found = whole.league._replace(state="closed")
    export(tmp_path / "out", whole._replace(league=found, log=log.entries))
    assert wrong(tmp_path / "out") == ("log.jsonl, line 1: duels: are 5, but 6 duels have no entry")


def test_an_export_of_an_older_format_has_no_head() -> None:
    older = Path(__file__).with_name("released") / "0.1-places"
    assert checked(older, VerificationRequest(head="0" * 64)).outcome == "failed"
    assert checked(older, VerificationRequest(statement="0" * 64)).outcome == "failed"


def test_last_exports_are_not_exported(tmp_path: Path) -> None:
    whole = logged(exported(league()))
    log = LogWriter()
    for entry in whole.log:
        log.add(entry.kind, entry.body, entry.at)
    log.add("exported", {"digest": "0" * 64})
    before = export(tmp_path / "one", whole)
    assert export(tmp_path / "other", whole._replace(log=log.entries)) == before


@pytest.mark.parametrize("data", [b"", b"\xff\n", b"null\n", b"{}\n", b'{"kind":"duel"}\n'])
def test_no_log_of_a_stranger_does_harm(out: Path, data: bytes) -> None:
    (out / "log.jsonl").write_bytes(data)
    forged_league(out, lambda _: None)
    assert checked(out).outcome == "failed"


def test_all_kinds_of_entries_are_written_read_and_documented_alike() -> None:
    page = (Path(__file__).parents[2] / "docs" / "store.md").read_text()
    table = page.partition("| kind | tells that | and says |\n")[2].partition("\n\n")[0]
    documented = {}
    for row in table.splitlines()[1:]:
        kinds, _, says = (re.findall("`([a-z_]+)`", cell) for cell in row.strip("|").split("|"))
        documented.update(dict.fromkeys(kinds, says))
    assert documented == {kind: [*names] for kind, names in BODIES.items()}
    assert {*documented} == {*get_args(Kind)}


def test_an_isolation_whose_reason_is_no_unicode_is_refused(out: Path) -> None:
    def forge(document: Any) -> None:  # noqa: ANN401 # JSON
        document["sandboxes"][0]["guarantees"][1]["reason"] = "\ud800"

    field = "sandboxes[0].guarantees[1].reason"
    assert wrong(forged_league(out, forge)).startswith(f"league.json: {field}: is no Unicode")


def test_a_fault_whose_explanation_is_no_unicode_is_refused(out: Path) -> None:
    def forge(duels: list[Any]) -> None:
        fault = next(fault for duel in duels for fault in duel["faults"])
        fault["explanation"] = "\ud800"

    assert "faults[0].explanation: is no Unicode" in wrong(forged_duels(out, forge))


def test_a_league_without_a_log_says_so(tmp_path: Path) -> None:
    report = checked(written(tmp_path / "out", league()))
    assert (report.failures, report.logged.began) == ([], False)
