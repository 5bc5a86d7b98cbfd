"""Visits and greetings are read as they were written, and nothing else is read."""

import json
from pathlib import Path

import pytest

from referee.arena.duel import Duel
from referee.arena.limits import Policy, Terms, TimeLimits
from referee.bots.manifest import read_manifest
from referee.bots.seating import SeatedBot
from referee.cluster.forms import (
    Greeting,
    greeting_as_text,
    greeting_from_text,
    visit_as_text,
    visit_from_text,
)
from referee.engine.record import SeededDeal
from referee.errors import RecordError
from referee.league.channel import VisitId
from referee.league.visit import Visit
from referee.sandbox.runtimes import find_runtimes
from referee.store.models import Isolation
from tests.cli.bots import write_bot
from tests.table import whist

GREETING = Greeting("0.1.0", "hall 1", 8, Isolation(True, False, ()))


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    place = write_bot(tmp_path_factory.mktemp("bots") / "one", "pass", games="whist")
    bot = SeatedBot(read_manifest(place, find_runtimes()), Path("any"), find_runtimes()["python"])
    return Visit(
        VisitId("5a" * 8, 3),
        Terms(whist(), TimeLimits(2.5, 7, 30, 0.5), Policy(3), 17, 1, 0.05),
        (4, 2),
        (bot, bot),
        ("ab" * 32, "cd" * 32),
        tuple(Duel(n, SeededDeal(bytes(range(32)), f"a/whist/4-2/{n + 1}"), n % 4) for n in (1, 6)),
    )


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
