"""Without a sandbox the same questions are answered."""

from collections.abc import Callable

import pytest

from tests.sandbox.accounts import Stage

Found = dict[str, object]


@pytest.fixture
def unsafe(stages: Callable[[str], Stage]) -> Stage:
    return stages("unsafe")


def test_bot_imports_grpc_and_sdk(unsafe: Stage) -> None:
    assert unsafe.play("code", "import grpc, upcard")["exit_code"] == 0


def test_bot_dials_its_seat(unsafe: Stage) -> None:
    assert unsafe.play("dials")["output"] == "welcome token\n"


def test_own_exit_is_told_with_its_code(unsafe: Stage) -> None:
    found = unsafe.play("code", "sys.exit(7)")
    assert (found["how"], found["exit_code"]) == ("exited", 7)


def test_crash_is_told_as_its_signal(unsafe: Stage) -> None:
    found = unsafe.play("code", "os.kill(os.getpid(), signal.SIGSEGV)")
    assert (found["how"], found["exit_code"]) == ("signalled", 139)


def test_stopping_kills_children(unsafe: Stage) -> None:
    found = unsafe.play("stopped_with_children")
    assert found["how"] == "stopped"
    assert found["count"] == 2
    assert found["left"] == []


def test_frozen_bot_stands_still_until_it_is_thawed(unsafe: Stage) -> None:
    found = unsafe.play("frozen")
    assert found["still"]
    assert found["goes_on"]


def test_environment_of_the_referee_is_not_handed_on(unsafe: Stage) -> None:
    names = unsafe.play("code", "print(*os.environ)")["output"].split()
    assert "HOME" not in names


def test_open_files_are_limited(unsafe: Stage) -> None:
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    assert unsafe.play("code", code, open_files=99)["output"] == "99\n"
