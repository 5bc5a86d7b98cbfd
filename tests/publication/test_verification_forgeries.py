"""Whatever somebody changes in an export, making its sums anew, is found."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.engine.dealing import commitment
from referee.publication.export import export
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid
from tests.publication.exports import (
    FAULTY,
    NOW,
    checked,
    exported,
    forged_duels,
    forged_league,
    forged_text,
    league,
    wrong,
)


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


def _be_slower_than_allowed(duels: list[Any]) -> None:
    duels[0]["slowest"][0]["seconds"] = 1.4


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
    (_be_slower_than_allowed, "line 1: slowest[0].seconds: is 1.4, more than a decision may take"),
    (_add_deck, "line 1: decks: is "),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"), DUELS, ids=[change.__name__.strip("_") for change, _ in DUELS]
)
def test_a_forged_duel_is_found_and_named(
    out: Path, change: Callable[[list[Any]], None], says: str
) -> None:
    assert says in wrong(forged_duels(out, change))


def _be_as_late_as_play_allows(duels: list[Any]) -> None:
    duels[0]["slowest"][0]["seconds"] = 1.3


def _time_out(duels: list[Any]) -> None:
    duel = _faulty(duels)
    fault = duel["faults"][0]
    fault["kind"] = "decision_timeout"
    duel["slowest"][0] = {**duel["slowest"][0], "seconds": 2.5} | {
        name: fault[name] for name in ("room", "hand", "seat")
    }


@pytest.mark.parametrize("change", [_be_as_late_as_play_allows, _time_out])
def test_a_decision_may_be_slower_than_the_limit_where_play_allows_it(
    out: Path, change: Callable[[list[Any]], None]
) -> None:
    assert checked(forged_duels(out, change)).failures == []


def test_a_duel_that_was_void_too_often_cannot_be_there(out: Path) -> None:
    """As far as a forger may go: she counts the voids wherever they count."""
    whole = exported(league(), [FAULTY])
    forger = out.parent / "forger"
    voids = [StoredVoid(DuelKey(1, 2, 0), "late", NOW)] * 3
    export(forger, whole._replace(voids=voids))
    assert wrong(forger) == (
        "duels.jsonl: the duel 1-2/1 is there, though it was void too often to be played"
    )


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
    document["epochs"][0]["seed"] = document["epochs"][0]["secret"] = "00" * 32


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


def _enter_twice(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][2]["digest"] = document["entrants"][0]["digest"]


def _open_in_future(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][1]["opened"] = "2525-01-31T18:30:00+00:00"


def _open_before_created(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["opened"] = "2025-01-31T18:30:00+02:00"


def _withdraw_before_created(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][0]["withdrawn"] = "2025-01-30"


def _named(*place: str | int, name: str) -> Callable[[Any], None]:
    """Name something so that a reader may take it for another thing."""

    def rename(document: Any) -> None:  # noqa: ANN401 # JSON
        *way, last = place
        for step in way:
            document = document[step]
        document[last] = name

    rename.__name__ = f"name_{'_'.join(map(str, place))}_{name!a}"
    return rename


LEAGUES = [
    (_enter_twice, "league.json: entrants[2].digest: is that of entrant 1, entered twice"),
    (_open_in_future, "league.json: epochs[1].opened: is 2525-01-31T18:30:00+00:00, still to come"),
    (_open_before_created, "league.json: epochs[0].opened: is 2025-01-31T18:30:00+02:00, earlier"),
    (_withdraw_before_created, "league.json: entrants[0].withdrawn: is 2025-01-30, earlier than"),
    (_named("name", name="spring\n"), "league.json: name: must be 1 to 200 printable"),
    (_named("upcard", name=""), "league.json: upcard: must be 1 to 200 printable"),
    (_named("entrants", 0, "name", name="ann\u202e"), "league.json: entrants[0].name: must be"),
    (_named("entrants", 1, "version", name="\x1b[2J"), "league.json: entrants[1].version: must"),
    (_named("entrants", 2, "author", name="Ann\u2066"), "league.json: entrants[2].author: must"),
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
        ("voids.csv", r"\Z", f"1,2,0,late,{NOW}\n", "ratings.csv, line "),
        (
            "voids.csv",
            r"\Z",
            "1,2,0,late,2025-01-01\n",
            "voids.csv, line 2: at: is 2025-01-01, e",
        ),
        (
            "voids.csv",
            r"\Z",
            "1,2,0,late,2525-01-01\n",
            "voids.csv, line 2: at: is 2525-01-01, s",
        ),
        (
            "voids.csv",
            r"\Z",
            f"1,2,1,a,{NOW}\n1,2,0,a,{NOW}\n",
            "voids.csv, line 3: comes too lat",
        ),
        (
            "voids.csv",
            r"\Z",
            f"1,2,0,a,{NOW}\n" * 4,
            "voids.csv, line 5: is of a duel that w",
        ),
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

    assert checked(forged_text(out, "ratings.csv", nudged)).outcome == "consistent"


def test_a_count_may_not_differ_at_all(out: Path) -> None:
    forged_text(out, "crosstable.csv", lambda text: text.replace("ann@1.0,2,", "ann@1.0,3,", 1))
    assert wrong(out).startswith("crosstable.csv, line 2: second: is '3'")


def test_everything_that_is_wrong_with_several_duels_is_told(out: Path) -> None:
    def change(duels: list[Any]) -> None:
        _change_wins(duels)
        duels[3]["margin"] += 1

    failures = checked(forged_duels(out, change)).failures
    assert [(failure.line, failure.field) for failure in failures] == [(1, "wins"), (4, "margin")]
