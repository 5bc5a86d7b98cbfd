from pathlib import Path

from referee.sandbox.limits import SandboxLimits
from referee.sandbox.masks import inspect_procfs, memory_snapshot


def shown(proc: Path, *files: str, directories: tuple[str, ...] = ()) -> None:
    for name in files:
        (proc / name).touch(mode=0o444)
    for name in directories:
        (proc / name).mkdir()


def test_unknown_file_is_hidden(tmp_path: Path) -> None:
    shown(tmp_path, "filesystems", "news")
    assert inspect_procfs(tmp_path).files == ("news",)


def test_unknown_directory_is_hidden(tmp_path: Path) -> None:
    shown(tmp_path, directories=("sys", "1", "self"))
    assert inspect_procfs(tmp_path).directories == ("sys",)


def test_what_only_root_can_read_needs_no_hiding(tmp_path: Path) -> None:
    shown(tmp_path, "kcore")
    (tmp_path / "kcore").chmod(0o400)
    assert inspect_procfs(tmp_path).files == ()


def test_only_what_is_there_is_replaced(tmp_path: Path) -> None:
    shown(tmp_path, "uptime")
    assert list(inspect_procfs(tmp_path).snapshots) == ["uptime"]


def test_pictures_never_change() -> None:
    assert inspect_procfs().snapshots == inspect_procfs().snapshots


def test_picture_of_processors_tells_no_clock() -> None:
    assert b"MHz" not in inspect_procfs().snapshots["cpuinfo"]


def test_memory_is_the_limit() -> None:
    assert memory_snapshot(SandboxLimits(memory_mib=3)).splitlines()[0].split() == [
        b"MemTotal:",
        b"3072",
        b"kB",
    ]
