from pathlib import Path, PurePosixPath
from resource import RLIMIT_CPU, RLIMIT_DATA, RLIMIT_NOFILE, RLIMIT_SIGPENDING

import pytest

from referee.sandbox.command import (
    Command,
    HostSetup,
    Launch,
    Permissions,
    command,
    resource_limits,
)
from referee.sandbox.limits import MIB, SandboxLimits
from referee.sandbox.modes import Mode
from referee.sandbox.mounts import Mount, Runtime
from referee.sandbox.slots import Slot

PYTHON = Runtime(
    "python",
    (Mount(Path("/host/lib"), "/opt/python/lib", ("site-packages",)),),
    (("usr/lib", "/lib"),),
    {"PYTHONPATH": "/opt/upcard"},
    ("/opt/python/bin/python3",),
    "3",
)
LAUNCH = Launch(
    ("python", "bot.py"),
    PYTHON,
    Path("/host/bot"),
    Path("/host/socket"),
    {"UPCARD_TOKEN": "secret"},
    SandboxLimits(memory_mib=7),
    None,
)
SLOT = Slot(3, 200_003)


def command_for(mode: Mode = "root", launch: Launch = LAUNCH) -> Command:
    tools = {"setpriv": Path("/host/setpriv")}
    return command(launch, HostSetup(mode, "mark", tools), SLOT, b"filter")


def contains(command: Command, *words: str | bytes) -> bool:
    count = len(words)
    places = range(len(command.options) - count + 1)
    return any(command.options[place : place + count] == words for place in places)


@pytest.mark.parametrize("mode", ["root", "subuid", "userns"])
@pytest.mark.parametrize("namespace", ["ipc", "pid", "net", "uts", "cgroup-try"])
def test_every_namespace_is_its_own(mode: Mode, namespace: str) -> None:
    assert f"--unshare-{namespace}" in command_for(mode).options


@pytest.mark.parametrize("mode", ["root", "subuid", "userns"])
def test_all_capabilities_are_dropped(mode: Mode) -> None:
    assert contains(command_for(mode), "--cap-drop", "ALL")


def test_root_is_not_mapped_into_a_namespace() -> None:
    assert "--unshare-user" not in command_for("root").options


def test_user_of_a_namespace_makes_no_other() -> None:
    assert "--disable-userns" in command_for("userns").options


def test_subordinate_uids_need_a_namespace_around() -> None:
    assert command_for("subuid").prefix[0] == "unshare"


def test_mark_stands_on_the_command_line_alone() -> None:
    assert "mark" in command_for().marker_options
    assert "mark" not in command_for().options


def test_bot_gets_the_uid_of_its_slot() -> None:
    assert "--reuid=200003" in command_for().program


def test_python_means_that_of_the_runtime() -> None:
    assert command_for().program[-2:] == ("/opt/python/bin/python3", "bot.py")


def test_an_interpreter_is_told_half_of_the_memory() -> None:
    runtime = PYTHON._replace(name="node", program=("/opt/node", "--most={half}"))
    launch = LAUNCH._replace(
        run=("node", "bot.js"), runtime=runtime, limits=SandboxLimits(memory_mib=300)
    )
    assert command_for(launch=launch).program[-3:] == ("/opt/node", "--most=150", "bot.js")


def test_only_its_own_runtime_is_a_word() -> None:
    launch = LAUNCH._replace(run=("node", "bot.js"))
    assert command_for(launch=launch).program[-2:] == ("/bot/node", "bot.js")


def test_a_bot_at_play_has_no_leave() -> None:
    assert LAUNCH.permissions == Permissions(file_locks=False, network=False)


def test_network_is_shared_only_with_leave() -> None:
    launch = LAUNCH._replace(permissions=Permissions(network=True))
    assert "--unshare-net" not in command_for(launch=launch).options


def test_what_lies_over_the_bundle_is_mounted_after_it() -> None:
    over = (Mount(Path("/host/copy"), "/bot", writable=True), Mount(Path("/host/sdk"), "/bot/.sdk"))
    words = command_for(launch=LAUNCH._replace(extra_mounts=over)).options
    assert words.index("/host/bot") < words.index("/host/copy") < words.index("/host/sdk")


def test_only_what_may_be_written_is_bound_writable() -> None:
    over = (Mount(Path("/host/copy"), "/bot", writable=True), Mount(Path("/host/sdk"), "/bot/.sdk"))
    command = command_for(launch=LAUNCH._replace(extra_mounts=over))
    assert contains(command, "--bind", "/host/copy", "/bot")
    assert command.options.count("--bind") == 1


