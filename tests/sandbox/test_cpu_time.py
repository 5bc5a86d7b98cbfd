"""The CPU time of a sandbox is counted whether or not its processes wait for each other."""

import os
from typing import Final

import pytest

from referee.sandbox import statistics
from referee.sandbox.cpu_time import CpuTime
from referee.sandbox.statistics import Times

TICKS: Final = os.sysconf("SC_CLK_TCK")
PARENT, CHILD = 10, 11
GONE: Final = Times(0, 0, 0)

Machine = dict[int, Times]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return the processes there are."""
    processes: Machine = {PARENT: Times(1, 0, 0)}
    monkeypatch.setattr(statistics, "times", lambda number: processes.get(number, GONE))
    return processes


def ticks(cpu: CpuTime, *processes: int) -> int:
    return round(cpu.read(processes) * TICKS)


def test_the_time_of_a_process_is_its_own_and_that_of_children_it_waited_for(
    machine: Machine,
) -> None:
    machine[PARENT] = Times(1, 30, 12)
    assert ticks(CpuTime(), PARENT) == 42


def test_a_child_nobody_waited_for_counts_as_far_as_it_was_read(machine: Machine) -> None:
    cpu = CpuTime()
    machine[CHILD] = Times(2, 70, 0)
    ticks(cpu, PARENT, CHILD)
    del machine[CHILD]
    assert (ticks(cpu), ticks(cpu)) == (70, 70)


def test_a_child_that_was_waited_for_counts_once_to_its_end(machine: Machine) -> None:
    cpu = CpuTime()
    machine[CHILD] = Times(2, 70, 0)
    ticks(cpu, PARENT, CHILD)
    del machine[CHILD]
    machine[PARENT] = Times(1, 0, 73)
    assert ticks(cpu) == 73


def test_a_child_that_ends_after_its_parent_was_read_counts_once(machine: Machine) -> None:
    cpu = CpuTime()
    machine[CHILD] = Times(2, 70, 0)
    ticks(cpu, PARENT, CHILD)
    del machine[CHILD]
    ticks(cpu)
    machine[PARENT] = Times(1, 0, 73)
    assert ticks(cpu) == 73


def test_time_that_was_lost_hides_none_of_children_waited_for_later(machine: Machine) -> None:
    cpu = CpuTime()
    machine[CHILD] = Times(2, 1000, 0)
    ticks(cpu, PARENT, CHILD)
    del machine[CHILD]
    for awaited in (0, 0, 50):
        machine[PARENT] = Times(1, 0, awaited)
        found = ticks(cpu)
    assert found == 1050


def test_a_child_too_short_to_be_seen_counts_if_it_was_waited_for(machine: Machine) -> None:
    cpu = CpuTime()
    ticks(cpu, PARENT)
    machine[PARENT] = Times(1, 0, 5)
    assert ticks(cpu) == 5


def test_a_number_that_is_used_again_is_another_process(machine: Machine) -> None:
    cpu = CpuTime()
    machine[CHILD] = Times(2, 70, 0)
    ticks(cpu, PARENT, CHILD)
    machine[CHILD] = Times(3, 4, 0)
    assert ticks(cpu) == 74


def test_a_process_that_is_found_again_is_not_counted_again(machine: Machine) -> None:
    cpu = CpuTime()
    machine[CHILD] = Times(2, 70, 0)
    ticks(cpu, PARENT, CHILD)
    assert (ticks(cpu, PARENT), ticks(cpu, PARENT, CHILD)) == (70, 70)


def test_parents_are_read_before_their_children(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cpu, read = CpuTime(), list[int]()

    def times(number: int) -> Times:
        read.append(number)
        return machine[number]

    machine[CHILD] = Times(2, 1, 0)
    ticks(cpu, CHILD, PARENT)
    monkeypatch.setattr(statistics, "times", times)
    ticks(cpu)
    assert read == [PARENT, CHILD]
