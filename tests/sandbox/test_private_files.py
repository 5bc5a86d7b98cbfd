import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.sandbox import private_files as tested
from referee.sandbox.command import Launch
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.mounts import Mount, Runtime
from referee.sandbox.private_files import NoRoomError, PrivateFiles, private_files
from referee.sandbox.runtimes import find_runtimes
from tests.sandbox.accounts import Account, played


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    library, bundle = tmp_path / "lib", tmp_path / "bot"
    for place in (library / "packages", library / "test", bundle / "own"):
        place.mkdir(parents=True)
        (place / "file").write_text("text")
    (library / "module").write_text("text")
    (library / "elsewhere").symlink_to("/nowhere")
    (bundle / "link").symlink_to("own/file")
    mount = Mount(library, "/opt/lib", ("packages",), unneeded=("te*",))
    links = (("usr/bin", "/bin"), ("lib", "/opt/lib64"))
    return Launch(
        ("bot",),
        Runtime("any", (mount,), links, {}, (), "1"),
        bundle,
        None,
        {},
        SandboxLimits(),
        None,
    )


@pytest.fixture
def files(tmp_path: Path) -> PrivateFiles:
    (tmp_path / "memory").mkdir()
    return PrivateFiles(tmp_path / "memory")


def copied(
    files: PrivateFiles, *launches: Launch, closing: ExitStack | None = None
) -> list[Launch]:
    async def copy() -> list[Launch]:
        with ExitStack() as own:
            return [await files.copy(each, {}, closing or own) for each in launches]

    return asyncio.run(copy())


def kept(files: PrivateFiles, launch: Launch) -> Launch:
    """Copy for a bot that runs until the test ends."""
    return copied(files, launch, closing=ExitStack().pop_all())[0]


def root(launch: Launch) -> Path:
    (mount,) = launch.runtime.mounts
    return mount.host.parent


def below(place: Path) -> set[str]:
    return {str(file.relative_to(place)) for file in place.rglob("*") if not file.is_dir()}


def test_bundle_is_copied_whole(files: PrivateFiles, launch: Launch) -> None:
    assert below(kept(files, launch).bundle) == {"own/file", "link"}


def test_link_stays_a_link(files: PrivateFiles, launch: Launch) -> None:
    copy = kept(files, launch)
    assert (copy.bundle / "link").readlink() == Path("own/file")
    assert (root(copy) / "opt/lib/elsewhere").readlink() == Path("/nowhere")


def test_time_and_permissions_of_a_file_are_kept(files: PrivateFiles, launch: Launch) -> None:
    module = launch.runtime.mounts[0].host / "module"
    os.utime(module, (5, 5))
    module.chmod(0o640)
    status = (root(kept(files, launch)) / "opt/lib/module").stat()
    assert (status.st_mtime, status.st_mode & 0o777) == (5, 0o640)


def test_hidden_and_unneeded_files_are_not_copied(files: PrivateFiles, launch: Launch) -> None:
    assert below(root(kept(files, launch)) / "opt/lib") == {"module", "elsewhere"}


def test_runtime_is_mounted_with_few_mounts(files: PrivateFiles, launch: Launch) -> None:
    copy = kept(files, launch)
    assert [mount.inside for mount in copy.runtime.mounts] == ["/opt"]
    assert copy.runtime.links == (("usr/bin", "/bin"),)
    assert (root(copy) / "opt/lib64").readlink() == Path("lib")


def test_tools_are_among_the_copies(files: PrivateFiles, launch: Launch) -> None:
    async def copy(closing: ExitStack) -> Launch:
        return await files.copy(launch, {"tool": launch.bundle / "own/file"}, closing)

    with ExitStack() as closing:
        mounts = asyncio.run(copy(closing)).runtime.mounts
    assert (mounts[0].host.parent / "usr/bin/tool").read_text() == "text"


def test_size_without_tools_leaves_no_tool_out(files: PrivateFiles, launch: Launch) -> None:
    files.size(launch.runtime)
    test_tools_are_among_the_copies(files, launch)


def test_two_bots_have_no_file_in_common(files: PrivateFiles, launch: Launch) -> None:
    both = copied(files, launch, launch)
    assert len({*map(root, both)}) == len({each.bundle for each in both}) == 2


