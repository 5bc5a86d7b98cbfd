"""What a language's builds need is fetched once, with the network; builds have a copy each."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path

import pytest

from referee.bots import building
from referee.bots.build_environment import (
    BuildFailed,
    build_environment,
    is_ready,
    prepared_environment,
)
from referee.bots.build_sandbox import build_mode
from referee.bots.building import BuildLimits, build, prepare_builds
from referee.bots.cache import cache_directory, locked
from referee.bots.sdks import BUILD_OUTPUT, Sdk
from referee.bots.template import write_template
from referee.errors import ConfigError, FileError
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.statistics import descendants
from tests.bots.toy_sdk import BAKE, FETCH, RecordedProgress, toy_sdk


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "upcard"


@pytest.fixture
def progress() -> RecordedProgress:
    return RecordedProgress()


def bake(
    sdk: Sdk, place: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Begin a bot, build it, and give the bundle."""
    monkeypatch.setattr(building, "sdk_for", lambda _: sdk)
    directory, copy = place / f"loaf{len(progress.steps)}", place / f"copy{len(progress.steps)}"
    write_template(sdk, directory, directory.name)
    asyncio.run(build(directory, copy, BuildLimits(60), progress))
    return copy / directory.name


def test_a_build_has_what_was_fetched_and_the_sdk(
    tmp_path: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaf = bake(toy_sdk(tmp_path / "sdk"), tmp_path, progress, monkeypatch)
    assert loaf.read_text() == "flour\nbake it\n"


def test_it_is_fetched_once(
    tmp_path: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(tmp_path / "sdk")
    for _ in range(2):
        bake(sdk, tmp_path, progress, monkeypatch)
    assert [what.partition(" ")[0] for what in progress.steps] == [
        "Preparing",
        "Building",
        "Building",
    ]


def test_another_sdk_has_another_environment(tmp_path: Path) -> None:
    first, second = toy_sdk(tmp_path / "one"), toy_sdk(tmp_path / "two", fetch=f"{FETCH}; true")
    asyncio.run(prepare_builds(first, RecordedProgress()))
    assert (is_ready(first), is_ready(second)) == (True, False)


@pytest.mark.parametrize("name", BUILD_OUTPUT)
def test_what_the_sdks_own_builds_leave_makes_no_other_environment(
    tmp_path: Path, name: str
) -> None:
    sdk = toy_sdk(tmp_path / "sdk")
    before = prepared_environment(sdk).key
    (sdk.directory / name).touch()
    assert prepared_environment(sdk).key == before


def test_what_one_build_spoils_the_next_one_has(
    tmp_path: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(tmp_path / "sdk", bake=f"{BAKE}; rm /build/flour")
    bake(sdk, tmp_path, progress, monkeypatch)
    assert bake(sdk, tmp_path, progress, monkeypatch).read_text() == "flour\nbake it\n"


def test_no_build_writes_the_sdk(
    tmp_path: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(tmp_path / "sdk", bake=f"! touch .upcard/worm && {BAKE}")
    assert bake(sdk, tmp_path, progress, monkeypatch).exists()


def test_links_in_the_sdk_are_followed_unless_they_lead_nowhere(
    tmp_path: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flavour").write_text("salt\n")
    sdk = toy_sdk(tmp_path / "sdk", bake="cat .upcard/flavour > my-bot")
    (sdk.directory / "flavour").symlink_to("../../flavour")
    (sdk.directory / ".#recipe").symlink_to("somebody@somewhere")
    assert bake(sdk, tmp_path, progress, monkeypatch).read_text() == "salt\n"


def test_what_could_not_be_fetched_is_told_with_its_log(
    tmp_path: Path, progress: RecordedProgress
) -> None:
    sdk = toy_sdk(tmp_path / "sdk", fetch="echo no flour anywhere; exit 1")
    with pytest.raises(BuildFailed, match="cannot prepare to build bots in dough") as failed:
        asyncio.run(prepare_builds(sdk, progress))
    assert failed.value.log == b"no flour anywhere\n"


def test_what_could_not_be_fetched_leaves_nothing(
    tmp_path: Path, cache: Path, progress: RecordedProgress
) -> None:
    with pytest.raises(BuildFailed):
        asyncio.run(prepare_builds(toy_sdk(tmp_path / "sdk", fetch="exit 1"), progress))
    assert [path.suffix for path in (cache / "environments").iterdir()] == [".lock"]
    assert [*cache.glob("making-*")] == []


def test_only_the_newest_two_of_a_language_are_kept(tmp_path: Path) -> None:
    all_sdks = [toy_sdk(tmp_path / f"{number}", fetch=f"echo {number}") for number in range(4)]
    for sdk in all_sdks:
        asyncio.run(prepare_builds(sdk, RecordedProgress()))
    assert [is_ready(sdk) for sdk in all_sdks] == [False, False, True, True]


def test_one_that_is_in_use_is_kept_too(tmp_path: Path) -> None:
    first, *others = [
        toy_sdk(tmp_path / f"{number}", fetch=f"echo {number}") for number in range(4)
    ]

    async def used_meanwhile() -> bool:
        async with (
            Sandboxes.open(build_mode(), files="shared") as sandboxes,
            build_environment(sandboxes, first, RecordedProgress()),
        ):
            for sdk in others:
                await prepare_builds(sdk, RecordedProgress())
            return is_ready(first)

    assert asyncio.run(used_meanwhile())


def test_one_of_which_a_part_is_gone_is_made_again(tmp_path: Path) -> None:
    sdk, progress = toy_sdk(tmp_path / "sdk"), RecordedProgress()
    asyncio.run(prepare_builds(sdk, progress))
    (prepared_environment(sdk).home / "flour").unlink()
    asyncio.run(prepare_builds(sdk, progress))
    assert len(progress.steps) == 2
    assert (prepared_environment(sdk).home / "flour").exists()


def test_nothing_of_a_build_that_is_interrupted_lives_on(
    tmp_path: Path, cache: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(tmp_path / "sdk", bake="touch begun; sleep 1000")

    async def interrupted() -> set[int]:
        before = {*descendants(os.getpid())}
        monkeypatch.setattr(building, "sdk_for", lambda _: sdk)
        write_template(sdk, tmp_path / "loaf", "loaf")
        task = asyncio.ensure_future(
            build(tmp_path / "loaf", tmp_path / "copy", BuildLimits(60), progress)
        )
        while not [*cache.glob("building-*/space/bot/begun")]:  # noqa: ASYNC240 (in a cache of our own)
            assert not task.done()
            await asyncio.sleep(0.05)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return {*descendants(os.getpid())} - before

    assert asyncio.run(interrupted()) == set()
    assert [*cache.glob("building-*")] == []


def test_a_tool_chain_that_does_not_say_where_it_is_is_lacking(tmp_path: Path) -> None:
    assert "false does not work" in toy_sdk(tmp_path / "sdk", more='home = ["false"]\n').missing


def test_a_tool_chain_is_no_home(tmp_path: Path) -> None:
    more = f'home = ["echo", "{Path.home()}"]\n'
    assert "prints no directory of a tool chain" in toy_sdk(tmp_path / "sdk", more=more).missing


def test_a_program_that_builds_do_not_see_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oven = tmp_path / "bin" / "oven"
    oven.parent.mkdir()
    oven.write_text("#!/bin/sh\n")
    oven.chmod(0o755)
    monkeypatch.setenv("PATH", str(oven.parent), prepend=":")
    sdk = toy_sdk(tmp_path / "sdk", more='programs = [{ name = "oven", get = "buy one" }]\n')
    assert "oven is outside /usr, which builds do not see" in sdk.missing


@pytest.mark.parametrize(
    ("least", "lacking"), [("3.9", ""), ("3.10.1", "sh 3.10 is too old: buy one")]
)
def test_a_program_that_is_too_old_is_lacking(tmp_path: Path, least: str, lacking: str) -> None:
    oven = tmp_path / "bin" / "sh"
    oven.parent.mkdir()
    oven.write_text("#!/bin/echo oven version 3.10, of\n")
    oven.chmod(0o755)
    more = (
        f'home = ["echo", "{tmp_path}"]\n'
        f'programs = [{{ name = "sh", get = "buy one", minimum = "{least}", version = "" }}]\n'
    )
    assert toy_sdk(tmp_path / "sdk", more=more).missing == lacking


def test_a_tool_chain_is_not_asked_where_a_bot_could_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "home").write_text("/opt")
    monkeypatch.chdir(tmp_path / "bot")
    more = 'home = ["sh", "-c", "cat home 2>/dev/null || echo /usr"]\n'
    assert toy_sdk(tmp_path / "sdk", more=more).tool_chain() == Path("/usr")


def test_another_version_of_a_program_makes_another_environment(tmp_path: Path) -> None:
    oven = tmp_path / "bin" / "oven"
    oven.parent.mkdir()
    oven.symlink_to("/bin/true")
    more = f'home = ["echo", "{tmp_path}"]\nprograms = [{{ name = "oven", get = "buy one" }}]\n'
    sdk = toy_sdk(tmp_path / "sdk", more=more)
    before = prepared_environment(sdk).key
    oven.unlink()
    oven.symlink_to("/bin/sh")
    assert prepared_environment(sdk).key != before


def test_who_waits_for_another_build_is_told(tmp_path: Path) -> None:
    sdk, progress = toy_sdk(tmp_path / "sdk"), RecordedProgress()

    async def both() -> None:
        async with locked(prepared_environment(sdk).directory, RecordedProgress()):
            second = asyncio.ensure_future(prepare_builds(sdk, progress))
            while not progress.steps:  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.01)
        await second

    asyncio.run(both())
    assert progress.steps[0] == "Waiting for another process, which builds the same"
    assert is_ready(sdk)


def test_a_cache_of_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "upcard").symlink_to(tmp_path / "theirs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    with pytest.raises(FileError, match="is not a directory of yours"):
        cache_directory()


def test_a_missing_program_is_named_with_how_to_get_it(
    tmp_path: Path, progress: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = 'programs = [{ name = "no-such-oven", get = "buy one" }]\n'
    sdk = toy_sdk(tmp_path / "sdk", more=more)
    with pytest.raises(ConfigError, match="there is no program no-such-oven: buy one"):
        bake(sdk, tmp_path, progress, monkeypatch)


def test_the_cache_is_private(tmp_path: Path, cache: Path) -> None:
    asyncio.run(prepare_builds(toy_sdk(tmp_path / "sdk"), RecordedProgress()))
    assert cache.stat().st_mode & 0o077 == 0
