"""`upcard doctor`: what it tells of a sandbox, the real one and one that does not hold."""

import csv
import json

import pytest

import referee.cli.doctor
from referee.sandbox.doctor import Guarantee
from tests.cli.conftest import Upcard

HELD = Guarantee("network", "enforced", "a namespace", "", "")
WEAK = Guarantee("memory", "weak", "a limit of each process", "no control group", "use systemd")
MISSING = Guarantee("processes", "missing", "", "no namespace", "install bubblewrap")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Guarantee]:
    """Let what was examined be what a test puts here."""
    guarantees: list[Guarantee] = []

    async def examine(_: object) -> list[Guarantee]:
        return guarantees

    monkeypatch.setattr(referee.cli.doctor, "examine", examine)
    return guarantees


def test_it_examines_the_sandbox_of_this_machine(upcard: Upcard) -> None:
    said = upcard("doctor", "--json")
    levels = {each["level"] for each in json.loads(said.out)}
    assert (said.code, "enforced" in levels) == (0, True)


def test_a_weak_guarantee_is_told_with_reason_and_remedy(
    upcard: Upcard, found: list[Guarantee]
) -> None:
    found += [HELD, WEAK]
    said = upcard("doctor")
    assert said.code == 0
    assert "memory is weak: no control group\n  use systemd\n" in said.out
    assert said.out.endswith("1 guarantee enforced, 1 weak, 0 missing\n")


def test_a_missing_guarantee_fails(upcard: Upcard, found: list[Guarantee]) -> None:
    found += [HELD, MISSING]
    said = upcard("doctor")
    assert said.code == 1
    assert "processes is missing: no namespace\n  install bubblewrap\n" in said.out


def test_a_missing_guarantee_fails_for_programs_too(upcard: Upcard, found: list[Guarantee]) -> None:
    found += [MISSING]
    assert upcard("doctor", "--json").code == 1


def test_csv_has_a_row_for_each_guarantee(upcard: Upcard, found: list[Guarantee]) -> None:
    found += [HELD, WEAK]
    rows = list(csv.DictReader(upcard("doctor", "--csv").out.splitlines()))
    assert [(row["name"], row["level"]) for row in rows] == [
        ("network", "enforced"),
        ("memory", "weak"),
    ]
