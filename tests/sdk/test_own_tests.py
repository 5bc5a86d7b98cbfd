"""Each SDK's own tests pass, in its own language and by its own tools.

They run in copies of the SDKs in the cache of this user, which all clones share: only what has
changed since is compiled. What has passed runs again once anything has changed in the copy, in the
tool chain or among the packages of the machine.
"""

import fcntl
import filecmp
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from referee.bots.cache import cache_directory
from referee.bots.sdks import BUILD_OUTPUT, Sdk
from tests.sdk.polyglot import present_sdk

CLONE: Final = Path(__file__).parents[2]
PACKAGES: Final = Path("/var/lib/dpkg/status")
"""Changes with each package that is installed."""
COPIED: Final = ("sdk", "examples_bots/dreamer", "proto")
DREAMER: Final = "../../examples_bots/dreamer/Cargo.toml"
Commands = tuple[tuple[str, ...], ...]
OWN: Final[Mapping[str, Commands]] = {
    "javascript": (
        # Installs what the lock file has, where that is not there already.
        ("npm", "install", "--prefer-offline", "--no-audit", "--no-fund"),
        ("npm", "test"),
        ("npm", "run", "types"),
    ),
    "go": (("go", "vet", "./..."), ("go", "test", "./...")),
    "rust": (
        ("cargo", "test", "--quiet"),
        # Its example has rules and a search of its own; most of what it needs is compiled by now.
        ("cargo", "test", "--quiet", "--manifest-path", DREAMER, "--target-dir", "target"),
    ),
    "java": (("mvn", "--batch-mode", "--quiet", "test"),),
    "cpp": (
        ("cmake", "-S", ".", "-B", "build"),
        ("cmake", "--build", "build", "--parallel", "2"),
        ("ctest", "--test-dir", "build", "--output-on-failure"),
    ),
}
"""Python's are among ours."""


@pytest.mark.parametrize("language", OWN)
def test_an_sdk_passes_its_own_tests(language: str) -> None:
    sdk = present_sdk(language)
    with copy_of_the_clone(language) as (copy, lock):
        passed, tested = copy.with_suffix(".passed"), digest(copy, sdk)
        if passed.exists() and passed.read_text() == tested:
            return
        for command in OWN[language]:
            done = subprocess.run(
                command,
                cwd=copy / sdk.directory.relative_to(CLONE),
                capture_output=True,
                text=True,
                check=False,
                pass_fds=[lock],  # what outlives a killed test keeps others out
            )
            assert done.returncode == 0, done.stdout + done.stderr
        passed.write_text(tested)


def digest(copy: Path, sdk: Sdk) -> str:
    """Return what the tests depend on: all that was copied, the commands, and the programs."""
    programs = [Path(shutil.which(program.name) or "").resolve() for program in sdk.programs]
    machine = [*programs, *filter(None, [sdk.tool_chain()]), *filter(Path.exists, [PACKAGES])]
    times = [(str(path), path.stat().st_mtime_ns) for path in machine]
    found = sha256(repr((OWN[sdk.language], times)).encode())
    for path in sorted(files(copy)):
        content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        found.update(repr((str(path.relative_to(copy)), content)).encode())
    return found.hexdigest()


def files(directory: Path) -> Iterator[Path]:
    """Yield all files of a copy but the output of builds."""
    for path in directory.iterdir():
        if path.name in BUILD_OUTPUT:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from files(path)
        else:
            yield path


@contextmanager
def copy_of_the_clone(language: str) -> Iterator[tuple[Path, int]]:
    """Lock the copy that the tests of a language run in, brought up to date.

    Yields:
        the copy, and the descriptor that holds the lock.
    """
    place = cache_directory() / "own-tests" / language
    place.mkdir(parents=True, exist_ok=True)
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in COPIED:
            (place / name).parent.mkdir(exist_ok=True)
            update(CLONE / name, place / name)
        yield place, lock.fileno()


def update(source: Path, copy: Path) -> None:
    """Make a copy the same as its source, but for the output of builds; what is the same stays."""
    copy.mkdir(exist_ok=True)
    names = {path.name for path in source.iterdir()} - {*BUILD_OUTPUT}
    for path in copy.iterdir():
        if path.name in BUILD_OUTPUT:
            continue
        if path.name not in names or _kind(path) != _kind(source / path.name):
            _remove(path)
    for name in names:
        original, copied = source / name, copy / name
        if original.is_symlink():
            copied.unlink(missing_ok=True)
            copied.symlink_to(original.readlink())
        elif original.is_dir():
            update(original, copied)
        elif not (copied.exists() and filecmp.cmp(original, copied, shallow=False)):
            shutil.copy(original, copied)


def _kind(path: Path) -> int:
    return stat.S_IFMT(path.lstat().st_mode)


def _remove(path: Path) -> None:
    if _kind(path) == stat.S_IFDIR:
        shutil.rmtree(path)
    else:
        path.unlink()


def test_a_copy_is_brought_up_to_date(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    for name, text in {"same": "1", "changed": "2", "new/file": "3", "build/output": "4"}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    for name in ("same", "changed", "gone/file", "build/kept", "target/kept"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("1")
    (source / "link").symlink_to("same")
    os.utime(copy / "same", (1, 1))
    update(source, copy)
    files = {str(path.relative_to(copy)): path for path in copy.rglob("*") if path.is_file()}
    assert {name: path.read_text() for name, path in files.items()} == {
        "same": "1",
        "changed": "2",
        "link": "1",
        "new/file": "3",
        "build/kept": "1",
        "target/kept": "1",
    }
    assert files["same"].stat().st_mtime == 1


def test_what_has_passed_is_told_from_what_has_changed(tmp_path: Path) -> None:
    sdk = present_sdk("go")
    (tmp_path / "sdk").mkdir()
    (tmp_path / "sdk" / "a.go").write_text("1")
    before = digest(tmp_path, sdk)
    (tmp_path / "sdk" / "build").mkdir()
    (tmp_path / "sdk" / "build" / "output").touch()
    assert digest(tmp_path, sdk) == before
    (tmp_path / "sdk" / "a.go").write_text("2")
    changed = digest(tmp_path, sdk)
    (tmp_path / "sdk" / "a.go").rename(tmp_path / "sdk" / "b.go")
    assert len({before, changed, digest(tmp_path, sdk)}) == 3
