"""Finds the processes that are ours: this program adopts what a killed one leaves."""

import ctypes
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_ADOPT: Final = 36
_MARK: Final = b"--setenv\0MARK\0"
"""What a sandbox bears that holds a bot, and one that only tries the machine does not."""
_REFEREE: Final = b"from multiprocessing.spawn import spawn_main"


class ProcessEntry(NamedTuple):
    """A process as it was a moment ago."""

    pid: int
    parent: int
    name: str
    state: str
    """A letter; Z is one that ended and was not yet asked how."""

    def __str__(self) -> str:
        return f"{self.name} ({self.pid})"


def adopt_orphans() -> None:
    """Become the parent of all that come from us and lose theirs, in place of process 1."""
    if ctypes.CDLL(None, use_errno=True).prctl(_ADOPT, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def processes() -> dict[int, ProcessEntry]:
    """Return all processes there are."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            head, _, tail = place.read_text(errors="replace").rpartition(")")
            pid, _, name = head.partition(" (")
            state, parent = tail.split()[:2]
            found[int(pid)] = ProcessEntry(int(pid), int(parent), name, state)
    return found


def below(root: int, among: Mapping[int, ProcessEntry]) -> list[ProcessEntry]:
    """Return the children of a process, their children, and so on."""
    children: dict[int, list[ProcessEntry]] = {}
    for process in among.values():
        children.setdefault(process.parent, []).append(process)
    found, asked = [], [root]
    while asked:
        here = children.get(asked.pop(), [])
        found += here
        asked += [process.pid for process in here]
    return found


def referees(coordinator: int, among: Mapping[int, ProcessEntry]) -> list[ProcessEntry]:
    """Return the referees of a coordinator."""
    children = [each for each in among.values() if each.parent == coordinator]
    return [each for each in children if _REFEREE in _command_line(each.pid)]


def sandboxes(coordinator: int, among: Mapping[int, ProcessEntry]) -> list[ProcessEntry]:
    """Return the outermost processes of the sandboxes in which its referees let bots play."""
    parents = {each.pid for each in referees(coordinator, among)}
    started = [each for each in among.values() if each.parent in parents and each.name == "bwrap"]
    return [each for each in started if _MARK in _command_line(each.pid)]


def commands(words: Sequence[str], among: Mapping[int, ProcessEntry]) -> list[ProcessEntry]:
    """Return those that were started with these words in their command lines, in this order."""
    wanted = "".join(f"\0{word}" for word in words).encode() + b"\0"
    return [each for each in among.values() if wanted in _command_line(each.pid)]


def _command_line(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def strangers(known: Collection[int], among: Mapping[int, ProcessEntry]) -> list[ProcessEntry]:
    """Bury the dead that we adopted; give the living that come from no known child of ours."""
    return list(_living(known, among))


def _living(known: Collection[int], among: Mapping[int, ProcessEntry]) -> Iterator[ProcessEntry]:
    for child in among.values():
        if child.parent != os.getpid() or child.pid in known:
            continue
        if child.state == "Z":
            with suppress(ChildProcessError):
                os.waitpid(child.pid, os.WNOHANG)
        else:
            yield child
        yield from below(child.pid, among)
