"""What the doctor tells of real sandboxes, of weak ones, and of none."""

import json
import os
import platform
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.sandbox import probe
from referee.sandbox.cgroups import Cgroups
from referee.sandbox.doctor import Guarantee, judge
from referee.sandbox.modes import Mode
from tests.sandbox.accounts import Account

V2 = Cgroups("v2", "", {})
NONE = Cgroups("none", "v1: only root may", {})
EXAMINE = """
import asyncio, json, sys
from referee.sandbox.doctor import examine
from referee.sandbox.launcher import Sandboxes
async def main(mode):
    async with Sandboxes.open(None if mode == "unsafe" else mode, unsafe=mode == "unsafe") as found:
        return [each._asdict() for each in await examine(found)], found.cgroups.kind
print(json.dumps(asyncio.run(main(sys.argv[1]))))
"""
WATCHED = """
import ctypes, platform
from struct import pack
number = {"x86_64": 317, "aarch64": 277}[platform.machine()]
class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))
# A filter that allows everything, and has a listener: the kernel takes no second one.
program = Program(1, pack("<HBBI", 6, 0, 0, 0x7FFF0000))
assert ctypes.CDLL(None).syscall(number, 1, 8, ctypes.byref(program)) > 0
"""
TRIED = """
import asyncio, json, sys
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.private_files import NAME
from referee.sandbox.trials import try_all
async def main(files):
    async with Sandboxes.open("root", files=files) as found:
        return (await try_all(found, "root"))[NAME]
print(json.dumps(asyncio.run(main(sys.argv[1]))))
"""
NO_ROOM = """
import asyncio, json
from referee.sandbox import private_files
from referee.sandbox.doctor import examine
from referee.sandbox.launcher import Sandboxes
private_files._is_usable = lambda _: False
async def main():
    async with Sandboxes.open("root", files="any") as found:
        rows = {each.name: each for each in await examine(found)}
        return [rows[private_files.NAME].level, rows[private_files.NAME].reason]
print(json.dumps(asyncio.run(main())))
"""
INTERRUPTED = """
import asyncio, os, sys
from contextlib import suppress
from pathlib import Path
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.statistics import descendants
from referee.sandbox.trials import try_all
def tried():
    for process in descendants(os.getpid()):
        with suppress(OSError):
            words = Path(f"/proc/{process}/cmdline").read_bytes()
            if b"-m\\0referee.sandbox.killed_referee" in words and len(descendants(process)) > 1:
                return Path(f"/proc/{process}")
async def main(mode):
    async with Sandboxes.open(mode) as found:
        trials = asyncio.create_task(try_all(found, mode))
        while not (referee := tried()) and not trials.done():
            await asyncio.sleep(0)
        trials.cancel()
        await asyncio.wait([trials])
        print(trials.cancelled(), referee.exists())
asyncio.run(main(sys.argv[1]))
"""
ALONE = {"free-cores", "tempo"}
"""What no sandbox of one machine can hold."""


def examined(account: Account, mode: str) -> tuple[dict[str, dict[str, Any]], str]:
    command = account.command("-W", "error", "-c", EXAMINE, mode)
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    guarantees, cgroups = json.loads(done.stdout)
    return {each["name"]: each for each in guarantees}, cgroups


def levels(guarantees: dict[str, dict[str, Any]], level: str) -> set[str]:
    return {name for name, each in guarantees.items() if each["level"] == level}


def test_real_sandbox_misses_nothing_and_is_weak_where_it_must(
    mode: str, accounts: Callable[[str], Account]
) -> None:
    guarantees, cgroups = examined(accounts(mode), mode)
    assert {name: guarantees[name]["reason"] for name in levels(guarantees, "missing")} == {}
    uncounted = {"memory", "cpu"} if cgroups == "none" else set()
    same_user = {"own-uid"} if mode == "userns" else set()
    assert levels(guarantees, "weak") - ALONE == uncounted | same_user


@pytest.mark.parametrize("mode", ["root"])
def test_pipes_without_bound_are_missing_where_a_container_is_watched_already(
    mode: str, accounts: Callable[[str], Account]
) -> None:
    command = accounts(mode).command("-W", "error", "-c", WATCHED + EXAMINE, mode)
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = {each["name"]: each for each in json.loads(done.stdout)[0]}
    assert levels(found, "missing") == {"few-pipes"}
    assert found["few-pipes"]["reason"].startswith("a bot created 129 pipes")


def test_nothing_outlives_trials_that_are_interrupted(
    mode: str, accounts: Callable[[str], Account]
) -> None:
    command = accounts(mode).command("-W", "error", "-c", INTERRUPTED, mode)
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True False\n", "")


def test_files_that_bots_share_are_found(accounts: Callable[[str], Account]) -> None:
    found = tried(accounts("root"), "shared")
    assert "files in common, such as /" in found[0]


def test_files_of_their_own_are_not_shared(accounts: Callable[[str], Account]) -> None:
    assert tried(accounts("root"), "private") == []


