"""What a language's builds need is fetched once, with the network; builds have a copy each."""

import asyncio
from pathlib import Path

import pytest

from referee.bots import building
from referee.bots.building import Allowance, build, prepared
from referee.bots.manifest import read_manifest
from referee.bots.sdks import Sdk
from referee.bots.template import write_template
from referee.bots.workbench import WorkFailed, is_ready
from referee.errors import ConfigError
from tests.bots.kitchen import BAKE, FETCH, Told, kitchen


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "upcard"


@pytest.fixture
def told() -> Told:
    return Told()


def bake(sdk: Sdk, place: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Begin a bot, build it, and give the bundle."""
    monkeypatch.setattr(building, "sdk_for", lambda _: sdk)
    directory, copy = place / f"loaf{len(told.doing)}", place / f"copy{len(told.doing)}"
    write_template(sdk, directory, directory.name)
    manifest = read_manifest(directory)
    asyncio.run(build(directory, manifest, copy, Allowance(60), told))
    return copy / directory.name


def test_a_build_has_what_was_fetched_and_the_sdk(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaf = bake(kitchen(tmp_path / "sdk"), tmp_path, told, monkeypatch)
    assert loaf.read_text() == "flour\nbake it\n"


def test_it_is_fetched_once(tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    sdk = kitchen(tmp_path / "sdk")
    for _ in range(2):
        bake(sdk, tmp_path, told, monkeypatch)
    assert [what.partition(" ")[0] for what in told.doing] == ["Making", "Building", "Building"]


def test_another_sdk_has_another_workbench(tmp_path: Path) -> None:
    first, second = kitchen(tmp_path / "one"), kitchen(tmp_path / "two", fetch=f"{FETCH}; true")
    asyncio.run(prepared(first, Told()))
    assert (is_ready(first), is_ready(second)) == (True, False)


def test_what_one_build_spoils_the_next_one_has(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = kitchen(tmp_path / "sdk", bake=f"{BAKE}; rm /workbench/flour")
    bake(sdk, tmp_path, told, monkeypatch)
    assert bake(sdk, tmp_path, told, monkeypatch).read_text() == "flour\nbake it\n"


def test_no_build_writes_the_sdk(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = kitchen(tmp_path / "sdk", bake=f"! touch .upcard/worm && {BAKE}")
    assert bake(sdk, tmp_path, told, monkeypatch).exists()


def test_what_could_not_be_fetched_is_told_with_its_log(tmp_path: Path, told: Told) -> None:
    sdk = kitchen(tmp_path / "sdk", fetch="echo no flour anywhere; exit 1")
    with pytest.raises(WorkFailed, match="cannot make ready to build bots in dough") as failed:
        asyncio.run(prepared(sdk, told))
    assert failed.value.log == b"no flour anywhere\n"


def test_what_could_not_be_fetched_leaves_nothing(tmp_path: Path, cache: Path, told: Told) -> None:
    with pytest.raises(WorkFailed):
        asyncio.run(prepared(kitchen(tmp_path / "sdk", fetch="exit 1"), told))
    assert [path.suffix for path in (cache / "workbenches").iterdir()] == [".lock"]
    assert [*cache.glob("making-*")] == []


def test_only_the_newest_two_of_a_language_are_kept(tmp_path: Path, cache: Path) -> None:
    for number in range(4):
        asyncio.run(prepared(kitchen(tmp_path / f"{number}", fetch=f"echo {number}"), Told()))
    assert len([*(cache / "workbenches").glob("*/")]) == 2


def test_a_missing_program_is_named_with_how_to_get_it(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = 'programs = [{ name = "no-such-oven", get = "buy one" }]\n'
    sdk = kitchen(tmp_path / "sdk", more=more)
    with pytest.raises(ConfigError, match="there is no program no-such-oven: buy one"):
        bake(sdk, tmp_path, told, monkeypatch)


def test_the_cache_is_private(tmp_path: Path, cache: Path) -> None:
    asyncio.run(prepared(kitchen(tmp_path / "sdk"), Told()))
    assert cache.stat().st_mode & 0o077 == 0
