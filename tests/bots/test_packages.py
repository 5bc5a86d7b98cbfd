"""A bot in Python brings packages along: its build has pip, which docs/packages.md relies on."""

import json
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from referee.bots import build_sandbox
from referee.bots.build_environment import BuildFailed
from tests.cli.bots import run, write_bot
from tests.sdk.polyglot import built

INSTALL = ("python", "-m", "pip", "install", "--target", "packages")


def bot_with_build(directory: Path, *command: str) -> Path:
    write_bot(directory, "import odds; return odds.first(legal)")
    source = directory / "bot.py"
    source.write_text("import sys\nsys.path.append('packages')\n" + source.read_text())
    manifest = directory / "bot.toml"
    result = '["bot.py", "packages"]'
    manifest.write_text(
        manifest.read_text() + f"build = {json.dumps(command)}\nresult = {result}\n"
    )
    return directory


def write_wheel(directory: Path) -> None:
    """Write a package as an index would have it."""
    directory.mkdir()
    about = "odds-1.0.dist-info"
    with ZipFile(directory / "odds-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("odds.py", "def first(of):\n    return of[0]\n")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: odds\nVersion: 1.0\n")
        wheel.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{about}/RECORD", "")


@pytest.fixture(autouse=True)
def nothing_is_built_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_package_that_is_beside_the_bot_plays(tmp_path: Path) -> None:
    bot = bot_with_build(tmp_path / "bot", *INSTALL, "--find-links", "wheels", "odds==1.0")
    write_wheel(bot / "wheels")
    assert run(tmp_path, "duel", bot, "random", "--duels", 1).code == 0


def test_pip_is_there_where_the_python_of_builds_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_sandbox, "_has_pip", lambda: False)
    assert printed(tmp_path, "import pip; print(pip.__file__)") == "/opt/upcard/pip/__init__.py\n"


def test_python_is_the_one_that_plays(tmp_path: Path) -> None:
    code = "import shutil, sys; print(shutil.which('python'), shutil.which('python3'), sys.version)"
    assert printed(tmp_path, code) == f"/opt/bin/python /opt/bin/python3 {sys.version}\n"


def printed(directory: Path, code: str) -> str:
    """Return what a build in Python prints."""
    bot = bot_with_build(directory / "bot", "python", "-c", f"{code}; raise SystemExit(1)")
    with pytest.raises(BuildFailed) as failed:
        built(bot, directory / "bundle")
    return failed.value.log.decode()


def test_a_package_that_has_to_be_fetched_is_told_to_need_the_network(tmp_path: Path) -> None:
    bot = bot_with_build(tmp_path / "bot", *INSTALL, "odds==1.0")
    with pytest.raises(BuildFailed, match="it has no network; where it needs one, add --build-"):
        built(bot, tmp_path / "bundle")
