"""What the kernel tells of processes, and what must not be believed of it."""

import os
import signal
import subprocess
import sys

import pytest

from referee.sandbox import statistics


def test_a_tree_holds_a_process_and_its_children() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        try:
            assert {os.getpid(), child.pid} <= set(statistics.descendants(os.getpid()))
        finally:
            child.kill()


def test_a_child_that_is_told_of_as_0_gets_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal to 0 would go to the referee's own group."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(statistics, "_tasks", lambda process: [str(process)])
    monkeypatch.setattr(statistics, "_text", lambda path: "0 43 0 " if "/42/" in path else "")
    monkeypatch.setattr(os, "kill", lambda process, number: sent.append((process, number)))
    statistics.signal_all(42, signal.SIGKILL)
    assert sorted(sent) == [(42, signal.SIGKILL), (43, signal.SIGKILL)]