def tried(account: Account, files: str) -> list[str]:
    done = subprocess.run(
        account.command("-c", TRIED, files), cwd="/", capture_output=True, text=True, check=True
    )
    return list(json.loads(done.stdout))


def test_files_are_shared_where_copies_do_not_fit(accounts: Callable[[str], Account]) -> None:
    command = accounts("root").command("-c", NO_ROOM)
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    reason = "there is no writable tmpfs whose programs may be run for bots' files"
    assert json.loads(done.stdout) == ["missing", reason]


def test_without_a_sandbox_everything_required_is_missing(
    accounts: Callable[[str], Account],
) -> None:
    guarantees, _ = examined(accounts("userns"), "unsafe")
    required = {name for name, each in guarantees.items() if each["required"]}
    assert (levels(guarantees, "missing"), levels(guarantees, "enforced")) == (required, set())


# The probe itself, run where nothing holds it back: it has to find that out.


@pytest.fixture
def unprotected(accounts: Callable[[str], Account], tmp_path: Path) -> Iterator[dict[str, Any]]:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(f"\0upcard-test-{os.getpid()}")
        door.listen()
        facts = {
            "referee": os.getpid(),
            "sockets": [f"\0upcard-test-{os.getpid()}", str(tmp_path / "nobody.sock")],
            "scratch_mib": 1,
            "open_files": 1,
            "creations": 128,
        }
        account = accounts("userns")
        command = account.command("-c", Path(probe.__file__).read_text(), json.dumps(facts))
        with subprocess.Popen(command, cwd="/", stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            line = process.stdout.readline()
            process.kill()
        yield json.loads(line)


REFUSED = {
    *("filter", "namespaces", "privileges", "network", "vsock", "own-proc", "masked-proc"),
    *("sockets", "disk", "cores", "open-files", "few-pipes"),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_probe_comes_through_without_a_sandbox(unprotected: dict[str, Any], name: str) -> None:
    assert unprotected[name] != []


def test_probe_finds_each_hole_for_what_it_is(unprotected: dict[str, Any]) -> None:
    assert (
        "no filter is loaded" in unprotected["filter"],
        "programs may give it privileges" in unprotected["privileges"],
        f"the socket '\\x00upcard-test-{os.getpid()}'" in unprotected["sockets"],
        "/proc/uptime changes" in unprotected["masked-proc"],
        f"{os.cpu_count()} cores can be used" in unprotected["cores"],
    ) == (True, True, True, True, True)


def test_secret_in_the_environment_is_found(accounts: Callable[[str], Account]) -> None:
    account = accounts("root")
    environment = {**account.environment, "SESSION_KEY": "hearts"}
    script = "from referee.sandbox import probe; print(list(probe.environment()))"
    command = account._replace(environment=environment).command("-c", script)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "the variable SESSION_KEY" in done.stdout


def test_trial_that_breaks_is_no_guarantee() -> None:
    def broken() -> list[str]:
        raise KeyError("Seccomp")

    assert probe.tried(broken) == ["it could not be tried: KeyError('Seccomp')"]


# How it is judged.


def judged(
    name: str, came: list[str] | None, mode: Mode = "root", cgroups: Cgroups = V2
) -> Guarantee:
    held = {each.name: list[str]() for each in judge({}, "root", V2, {})}
    found = {**held, name: came} if came is not None else {**held, name: []}
    if came is None:
        del found[name]
    guarantees = judge(found, mode, cgroups, {"filter": f"for {platform.machine()}"})
    return next(each for each in guarantees if each.name == name)


def test_what_held_is_enforced() -> None:
    assert judged("network", []) == (
        *("network", "enforced", "a network namespace; the filter", "", "", True),
    )


def test_what_came_through_is_missing_for_that_reason() -> None:
    found = judged("network", ["the interface eth0", "a connection"])
    assert (found.level, found.reason) == ("missing", "the interface eth0; a connection")


def test_what_was_not_tried_is_missing() -> None:
    assert judged("network", None).level == "missing"


def test_what_is_missing_has_a_remedy() -> None:
    assert judged("own-uid", ["a bot has the uid 0, as we do"]).remedy != ""


@pytest.mark.parametrize("name", sorted(ALONE))
def test_what_is_not_required_is_weak_at_worst(name: str) -> None:
    assert judged(name, ["it came through"]).level == "weak"


@pytest.mark.parametrize("name", ["memory", "cpu"])
def test_what_is_polled_without_a_control_group_is_weak_and_says_why(name: str) -> None:
    found = judged(name, [], cgroups=NONE)
    assert (found.level, "v1: only root may" in found.reason) == ("weak", True)


def test_memory_that_exceeds_its_limit_is_missing_all_the_same() -> None:
    assert judged("memory", ["a bot lived on"], cgroups=NONE).level == "missing"


def test_uid_of_the_user_is_weak_and_says_what_follows() -> None:
    found = judged("own-uid", [], mode="userns")
    assert (found.level, "partners can communicate" in found.reason) == ("weak", True)
