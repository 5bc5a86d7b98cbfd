import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.sandbox import staging
from referee.sandbox.command import Launch
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.mounts import Mount, Runtime
from referee.sandbox.staging import memory_directory, stage
from tests.sandbox.accounts import Account, played


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    library, bundle = tmp_path / "lib", tmp_path / "bot"
    for place in (library / "packages", library / "test", bundle / "own"):
        place.mkdir(parents=True)
        (place / "file").write_text("text")
    (library / "module").write_text("text")
    (bundle / "link").symlink_to("own/file")
    runtime = Runtime(
        "any", (Mount(library, "/opt/lib", ("packages",)),), (), {}, (), "1", any_library=True
    )
    return Launch(("bot",), runtime, bundle, None, {}, SandboxLimits(), None)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    return tmp_path / "memory"


def below(place: Path) -> set[str]:
    return {str(file.relative_to(place)) for file in place.rglob("*") if not file.is_dir()}


def test_bundle_is_copied_whole(launch: Launch, memory: Path) -> None:
    assert below(stage(launch, memory).bundle) == {"own/file", "link"}


def test_link_stays_a_link(launch: Launch, memory: Path) -> None:
    assert (stage(launch, memory).bundle / "link").readlink() == Path("own/file")


def test_time_of_a_module_is_kept(launch: Launch, memory: Path) -> None:
    os.utime(launch.runtime.mounts[0].host / "module", (5, 5))
    copy = stage(launch, memory).runtime.mounts[0].host
    assert (copy / "module").stat().st_mtime == 5


def test_what_is_hidden_or_never_run_is_not_copied(launch: Launch, memory: Path) -> None:
    assert below(stage(launch, memory).runtime.mounts[0].host) == {"module"}


def test_place_inside_is_kept(launch: Launch, memory: Path) -> None:
    assert stage(launch, memory).runtime.mounts[0].inside == "/opt/lib"


def test_copies_are_made_once(launch: Launch, memory: Path) -> None:
    first = stage(launch, memory)
    (launch.bundle / "late").touch()
    assert stage(launch, memory) == first
    assert "late" not in below(first.bundle)


def test_two_bundles_have_two_copies(launch: Launch, memory: Path) -> None:
    other = launch._replace(bundle=launch.runtime.mounts[0].host)
    assert stage(launch, memory).bundle != stage(other, memory).bundle


def test_what_does_not_fit_is_refused_with_sizes(
    launch: Launch, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (launch.bundle / "large").write_bytes(bytes(3 << 20))
    monkeypatch.setattr(staging, "_free", lambda _: 2 << 20)
    with pytest.raises(ConfigError, match="they need 4 MiB, and 2 MiB are free"):
        stage(launch, memory)


def test_room_is_gone_when_it_is_no_longer_needed() -> None:
    with memory_directory() as place:
        (place / "file").touch()
    assert not place.exists()


def test_room_is_ours_alone() -> None:
    with memory_directory() as place:
        assert place.stat().st_mode & 0o777 == 0o700


def test_room_of_a_killed_referee_is_swept_away() -> None:
    code = """
import os, signal
from referee.sandbox.staging import memory_directory
with memory_directory() as place:
    print(place, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    left = Path(done.stdout.strip())
    assert left.exists()
    with memory_directory():
        assert not left.exists()


def test_room_that_is_in_use_is_left_alone() -> None:
    with memory_directory() as one, memory_directory():
        assert one.exists()


def test_machine_without_memory_for_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "_is_usable", lambda _: False)
    with pytest.raises(ConfigError, match="--strict"), memory_directory():
        pass


def test_strict_bot_runs_from_memory_alone(accounts: Callable[[str], Account], mode: str) -> None:
    code = """
import grpc, upcard
disks = set()
for line in open('/proc/self/mountinfo'):
    place, system = line.split(' - ')
    if system.split()[0] not in ('tmpfs', 'proc', 'devtmpfs', 'devpts'): disks.add(place)
print('disks:', *disks)"""
    assert played(accounts(mode), f"{mode}-strict", "code", code)["output"] == "disks:\n"
