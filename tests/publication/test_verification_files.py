"""The files of an export and their sums: what is found wrong, and what is not read."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from referee.errors import FileError, UpcardError
from referee.publication.verification import VerificationRequest
from referee.publication.verification_files import opened
from tests.publication.exports import (
    NOW,
    checked,
    forged_text,
    league,
    sealed,
    written,
    wrong,
)


def files(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir() if path.name != "SHA256SUMS")


@pytest.mark.parametrize("number", range(7))
def test_a_changed_byte_is_found_and_named(out: Path, number: int) -> None:
    path = out / files(out)[number]
    data = bytearray(path.read_bytes() or b"\n")
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert wrong(out) == f"{path.name}: was changed: it is not what SHA256SUMS says"


def test_a_changed_byte_of_the_sums_is_found_by_the_digest(out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    forged_text(out, "voids.csv", lambda text: f"{text}1,2,0,late,{NOW.isoformat()}\n")
    found = checked(out, VerificationRequest(digest))
    assert str(found.failures[0]).startswith("SHA256SUMS: its digest is ")


def test_the_right_digest_is_accepted(out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    report = checked(out, VerificationRequest(digest))
    assert (report.outcome, report.compared) == ("verified", ["digest"])


def test_without_a_digest_an_export_is_consistent_with_itself_only(out: Path) -> None:
    digest = sha256((out / "SHA256SUMS").read_bytes()).hexdigest()
    report = checked(out)
    assert (report.outcome, report.found, report.compared) == (
        "consistent",
        {"digest": digest, "statement": None, "head": None},
        [],
    )


def test_what_is_required_and_not_there_is_wrong(out: Path) -> None:
    failures = checked(out, VerificationRequest(required=["statement", "log", "complete"])).failures
    assert [str(failure) for failure in failures] == [
        "statement.json: is missing, and was required",
    ]


def test_a_league_that_was_closed_early_is_not_complete(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league("closed"))
    (failure,) = checked(out, VerificationRequest(required=["complete"])).failures
    assert str(failure) == "league.json: state: is closed, and was required to be complete"


def _remove(out: Path) -> None:
    (out / "ratings.csv").unlink()


def _remove_sums(out: Path) -> None:
    (out / "SHA256SUMS").unlink()


def _add(out: Path) -> None:
    (out / "extra").write_text("")


def _add_and_seal(out: Path) -> None:
    _add(out)
    sealed(out)


def _remove_and_seal(out: Path) -> None:
    _remove(out)
    sealed(out)


def _link(out: Path) -> None:
    (out / "ratings.csv").rename(out.parent / "ratings.csv")
    (out / "ratings.csv").symlink_to(out.parent / "ratings.csv")


def _pipe(out: Path) -> None:
    os.mkfifo(out / "pipe")


def _path(name: str) -> Callable[[Path], None]:
    def add(out: Path) -> None:
        with (out / "SHA256SUMS").open("a") as sums:
            sums.write(f"{'0' * 64}  {name}\n")

    return add


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_remove, "ratings.csv: is missing"),
        (_remove_and_seal, "ratings.csv: is missing"),
        (_remove_sums, "SHA256SUMS: is missing; this is no whole export"),
        (_add, "extra: is not in SHA256SUMS"),
        (_add_and_seal, "extra: is no file of an export"),
        (_link, "ratings.csv: is not a file"),
        (_pipe, "pipe: is not a file"),
        (_path("../secret"), "SHA256SUMS, line 8: must be a digest, two spaces and the name"),
        (_path("/etc/passwd"), "SHA256SUMS, line 8: must be a digest"),
        (_path("."), "SHA256SUMS, line 8: must be a digest"),
        (_path("duels.jsonl"), "SHA256SUMS, line 8: must be a digest"),
        (_path("SHA256SUMS"), "SHA256SUMS, line 8: must be a digest"),
    ],
)
def test_a_directory_that_is_not_as_its_sums_say_is_refused(
    out: Path, change: Callable[[Path], None], says: str
) -> None:
    change(out)
    assert wrong(out).startswith(says)


def test_a_directory_of_anything_else_is_no_export(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / str(number)).touch()
    with pytest.raises(UpcardError, match="holds more than 100 files, and so is no export"):
        checked(tmp_path)


def test_what_became_a_pipe_after_it_was_looked_at_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is not a file"), opened(tmp_path, "pipe"):
        pass


def test_what_became_a_link_after_it_was_looked_at_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(__file__)
    with pytest.raises(FileError, match="cannot read"), opened(tmp_path, "link"):
        pass


def test_no_directory_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="name the directory of an export"):
        checked(tmp_path / "nowhere")
