"""Archives of strangers: what is in them is unpacked below one directory, or they are refused."""

import gzip
import io
import os
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.bots.archives import ArchiveLimits, is_archive, only_directory, unpack
from referee.errors import ConfigError

SMALL = ArchiveLimits(packed=1 << 20, unpacked=1 << 16, files=20)
Unpack = Callable[[bytes], Path]


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpack:
    """Return what unpacks an archive into a directory that is all there may be."""

    numbers = count()

    def unpack_one(content: bytes) -> Path:
        here = tmp_path / str(next(numbers))
        here.mkdir()
        (here / "archive").write_bytes(content)
        before = {*tmp_path.iterdir()}
        try:
            unpack(here / "archive", here / "bot", SMALL)
        finally:
            assert {*tmp_path.iterdir()} == before
            assert {path.name for path in here.iterdir()} <= {"archive", "bot"}
        return here / "bot"

    return unpack_one


def entry(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644
) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, link, mode
    return made


def tar(*entries: tarfile.TarInfo, content: bytes = b"", packed: bool = True) -> bytes:
    """Return an archive in which each file has the same content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for each in entries:
            if each.isreg():
                each.size = len(content)
            archive.addfile(each, io.BytesIO(content) if each.isreg() else None)
    return gzip.compress(out.getvalue()) if packed else out.getvalue()


def zipped(entries: Iterable[tuple[str, int, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, mode, content in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = mode << 16, method
            archive.writestr(info, content)
    return out.getvalue()


def says(unpacked: Unpack, content: bytes) -> str:
    with pytest.raises(ConfigError) as refused:
        unpacked(content)
    return str(refused.value)


@pytest.mark.parametrize("packed", [True, False], ids=["tar.gz", "tar"])
def test_a_tar_archive_is_unpacked(unpacked: Unpack, packed: bool) -> None:
    content = tar(
        entry("bot.toml"),
        entry("sub/run", mode=0o755),
        entry("link", tarfile.SYMTYPE, "sub/run"),
        content=b"x",
        packed=packed,
    )
    bot = unpacked(content)
    assert (bot / "bot.toml").read_bytes() == b"x"
    assert (bot / "link").readlink() == Path("sub/run")
    assert [stat.S_IMODE((bot / name).stat().st_mode) for name in ("bot.toml", "sub/run")] == [
        0o644,
        0o755,
    ]


def test_a_zip_archive_is_unpacked(unpacked: Unpack) -> None:
    bot = unpacked(
        zipped(
            [
                ("bot.toml", 0o100644, b"x"),
                ("sub/", 0o40755, b""),
                ("sub/run", 0o100755, b"y"),
                ("link", 0o120777, b"sub/run"),
            ]
        )
    )
    assert (bot / "sub" / "run").read_bytes() == b"y"
    assert os.access(bot / "sub" / "run", os.X_OK)
    assert (bot / "link").readlink() == Path("sub/run")


OUTSIDE = "leads out of the archive"


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([entry("../out")], OUTSIDE),
        ([entry("/out")], OUTSIDE),
        ([entry("a/../../out")], OUTSIDE),
        ([entry("a\\..\\out")], OUTSIDE),
        ([entry("a", tarfile.SYMTYPE, ".."), entry("a/out")], OUTSIDE),
        ([entry("a", tarfile.SYMTYPE, "/etc")], OUTSIDE),
        ([entry("a/b", tarfile.SYMTYPE, "../../out")], OUTSIDE),
        ([entry("d", tarfile.DIRTYPE), entry("a", tarfile.SYMTYPE, "d"), entry("a/out")],
         "below something that is no directory"),
        ([entry("a", tarfile.SYMTYPE, "b"), entry("a")], "in the archive twice"),
        ([entry("a"), entry("a")], "in the archive twice"),
        ([entry("a"), entry("a/b")], "below something that is no directory"),
        ([entry("a"), entry("b", tarfile.LNKTYPE, "a")], "is a hard link"),
        ([entry("b", tarfile.LNKTYPE, "/etc/passwd")], "is a hard link"),
        ([entry("a", tarfile.CHRTYPE)], "no file, directory or link"),
        ([entry("a", tarfile.FIFOTYPE)], "no file, directory or link"),
        ([entry("a", tarfile.GNUTYPE_SPARSE)], "no file, directory or link"),
        ([entry("/".join("d" * 70))], "deep"),
        ([entry(str(number)) for number in range(21)], "more than 20 files"),
    ],
    ids=[
        "a parent",
        "the root",
        "a parent further down",
        "backslashes",
        "below a link",
        "a link to the root",
        "a link to a parent",
        "below a link to a directory",
        "a link and a file",
        "a file twice",
        "a file below a file",
        "a hard link",
        "a hard link outside",
        "a device",
        "a pipe",
        "a sparse file",
        "deep",
        "many",
    ],
)  # fmt: skip
def test_a_trick_is_refused_before_anything_is_written_elsewhere(
    unpacked: Unpack, entries: list[tarfile.TarInfo], reason: str
) -> None:
    assert reason in says(unpacked, tar(*entries))


@pytest.mark.parametrize(
    ("name", "mode", "content"),
    [("../out", 0o100644, b""), ("/out", 0o100644, b""), ("a", 0o120777, b"../out")],
)
def test_so_is_one_in_a_zip_archive(unpacked: Unpack, name: str, mode: int, content: bytes) -> None:
    assert OUTSIDE in says(unpacked, zipped([(name, mode, content)]))


def test_a_bomb_is_refused_however_small_it_is(unpacked: Unpack) -> None:
    assert "one file too many" in says(unpacked, tar(entry("a"), content=bytes(100_000)))
    assert "one file too many" in says(unpacked, zipped([("a", 0o100644, bytes(100_000))]))


def test_a_zip_archive_whose_files_claim_to_be_small_is_bounded_all_the_same(
    unpacked: Unpack,
) -> None:
    content = bytearray(zipped([("a", 0o100644, bytes(100_000))]))
    central = content.index(b"PK\x01\x02")
    for place in (22, central + 24):
        content[place : place + 4] = struct.pack("<I", 10)
    says(unpacked, bytes(content))


def test_a_header_that_would_fill_the_memory_is_refused(unpacked: Unpack) -> None:
    header = entry("pax", tarfile.XHDTYPE)
    header.size = 1 << 32
    assert "header that is too large" in says(
        unpacked, gzip.compress(header.tobuf() + bytes(1 << 21))
    )


def with_records(records: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """Return an archive of a file, and of records before it."""
    header = entry("records", kind)
    header.size = len(records)
    return header.tobuf() + records + bytes(-len(records) % 512) + tar(entry("a"), packed=False)


def cut_sparse_file() -> bytes:
    """Return a header that says that more of the same follow, and nothing after it."""
    header = bytearray(entry("a", tarfile.GNUTYPE_SPARSE).tobuf(tarfile.GNU_FORMAT))
    header[482], header[148:156] = 1, b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        pytest.param(with_records(b"7" * 15_000), "as long as they say", id="a number"),
        pytest.param(with_records(b"2 " * 7_000 + b"="), "as long as they say", id="overlapping"),
        pytest.param(with_records(b"118 a=" + b"7" * 111 + b"\n"), "too long", id="digits"),
        pytest.param(with_records(b"6 a=1\n" * 3000), "too large", id="many"),
        pytest.param(with_records(b"6 a=1\n" * 3000, b"g"), "too large", id="many of all"),
        pytest.param(cut_sparse_file(), "damaged", id="a sparse file that is cut"),
    ],
)
def test_headers_that_would_take_forever_are_refused(
    unpacked: Unpack, archive: bytes, reason: str
) -> None:
    assert reason in says(unpacked, archive)


def test_what_an_archive_says_of_all_files_is_not_kept_for_each(tmp_path: Path) -> None:
    """A thousand files, and as much said of them as a header holds, would take 200 MB."""
    records = b"".join(b"12 %06d=1\n" % number for number in range(1_200))
    files = b"".join(entry(str(number)).tobuf() for number in range(1_000))
    (tmp_path / "archive").write_bytes(with_records(records, tarfile.XGLTYPE)[:-10240] + files)
    tracemalloc.start()
    unpack(tmp_path / "archive", tmp_path / "bot", ArchiveLimits())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 << 20


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT], ids=["pax", "gnu"])
def test_long_names_and_what_is_said_of_all_files_are_no_trick(unpacked: Unpack, form: int) -> None:
    name = "/".join(("d" * 150, "ü" * 90, "f" * 150))
    out = io.BytesIO()
    said = {"comment": "0123456789abcdef" * 4}  # as git archive has it
    with tarfile.open(fileobj=out, mode="w", format=form, pax_headers=said) as archive:
        archive.addfile(entry(name))
        archive.addfile(entry("d" * 150 + "/link", tarfile.SYMTYPE, name.partition("/")[2]))
    assert (unpacked(out.getvalue()) / ("d" * 150) / "link").read_bytes() == b""


def test_a_long_list_of_files_in_a_zip_archive_is_refused(unpacked: Unpack) -> None:
    assert "more than 20 files" in says(unpacked, zipped((str(n), 0, b"") for n in range(30)))
    limits = ArchiveLimits(packed=1 << 23, unpacked=1 << 16, files=20)
    many = zipped((f"{n:050}", 0, b"") for n in range(20_000))
    archive = unpacked(tar()).parent / "many"
    archive.write_bytes(many)
    with pytest.raises(ConfigError, match="header that is too large"):
        unpack(archive, archive.with_suffix(".d"), limits)


def test_an_archive_of_too_many_bytes_is_not_read(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with archive.open("wb") as file:
        file.truncate((1 << 20) + 1)
    with pytest.raises(ConfigError, match=r"has 1\.0 MiB; at most 1 MiB are accepted"):
        unpack(archive, tmp_path / "bot", SMALL)
    assert not (tmp_path / "bot").exists()


def test_an_encrypted_file_is_refused(unpacked: Unpack) -> None:
    content = bytearray(zipped([("a", 0o100644, b"x")]))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in says(unpacked, bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_refused(unpacked: Unpack, method: int) -> None:
    assert "not read here" in says(unpacked, zipped([("a", 0o100644, b"x")], method))


@pytest.mark.parametrize(
    "content",
    [b"", b"x" * 2000, b"PK\x03\x04", b"\x1f\x8b", tar(entry("a"), content=b"x" * 9)[:-9]],
    ids=["empty", "text", "zip", "gzip", "cut"],
)
def test_what_is_no_archive_is_refused(unpacked: Unpack, content: bytes) -> None:
    assert "the archive is damaged" in says(unpacked, content)


WHOLE = [
    tar(
        entry("bot.toml"), entry("d/x", mode=0o755), entry("l", tarfile.SYMTYPE, "d"), content=b"x"
    ),
    tar(entry("bot.toml"), entry("l" * 120), content=b"x" * 600, packed=False),
    zipped([("bot.toml", 0o100644, b"x" * 600), ("l", 0o120777, b"bot.toml")]),
]


@pytest.mark.parametrize(
    ("content", "is_one"),
    [*((whole, True) for whole in WHOLE), (b"import upcard" * 100, False), (b"", False)],
    ids=["gzip", "tar", "zip", "text", "empty"],
)
def test_an_archive_is_told_by_how_it_begins(tmp_path: Path, content: bytes, is_one: bool) -> None:
    (tmp_path / "file").write_bytes(content)
    assert is_archive(tmp_path / "file") == is_one


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.sampled_from(WHOLE),
    st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=6),
    st.integers(0, 200),
)
def test_a_changed_archive_is_unpacked_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    whole: bytes,
    changes: list[tuple[int, int]],
    cut: int,
) -> None:
    content = bytearray(whole[: len(whole) - cut])
    for place, value in changes:
        if content:
            content[place % len(content)] = value
    here = tmp_path_factory.mktemp("changed")
    (here / "archive").write_bytes(content)
    with suppress(ConfigError):
        unpack(here / "archive", here / "bot", SMALL)
    assert {path.name for path in here.iterdir()} == {"archive", "bot"}


def test_a_bot_may_be_in_a_directory_of_its_own(unpacked: Unpack) -> None:
    bot = unpacked(tar(entry("mine/bot.toml"), entry("mine/bot.py")))
    assert only_directory(bot) == bot / "mine"


def test_files_beside_that_directory_are_not_passed_over(unpacked: Unpack) -> None:
    bot = unpacked(tar(entry("mine/bot.toml"), entry("README")))
    assert only_directory(bot) == bot
