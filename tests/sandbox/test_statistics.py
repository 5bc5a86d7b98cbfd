"""What the kernel tells of processes, and what must not be believed of it."""

import mmap
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

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


def _state(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


LEADERLESS = """
import ctypes, platform, threading
def fill():
    memory = bytearray(32 << 20)
    print("full", flush=True)
    threading.Event().wait()
threading.Thread(target=fill).start()
ctypes.CDLL(None).syscall(60 if platform.machine() == "x86_64" else 93, 0)
"""


def test_a_process_whose_first_thread_has_ended_uses_what_the_others_use() -> None:
    command = [sys.executable, "-c", LEADERLESS]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            while _state(process.pid) != "Z":
                pass
            exact = statistics.proportional_memory([process.pid])
            counted = statistics.status(process.pid).memory
        finally:
            process.kill()
    assert min(exact, counted) > 32 << 20


def test_a_process_that_is_gone_uses_nothing() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert statistics.status(process.pid) == (0, 0, 0, 0)
    assert statistics.times(process.pid) == (0, 0, 0)
    assert statistics.proportional_memory([process.pid]) == 0


def test_a_process_that_runs_in_the_memory_of_its_parent_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            monkeypatch.setattr(statistics, "_stat", lambda number: ["S", str(number)])
            assert statistics.proportional_memory([process.pid]) == 0
        finally:
            process.kill()


def test_what_is_watched_under_many_numbers_lengthens_a_list() -> None:
    with select.epoll() as epoll, socket.socket(socket.AF_UNIX) as watched:
        before = sum(statistics.lists(os.getpid()))
        copies = [os.dup(watched.fileno()) for _ in range(50)]
        for each in copies:
            epoll.register(each, 0)
        for each in copies:
            os.close(each)
        assert sum(statistics.lists(os.getpid())) >= before + 50


def test_mappings_lengthen_a_list() -> None:
    before = next(statistics.lists(os.getpid()))
    protections = (mmap.PROT_READ, mmap.PROT_READ | mmap.PROT_WRITE) * 50
    kept = [mmap.mmap(-1, 4096, prot=each, flags=mmap.MAP_PRIVATE) for each in protections]
    assert next(statistics.lists(os.getpid())) >= before + len(kept) // 2


def test_a_process_that_is_gone_has_no_lists() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert sum(statistics.lists(process.pid)) == 0
