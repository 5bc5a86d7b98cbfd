"""`upcard doctor`: what it tells of a sandbox, the real one and one that does not hold."""

import csv
import json
import platform
from collections.abc import AsyncIterator

import pytest

import referee.cli.doctor
from referee.sandbox.doctor import Guarantee
from referee.sandbox.measurement import ChannelRate
from referee.sandbox.runtimes import find_runtimes
from tests.cli.conftest import Upcard

HELD = Guarantee("network", "enforced", "a namespace", "", "")
WEAK = Guarantee("memory", "weak", "a limit of each process", "no control group", "use systemd")
MISSING = Guarantee("processes", "missing", "", "no namespace", "install bubblewrap")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Guarantee]:
    """Return an empty list: what a test puts there is found by the examination."""
    guarantees: list[Guarantee] = []

    async def examine(_: object) -> list[Guarantee]:
        return guarantees

    monkeypatch.setattr(referee.cli.doctor, "examine", examine)
    return guarantees


def test_it_examines_the_sandbox_of_this_machine(upcard: Upcard) -> None:
    said = upcard("doctor", "--json")
    levels = {each["level"] for each in json.loads(said.out)}
    assert (said.code, "enforced" in levels) == (0, True)


def test_a_machine_without_a_filter_is_named_in_a_line(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_runtimes()  # of the machine that this really is
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    said = upcard("doctor")
    line = "upcard: the sandbox has no filter for riscv64; run it on x86_64 or aarch64\n"
    assert (said.code, said.out, said.err) == (1, "", line)


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


CLOSED = ChannelRate("futex", 48, 23, 0.0, "closed", "a file that both can read", "no signal")
REMAINDER = ChannelRate("processor", 48, 0, 123.4, "remainder", "one core", "")
OPEN = ChannelRate("page mapping", 48, 0, 500.0, "open", "a file that both can read", "")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[ChannelRate]:
    """Return an empty list: what a test puts there is found by the measurement."""
    rates: list[ChannelRate] = []

    async def measure(_: object, *, strict: bool) -> AsyncIterator[ChannelRate]:
        for rate in rates:
            yield rate._replace(bits_per_second=20.0) if strict and rate.errors == 0 else rate

    monkeypatch.setattr(referee.cli.doctor, "measure", measure)
    return rates


def test_a_remainder_is_shown_with_its_rate_and_is_no_failure(
    upcard: Upcard, measured: list[ChannelRate]
) -> None:
    measured += [CLOSED, REMAINDER]
    said = upcard("doctor", "--channels")
    assert (said.code, "123" in said.out, "1 remainder: cannot be closed" in said.out) == (
        0,
        True,
        True,
    )


def test_an_open_channel_fails(upcard: Upcard, measured: list[ChannelRate]) -> None:
    measured += [CLOSED, OPEN]
    assert upcard("doctor", "--channels").code == 1


def test_channels_are_measured_as_in_strict_play(
    upcard: Upcard, measured: list[ChannelRate]
) -> None:
    measured += [CLOSED, REMAINDER]
    said = upcard("doctor", "--channels", "--strict", "--json")
    assert [each["bits_per_second"] for each in json.loads(said.out)] == [0.0, 20.0]


def test_csv_has_a_row_for_each_channel(upcard: Upcard, measured: list[ChannelRate]) -> None:
    measured += [CLOSED, REMAINDER]
    rows = csv.DictReader(upcard("doctor", "--channels", "--csv").out.splitlines())
    assert [(row["name"], row["state"]) for row in rows] == [
        ("futex", "closed"),
        ("processor", "remainder"),
    ]


def test_strict_says_nothing_without_channels(upcard: Upcard) -> None:
    said = upcard("doctor", "--strict")
    assert (said.code, "add that" in said.err) == (2, True)
