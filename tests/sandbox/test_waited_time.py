"""The time that a sandbox waits for a processor is counted while it waits, too."""

import pytest

from referee.sandbox import statistics
from referee.sandbox.statistics import Scheduling
from referee.sandbox.waited_time import WaitedTime

ONE, OTHER = "/proc/10/task/10", "/proc/10/task/11"
GONE = Scheduling(0, 0, is_runnable=False)
SECOND = 1_000_000_000

Machine = dict[str, Scheduling]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return the threads there are."""
    threads = {ONE: Scheduling(5 * SECOND, 2 * SECOND, is_runnable=False)}
    monkeypatch.setattr(statistics, "scheduling", lambda thread: threads.get(thread, GONE))
    return threads


def test_what_the_kernel_counted_counts(machine: Machine) -> None:
    waited = WaitedTime()
    assert waited.read([ONE], 0.0) == 2
    machine[ONE] = Scheduling(6 * SECOND, 5 * SECOND, is_runnable=False)
    assert waited.read([ONE], 4.0) == 5


def test_a_thread_that_sleeps_waits_for_no_processor(machine: Machine) -> None:
    waited = WaitedTime()
    before = waited.read([ONE], 0.0)
    assert machine
    assert waited.read([ONE], 9.0) == before


def test_a_thread_that_waits_counts_before_the_kernel_counts_it(machine: Machine) -> None:
    machine[ONE] = Scheduling(5 * SECOND, 0, is_runnable=True)
    waited = WaitedTime()
    assert [waited.read([ONE], now) for now in (1.0, 1.5, 4.0)] == [0, 0.5, 3]


def test_what_counted_before_the_kernel_counted_it_counts_once(machine: Machine) -> None:
    machine[ONE] = Scheduling(5 * SECOND, 0, is_runnable=True)
    waited = WaitedTime()
    waited.read([ONE], 1.0)
    waited.read([ONE], 4.0)
    machine[ONE] = Scheduling(6 * SECOND, 3 * SECOND + SECOND // 4, is_runnable=True)
    assert waited.read([ONE], 5.0) == 3.25


def test_a_thread_that_computes_does_not_wait(machine: Machine) -> None:
    machine[ONE] = Scheduling(5 * SECOND, 0, is_runnable=True)
    waited = WaitedTime()
    waited.read([ONE], 1.0)
    machine[ONE] = Scheduling(6 * SECOND, 0, is_runnable=True)
    assert waited.read([ONE], 2.0) == 0


def test_of_several_threads_the_one_that_waited_longest_counts(machine: Machine) -> None:
    machine[ONE] = machine[OTHER] = Scheduling(SECOND, 0, is_runnable=False)
    waited = WaitedTime()
    waited.read([ONE, OTHER], 0.0)
    machine[ONE] = Scheduling(SECOND, SECOND, is_runnable=False)
    machine[OTHER] = Scheduling(SECOND, 3 * SECOND, is_runnable=False)
    assert waited.read([ONE, OTHER], 5.0) == 3


def test_a_thread_that_is_gone_takes_nothing_back(machine: Machine) -> None:
    waited = WaitedTime()
    before = waited.read([ONE], 0.0)
    machine.clear()
    assert waited.read([ONE], 1.0) == before
