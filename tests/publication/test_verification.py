"""What is found wrong with an export, whoever wrote it, and what is not."""

import csv
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.engine.dealing import commitment
from referee.errors import FileError, UpcardError
from referee.publication.export import export
from referee.publication.verification_files import opened
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from tests.publication.exports import (
    NOW,
    checked,
    exported,
    forged_duels,
    forged_league,
    forged_text,
    league,
    sealed,
    written,
)

FAULTY = DuelKey(1, 2, 1)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Write an export of a complete league with a duel that was forfeited in both rooms."""
    return written(tmp_path / "out", league(), [FAULTY])


def wrong(directory: Path) -> str:
    """Give the first thing that is wrong."""
    report = checked(directory)
    assert report.outcome == "failed"
    return str(report.failures[0])


@pytest.mark.parametrize("game", ["euchre", "whist"])
def test_a_sound_export_is_verified(tmp_path: Path, game: str) -> None:
    report = checked(written(tmp_path / "out", league(game=game), [FAULTY]))
    assert (report.failures, report.outcome) == ([], "verified")


def test_what_was_checked_is_counted(out: Path) -> None:
    found = checked(out).checked
    assert {name: found[name] for name in ("files", "commitments", "duels", "matches")} == {
        "files": 6,
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
    assert (report.outcome, report.extent.missing) == ("verified", 1)


def test_an_unplayed_duel_is_not_missing(tmp_path: Path) -> None:
    report = checked(written(tmp_path / "out", league(), lacking=[DuelKey(3, 1, 0)]))
    assert (report.outcome, report.extent.unplayed, report.voids) == ("verified", 1, 3)


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
    assert checked(stopped(tmp_path / "out", 8, 0.5)).outcome == "verified"


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


# Sums


def files(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir() if path.name != "SHA256SUMS")


@pytest.mark.parametrize("number", range(6))
def test_a_changed_byte_is_found_and_named(out: Path, number: int) -> None:
    path = out / files(out)[number]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert wrong(out) == f"{path.name}: was changed: it is not what SHA256SUMS says"


def test_a_changed_byte_of_the_sums_is_found_by_the_digest(out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    forged_text(out, "voids.csv", lambda text: f"{text}1,2,0,late,{NOW.isoformat()}\n")
    found = checked(out, digest)
    assert str(found.failures[0]).startswith("SHA256SUMS: its digest is ")


def test_the_right_digest_is_accepted(out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    assert checked(out, digest).outcome == "verified"


def _remove(out: Path) -> None:
    (out / "ratings.csv").unlink()


def _remove_sums(out: Path) -> None:
    (out / "SHA256SUMS").unlink()


def _add(out: Path) -> None:
    (out / "extra").write_text("")


def _add_and_seal(out: Path) -> None:
    _add(out)
    sealed(out)


def _remove_and_seal(out: Path) -> None:
    _remove(out)
    sealed(out)


def _link(out: Path) -> None:
    (out / "ratings.csv").rename(out.parent / "ratings.csv")
    (out / "ratings.csv").symlink_to(out.parent / "ratings.csv")


def _pipe(out: Path) -> None:
    os.mkfifo(out / "pipe")


def _path(name: str) -> Callable[[Path], None]:
    def add(out: Path) -> None:
        with (out / "SHA256SUMS").open("a") as sums:
            sums.write(f"{'0' * 64}  {name}\n")

    return add


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_remove, "ratings.csv: is missing"),
        (_remove_and_seal, "ratings.csv: is missing"),
        (_remove_sums, "SHA256SUMS: is missing; this is no whole export"),
        (_add, "extra: is not in SHA256SUMS"),
        (_add_and_seal, "extra: is no file of an export"),
        (_link, "ratings.csv: is not a file"),
        (_pipe, "pipe: is not a file"),
        (_path("../secret"), "SHA256SUMS, line 7: must be a digest, two spaces and the name"),
        (_path("/etc/passwd"), "SHA256SUMS, line 7: must be a digest"),
        (_path("."), "SHA256SUMS, line 7: must be a digest"),
        (_path("duels.jsonl"), "SHA256SUMS, line 7: must be a digest"),
        (_path("SHA256SUMS"), "SHA256SUMS, line 7: must be a digest"),
    ],
)
def test_a_directory_that_is_not_as_its_sums_say_is_refused(
    out: Path, change: Callable[[Path], None], says: str
) -> None:
    change(out)
    assert wrong(out).startswith(says)


def test_a_directory_of_anything_else_is_no_export(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / str(number)).touch()
    with pytest.raises(UpcardError, match="holds more than 100 files, and so is no export"):
        checked(tmp_path)


def test_what_became_a_pipe_after_it_was_looked_at_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is not a file"), opened(tmp_path, "pipe"):
        pass


def test_what_became_a_link_after_it_was_looked_at_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(__file__)
    with pytest.raises(FileError, match="cannot read"), opened(tmp_path, "link"):
        pass


def test_no_directory_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="name the directory of an export"):
        checked(tmp_path / "nowhere")


# Forgeries; the forger makes the sums anew.


def _swap_cards(duels: list[Any]) -> None:
    deck = duels[0]["decks"][0]
    deck[20], deck[21] = deck[21], deck[20]


def _swap_kitty(duels: list[Any]) -> None:
    """No play shows it."""
    deck = duels[0]["decks"][0]
    deck[22], deck[23] = deck[23], deck[22]


def _change_action(duels: list[Any]) -> None:
    actions = duels[2]["rooms"][1]["hands"][0]["actions"]
    actions[-1][1], actions[-2][1] = actions[-2][1], actions[-1][1]


def _change_points(duels: list[Any]) -> None:
    duels[0]["rooms"][0]["hands"][0]["points"][0] += 1


def _change_score(duels: list[Any]) -> None:
    duels[0]["rooms"][0]["score"].reverse()


def _change_wins(duels: list[Any]) -> None:
    duels[0]["wins"] = (duels[0]["wins"] + 1) % 3


def _change_margin(duels: list[Any]) -> None:
    duels[0]["margin"] += 0.5


def _change_hands(duels: list[Any]) -> None:
    duels[0]["hands"] += 1


def _remove_duel(duels: list[Any]) -> None:
    del duels[1]


def _double_duel(duels: list[Any]) -> None:
    duels.insert(1, duels[0])


def _double_duel_later(duels: list[Any]) -> None:
    duels.append(duels[0])


def _order_duels_otherwise(duels: list[Any]) -> None:
    duels[0], duels[1] = duels[1], duels[0]


def _renumber(duels: list[Any]) -> None:
    duels[-1]["number"] = 7


def _swap_rooms(duels: list[Any]) -> None:
    lopsided = next(duel for duel in duels if duel["wins"] != 1 or duel["margin"])
    lopsided["rooms"].reverse()


def _swap_entrants(duels: list[Any]) -> None:
    duels[0]["first"], duels[0]["second"] = duels[0]["second"], duels[0]["first"]


def _play_itself(duels: list[Any]) -> None:
    duels[0]["second"] = duels[0]["first"]


def _use_other_key(duels: list[Any]) -> None:
    duels[0]["key"] = duels[1]["key"]


def _use_other_decks(duels: list[Any]) -> None:
    duels[0]["decks"], duels[0]["rooms"] = duels[3]["decks"], duels[3]["rooms"]


def _change_epoch(duels: list[Any]) -> None:
    duels[0]["epoch"] = 3 - duels[0]["epoch"]


def _faulty(duels: list[Any]) -> Any:  # noqa: ANN401 # JSON
    return next(duel for duel in duels if duel["faults"])


def _spare_fault(duels: list[Any]) -> None:
    _faulty(duels)["faults"][0]["forfeits"] = False


def _remove_fault(duels: list[Any]) -> None:
    del _faulty(duels)["faults"][0]


def _blame_other_seat(duels: list[Any]) -> None:
    _faulty(duels)["faults"][0]["seat"] = "E"


def _blame_partner(duels: list[Any]) -> None:
    _faulty(duels)["faults"][0]["seat"] = "S"


def _blame_other_entrant(duels: list[Any]) -> None:
    _faulty(duels)["faults"][0]["entrant"] = 2


def _blame_later_hand(duels: list[Any]) -> None:
    _faulty(duels)["faults"][0]["hand"] += 1


def _invent_fault(duels: list[Any]) -> None:
    fault = _faulty(duels)["faults"][0] | {"forfeits": False, "hand": 0}
    duels[0]["faults"].append(fault | {"entrant": duels[0]["first"]})


def _deal_out_of_turn(duels: list[Any]) -> None:
    duels[0]["rooms"][0]["first_dealer"] = "S"


def _change_rules_of_room(duels: list[Any]) -> None:
    duels[0]["rooms"][0]["rules"]["target"] = 4


def _be_slow_elsewhere(duels: list[Any]) -> None:
    duels[0]["slowest"][0]["hand"] = 99


def _let_other_be_slow(duels: list[Any]) -> None:
    duels[0]["slowest"].reverse()


def _be_slow_in_other_game(duels: list[Any]) -> None:
    duels[0]["slowest"][0]["decision"] = "trick 13"


def _add_deck(duels: list[Any]) -> None:
    duels[0]["decks"].append(duels[0]["decks"][0])


DUELS = [
    (_swap_cards, "line 1: decks[0]: does not follow from the seed, from card 20"),
    (_swap_kitty, "line 1: decks[0]: does not follow from the seed, from card 22"),
    (_change_action, "line 3: rooms[1].hands[0].actions["),
    (_change_points, "line 1: rooms[0].hands[0].points: is "),
    (_change_score, "line 1: rooms[0].score: is "),
    (_change_wins, "line 1: wins: is "),
    (_change_margin, "line 1: margin: is "),
    (_change_hands, "line 1: hands: is "),
    (_remove_duel, "duels.jsonl: the duel 2-3/1 is missing, though"),
    (_double_duel, "line 2: number: is that of the duel before"),
    (_double_duel_later, "line 7: number: comes too late"),
    (_order_duels_otherwise, "line 2: number: comes too late"),
    (_renumber, "line 6: number: is 7, but a pairing has 2 duels"),
    (_swap_rooms, ": is "),
    (_swap_entrants, "line 1: first: is 2, but should be 1"),
    (_play_itself, "line 1: second: is 1, and so plays against itself"),
    (_use_other_key, "line 1: key: is "),
    (_use_other_decks, "line 1: decks"),
    (_change_epoch, "line 1: epoch: is 2, but should be 1"),
    (_spare_fault, "faults: in the open room, do not say who forfeited"),
    (_remove_fault, "faults: in the open room, do not say who forfeited"),
    (_blame_other_seat, "faults[0].entrant: is 1, but should be 2"),
    (_blame_partner, "faults: in the open room, do not say who forfeited"),
    (_blame_other_entrant, "faults[0].entrant: is 2, but should be 1"),
    (_blame_later_hand, "faults[0].hand: was never dealt"),
    (_invent_fault, "line 1: faults: are 1 of entrant 1 that cost nothing, more than allowed"),
    (_deal_out_of_turn, 'line 1: rooms[0].first_dealer: is "S", but should be "N"'),
    (_change_rules_of_room, "line 1: rooms[0].rules: is another game"),
    (_be_slow_elsewhere, "line 1: slowest[0].hand: was never dealt"),
    (_let_other_be_slow, "line 1: slowest[1].entrant: is 0, but should be 1"),
    (_be_slow_in_other_game, "line 1: slowest[0].decision: is none of the game's"),
    (_add_deck, "line 1: decks: is "),
]


@pytest.mark.parametrize(
    ("change", "says"), DUELS, ids=[change.__name__.strip("_") for change, _ in DUELS]
)
def test_a_forged_duel_is_found_and_named(
    out: Path, change: Callable[[list[Any]], None], says: str
) -> None:
    assert says in wrong(forged_duels(out, change))


def test_a_removed_duel_is_missed_even_if_it_was_never_counted(out: Path) -> None:
    """As far as a forger may go: she counts it nowhere, and makes all files to match."""
    whole = exported(league(), [FAULTY])
    duels = [duel for duel in whole.duels if duel.key != FAULTY]
    forger = out.parent / "forger"
    export(forger, whole._replace(duels=duels, isolations=[(whole.isolations[0][0], 5)]))
    assert wrong(forger) == (
        "duels.jsonl: the duel 1-2/2 is missing, though the league is complete"
    )


def _use_other_seed(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["seed"] = "00" * 32


def _use_other_commitment(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["commitment"] = commitment(bytes(32))


def _use_both(document: Any) -> None:  # noqa: ANN401 # JSON
    _use_other_seed(document)
    _use_other_commitment(document)


def _hide_seed(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["seed"] = None


def _tell_seed_early(document: Any) -> None:  # noqa: ANN401 # JSON
    document["state"] = "open"


def _change_rules(document: Any) -> None:  # noqa: ANN401 # JSON
    document["rules"]["alone"] = False


def _change_game(document: Any) -> None:  # noqa: ANN401 # JSON
    document["game"] = "whist"
    document["rules"] = {"target": 3}


def _plan_more(document: Any) -> None:  # noqa: ANN401 # JSON
    document["duels"] = 3


def _plan_fewer(document: Any) -> None:  # noqa: ANN401 # JSON
    document["duels"] = 1


def _rename_league(document: Any) -> None:  # noqa: ANN401 # JSON
    document["name"] = "autumn"


def _rename_entrant(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][0]["name"] = "zoe"


def _join_later(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][1]["epoch"] = 2


def _never_join(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][2]["epoch"] = 0


def _join_never_begun(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][2]["epoch"] = 3


def _withdraw(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][0]["withdrawn"] = NOW.isoformat()


def _number_otherwise(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"].reverse()


def _number_epochs_otherwise(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["number"] = 2


def _count_other_sandboxes(document: Any) -> None:  # noqa: ANN401 # JSON
    document["sandboxes"][0]["duels"] = 5


LEAGUES = [
    (_use_other_seed, "league.json: epochs[0].commitment: is "),
    (_use_other_commitment, "league.json: epochs[0].commitment: is "),
    (_use_both, "duels.jsonl, line 1: decks[0]: does not follow from the seed"),
    (_hide_seed, "league.json: epochs[0].seed: is missing, though the league is complete"),
    (_tell_seed_early, "league.json: epochs[1].seed: is out, though the league is open"),
    (_change_rules, "duels.jsonl, line 1: rooms[0].rules: is another game than"),
    (_change_game, "matches.pbn: is missing"),
    (_plan_more, "duels.jsonl: the duel 1-2/3 is missing, though the league is complete"),
    (_plan_fewer, "duels.jsonl, line 4: number: is 1, but a pairing has 1 duels"),
    (_rename_league, "duels.jsonl, line 1: key: is "),
    (_rename_entrant, "ratings.csv, line 3: entrant: is 'ann@1.0', but the duels give 'zoe@1.0'"),
    (_join_later, "duels.jsonl, line 1: epoch: is 1, but should be 2"),
    (_never_join, "duels.jsonl, line 2: second: is 3, which is no entrant that plays"),
    (_join_never_begun, "league.json: entrants[2].epoch: is 3, which never began"),
    (_withdraw, "ratings.csv, line "),
    (_number_otherwise, "league.json: entrants[0].number: is 3, but should be 1"),
    (_number_epochs_otherwise, "league.json: epochs[0].number: is 2, but should be 1"),
    (_count_other_sandboxes, "league.json: sandboxes: are of 5 duels"),
]


@pytest.mark.parametrize(
    ("change", "says"), LEAGUES, ids=[change.__name__.strip("_") for change, _ in LEAGUES]
)
def test_a_forged_league_is_found_and_named(
    out: Path, change: Callable[[Any], None], says: str
) -> None:
    assert wrong(forged_league(out, change)).startswith(says)


@pytest.mark.parametrize(
    ("file", "pattern", "instead", "says"),
    [
        ("ratings.csv", r"(\d)\.(\d)", r"\g<1>1.\2", "ratings.csv, line 2: entrant: is '"),
        ("ratings.csv", r",(\d+)\.", r",1\1.", "ratings.csv, line 2: rating: is '"),
        ("ratings.csv", r"\n1,", "\n2,", "ratings.csv, line 2: best_rank: is '2'"),
        ("ratings.csv", r"\n.*\n$", "\n", "ratings.csv: has not the 3 rows that the duels give"),
        ("ratings.csv", r"^best", "top", "ratings.csv: must begin with best_rank,worst_"),
        ("crosstable.csv", r"\.\d", ".99", "crosstable.csv, line 2: first_entrant: is"),
        ("crosstable.csv", r"(\d)\n$", "\\1,\n", "crosstable.csv: has 13 cells in line 7"),
        ("matches.egn.jsonl", "Pass", "Order", "matches.egn.jsonl: is not what the duels give"),
        ("matches.egn.jsonl", r"\Z", "null\n", "matches.egn.jsonl: goes on after the last"),
        ("voids.csv", r"\Z", "1,2,0,late,never\n", "voids.csv, line 2: at: must be a time"),
        ("voids.csv", r"\Z", "2,1,0,late,2025-01-01\n", "voids.csv, line 2: first: is no A of"),
        ("voids.csv", r"\Z", "1,9,0,late,2025-01-01\n", "voids.csv, line 2: first: is of no"),
        ("voids.csv", r"\Z", "1,2,0,late,2025-01-01\n", "ratings.csv, line "),
    ],
)
def test_a_forged_table_is_found_and_named(
    out: Path, file: str, pattern: str, instead: str, says: str
) -> None:
    forged_text(out, file, lambda text: re.sub(pattern, instead, text, count=1))
    assert wrong(out).startswith(says)


def test_a_last_digit_may_differ_because_machines_compute_otherwise(out: Path) -> None:
    def nudged(text: str) -> str:
        return re.sub(r"\.(\d{5})(\d)", lambda at: f".{at[1]}{int(at[2]) ^ 1}", text)

    assert checked(forged_text(out, "ratings.csv", nudged)).outcome == "verified"


def test_a_count_may_not_differ_at_all(out: Path) -> None:
    forged_text(out, "crosstable.csv", lambda text: text.replace("ann@1.0,2,", "ann@1.0,3,", 1))
    assert wrong(out).startswith("crosstable.csv, line 2: second: is '3'")


def test_everything_that_is_wrong_with_several_duels_is_told(out: Path) -> None:
    def change(duels: list[Any]) -> None:
        _change_wins(duels)
        duels[3]["margin"] += 1

    failures = checked(forged_duels(out, change)).failures
    assert [(failure.line, failure.field) for failure in failures] == [(1, "wins"), (4, "margin")]


# Strangers


DEEP = "[" * 200_000
LONG = "9" * 100_000


@pytest.mark.parametrize("file", ["league.json", "duels.jsonl"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "{",
        DEEP,
        '{"schema":' * 50_000,
        f'{{"schema":{LONG}}}',
        f'{{"schema":1,"name":{DEEP}{"]" * 200_000}}}',
        '{"schema":1,"schema":1}',
        '{"schema":NaN}',
        '{"schema":1e999}',
        '{"schema":true}',
        '{"schema":2}',
        '{"schema":-1}',
        "\ufeff{}",
        "\0" * 1000,
        '"\\ud800"',
        '{"\\ud800":1}',
    ],
)
def test_no_text_of_a_stranger_does_harm(out: Path, file: str, text: str) -> None:
    (out / file).write_text(text + "\n")
    assert wrong(sealed(out)).startswith((file, "league.json: sandboxes"))


@pytest.mark.parametrize("file", ["league.json", "duels.jsonl", "ratings.csv", "voids.csv"])
@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x80" * 99, b'"' * 99, b"\0", b"a,b\r"])
def test_no_bytes_of_a_stranger_do_harm(out: Path, file: str, data: bytes) -> None:
    (out / file).write_bytes(data)
    assert wrong(sealed(out)).startswith(file)


def test_a_line_without_end_is_read_in_part_only(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.publication.verification_files.LONGEST_LINE", 1000)
    assert wrong(out).startswith("duels.jsonl, line 1: this is longer than any duel")


def test_a_table_without_end_is_not_read(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.publication.verification_files.LARGEST", 300)
    with pytest.raises(UpcardError, match="larger than any league makes it"):
        checked(out)


def _plan_too_much(document: Any) -> None:  # noqa: ANN401 # JSON
    document["duels"] = document["block"] = 1_000_000
    document["until"] = {"confidence": 0.9, "by": "rating"}
    late = {**document["entrants"][0], "epoch": 1}
    document["entrants"] += [{**late, "number": number} for number in range(4, 501)]


def test_a_plan_of_more_duels_than_fit_in_memory_does_no_harm(out: Path) -> None:
    assert checked(forged_league(out, _plan_too_much)).outcome == "failed"


# What may change without anything being wrong: it rests on the referee's word.
ON_TRUST = {
    "league.json": r"upcard|limits\..*|policy\.forfeit_at|tables|at_least|beat|block|created"
    r"|entrants\.\d+\.(author|digest)|epochs\.\d+\.(given|opened)|state"
    r"|sandboxes\.\d+\.(sandboxed|strict|guarantees.*)",
    "duels.jsonl": r"\d+\.(faults\.\d+\.(kind|explanation)|slowest.*)",
}


def leaves(value: object, path: str = "") -> Iterator[str]:
    """Name everything there is in a piece of JSON."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, each in inside:
        here = f"{path}.{name}".lstrip(".")
        yield here
        yield from leaves(each, here)


