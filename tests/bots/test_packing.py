"""What is packed of a bot's directory, and what a person is told where it is too much."""

import io
import os
from pathlib import Path

import pytest

from referee.bots.archives import ArchiveLimits, unpack
from referee.bots.copying import copy_bundle
from referee.bots.digest import bundle_digest
from referee.bots.manifest import read_manifest
from referee.bots.packing import pack, packed_paths
from referee.errors import ConfigError
from tests.cli.bots import write_bot

LIMITS = ArchiveLimits()


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    made = write_bot(tmp_path / "mine", "return legal[0]")
    (made / "data").mkdir()
    (made / "data" / "table").write_bytes(bytes(1000))
    (made / "data" / "link").symlink_to("table")
    (made / "run").write_text("#!/bin/sh\n")
    (made / "run").chmod(0o700)
    return made


def packed(directory: Path, limits: ArchiveLimits = LIMITS) -> bytes:
    out = io.BytesIO()
    pack(directory, out, limits)
    return out.getvalue()


def names(directory: Path) -> list[str]:
    return [str(path) for path in packed_paths(directory, read_manifest(directory))]


def test_what_is_unpacked_is_the_bot_that_was_packed(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "archive").write_bytes(packed(bot))
    unpack(tmp_path / "archive", tmp_path / "unpacked", LIMITS)
    assert bundle_digest(tmp_path / "unpacked") == copy_bundle(bot, tmp_path / "copy")


def test_the_same_content_is_the_same_bytes(bot: Path) -> None:
    first = packed(bot)
    os.utime(bot / "bot.py", (1, 1))
    (bot / "bot.py").chmod(0o600)
    assert packed(bot) == first


def test_what_tools_leave_behind_is_left_out(bot: Path) -> None:
    for name in (".git", ".venv", "__pycache__", "upcard-logs"):
        (bot / name).mkdir()
        (bot / name / "file").touch()
    assert names(bot) == ["bot.py", "bot.toml", "data", "data/link", "data/table", "run"]


def test_what_git_ignores_is_left_out(bot: Path) -> None:
    (bot / ".gitignore").write_text("data/*\n!data/table\n*.log\n")
    (bot / "a.log").touch()
    assert names(bot) == [".gitignore", "bot.py", "bot.toml", "data", "data/table", "run"]


def test_a_gitignore_further_down_counts_there(bot: Path) -> None:
    (bot / "data" / ".gitignore").write_text("*\n!.gitignore\n")
    assert names(bot) == ["bot.py", "bot.toml", "data", "data/.gitignore", "run"]


def test_so_does_one_of_the_repository_above(bot: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("/mine/run\n")
    assert "run" not in names(bot)


def test_one_beyond_the_repository_does_not_count(bot: Path, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("run\n")
    assert "run" in names(bot)


def change_manifest(bot: Path, lines: str) -> None:
    path = bot / "bot.toml"
    path.write_text(path.read_text() + lines)


def test_what_the_manifest_names_as_result_is_packed_though_git_ignores_it(bot: Path) -> None:
    (bot / ".gitignore").write_text("data\n*.bin\n")
    (bot / "a.bin").touch()
    change_manifest(bot, 'result = ["data/table", "bot.py"]\n')
    assert names(bot) == [".gitignore", "bot.py", "bot.toml", "data", "data/table", "run"]


def test_of_a_bot_that_is_built_the_output_of_builds_is_left_out(bot: Path) -> None:
    change_manifest(bot, 'build = ["make"]\nresult = ["target/bot"]\n')
    (bot / "target").mkdir()
    (bot / "target" / "bot").touch()
    assert not [name for name in names(bot) if name.startswith("target")]


def test_the_culprits_are_named_where_a_bot_is_too_large(bot: Path) -> None:
    (bot / "weights").write_bytes(os.urandom(300_000))
    (bot / "data" / "more").write_bytes(os.urandom(200_000))
    with pytest.raises(ConfigError, match=r"'weights' \(0\.3 MiB\), 'data/more' \(0\.2 MiB\)"):
        packed(bot, ArchiveLimits(packed=100_000))
    with pytest.raises(ConfigError, match=r"0\.5 MiB; at most 0\.1 MiB .* are 'weights'"):
        packed(bot, ArchiveLimits(unpacked=100_000))


def test_the_directory_with_most_files_is_named_where_there_are_too_many(bot: Path) -> None:
    for number in range(20):
        (bot / "data" / str(number)).touch()
    with pytest.raises(ConfigError, match=r"has 26 files; at most 10 .* 23 of them are in 'data'"):
        packed(bot, ArchiveLimits(files=10))


def test_without_a_manifest_nothing_is_packed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"bot\.toml: there is no such file"):
        packed(tmp_path)
