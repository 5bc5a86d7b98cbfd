import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.conftest import CANARY, Answer, Referee
from tests.waiting import PATIENCE

# What is tried, and what of it must be refused; each program tries all that its first line says.
HELD = (
    *("files", "writing", "environment", "processes", "network", "seats", "privileges"),
    "machine",
)
BOUNDED = ("bounds", "disk")
AT_ONCE = (
    *("private", "shared", "zeros", "memfd", "sysv", "tmp", "shm", "children", "leaderless"),
    *("tables", "hidden", "sockets", "pipes", "spliced", "inodes"),
)
SELDOM = ("mappings", "watches")
"""What takes long to count; where there is no control group, it is counted seldom."""
MEMORY = (*AT_ONCE, *SELDOM)


def told(answer: Answer) -> dict[str, Any]:
    line = answer["output"].strip().splitlines()[-1]
    return dict(json.loads(line))


def came(answer: Answer) -> dict[str, str]:
    return dict(told(answer)["came"])


@pytest.mark.parametrize("attack", [*HELD, *BOUNDED])
def test_nothing_comes_through_and_the_secret_is_never_seen(referee: Referee, attack: str) -> None:
    answer = referee.ask(attack=attack)
    assert (came(answer), answer["ending"]["how"], answer["harm"]) == ({}, "exited", [])
    assert CANARY not in answer["output"]


@pytest.mark.parametrize("kind", AT_ONCE)
def test_memory_is_held_to_its_limit(referee: Referee, kind: str) -> None:
    answer = referee.ask(attack="memory", arguments=[kind], until='"came"')
    refused = answer["ending"]["how"] != "limit" and not came(answer)
    assert refused or answer["ending"]["limit"] == "memory"


@pytest.mark.parametrize("kind", ["private", "children", *SELDOM])
def test_too_much_memory_is_its_own_end(referee: Referee, kind: str) -> None:
    # One process alone is refused the memory where there is no control group; many are not.
    if kind != "private" or referee.mode == "root":
        answer = referee.ask(attack="memory", arguments=[kind])
        assert answer["ending"]["limit"] == "memory"


@pytest.mark.parametrize("kind", ["processes", "threads", "chain"])
def test_bomb_ends_by_the_limit_of_processes(referee: Referee, kind: str) -> None:
    answer = referee.ask(attack="bomb", arguments=[kind])
    assert (answer["ending"]["limit"], answer["harm"]) == ("processes", [])


@pytest.mark.parametrize(
    # Of what nobody waits for, a part is counted where there is no control group.
    ("kind", "seconds"),
    [("one", 1), ("many", 1), ("unawaited", 0.2)],
)
def test_busy_loop_ends_by_the_limit_of_cpu_time(
    referee: Referee, kind: str, seconds: float
) -> None:
    answer = referee.ask(attack="spin", arguments=[kind], limits={"cpu_seconds": seconds})
    assert answer["ending"]["limit"] == "cpu"


def test_flood_ends_by_the_limit_of_output(referee: Referee) -> None:
    answer = referee.ask(attack="flood")
    assert answer["ending"]["limit"] == "output"


def test_flood_is_not_kept(referee: Referee) -> None:
    assert referee.ask(attack="flood", limits={"output_kib": 64})["output_bytes"] < 96 << 10


@pytest.mark.parametrize("kind", ["leave", "stay"])
def test_nothing_outlives_its_bot(referee: Referee, kind: str) -> None:
    answer = referee.ask(attack="outlive", arguments=[kind], until="left")
    assert ("left" in answer["output"], answer["left"]) == (True, [])


def test_nothing_outlives_the_referee(new_referee: Callable[[str], Referee], mode: str) -> None:
    doomed = new_referee(mode)
    answer = doomed.ask(attack="outlive", arguments=["stay"], until="left", kept=True)
    doomed.kill()
    assert (len(answer["left"]) >= 6, _gone(answer["tag"])) == (True, True)


def _gone(tag: str) -> bool:
    deadline = time.monotonic() + PATIENCE
    while _running(tag) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not _running(tag)


def _running(tag: str) -> list[Path]:
    return [line for line in Path("/proc").glob("[0-9]*/cmdline") if tag.encode() in _read(line)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_referee_goes_on_after_the_attacks(referee: Referee) -> None:
    before = referee.process().pid
    referee.ask(attack="processes")
    assert referee.process().pid == before


# The same programs without a sandbox: what cannot be seen to come through proves nothing above.

UNPROTECTED = {
    "files": {"secret", "secret by a link in the bundle", "opponent's bundle", "disks"},
    "writing": {"new file", "file of others", "setuid program", "mode of the bundle"},
    "environment": {"environment"},
    "network": {"this machine", "beyond", "other families", "abstract socket of the machine"},
    "seats": {"other seat", "any other socket", "own removed", "own replaced"},
    "privileges": {"new user namespace", "clone", "clone3", "keyring", "io_uring", "personality"},
    "machine": {
        *("processes", "free space of others", "mount number", "events", "process number"),
        *("child number", "direct reads", "direct reads later", "direct reads anew"),
        *("socket number", "namespace number", "descriptor of the referee", "memory node"),
        "barrier",
    },
    "bounds": {"unlimited"},
    "disk": {"/tmp", "/dev/shm"},  # noqa: S108 (where it is too much)
}


@pytest.mark.parametrize("attack", UNPROTECTED)
def test_attack_comes_through_without_a_sandbox(referees: dict[str, Referee], attack: str) -> None:
    answer = referees["unsafe"].ask(attack=attack)
    assert set(came(answer)) >= UNPROTECTED[attack]


def test_attacker_outlives_its_end_without_a_sandbox(referees: dict[str, Referee]) -> None:
    answer = referees["unsafe"].ask(attack="outlive", arguments=["leave"])
    assert answer["left"] != []


def test_referee_falls_without_a_sandbox(new_referee: Callable[[str], Referee]) -> None:
    assert new_referee("unsafe").ask(attack="processes") == {"fell": -signal.SIGKILL}
