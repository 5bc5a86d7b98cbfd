"""Real sandboxes in every mode: what a bot gets, how its end is told, and what is left of it."""

import json
import signal
import subprocess
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

import pytest

from tests.processes import runs
from tests.sandbox.accounts import Account, scene_command
from tests.waiting import PATIENCE

Play = Callable[..., Any]


def test_bot_imports_grpc_and_sdk(play: Play) -> None:
    found = play("code", "import grpc, upcard; print(upcard.__file__)")
    assert found["output"] == "/opt/upcard/upcard/__init__.py\n"


def test_bot_cannot_import_referee(play: Play) -> None:
    assert "No module named 'referee'" in play("code", "import referee")["output"]


def test_bot_sees_no_other_installed_package(play: Play) -> None:
    assert "No module named 'pytest'" in play("code", "import pytest")["output"]


def test_bot_runs_in_its_own_directory(play: Play) -> None:
    assert play("bundled")["output"] == "spades\n"


def test_bot_dials_its_seat(play: Play) -> None:
    assert play("dials")["output"] == "welcome token\n"


def test_bot_has_no_privileges_and_a_filter(play: Play) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None)
capabilities, no_new_privileges, seccomp = 23, 39, 21
print(any(libc.prctl(capabilities, number, 0, 0, 0) == 1 for number in range(64)))
print(libc.prctl(no_new_privileges, 0, 0, 0, 0), libc.prctl(seccomp, 0, 0, 0, 0))"""
    assert play("code", code)["output"].split() == ["False", "1", "2"]


def test_proc_holds_constant_files_alone(play: Play) -> None:
    code = "print(*sorted(os.listdir('/proc')), *sorted(os.listdir('/proc/self')))"
    expected = "cpuinfo loadavg meminfo self stat uptime version exe stat"
    assert play("code", code)["output"].split() == expected.split()


def test_devices_are_those_that_hold_nothing(play: Play) -> None:
    expected = "full null random shm urandom zero"
    assert play("code", "print(*sorted(os.listdir('/dev')))")["output"].split() == expected.split()


def test_devices_can_be_used(play: Play) -> None:
    code = "open('/dev/null', 'w').write('x'); print(len(open('/dev/urandom', 'rb').read(3)))"
    assert play("code", code)["output"] == "3\n"


def test_runtimes_find_their_own_program(play: Play) -> None:
    code = "print(os.readlink('/proc/self/exe') == sys.executable)"
    assert play("code", code)["output"] == "True\n"


def test_python_forks_and_starts_processes(play: Play) -> None:
    code = """
import multiprocessing, subprocess
with multiprocessing.get_context("fork").Pool(2) as pool: print(pool.map(abs, [-1, -2]))
print(subprocess.run([sys.executable, "-c", "print(3)"], capture_output=True, text=True).stdout)"""
    assert play("code", code)["output"].split() == ["[1,", "2]", "3"]


def test_environment_is_clean(play: Play) -> None:
    names = play("code", "print(*os.environ)")["output"].split()
    allowed = {"HOME", "LANG", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PWD", "TMPDIR"}
    assert {name for name in names if not name.startswith("PYTHON")} <= allowed


def test_every_process_is_limited(play: Play) -> None:
    code = """
from resource import *
for kind in (RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_STACK):
    print(getrlimit(kind)[1])"""
    found = play("code", code, processes=33, open_files=77, file_mib=5)
    expected = ["49", "77", str(5 << 20), "0", str(64 << 20)]
    assert found["output"].split() == expected


def test_bot_is_the_first_to_be_killed_for_memory(play: Play) -> None:
    assert play("oom_score")["scores"] == [1000]


def test_bot_is_pinned_to_its_core(play: Play) -> None:
    found = play("pinned")
    assert found["output"] == f"{found['core']}\n"


def test_eight_start_at_once_with_uids_of_their_own(play: Play, mode: str) -> None:
    uids = {output.split()[0] for output in play("eight")["outputs"]}
    assert len(uids) == (1 if mode == "userns" else 8)


def test_own_exit_is_told_with_its_code(play: Play) -> None:
    found = play("code", "sys.exit(7)")
    assert (found["how"], found["exit_code"]) == ("exited", 7)


def test_crash_is_told_as_its_signal(play: Play) -> None:
    found = play("code", "os.kill(os.getpid(), signal.SIGSEGV)")
    assert (found["how"], found["detail"]) == ("signalled", "it was killed by SIGSEGV")


def test_program_that_is_not_there_is_the_bots_fault(play: Play) -> None:
    found = play("program", "bot")
    assert found["how"] == "exited"
    assert "/bot/bot" in found["output"]


def test_sandbox_killed_from_outside_vanished(play: Play) -> None:
    found = play("killed_from_outside")
    assert (found["how"], found["exit_code"]) == ("vanished", None)


def test_sandbox_that_cannot_be_set_up_vanished(play: Play) -> None:
    found = play("broken_mount")
    assert found["how"] == "vanished"
    assert found["detail"].startswith("its sandbox could not be set up: bwrap: ")


def test_stopping_leaves_no_process(play: Play) -> None:
    found = play("stopped")
    assert found["how"] == "stopped"
    assert found["count"] >= 3
    assert found["left"] == []


def test_bot_that_ends_leaves_no_daemon(play: Play) -> None:
    found = play("leaves_a_daemon")
    assert found["how"] == "exited"
    assert found["left"] == []


def test_nothing_is_left_behind(play: Play) -> None:
    found = play("nothing_left")
    assert found["groups"] == []
    assert found["children"] == found["descriptors"] == 0


def test_who_is_given_up_while_it_comes_up_is_stopped(play: Play) -> None:
    found = play("given_up")
    assert (found["started"], found["cancelled"], found["left"]) == (True, True, 0)


@pytest.mark.parametrize("scene", ["wait_to_be_killed", "wait_to_be_killed_early"])
def test_dies_with_the_referee(mode: str, accounts: Callable[[str], Account], scene: str) -> None:
    command = scene_command(accounts(mode), mode, scene)
    with subprocess.Popen(command, cwd="/", stdout=subprocess.PIPE, text=True) as referee:
        assert referee.stdout
        tree = json.loads(referee.stdout.readline())
        referee.send_signal(signal.SIGKILL)
    deadline = monotonic() + PATIENCE
    while (left := [pid for pid in tree if runs(pid)]) and monotonic() < deadline:
        sleep(0.01)
    assert len(tree) >= 2
    assert left == []


def test_output_is_kept_at_both_ends(play: Play) -> None:
    code = "print('first'); sys.stdout.write('x' * 3_000_000); print('last', file=sys.stderr)"
    output = play("code", code, output_kib=64)["output"]
    assert output.startswith("first\n")
    assert "bytes left out]\n" in output
    assert output.endswith("last\n")


def test_flood_of_output_is_stopped(play: Play) -> None:
    found = play("code", "while True: os.write(1, b'x' * 65536)", output_kib=16)
    assert (found["how"], found["limit"]) == ("limit", "output")


def test_cpu_time_is_limited(play: Play) -> None:
    found = play("code", "while True: pass", cpu_seconds=1)
    assert (found["how"], found["limit"]) == ("limit", "cpu")


def test_cpu_time_of_all_processes_is_limited(play: Play) -> None:
    code = """