def test_runtime_of_a_bot_that_has_ended_is_used_again(files: PrivateFiles, launch: Launch) -> None:
    (first,), (second,) = copied(files, launch), copied(files, launch)
    assert root(first) == root(second)


def test_bundle_of_a_bot_that_has_ended_is_removed(files: PrivateFiles, launch: Launch) -> None:
    assert not copied(files, launch)[0].bundle.exists()


def test_changed_bundle_is_copied_as_it_is_now(files: PrivateFiles, launch: Launch) -> None:
    copied(files, launch)
    (launch.bundle / "late").touch()
    assert "late" in below(kept(files, launch).bundle)


def test_program_in_a_bundle_gets_its_libraries(files: PrivateFiles, launch: Launch) -> None:
    native = launch._replace(runtime=find_runtimes()["native"])
    (native.bundle / "bot").write_bytes(Path(sys.executable).resolve().read_bytes())
    (native.bundle / "bot").chmod(0o755)
    with ExitStack() as closing:
        (copy,) = copied(files, native, closing=closing)
        names = {file.name for mount in copy.runtime.mounts for file in mount.host.rglob("lib*")}
    assert "libc.so.6" in names
    assert len(names) < 20


def test_program_that_needs_very_many_libraries_is_refused(
    files: PrivateFiles, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = launch._replace(runtime=find_runtimes()["native"])
    (native.bundle / "bot.so").write_bytes(Path(sys.executable).resolve().read_bytes())
    monkeypatch.setattr(tested, "_MOST_LIBRARIES", 1)
    with pytest.raises(ConfigError, match="and may need 0 MiB; link them with fewer"):
        copied(files, native)


def test_programs_that_name_very_many_libraries_are_refused(
    files: PrivateFiles, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    (launch.bundle / "bot.so").write_bytes(Path(sys.executable).resolve().read_bytes())
    monkeypatch.setattr(tested, "_MOST_NAMES", 0)
    with pytest.raises(ConfigError, match="name more than 0 libraries"):
        copied(files, launch)


def test_copy_that_does_not_fit_is_refused_with_sizes(
    files: PrivateFiles, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    (launch.bundle / "large").write_bytes(bytes(3 << 20))
    monkeypatch.setattr(tested, "_free", lambda _: 2 << 20)
    with pytest.raises(NoRoomError, match=r"4 MiB are needed, and 2 MiB are free; .*private-files"):
        copied(files, launch)


def test_unused_copies_make_room(
    files: PrivateFiles, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    unused = root(copied(files, launch)[0])
    room = iter([0])
    monkeypatch.setattr(tested, "_free", lambda _: next(room, 1 << 30))
    other = launch._replace(runtime=find_runtimes()["native"])
    copied(files, other)
    assert not unused.exists()


def test_directory_is_removed_at_the_end() -> None:
    with private_files() as files:
        directory = files.directory
        assert directory.stat().st_mode & 0o777 == 0o700
    assert not directory.exists()


def test_directory_of_a_killed_referee_is_swept() -> None:
    code = """
import os, signal
from referee.sandbox.private_files import private_files
with private_files() as files:
    print(files.directory, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    left = Path(done.stdout.strip())
    assert left.exists()
    tested.sweep_private_files()
    assert not left.exists()


def test_directory_in_use_is_not_swept() -> None:
    with private_files() as files:
        tested.sweep_private_files()
        assert files.directory.exists()


def test_machine_without_memory_for_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "_is_usable", lambda _: False)
    with pytest.raises(NoRoomError, match="--accept-weak private-files"), private_files():
        pass


DEVICES = """
import grpc, upcard
files = [f"{top}/{name}" for top, _, names in os.walk("/") for name in names]
print(*{os.stat(path).st_dev for path in files if os.path.isfile(path)} - {os.stat("/").st_dev})"""


def test_every_file_is_in_memory(accounts: Callable[[str], Account], mode: str) -> None:
    with private_files() as files:
        memory = files.directory.stat().st_dev
    assert played(accounts(mode), mode, "code", DEVICES)["output"] == f"{memory}\n"
