"""Visits and greetings are read as they were written, and nothing else is read."""

import json

import pytest

from referee.cluster.forms import (
    Greeting,
    greeting_as_text,
    greeting_from_text,
    visit_as_text,
    visit_from_text,
)
from referee.errors import RecordError
from referee.league.visit import Visit
from referee.store.models import Isolation

GREETING = Greeting("0.1.0", "hall 1", 8, Isolation(True, False, ()))


def test_a_visit_is_read_as_it_was_written_but_for_the_bots(visit: Visit) -> None:
    read = visit_from_text(visit_as_text(visit))
    assert read == (visit.id, visit.terms, visit.numbers, visit.digests, visit.duels)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("run", 5),
        ("number", -1),
        ("terms", {}),
        ("entrants", [1]),
        ("entrants", [0, 1]),
        ("digests", ["../../etc", "ab" * 32]),
        ("duels", [{"number": 1, "seed": "x", "key": "k", "first_dealer": 0}]),
        ("duels", [{"number": 1, "seed": "", "key": "k", "first_dealer": 4}]),
        ("bots", []),
    ],
)
def test_a_visit_that_is_none_is_refused(visit: Visit, field: str, value: object) -> None:
    form = json.loads(visit_as_text(visit)) | {field: value}
    with pytest.raises(RecordError):
        visit_from_text(json.dumps(form))


def test_a_greeting_is_read_as_it_was_written() -> None:
    assert greeting_from_text(greeting_as_text(GREETING)) == GREETING


@pytest.mark.parametrize(
    ("field", "value"), [("jobs", 0), ("name", "a\nb"), ("isolation", None), ("more", 1)]
)
def test_a_greeting_that_is_none_is_refused(field: str, value: object) -> None:
    form = json.loads(greeting_as_text(GREETING)) | {field: value}
    with pytest.raises(RecordError):
        greeting_from_text(json.dumps(form))