def test_any_other_program_is_in_the_bundle() -> None:
    launch = LAUNCH._replace(run=("bin/bot", "-x"))
    assert command_for(launch=launch).program[-2:] == ("/bot/bin/bot", "-x")


def test_secret_stands_on_no_command_line() -> None:
    both = (*command_for().prefix, *command_for().program)
    assert not any("secret" in word or "/host" in word for word in both)


def test_nothing_of_the_environment_is_handed_on() -> None:
    assert "--clearenv" in command_for().options


def test_added_environment_wins() -> None:
    launch = LAUNCH._replace(environment={"LANG": "C"})
    words = command_for(launch=launch).options
    assert words[words.index("LANG") + 1] == "C"


def test_every_parent_is_made_for_all_to_enter() -> None:
    words = command_for().options
    binds = {"--ro-bind": 2, "--symlink": 2, "--file": 2}
    places = [
        PurePosixPath(str(words[at + binds[str(word)]]))
        for at, word in enumerate(words)
        if word in binds
    ]
    parents = {parent for place in places for parent in place.parents} - {PurePosixPath("/")}
    elsewhere = {PurePosixPath("/proc"), PurePosixPath("/dev"), PurePosixPath("/tmp")}  # noqa: S108
    for parent in parents - elsewhere:
        assert contains(command_for(), "--perms", "0755", "--dir", str(parent)), parent


def test_what_is_hidden_in_a_tree_is_shown_empty() -> None:
    place = "/opt/python/lib/site-packages"
    assert contains(command_for(), "--tmpfs", place, "--remount-ro", place)


def test_no_procfs_and_no_terminal_is_mounted_for_a_bot() -> None:
    assert not {"--proc", "--dev"} & {*command_for().options}


def test_build_has_a_procfs_that_it_cannot_write() -> None:
    launch = LAUNCH._replace(permissions=Permissions(procfs=True))
    assert contains(command_for(launch=launch), "--proc", "/proc", "--remount-ro", "/proc")


def test_program_is_where_runtimes_look_for_it() -> None:
    assert contains(command_for(), "--symlink", "/opt/python/bin/python3", "/proc/self/exe")


def test_machine_looks_as_large_as_the_limit() -> None:
    words = command_for().options
    picture = words[words.index("/proc/meminfo") - 1]
    assert isinstance(picture, bytes)
    assert picture.split()[1] == b"7168"


def test_nothing_but_scratch_can_be_written() -> None:
    assert contains(command_for(), "--remount-ro", "/")


def test_scratch_is_of_limited_size() -> None:
    assert contains(command_for(), "--size", str(64 * MIB), "--tmpfs", "/tmp")  # noqa: S108


def test_root_is_made_read_only_after_all_mounts() -> None:
    words = command_for().options
    assert words[-4:] == ("--remount-ro", "/", "--seccomp", b"filter")


def test_bot_without_a_seat_has_no_socket() -> None:
    assert "/run/referee.sock" not in command_for(launch=LAUNCH._replace(socket=None)).options


def test_limit_of_processes_is_a_backstop() -> None:
    assert "--nproc=80:80" in command_for().program


def test_signals_are_limited_inside_and_not_for_all_sandboxes_of_a_user() -> None:
    outside = resource_limits(SandboxLimits(), without_cgroup=True)
    assert ("--sigpending=256:256" in command_for().program, RLIMIT_SIGPENDING in outside) == (
        True,
        False,
    )


def test_data_is_limited_where_no_group_counts_memory() -> None:
    assert resource_limits(SandboxLimits(), without_cgroup=True)[RLIMIT_DATA] == (
        512 * MIB,
        512 * MIB,
    )
    assert RLIMIT_DATA not in resource_limits(SandboxLimits(), without_cgroup=False)


def test_soft_limit_of_cpu_time_comes_first() -> None:
    soft, hard = resource_limits(SandboxLimits(cpu_seconds=5), without_cgroup=False)[RLIMIT_CPU]
    assert soft == 5 < hard


def test_open_files_are_limited() -> None:
    assert resource_limits(SandboxLimits(open_files=9), without_cgroup=False)[RLIMIT_NOFILE] == (
        9,
        9,
    )


def test_a_fraction_of_a_second_of_cpu_time_is_rounded_up_for_the_kernel() -> None:
    limits = resource_limits(SandboxLimits(cpu_seconds=0.25), without_cgroup=False)
    assert limits[RLIMIT_CPU] == (1, 2)