while True:
    if os.fork() == 0:
        until = time.process_time() + 0.2
        while time.process_time() < until: pass
        os._exit(0)
    os.wait()"""
    found = play("code", code, cpu_seconds=1)
    assert (found["how"], found["limit"]) == ("limit", "cpu")


def test_memory_of_all_processes_is_limited(play: Play) -> None:
    code = """
os.fork()
keep = bytearray(80 << 20)
time.sleep(600)"""
    found = play("code", code, memory_mib=128)
    assert (found["how"], found["limit"]) == ("limit", "memory")


def test_memory_that_is_shared_is_counted_once(play: Play) -> None:
    code = """
keep = bytearray(80 << 20)
children = [os.fork() or (time.sleep(1), os._exit(0)) for _ in range(4)]
while children: children.remove(os.wait()[0])"""
    assert play("code", code, memory_mib=128)["how"] == "exited"


def test_processes_too_short_to_be_seen_are_counted_where_their_time_is_not(play: Play) -> None:
    found = play("flickers")
    assert (found["cgroups"] == "none") == (found["created"] > 200)


def test_fork_bomb_is_ended(play: Play) -> None:
    code = """
while True:
    try:
        if os.fork() == 0: time.sleep(600)
    except OSError: pass"""
    found = play("code", code, processes=20)
    assert (found["how"], found["limit"]) == ("limit", "processes")


def test_kernel_counts_the_processes_of_one_sandbox_alone(play: Play) -> None:
    code = """
import resource
resource.setrlimit(resource.RLIMIT_NPROC, (10, 10))
started = 0
try:
    while os.fork():
        started += 1
    time.sleep(60)
except OSError as error:
    print(started, error.strerror)
"""
    # It counts the bot itself, and the first process of the namespace if that has the same uid.
    refused = "Resource temporarily unavailable"
    assert play("code", code)["output"].strip() in {f"{count} {refused}" for count in (8, 9)}


def test_threads_are_processes(play: Play) -> None:
    code = """
from threading import Thread
while True:
    try: Thread(target=time.sleep, args=(600,)).start()
    except RuntimeError: pass"""
    assert play("code", code, processes=20)["limit"] == "processes"


def test_as_many_processes_as_allowed_are_no_fault(play: Play) -> None:
    code = """
children = [os.fork() or (time.sleep(0.5), os._exit(0)) for _ in range(19)]
while children: children.remove(os.wait()[0])"""
    assert play("code", code, processes=20)["how"] == "exited"


def test_frozen_bot_stands_still_until_it_is_thawed(play: Play) -> None:
    found = play("frozen")
    assert found["still"]
    assert found["goes_on"]


def test_frozen_bot_can_be_stopped(play: Play) -> None:
    found = play("stopped_while_frozen")
    assert found["how"] == "stopped"
    assert found["left"] == []


def test_use_and_want_of_a_processor_are_told(play: Play) -> None:
    found = play("crowded")
    assert found["used"]
    assert found["waited"]


def test_ending_outlives_a_waiter_that_gives_up(play: Play) -> None:
    assert play("several_wait") | {"cgroups": ""} == {
        "how": "stopped",
        "cancelled": True,
        "cgroups": "",
    }


@pytest.mark.parametrize("mode", ["subuid"])
def test_socket_that_others_could_reach_is_refused(
    mode: str, accounts: Callable[[str], Account]
) -> None:
    command = scene_command(accounts(mode), mode, "open_socket")
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert "ConfigError: others can enter" in done.stderr
