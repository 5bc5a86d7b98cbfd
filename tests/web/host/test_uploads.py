"""Bots are handed in: what arrives is counted and bounded, and what is refused leaves nothing."""

import asyncio
import gzip
import io
import logging
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, repeat
from pathlib import Path
from typing import Any

import pytest

from referee.hosting.settings import DEFAULTS
from referee.store.audit import set_setting
from referee.store.database import writing
from referee.store.hosting_models import Account
from referee.store.jobs import claim
from referee.store.submissions import move, submission
from tests.store import hosting_scenes
from tests.web.host.scene import BOUNDARY, LADDER, MULTIPART, Browser, Program, Site, multipart

MANIFEST = """name = "{name}"
version = "1"
author = "me"
language = "python"
run = ["python", "bot.py"]
games = ["euchre"]
"""
HOSTILE_NAMES = {
    "path": "../../../etc/passwd",
    "absolute": "/etc/passwd",
    "windows": "C:\\\\bot.zip",
    "html": "<img src=x onerror=alert(1)>",
    "turned": "\u202egz.tar",
    "control": "a\tb\x7f",
    "nothing": "",
}
_numbers = count()


def archive(name: str = "mine", *, more: Mapping[str, bytes] | None = None) -> bytes:
    """Return the archive of a bot that there was not before."""
    files = {
        "bot.toml": MANIFEST.format(name=name).encode(),
        "bot.py": b"# %d" % next(_numbers),
        **(more or {}),
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return gzip.compress(out.getvalue(), mtime=0)


@pytest.fixture
def author(site: Site) -> Account:
    """Return somebody who has handed in nothing yet."""
    return site.account(f"author-{next(_numbers)}")


@pytest.fixture
def ada(site: Site, author: Account) -> Browser:
    return site.browser(author)


@pytest.fixture
def program(site: Site, author: Account) -> Program:
    return site.program(author, "read", "submit", days=2)


@pytest.fixture
def small(site: Site) -> Iterator[int]:
    """Take archives of a mebibyte and 20 files at most; return how many bytes that are."""
    chosen = {"packed_mib": 1, "unpacked_mib": 1, "files": 20}
    for name, value in chosen.items():
        set_setting(site.host.store, name, value, site.by)
    yield 1 << 20
    for name in chosen:
        set_setting(site.host.store, name, None, site.by)


@pytest.fixture
def kept(site: Site) -> Callable[[], set[Path]]:
    """Return what lists the files that were kept or left behind since the test began."""
    place = site.host.store.files / "submissions"
    before = {*place.rglob("*")}
    return lambda: {*place.rglob("*")} - before


def test_a_bot_is_handed_in_by_a_form(site: Site, ada: Browser, author: Account) -> None:
    answer = ada.upload(archive("fresh"))
    assert answer.status_code == 303
    found = submission(site.host.store, int(answer.headers["location"].rpartition("/")[2]))
    assert (found.account, found.ladder, found.name, found.state) == (
        author.id, LADDER, "fresh", "received",
    )  # fmt: skip
    assert claim(site.host.store, ["examine"], site.now)


def test_the_form_may_come_in_any_order_and_in_any_pieces(ada: Browser) -> None:
    fields = [("form_token", ada.form_token())]
    whole = multipart(fields, [("archive", "bot.zip", archive())])
    last = f'--{BOUNDARY}\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="'
    end = f"--{BOUNDARY}--\r\n".encode()
    whole = whole.removesuffix(end) + f'{last}ladder"\r\n\r\n{LADDER}\r\n'.encode() + end
    pieces = (whole[at : at + 1] for at in range(len(whole)))
    answer = ada.send("POST", "/submissions", {"Content-Type": MULTIPART}, pieces)
    assert answer.status_code == 303


def test_the_same_content_is_the_same_submission(program: Program) -> None:
    content = archive()
    first, second = program.submit(content), program.submit(content)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert (first.json()["is_new"], second.json()["is_new"]) == (True, False)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_the_name_of_a_file_is_not_used(
    ada: Browser, kept: Callable[[], set[Path]], name: str
) -> None:
    assert ada.upload(archive(), name=HOSTILE_NAMES[name]).status_code == 303
    assert [len(each.name) for each in kept()] == [64]


# What is too large, or not all there


def test_twenty_mebibytes_are_accepted_where_nothing_else_was_chosen() -> None:
    assert DEFAULTS.limits.packed == 20 << 20


def test_a_program_that_sends_more_is_stopped(
    program: Program, small: int, kept: Callable[[], set[Path]]
) -> None:
    answer = program.submit(bytes(small + 1))
    assert (answer.status_code, answer.json()["error"]) == (
        413, "This is larger than 1048576 bytes.",
    )  # fmt: skip
    assert kept() == set()


def test_a_form_that_has_more_is_stopped(
    ada: Browser, small: int, kept: Callable[[], set[Path]]
) -> None:
    answer = ada.upload(bytes(small + (64 << 10)))
    assert answer.status_code == 413
    assert kept() == set()


def raw(by: Program, path: str, parts: Iterable[bytes], **headers: str) -> tuple[int, int]:
    """Send a request that never says it is over; return the status, and how many parts were read.

    After the last part the connection ends.
    """
    read, status = 0, 0
    waiting = iter(parts)

    async def receive() -> dict[str, Any]:
        nonlocal read
        part = next(waiting, None)
        if part is None:
            return {"type": "http.disconnect"}
        read += 1
        return {"type": "http.request", "body": part, "more_body": True}

    async def send(message: Mapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    shown = {"authorization": f"Bearer {by.token}", "host": "cards.example.org", **headers}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in shown.items()],
        "client": ("192.0.2.1", 5),
        "server": ("cards.example.org", 443),
    }
    asyncio.run(by.site.client.app(scope, receive, send))  # type: ignore[arg-type]
    return status, read


