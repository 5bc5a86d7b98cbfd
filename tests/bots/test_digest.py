"""The digest is that of what a bot is, and of nothing else; what cannot be a bot has none."""

import os
import shutil
import socket
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from referee.bots import digest
from referee.bots.digest import bundle_digest, refuse_unfit
from referee.errors import ConfigError


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Make a bundle with one of each kind."""
    made = tmp_path / "owl"
    (made / "lib" / "empty").mkdir(parents=True)
    (made / "bot.py").write_text("print()\n")
    (made / "run").write_text("#!/bin/sh\n")
    (made / "run").chmod(0o755)
    (made / "lib" / "latest").symlink_to("../bot.py")
    return made


def test_the_digest_is_what_its_description_gives(bundle: Path) -> None:
    """Kind, path and content of each entry, each after its length in eight bytes."""
    expected = sha256(b"upcard-bundle-v1")
    for entry in (
        (b"f", b"bot.py", sha256(b"print()\n").digest()),
        (b"d", b"lib", b""),
        (b"d", b"lib/empty", b""),
        (b"l", b"lib/latest", b"../bot.py"),
        (b"x", b"run", sha256(b"#!/bin/sh\n").digest()),
    ):
        for part in entry:
            expected.update(len(part).to_bytes(8) + part)
    assert bundle_digest(bundle) == expected.hexdigest()


def test_a_copy_has_the_same_digest(bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(bundle, tmp_path / "copy", symlinks=True, copy_function=shutil.copy)
    assert bundle_digest(tmp_path / "copy") == bundle_digest(bundle)


def test_times_and_other_permissions_do_not_count(bundle: Path) -> None:
    before = bundle_digest(bundle)
    (bundle / "bot.py").chmod(0o600)
    os.utime(bundle / "bot.py", (0, 0))
    assert bundle_digest(bundle) == before


def rename(bundle: Path) -> None:
    (bundle / "bot.py").rename(bundle / "bots.py")
    (bundle / "lib" / "latest").unlink()
    (bundle / "lib" / "latest").symlink_to("../bots.py")


def lead_elsewhere(bundle: Path) -> None:
    (bundle / "lib" / "latest").unlink()
    (bundle / "lib" / "latest").symlink_to("../run")


def lead_nowhere_but_hold(bundle: Path) -> None:
    (bundle / "lib" / "latest").unlink()
    (bundle / "lib" / "latest").write_text("../bot.py")


@pytest.mark.parametrize(
    "change",
    [
        lambda bundle: (bundle / "bot.py").write_text("print(1)\n"),
        lambda bundle: (bundle / "bot.py").chmod(0o755),
        lambda bundle: (bundle / "run").chmod(0o644),
        lambda bundle: (bundle / "more").write_text(""),
        lambda bundle: (bundle / "lib" / "empty").rmdir(),
        rename,
        lead_elsewhere,
        lead_nowhere_but_hold,
    ],
    ids=[
        *("content", "may run", "may not run", "a file more", "a directory less"),
        *("a name", "a link", "a file for a link"),
    ],
)
def test_what_a_bot_is_counts(bundle: Path, change: Callable[[Path], object]) -> None:
    before = bundle_digest(bundle)
    change(bundle)
    assert bundle_digest(bundle) != before


def test_what_is_moved_between_name_and_content_counts(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for directory, name, content in ((first, "ab", "c"), (second, "a", "bc")):
        directory.mkdir()
        (directory / name).write_text(content)
    assert bundle_digest(first) != bundle_digest(second)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("../../outside", "out of the bundle"),
        ("/etc/hostname", "out of the bundle"),
        ("../nothing", "nowhere"),
        ("link", "nowhere"),
    ],
)
def test_a_link_that_leads_out_or_nowhere_is_refused(bundle: Path, target: str, why: str) -> None:
    (bundle.parent / "outside").write_text("")
    (bundle / "lib" / "link").symlink_to(target)
    with pytest.raises(ConfigError, match=rf"/owl: 'lib/link' is a link that leads {why}"):
        bundle_digest(bundle)


def test_a_link_into_the_bundle_that_tells_where_it_is_now_is_refused(bundle: Path) -> None:
    (bundle / "link").symlink_to(bundle / "bot.py")
    with pytest.raises(ConfigError, match="leads out of the bundle"):
        bundle_digest(bundle)


def test_a_way_out_over_another_link_is_refused(bundle: Path) -> None:
    (bundle / "lib" / "deep").symlink_to("empty")
    (bundle / "lib" / "empty" / "out").symlink_to("../../../outside")
    (bundle.parent / "outside").write_text("")
    with pytest.raises(ConfigError, match="leads out of the bundle"):
        bundle_digest(bundle)


def test_a_pipe_is_refused(bundle: Path) -> None:
    os.mkfifo(bundle / "pipe")
    with pytest.raises(ConfigError, match="'pipe' is no file, directory or link"):
        bundle_digest(bundle)


def test_a_socket_is_refused(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bundle)  # paths of sockets are short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        with pytest.raises(ConfigError, match="'socket' is no file, directory or link"):
            bundle_digest(bundle)


def test_a_name_that_is_no_text_is_told_in_one_line(bundle: Path) -> None:
    os.mkfifo(os.fsencode(bundle) + b"/\xff\n")
    with pytest.raises(ConfigError) as refused:
        bundle_digest(bundle)
    assert str(refused.value).isprintable()


def test_too_many_files_are_refused(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "MOST_FILES", 4)
    with pytest.raises(ConfigError, match="/owl: a bundle holds at most 4 files"):
        bundle_digest(bundle)


def test_as_many_as_may_be_are_not(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "MOST_FILES", 5)
    assert bundle_digest(bundle)


def test_too_many_bytes_are_refused_unread(bundle: Path) -> None:
    with (bundle / "large").open("wb") as file:
        file.truncate(256 << 20)
    with pytest.raises(ConfigError, match="/owl: a bundle holds at most 256 MiB"):
        bundle_digest(bundle)


def test_the_directory_with_most_of_too_many_files_is_named(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "MOST_FILES", 9)
    (bundle / "node_modules").mkdir()
    for number in range(6):
        (bundle / "node_modules" / str(number)).touch()
    with pytest.raises(ConfigError, match="9 files; most of it is in 'node_modules'; take out"):
        bundle_digest(bundle)


def test_the_largest_file_of_too_many_bytes_is_named(bundle: Path) -> None:
    with (bundle / "lib" / "large").open("wb") as file:
        file.truncate(300 << 20)
    most = "256 MiB; most of it is in 'lib'; 'lib/large' alone has 300 MiB; take out what"
    with pytest.raises(ConfigError, match=most):
        bundle_digest(bundle)


def test_a_bundle_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="/owl: the bundle cannot be read: No such file"):
        bundle_digest(tmp_path / "owl")


def test_a_bundle_is_fit_without_what_stays_at_home(bundle: Path) -> None:
    (bundle / "lib" / ".git").mkdir()
    with (bundle / "lib" / ".git" / "large").open("wb") as file:
        file.truncate(257 << 20)
    refuse_unfit(bundle, lambda path: path.name == ".git")


def test_what_is_too_large_is_not_fit(bundle: Path) -> None:
    with (bundle / "large").open("wb") as file:
        file.truncate(257 << 20)
    with pytest.raises(ConfigError, match="/owl: a bundle holds at most 256 MiB"):
        refuse_unfit(bundle, lambda path: path.name == ".git")


def test_what_is_not_there_is_not_fit(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="/owl: the bundle cannot be read: No such file"):
        refuse_unfit(tmp_path / "owl")
