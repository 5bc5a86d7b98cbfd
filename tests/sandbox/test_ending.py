import signal

import pytest

from referee.sandbox.ending import EndingEvidence, judge, record

OWN = EndingEvidence(
    exit_code=0,
    returned=0,
    exceeded=None,
    unwatched=None,
    stopped=False,
    out_of_memory=False,
    machine_out_of_memory=False,
    processes_refused=False,
    last_line="",
)


def test_own_end_has_its_code() -> None:
    assert judge(OWN._replace(exit_code=3))[:3] == ("exited", 3, None)


def test_signal_is_named() -> None:
    ending = judge(OWN._replace(exit_code=128 + signal.SIGSEGV))
    assert (ending.how, ending.detail) == ("signalled", "it was killed by SIGSEGV")


@pytest.mark.parametrize("code", [128, 255])
def test_large_code_that_is_no_signal_is_an_own_end(code: int) -> None:
    assert judge(OWN._replace(exit_code=code)).how == "exited"


def test_kernel_tells_of_too_much_cpu_time_by_signal() -> None:
    assert judge(OWN._replace(exit_code=128 + signal.SIGXCPU))[::2] == ("limit", "cpu")


def test_kernel_tells_of_too_long_a_file_by_signal() -> None:
    assert judge(OWN._replace(exit_code=128 + signal.SIGXFSZ))[::2] == ("limit", "output")


def test_bot_that_could_not_be_watched_is_nobodys_fault() -> None:
    ending = judge(OWN._replace(unwatched="too many open files", stopped=True))
    assert (ending.how, ending.detail) == ("vanished", "too many open files")


def test_limit_we_enforced_goes_before_all() -> None:
    found = OWN._replace(exit_code=137, exceeded="memory", stopped=True)
    assert judge(found)[::2] == ("limit", "memory")


def test_stopping_is_no_crash() -> None:
    assert judge(OWN._replace(exit_code=137, stopped=True)).how == "stopped"


def test_kernel_that_kills_the_whole_group_leaves_no_record() -> None:
    found = OWN._replace(exit_code=None, returned=-9, out_of_memory=True)
    assert judge(found)[::2] == ("limit", "memory")


@pytest.mark.parametrize("code", [None, 128 + signal.SIGKILL])
def test_bot_that_was_killed_for_the_machine_is_not_blamed(code: int | None) -> None:
    found = OWN._replace(exit_code=code, returned=-9, machine_out_of_memory=True)
    assert judge(found).how == "vanished"


def test_bot_at_its_own_limit_is_blamed_though_the_machine_is_short_of_memory() -> None:
    found = OWN._replace(exit_code=137, out_of_memory=True, machine_out_of_memory=True)
    assert judge(found).limit == "memory"


@pytest.mark.parametrize("code", [0, 1, 128 + signal.SIGSEGV])
def test_bot_that_ends_otherwise_is_blamed_though_the_machine_is_short_of_memory(code: int) -> None:
    assert judge(OWN._replace(exit_code=code, machine_out_of_memory=True)).how != "vanished"


def test_bot_that_got_over_its_lack_of_memory_is_not_blamed() -> None:
    assert judge(OWN._replace(out_of_memory=True)).how == "exited"


def test_bot_that_got_over_refused_processes_is_not_blamed() -> None:
    assert judge(OWN._replace(processes_refused=True)).how == "exited"


def test_no_record_means_nobody_at_the_table() -> None:
    ending = judge(OWN._replace(exit_code=None, returned=-9))
    assert ending.how == "vanished"
    assert "SIGKILL" in ending.detail


def test_sandbox_that_failed_is_told_in_its_last_words() -> None:
    ending = judge(OWN._replace(exit_code=None, returned=1, last_line="bwrap: no"))
    assert ending.detail == "its sandbox could not be set up: bwrap: no"


def test_record_is_read_by_name() -> None:
    status = b'{ "child-pid": 7, "pid-namespace": 8 }\n{ "exit-code": 0 }\n'
    assert (record(status, "child-pid"), record(status, "exit-code")) == (7, 0)


def test_half_a_record_is_none() -> None:
    assert record(b'{ "child-pid": 7', "child-pid") is None