def test_a_body_without_an_end_is_read_no_further_than_its_bound(
    program: Program, small: int, kept: Callable[[], set[Path]]
) -> None:
    status, read = raw(program, "/api/v1/submissions", repeat(bytes(64 << 10)))
    assert (status, read) == (413, small // (64 << 10) + 1)
    assert kept() == set()


def test_a_length_beyond_the_bound_is_refused_before_anything_is_read(program: Program) -> None:
    length = str((20 << 20) + 1)
    found = raw(program, "/api/v1/submissions", repeat(b"x"), content_length=length)
    assert found == (413, 0)


def test_a_connection_that_ends_in_between_leaves_nothing_and_is_no_defect(
    program: Program, kept: Callable[[], set[Path]], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        raw(program, "/api/v1/submissions", [archive()[:100]])
    assert kept() == set()
    assert caplog.messages == []


def test_an_archive_that_was_cut_is_refused(
    program: Program, kept: Callable[[], set[Path]]
) -> None:
    answer = program.submit(archive()[:-20])
    assert answer.status_code == 422
    assert "he archive is damaged" in answer.json()["error"]
    assert kept() == set()


# What is no such form

_OK = ("archive", "bot.zip", b"PK")
FORMS: dict[str, tuple[str, bytes, int]] = {
    "cut": (MULTIPART, multipart([], [_OK])[:-40], 400),
    "without its end": (MULTIPART, multipart([], [_OK])[:-8], 400),
    "empty": (MULTIPART, b"", 400),
    "no form": (MULTIPART, b"PK\x03\x04" * 100, 400),
    "two files": (MULTIPART, multipart([], [_OK, _OK]), 400),
    "no file": (MULTIPART, multipart([("ladder", LADDER)], []), 400),
    "many fields": (MULTIPART, multipart([(f"f{n}", "") for n in range(20)], [_OK]), 400),
    "a field twice": (MULTIPART, multipart([("a", "1"), ("a", "2")], [_OK]), 400),
    "a zero": (MULTIPART, multipart([("a", "\0")], [_OK]), 400),
    "a long field": (MULTIPART, multipart([("a", "x" * 5000)], [_OK]), 400),
    "a long name": (MULTIPART, multipart([("x" * 5000, "a")], [_OK]), 400),
    "a long header": (
        MULTIPART, f"--{BOUNDARY}\r\n{'x' * 9000}: y\r\n\r\n\r\n--{BOUNDARY}--".encode(), 400,
    ),
    "many headers": (
        MULTIPART, b"--a-boundary\r\n" + b"x: y\r\n" * 9000 + b"\r\n--a-boundary--", 400,
    ),
    "no boundary": ("multipart/form-data", multipart([], [_OK]), 415),
    "a long boundary": (f"multipart/form-data; boundary={'x' * 201}", b"", 415),
    "another kind": ("application/x-www-form-urlencoded", b"a=b", 415),
    "no kind": ("", b"", 415),
}  # fmt: skip


@pytest.mark.parametrize("what", FORMS)
def test_what_is_no_form_with_a_file_is_refused(
    ada: Browser, kept: Callable[[], set[Path]], what: str
) -> None:
    kind, content, status = FORMS[what]
    answer = ada.send("POST", "/submissions", {"Content-Type": kind}, content)
    assert answer.status_code == status
    assert kept() == set()


# What is refused leaves nothing


def _links_out() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as packed:
        entry = tarfile.TarInfo("bot.toml")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(entry)
    return out.getvalue()


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (bytes, "he archive is damaged"),
    "rubbish": (lambda: b"PK\x03\x04" + bytes(100), "he archive is damaged"),
    "above": (lambda: archive(more={"../out": b""}), "out"),
    "absolute": (lambda: archive(more={"/etc/out": b""}), "out"),
    "link": (_links_out, "bot.toml"),
    "many files": (lambda: archive(more={f"f{n}": b"" for n in range(20)}), "20 files"),
    "bomb": (lambda: archive(more={"zeros": bytes(1 << 20)}), "1 MiB"),
    "manifest": (lambda: archive("no name"), "name must be"),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused(
    program: Program, kept: Callable[[], set[Path]], what: str
) -> None:
    content, says = HOSTILE[what]
    answer = program.submit(content())
    assert answer.status_code == 422
    assert says in answer.json()["error"]
    assert str(program.site.host.store.files) not in answer.json()["error"]
    assert kept() == set()


def test_what_is_beyond_a_quota_is_not_kept(
    program: Program, kept: Callable[[], set[Path]]
) -> None:
    assert program.submit(archive()).status_code == 201
    answer = program.submit(archive())
    assert answer.status_code == 422
    assert "1 submission of yours waits to be examined" in answer.json()["error"]
    assert len(kept()) == 1


def test_after_ten_in_a_day_there_is_no_more_until_the_next(site: Site, program: Program) -> None:
    for _ in range(10):
        number = program.submit(archive()).json()["id"]
        with writing(site.host.store) as connection:
            move(connection, number, "rejected", "weak", site.by, of={"received"})
    answer = program.submit(archive())
    assert "the next one from 2026-09-02 08:00 UTC" in answer.json()["error"]
    site.wait(days=1)
    assert program.submit(archive()).status_code == 201


def test_nobody_hands_in_what_is_called_as_a_house_bot(
    site: Site, program: Program, tmp_path: Path
) -> None:
    number = 1000 + next(_numbers)
    hosting_scenes.house(site.host.store, site.ladder, tmp_path, number)
    answer = program.submit(archive(f"House-{number}"))
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        f"A house bot of {LADDER} is called House-{number}; choose another name",
    )


def test_one_archive_at_a_time_is_received_of_an_author(
    site: Site, author: Account, program: Program
) -> None:
    other = site.program(site.account(f"author-{next(_numbers)}"), "submit")
    with site.host.uploads.one_of(author.id):
        assert program.submit(archive()).status_code == 429
        assert other.submit(archive()).status_code == 201
    assert program.submit(archive()).status_code == 201


def test_a_ladder_that_is_not_there_is_named(program: Program) -> None:
    answer = program.send("POST", "/api/v1/submissions?ladder=autumn", content=archive())
    assert answer.json() == {"error": "There is no ladder 'autumn'; choose spring"}


def test_the_only_ladder_needs_no_name(program: Program) -> None:
    answer = program.send("POST", "/api/v1/submissions", content=archive())
    assert (answer.status_code, answer.json()["ladder"]) == (201, LADDER)


# What was handed in is its author's


def test_who_downloads_her_data_has_what_she_handed_in_and_nobody_elses(
    ada: Browser, program: Program, kept: Callable[[], set[Path]]
) -> None:
    content, other = archive("hers"), ada.site.account(f"author-{next(_numbers)}")
    number = program.submit(content).json()["id"]
    ada.site.program(other, "read", "submit").submit(archive("other"))
    before, files = kept(), {*ada.site.host.store.files.iterdir()}
    answer = ada.get("/account/data.zip")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as data:
        names = {*data.namelist()}
        assert names == {"account.json", "log.jsonl"} | {
            f"submissions/{number}/{name}" for name in ("about.json", "source")
        }
        assert data.read(f"submissions/{number}/source") == content
    assert (kept(), {*ada.site.host.store.files.iterdir()}) == (before, files)


def test_whose_account_is_deleted_leaves_no_archive(
    ada: Browser, author: Account, program: Program, kept: Callable[[], set[Path]]
) -> None:
    program.submit(archive())
    assert len(kept()) == 1
    assert ada.post("/account/delete", {"login": author.login}).headers["location"] == "/"
    assert kept() == set()
    assert ada.get("/account/").status_code == 303
