"""What counts as memory of a sandbox, and how often it is found out exactly."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.sandbox import statistics, usage
from referee.sandbox.limits import MIB, SandboxLimits
from referee.sandbox.statistics import ProcessUsage
from referee.sandbox.usage import MOST_SHARED, UsageReader

LIMITS = SandboxLimits(memory_mib=100)


class Machine:
    """The processes there are, each with what it uses."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.mib: list[int] = [0]
        self.exact_mib = 0
        self.looks = 0
        monkeypatch.setattr(statistics, "descendants", lambda _: list(range(len(self.mib))))
        monkeypatch.setattr(
            statistics,
            "status",
            lambda number: ProcessUsage(1, self.mib[number] * MIB, 0, 7 + number),
        )
        monkeypatch.setattr(statistics, "proportional_memory", self.exact)

    def exact(self, _processes: list[int]) -> int:
        self.looks += 1
        return self.exact_mib * MIB


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def mib(reader: UsageReader) -> int:
    return reader.read().memory // MIB


def test_within_the_limit_pages_are_counted_for_each_process(machine: Machine) -> None:
    machine.mib = [40, 40]
    assert (mib(UsageReader(1, 0, LIMITS)), machine.looks) == (80, 0)


def test_over_the_limit_shared_pages_are_counted_once(machine: Machine) -> None:
    machine.mib, machine.exact_mib = [80, 80, 80], 90
    assert mib(UsageReader(1, 0, LIMITS)) == 90


def test_over_many_times_the_limit_shared_pages_are_counted_for_each(machine: Machine) -> None:
    machine.mib = [90] * (MOST_SHARED + 1)
    machine.mib.append(90)
    assert (mib(UsageReader(1, 0, LIMITS)), machine.looks) == (90 * (MOST_SHARED + 2), 0)


class Clock:
    """A clock that shows how long it takes to find out which pages are shared."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, machine: Machine) -> None:
        self.now = 100.0
        self.machine = machine
        monkeypatch.setattr("referee.sandbox.usage.monotonic", lambda: self.now)
        monkeypatch.setattr(statistics, "proportional_memory", self.exact)

    def exact(self, processes: list[int]) -> int:
        self.now += 0.5
        return self.machine.exact(processes)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> Clock:
    return Clock(monkeypatch, machine)


def test_shared_pages_are_not_found_out_again_at_once(machine: Machine, clock: Clock) -> None:
    machine.mib, machine.exact_mib = [80, 80, 80], 90
    reader = UsageReader(1, 0, LIMITS)
    found = []
    for _ in range(6):
        found.append((mib(reader), machine.looks))
        clock.now += 0.5
    assert found == [(90, 1)] * 4 + [(90, 2)] * 2


def test_what_seems_too_much_is_found_out_sooner(machine: Machine, clock: Clock) -> None:
    machine.mib, machine.exact_mib = [80, 80, 80], 90
    reader = UsageReader(1, 0, LIMITS)
    mib(reader)
    machine.mib, machine.exact_mib = [80, 80, 80, 80], 170
    assert mib(reader) == LIMITS.memory_mib
    clock.now += 0.5
    assert mib(reader) == 170


def test_a_process_that_shares_its_pages_is_not_taken_for_too_much(
    machine: Machine, clock: Clock
) -> None:
    machine.mib, machine.exact_mib = [80, 80], 90
    reader = UsageReader(1, 0, LIMITS)
    mib(reader)
    machine.mib = [80, 80, 80]
    found = [mib(reader)]
    clock.now += 0.5
    assert [*found, mib(reader)] == [100, 90]


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[int]:
    """Return the lengths of the lists of each process but the first; to read one takes 0.1 s."""
    lengths: list[int] = []

    def read(_: int) -> Iterator[int]:
        for length in lengths:
            clock.now += 0.1
            yield length

    monkeypatch.setattr(statistics, "lists", read)
    monkeypatch.setattr(statistics, "open_files", lambda _: 0)
    monkeypatch.setattr(statistics, "sockets", lambda _: 0)
    return lengths


def test_mappings_and_watches_count_for_each_process(machine: Machine, lists: list[int]) -> None:
    machine.mib, lists[:] = [0, 5, 5], [2048, 1024]
    assert mib(UsageReader(0, 1, LIMITS)) == 10 + 2 * (2 + 1)


def test_mappings_and_watches_are_counted_a_fifth_of_the_time(
    machine: Machine, lists: list[int], clock: Clock
) -> None:
    machine.mib, lists[:] = [0, 5], [2048, 1024]
    reader = UsageReader(0, 1, LIMITS)
    found = []
    for _ in range(5):
        found.append(mib(reader))
        lists[:] = [4096]
        clock.now += 0.25
    assert found == [8, 8, 8, 8, 9]


def test_more_mappings_than_are_too_much_are_not_counted(
    machine: Machine, lists: list[int], clock: Clock
) -> None:
    machine.mib, lists[:] = [0, 5, 5], [1 << 20] * 100  # would take 20 s
    began = clock.now
    assert mib(UsageReader(0, 1, LIMITS)) > LIMITS.memory_mib
    assert clock.now - began < 1


def test_the_youngest_process_tells_how_many_were_created(machine: Machine) -> None:
    reader = UsageReader(1, 0, LIMITS)
    machine.mib = [1, 1, 1]
    created = [reader.read().created]
    machine.mib = [1]
    assert [*created, reader.read().created] == [9, 9]


def test_a_process_in_our_own_namespace_has_no_number_in_another() -> None:
    assert statistics.status(int(Path("/proc/self").readlink().name)).inner_number == 0


def test_the_size_of_a_buffer_need_not_be_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(usage, "_BUFFER_SIZE", tmp_path / "not-there")
    assert usage._socket_buffer.__wrapped__() == 208 * 1024  # noqa: SLF001
