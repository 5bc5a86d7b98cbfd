"""Bundles arrive on a machine as they were sent, or not at all."""

import asyncio
import io
import tarfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from referee.bots.cache import cache_directory
from referee.bots.digest import bundle_digest
from referee.cluster.archives import parts, unpack
from referee.cluster.bundles import Bundles
from referee.errors import ConfigError, FileError
from referee.files.own_directory import own_directory
from tests.cli.bots import write_bot


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = write_bot(tmp_path / "bot", "return legal[0]")
    (made / "run").write_bytes(b"#!/bin/sh\n")
    (made / "run").chmod(0o755)
    (made / "deep").mkdir()
    (made / "deep" / "file").write_bytes(bytes(5_000_000))
    (made / "link").symlink_to("deep/file")
    return made


def archive(tmp_path: Path, bundle: Path) -> Path:
    file = tmp_path / "archive"
    file.write_bytes(b"".join(parts(bundle)))
    return file


def test_a_bundle_is_unpacked_as_it_was_packed(bundle: Path, tmp_path: Path) -> None:
    assert len(list(parts(bundle))) == 2
    unpack(archive(tmp_path, bundle), tmp_path / "unpacked")
    assert bundle_digest(tmp_path / "unpacked") == bundle_digest(bundle)


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


@pytest.mark.parametrize(
    "members",
    [
        [member("../out")],
        [member("/out")],
        [member("a", tarfile.SYMTYPE, ".."), member("a/out")],
        [member("a", tarfile.SYMTYPE, "../out"), member("a")],
        [member("a", tarfile.LNKTYPE, "../out")],
        [member("a", tarfile.CHRTYPE)],
        [member("a", tarfile.FIFOTYPE)],
    ],
    ids=lambda members: "+".join(f"{each.name}:{each.type.decode()}" for each in members),
)
def test_nothing_is_unpacked_elsewhere(members: list[tarfile.TarInfo], tmp_path: Path) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as made:
        for each in members:
            made.addfile(each)
    (tmp_path / "archive").write_bytes(file.getvalue())
    before = {*tmp_path.iterdir()}
    with pytest.raises(FileError, match="arrived damaged"):
        unpack(tmp_path / "archive", tmp_path / "unpacked")
    assert {*tmp_path.iterdir()} - before == {tmp_path / "unpacked"}


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "archive").write_bytes(b"x" * 2000)
    with pytest.raises(FileError, match="arrived damaged"):
        unpack(tmp_path / "archive", tmp_path / "unpacked")


async def send(bundles: Bundles, digest: str, bundle: Path) -> None:
    """Send a bundle as a coordinator does."""
    begin = 0
    for part in parts(bundle):
        bundles.take("run", digest, begin, part)
        begin += len(part)
    await bundles.finish("run", digest)


@asynccontextmanager
async def machine() -> AsyncIterator[Bundles]:
    with own_directory(cache_directory(), "machine-") as own:
        async with AsyncExitStack() as in_use:
            yield Bundles(own, in_use)


def test_a_bundle_that_arrived_is_there_for_this_machine_and_the_next(bundle: Path) -> None:
    digest = bundle_digest(bundle)

    async def arrive() -> None:
        async with machine() as first, machine() as second:
            assert await first.lacking([digest, digest]) == [digest]
            await send(first, digest, bundle)
            assert await first.lacking([digest]) == []
            assert first.bot(digest).name == "mine"
            assert await second.lacking([digest]) == []

    asyncio.run(arrive())


def test_another_bundle_than_was_asked_for_is_refused(bundle: Path) -> None:
    async def arrive() -> None:
        async with machine() as here:
            with pytest.raises(FileError, match="what arrived as bot abababababab is another one"):
                await send(here, "ab" * 32, bundle)
            assert await here.lacking(["ab" * 32]) == ["ab" * 32]

    asyncio.run(arrive())


def test_a_bundle_that_was_changed_in_the_cache_is_asked_for_again(bundle: Path) -> None:
    digest = bundle_digest(bundle)

    async def arrive() -> None:
        async with machine() as first:
            await send(first, digest, bundle)
        (cache_directory() / "bundles" / digest / "bot.py").write_text("changed")
        async with machine() as second:
            assert await second.lacking([digest]) == [digest]
            await send(second, digest, bundle)
            assert await second.lacking([digest]) == []

    asyncio.run(arrive())


@pytest.mark.usefixtures("bundle")
def test_parts_that_do_not_follow_on_each_other_are_refused() -> None:
    async def arrive() -> None:
        async with machine() as here:
            here.take("run", "ab" * 32, 0, b"12")
            with pytest.raises(FileError, match="do not follow on each other"):
                here.take("run", "ab" * 32, 3, b"4")

    asyncio.run(arrive())


@pytest.mark.usefixtures("bundle")
def test_a_bundle_larger_than_any_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.cluster.bundles.LARGEST", 10)

    async def arrive() -> None:
        async with machine() as here:
            with pytest.raises(FileError, match="do not follow on each other"):
                here.take("run", "ab" * 32, 0, b"12345678901")

    asyncio.run(arrive())


def test_a_bot_without_its_runtime_here_is_refused(bundle: Path) -> None:
    manifest = bundle / "bot.toml"
    manifest.write_text(manifest.read_text().replace('["python"', '["cobol"'))
    manifest.write_text(manifest.read_text() + 'runtime = "cobol"\n')
    digest = bundle_digest(bundle)

    async def arrive() -> None:
        async with machine() as here:
            with pytest.raises(ConfigError, match="cobol"):
                await send(here, digest, bundle)

    asyncio.run(arrive())
