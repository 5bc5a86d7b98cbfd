from referee.sandbox.limits import SandboxLimits
from referee.sandbox.proc_files import proc_files


def content(name: str) -> bytes:
    return proc_files(SandboxLimits(memory_mib=3))[name]


def test_cpuinfo_has_no_clock_rate() -> None:
    assert b"MHz" not in content("cpuinfo")


def test_machine_has_as_much_memory_as_the_limit() -> None:
    assert content("meminfo").splitlines()[0].split() == [b"MemTotal:", b"3072", b"kB"]


def test_stat_of_the_process_ends_with_its_resident_size() -> None:
    assert len(content("self/stat").split()) == 24
