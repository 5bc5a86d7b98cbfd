"""Bots create a bounded number of pipes and sockets, in every mode."""

from collections.abc import Callable
from typing import Any

import pytest

from referee.sandbox.creations import MOST
from referee.sandbox.seccomp import creation_calls
from tests.sandbox.test_seccomp import libseccomp_number

NAMES = ("pipe", "pipe2", "socket", "socketpair", "accept", "accept4")
UNTIL_REFUSED = """
created, error = 0, None
while error is None and created < 1000:
    try:
        create()
        created += 1
    except OSError as refused:
        error = refused.strerror
print(created, error)
"""
CREATE = {
    "pipes": "def create(): [os.close(end) for end in os.pipe()]",
    "sockets": "def create(): socket.socket(socket.AF_UNIX).close()",
    "pairs": "def create(): [end.close() for end in socket.socketpair()]",
    "pipes of children": """
def create():
    child = os.fork()
    if child == 0:
        try:
            os.pipe()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise OSError(24, "Too many open files")""",
}


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_numbers_are_those_of_libseccomp(machine: str) -> None:
    known = {libseccomp_number(machine, name) for name in NAMES}
    assert {*creation_calls(machine).values()} == {number for number in known if number >= 0}


@pytest.mark.parametrize("kind", CREATE)
def test_a_bot_creates_so_many_and_no_more(play: Callable[..., Any], kind: str) -> None:
    output = play("code", CREATE[kind] + UNTIL_REFUSED)["output"]
    created, _, error = output.strip().partition(" ")
    assert (MOST // 2 < int(created) <= MOST, error) == (True, "Too many open files")


def test_other_descriptors_are_not_bounded(play: Callable[..., Any]) -> None:
    code = "for _ in range(1000): os.close(os.eventfd(0)); os.close(os.open('/', os.O_RDONLY))"
    assert play("code", f"{code}\nprint('done')")["output"] == "done\n"