def changed_at(value: Any, path: str, random: Random) -> None:  # noqa: ANN401 # JSON
    """Change one thing in a piece of JSON."""
    *way, last = path.split(".")
    for step in way:
        value = value[int(step) if isinstance(value, list) else step]
    place: Any = int(last) if isinstance(value, list) else last
    if random.random() < 0.2:
        del value[place]
    elif random.random() < 0.2 and isinstance(value, list):
        value.append(value[place])
    else:
        value[place] = other(value[place], random)


def other(value: object, random: Random) -> object:
    wild: list[object] = [
        None,
        True,
        -1,
        0,
        1,
        2,
        10**30,
        0.5,
        1e308,
        "",
        "N",
        "é\ud800",
        [],
        {},
        [[]],
    ]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and random.random() < 0.7:
        return value + random.choice([-1, 1])
    if isinstance(value, str) and value and random.random() < 0.7:
        return value[:-1] + random.choice("0123456789abcdefJQKACDHS")
    return random.choice([each for each in wild if each != value or type(each) is not type(value)])


@pytest.mark.parametrize("file", ON_TRUST)
@pytest.mark.parametrize("game", ["euchre", "whist"])
def test_whatever_field_is_forged_is_found_or_rests_on_trust(
    tmp_path: Path, file: str, game: str
) -> None:
    out = written(tmp_path / "out", league(game=game, target=1), [FAULTY])
    path, random = out / file, Random(file + game)
    text = path.read_text()
    lines = file.endswith("l")
    document = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    places = list(leaves(document))
    for place in random.sample(places, min(60, len(places))):
        forged = json.loads(json.dumps(document))
        changed_at(forged, place, random)
        if forged == document:
            continue
        dumped = [json.dumps(line) for line in forged] if lines else [json.dumps(forged)]
        path.write_text("".join(f"{line}\n" for line in dumped))
        outcome = checked(sealed(out)).outcome
        assert outcome == "failed" or re.fullmatch(ON_TRUST[file], place), place
    path.write_text(text)
    assert checked(sealed(out)).outcome == "verified"


