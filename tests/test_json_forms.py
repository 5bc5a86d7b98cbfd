"""What is written as JSON in one place is read back in one place, and nothing else is."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.arena.duel import Timing
from referee.arena.fault import CRASHED
from referee.arena.limits import Policy, Terms, TimeLimits
from referee.errors import RecordError
from referee.json_forms import (
    SEATED_TERMS,
    FaultForm,
    fault_as_json,
    fault_from_json,
    hand_place,
    seated_terms_from_json,
    terms_as_json,
    terms_from_json,
    timing_as_json,
    timing_from_json,
    until_as_json,
    until_from_json,
)
from referee.ratings.methods import FIRST
from referee.ratings.stopping import Until
from tests.table import euchre

GAME = euchre()
TERMS = Terms(GAME, TimeLimits(0.5, 3.0, 60.0, 0.25), Policy(3), 7, 1, 0.05)
FAULT = FaultForm(CRASHED, 2, 3, 1, 4, forfeits=True, explanation="it ended")
TIMING = Timing(0.25, 1, 4, 2, "trick 3")


def stored(form: object) -> Any:  # noqa: ANN401 (as json.loads returns it)
    return json.loads(json.dumps(form))


def test_terms_are_read_as_they_were_written() -> None:
    assert terms_from_json(stored(terms_as_json(TERMS))) == TERMS


def test_what_a_fault_costs_is_none_of_the_terms_that_one_bot_plays_by() -> None:
    form = terms_as_json(TERMS, SEATED_TERMS)
    assert list(form) == ["game", "rules", "limits", "tables", "at_least"]
    assert seated_terms_from_json(stored(form)) == TERMS._replace(policy=Policy(), beat=0.0)


@pytest.mark.parametrize(
    "until",
    [
        Until(0.95, "rating"),
        Until(0.9, "points", top=3),
        Until(0.9, "points", method=FIRST),
        Until(0.9, "rating", adaptive=True),
    ],
)
def test_what_a_league_stops_at_is_read_as_it_was_written(until: Until) -> None:
    assert until_from_json(stored(until_as_json(until))) == until


def test_a_league_of_the_first_release_stops_by_what_that_computed() -> None:
    read = until_from_json({"confidence": 0.9, "by": "rating"})
    assert read == Until(0.9, "rating", method=FIRST)


def test_a_fault_is_read_as_it_was_written() -> None:
    assert fault_from_json(stored(fault_as_json(FAULT, GAME)), "", GAME) == FAULT


def test_a_timing_is_read_as_it_was_written() -> None:
    assert timing_from_json(stored(timing_as_json(TIMING, GAME)), "", GAME) == TIMING


def test_reports_count_hands_from_one_and_name_seats() -> None:
    assert hand_place(GAME, 1, 4, 2) == {"room": "closed", "hand": 5, "seat": "South"}


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("limits.decision", lambda form: form["limits"].update(decision=0)),
        ("limits.bank", lambda form: form["limits"].update(bank="1")),
        ("limits.late", lambda form: form["limits"].update(late=1)),
        ("policy.forfeit_at", lambda form: form["policy"].update(forfeit_at=0)),
        ("rules", lambda form: form.update(rules={})),
        ("tables", lambda form: form.update(tables=True)),
        ("at_least", lambda form: form.update(at_least=3)),
        ("beat", lambda form: form.update(beat=None)),
    ],
)
def test_terms_that_cannot_be_are_refused_by_their_field(
    field: str, change: Callable[[dict[str, Any]], object]
) -> None:
    form = stored(terms_as_json(TERMS))
    change(form)
    with pytest.raises(RecordError, match=f"^{field}"):
        terms_from_json(form)
