import asyncio
import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.sandbox.cgroups import Cgroups, find, scope_command
from referee.sandbox.group import Group
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from tests.waiting import until

LIMITS = SandboxLimits(memory_mib=64, processes=8)
JOIN = 'for procs; do echo $$ > "$procs" || exit 1; done; exec "$PYTHON" -c "$PROGRAM"'
HOG = "kept = bytearray(200 << 20)"
BREED = """
import os, time
for _ in range(20):
    if not os.fork():
        time.sleep(60)
"""
SPIN = "while True: pass"


def dead_process() -> int:
    done = subprocess.Popen(["true"])
    done.wait()
    return done.pid


@pytest.fixture(scope="module")
def cgroups() -> Cgroups:
    found = find()
    assert found.kind != "none", f"these tests need control groups: {found.reason}"
    return found


@pytest.fixture
def group(cgroups: Cgroups) -> Iterator[Group]:
    made = cgroups.create("test", LIMITS)
    assert made is not None
    yield made
    if not made.close():
        made.kill()
    until(made.close)


def run(group: Group, program: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["sh", "-c", JOIN, "sh", *group.procs_files],
        env={"PYTHON": sys.executable, "PROGRAM": program},
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def spinning(group: Group) -> Iterator[Group]:
    process = run(group, SPIN)
    until(lambda: group.cpu_seconds() > 0.02)
    yield group
    process.kill()
    group.thaw()
    process.wait()


def test_too_much_memory_is_told(group: Group) -> None:
    run(group, HOG).wait()
    assert group.out_of_memory()


def test_lack_of_memory_elsewhere_is_not_its_own(cgroups: Cgroups) -> None:
    outer = cgroups.create("outer", SandboxLimits(memory_mib=64))
    assert outer
    parents = {name: files.parent for name, files in _directories(cgroups, outer).items()}
    inner = cgroups._replace(parents=parents).create("inner", SandboxLimits(memory_mib=2048))
    assert inner
    try:
        run(inner, HOG).wait()
        assert (inner.out_of_memory(), inner.machine_out_of_memory()) == (False, True)
    finally:
        until(inner.close)
        until(outer.close)


def _directories(cgroups: Cgroups, group: Group) -> dict[str, Path]:
    files = {file.parent.parent: file for file in group.procs_files}
    return {name: files[parent] for name, parent in cgroups.parents.items()}


def test_no_more_memory_is_had_than_allowed(group: Group) -> None:
    run(group, HOG).wait()
    assert 0.9 * 64 <= group.memory_peak() / 2**20 <= 64


def test_little_memory_is_no_offence(group: Group) -> None:
    run(group, "kept = bytearray(8 << 20)").wait()
    assert not group.out_of_memory()


def test_too_many_processes_are_told(group: Group) -> None:
    run(group, BREED).wait()
    assert group.processes_refused()


def test_no_more_processes_are_had_than_allowed(group: Group) -> None:
    run(group, BREED).wait()
    assert len(group.processes()) <= LIMITS.processes + 4


def test_few_processes_are_no_offence(group: Group) -> None:
    run(group, "import os; os.fork()").wait()
    assert not group.processes_refused()


def test_cpu_time_of_a_dead_child_counts(group: Group) -> None:
    spin = "import time\nwhile time.process_time() < 0.2: pass"
    run(group, f"import os\nif os.fork(): os.wait()\nelse:\n exec({spin!r})").wait()
    assert group.cpu_seconds() >= 0.2


def test_frozen_group_uses_no_cpu(spinning: Group) -> None:
    spinning.freeze()
    until(lambda: still(spinning))


def test_thawed_group_goes_on(spinning: Group) -> None:
    spinning.freeze()
    until(lambda: still(spinning))
    before = spinning.cpu_seconds()
    spinning.thaw()
    until(lambda: spinning.cpu_seconds() > before + 0.02)


def still(group: Group) -> bool:
    before = group.cpu_seconds()
    spent = time.process_time()
    while time.process_time() < spent + 0.05:
        pass
    return group.cpu_seconds() == before


def test_group_in_use_stays_open(spinning: Group) -> None:
    assert not spinning.close()


def test_everything_in_a_group_is_killed(group: Group) -> None:
    run(group, BREED).wait()
    group.kill()
    until(lambda: group.processes() == [])


def test_what_is_frozen_is_killed(spinning: Group) -> None:
    spinning.freeze()
    spinning.kill()
    until(lambda: spinning.processes() == [])


def test_closed_group_leaves_nothing(cgroups: Cgroups) -> None:
    group = cgroups.create("short", LIMITS)
    assert group is not None
    assert group.close()
    assert [file for file in group.procs_files if file.parent.exists()] == []


def test_groups_of_a_dead_referee_are_removed(cgroups: Cgroups) -> None:
    left = cgroups.parents["memory"] / f"upcard-{dead_process()}-seat"
    left.mkdir()
    find()
    assert not left.exists()


def test_groups_of_a_referee_that_died_meanwhile_are_removed_in_the_end(cgroups: Cgroups) -> None:
    left = cgroups.parents["memory"] / f"upcard-{dead_process()}-seat"

    async def playing() -> None:
        async with Sandboxes.open("root"):
            left.mkdir()

    asyncio.run(playing())
    assert not left.exists()


def test_groups_of_a_living_referee_stay(group: Group) -> None:
    find()
    assert all(file.exists() for file in group.procs_files)


def test_group_lies_below_our_own(cgroups: Cgroups) -> None:
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    own = next(path for _, names, path in (line.split(":") for line in lines) if "memory" in names)
    assert str(cgroups.parents["memory"]).endswith(own.rstrip("/"))


# Version 2, on a directory in place of the kernel: what a kernel does to it is written below.


_write, _make, _remove = Path.write_text, Path.mkdir, Path.rmdir


def make_group(path: Path, mode: int = 0o777, *, exist_ok: bool = False) -> None:
    if not (exist_ok and path.exists()):
        _make(path, mode)
        for file in ("cgroup.procs", "cgroup.subtree_control", "memory.swap.max"):
            _write(path / file, "")


def remove_group(path: Path) -> None:
    processes = (path / "cgroup.procs").read_text().split()
    if not any(Path("/proc", process).exists() for process in processes):
        for file in path.iterdir():
            file.unlink()
    _remove(path)


def write_as_kernel(path: Path, text: str) -> int:
    if path.name == "cgroup.procs":
        for left in path.parent.parent.rglob("cgroup.procs"):
            _write(left, left.read_text().replace(f"{text}\n", ""))
        text = f"{path.read_text()}{text}\n"
    if path.name == "cgroup.subtree_control" and (path.parent / "cgroup.procs").read_text():
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
    return _write(path, text)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fake a group of version 2, /user, that is ours and has only us in it."""
    make_group(tmp_path / "user")
    _write(tmp_path / "user/cgroup.controllers", "cpuset cpu io memory pids\n")
    _write(tmp_path / "user/cgroup.procs", f"{os.getpid()}\n")
    _write(tmp_path / "mountinfo", f"30 24 0:26 / {tmp_path} rw - cgroup2 cgroup2 rw\n")
    _write(tmp_path / "cgroup", "0::/user\n")
    monkeypatch.setattr(Path, "mkdir", make_group)
    monkeypatch.setattr(Path, "rmdir", remove_group)
    monkeypatch.setattr(Path, "write_text", write_as_kernel)
    return tmp_path


def written(group: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in group.iterdir() if file.is_file()}


def test_version_2_is_found(tree: Path) -> None:
    assert (find(tree).kind, find(tree).reason) == ("v2", "")


def test_referee_steps_aside_to_share_out(tree: Path) -> None:
    find(tree)
    assert (tree / "user/upcard-referee/cgroup.procs").read_text() == f"{os.getpid()}\n"


def test_controllers_are_shared_out(tree: Path) -> None:
    find(tree)
    assert (tree / "user/cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_second_referee_finds_the_groups_of_the_first(tree: Path) -> None:
    find(tree)
    (tree / "cgroup").write_text("0::/user/upcard-referee\n")
    assert set(find(tree).parents.values()) == {tree / "user"}


def test_referee_goes_back_where_others_live(tree: Path) -> None:
    processes = tree / "user/cgroup.procs"
    with processes.open("a") as file:
        file.write("1\n")
    find(tree)
    assert processes.read_text().split() == ["1", str(os.getpid())]


def test_group_that_others_live_in_is_refused(tree: Path) -> None:
    with (tree / "user/cgroup.procs").open("a") as file:
        file.write("1\n")
    found = find(tree)
    assert (found.kind, found.reason.split("; ")[0]) == ("none", "v2: Device or resource busy")


def test_group_that_no_process_gets_into_is_refused(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.sandbox.cgroups._JOIN", "exit 1")
    assert "no process can be moved" in find(tree).reason


def test_missing_controllers_are_named(tree: Path) -> None:
    (tree / "user/cgroup.controllers").write_text("cpu pids")
    assert "our own group has no controller memory" in find(tree).reason


def test_version_2_limits_are_written(tree: Path) -> None:
    cgroups = find(tree)
    cgroups.create("north", LIMITS)
    settings = written(tree / f"user/upcard-{os.getpid()}-north")
    assert {name: text for name, text in settings.items() if text} == {
        "memory.max": str(64 << 20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "12",
        "cpu.weight": "100",
    }


def test_version_2_counters_are_read(tree: Path) -> None:
    group = find(tree).create("north", LIMITS)
    assert group is not None
    directory = group.procs_files[0].parent
    (directory / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    (directory / "memory.peak").write_text("4096\n")
    (directory / "memory.current").write_text("1024\n")
    (directory / "memory.events").write_text("low 0\noom 3\noom_kill 1\n")
    (directory / "pids.events").write_text("max 0\n")
    (directory / "pids.current").write_text("11\n")
    counted = (group.cpu_seconds(), group.memory_peak())
    assert (*counted, group.out_of_memory(), group.processes_refused()) == (1.5, 4096, True, False)


def test_version_2_tells_lack_of_memory_elsewhere_from_its_own(tree: Path) -> None:
    group = find(tree).create("north", LIMITS)
    assert group is not None
    directory = group.procs_files[0].parent
    found = []
    for at_its_limit in (0, 1):
        (directory / "memory.events").write_text(f"oom {at_its_limit}\noom_kill 1\n")
        found.append((group.out_of_memory(), group.machine_out_of_memory()))
    assert found == [(False, True), (True, False)]


def test_all_processes_there_are_is_too_many(tree: Path) -> None:
    group = find(tree).create("north", LIMITS)
    assert group is not None
    directory = group.procs_files[0].parent
    (directory / "pids.events").write_text("max 0\n")
    (directory / "pids.current").write_text("12\n")
    assert group.processes_refused()


def test_version_2_is_frozen_and_thawed(tree: Path) -> None:
    group = find(tree).create("north", LIMITS)
    assert group is not None
    state = group.procs_files[0].parent / "cgroup.freeze"
    group.freeze()
    frozen = state.read_text()
    group.thaw()
    assert (frozen, state.read_text()) == ("1", "0")


def test_without_any_groups_none_is_made(tmp_path: Path) -> None:
    (tmp_path / "mountinfo").write_text("24 1 0:22 / /proc rw - proc proc rw\n")
    (tmp_path / "cgroup").write_text("0::/\n")
    assert find(tmp_path).create("north", LIMITS) is None


def test_mount_with_a_blank_in_its_path_is_read(tree: Path) -> None:
    (tree / "a b").symlink_to(tree)
    (tree / "mountinfo").write_text(f"30 24 0:26 / {tree}/a\\040b rw - cgroup2 cgroup2 rw\n")
    assert find(tree).kind == "v2"


def test_group_seen_from_inside_a_container_is_found(tree: Path) -> None:
    (tree / "mountinfo").write_text(f"30 24 0:26 /pod {tree} rw - cgroup2 cgroup2 rw\n")
    (tree / "cgroup").write_text("0::/pod/user\n")
    assert find(tree).kind == "v2"


# The scope of an ordinary user. No systemd runs where these tests do; so this shows what is asked.


@pytest.fixture
def manager(tmp_path: Path) -> Path:
    (tmp_path / "systemd").mkdir()
    (tmp_path / "systemd" / "private").touch()
    return tmp_path


def test_a_delegated_scope_for_one_process_is_asked_for(manager: Path) -> None:
    command = scope_command(4711, 1000, str(manager))
    assert command
    assert command[:3] == ("busctl", "--user", "call")
    assert " ".join(command[6:]) == (
        "StartTransientUnit ssa(sv)a(sa(sv)) upcard-4711.scope fail "
        "2 PIDs au 1 4711 Delegate b true 0"
    )


def test_root_asks_for_no_scope(manager: Path) -> None:
    assert scope_command(4711, 0, str(manager)) is None


@pytest.mark.parametrize("runtime", [None, "/nonexistent"])
def test_without_a_manager_nobody_is_asked(runtime: str | None) -> None:
    assert scope_command(4711, 1000, runtime) is None


def test_a_group_of_version_2_is_looked_for_again_in_the_scope(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    membership = (tree / "cgroup").read_text()
    (tree / "cgroup").write_text("")

    def enter(process: Path) -> bool:
        (process / "cgroup").write_text(membership)
        return True

    monkeypatch.setattr("referee.sandbox.cgroups._enter_scope", enter)
    assert find(tree).kind == "v2"