def meaning(file: str, data: bytes) -> object:
    """Give what a reader takes from a table: numbers may differ in their last digit."""
    if not file.endswith(".csv"):
        return data
    rows = csv.reader(StringIO(data.decode(errors="replace"), newline=""))
    if file == "voids.csv":
        return [row[:3] for row in rows]
    return [[re.sub(r"(\.\d{5})\d$", r"\1", cell) for cell in row] for row in rows]


@pytest.mark.parametrize(
    "file", ["ratings.csv", "crosstable.csv", "voids.csv", "matches.egn.jsonl", "SHA256SUMS"]
)
def test_whatever_byte_is_forged_is_found_or_means_nothing(tmp_path: Path, file: str) -> None:
    out = written(tmp_path / "out", league(target=1), lacking=[FAULTY])
    path, random = out / file, Random(file)
    data = path.read_bytes()
    for _ in range(40):
        forged = bytearray(data)
        forged[random.randrange(len(forged))] ^= 1 << random.randrange(8)
        path.write_bytes(forged)
        report = checked(out if file == "SHA256SUMS" else sealed(out))
        if report.outcome != "failed":
            assert meaning(file, bytes(forged)) == meaning(file, data)


RELEASED = Path(__file__).with_name("released")


@pytest.mark.parametrize("name", sorted(path.name for path in RELEASED.iterdir()))
def test_an_export_of_an_earlier_version_is_verified_as_what_it_was(name: str) -> None:
    report = checked(RELEASED / name)
    assert (report.outcome, report.failures) == ("verified", [])


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
