"""A host offers the packages of SDKs that its organiser names, and nothing beside them."""

from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from referee.errors import ConfigError
from referee.publication.checksums import SUMS, sums
from referee.store.opening import open_store
from referee.web.app import create_app
from referee.web.host.hosting import Host
from referee.web.host.sdk import offered

FILES = {
    "python/upcard-0.1.0-py3-none-any.whl": "application/zip",
    "npm/upcard-0.1.0.tgz": "application/gzip",
    "cargo/upcard-0.1.0.crate": "application/gzip",
    "cmake/upcard-0.1.0.tar.gz": "application/gzip",
    "go/upcard.invalid/go/@v/list": "text/plain; charset=utf-8",
    "go/upcard.invalid/go/@v/v0.1.0.info": "application/json",
    "go/upcard.invalid/go/@v/v0.1.0.mod": "text/plain; charset=utf-8",
    "go/upcard.invalid/go/@v/v0.1.0.zip": "application/zip",
    "maven/org/upcard/upcard/0.1.0/upcard-0.1.0.jar": "application/java-archive",
    "maven/org/upcard/upcard/0.1.0/upcard-0.1.0.pom": "application/xml",
    "maven/org/upcard/upcard/0.1.0/upcard-0.1.0.pom.sha1": "text/plain; charset=utf-8",
    "notes.html": "application/octet-stream",
}
"""What each is sent as."""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    directory = tmp_path / "packages"
    for name in FILES:
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    digests = {name: sha256(name.encode()).hexdigest() for name in FILES}
    (directory / SUMS).write_text(sums(digests))
    (directory / "private").write_text("not in the sums")
    return directory


@pytest.fixture
def asks(tmp_path: Path, packages: Path) -> Iterator[TestClient]:
    with ExitStack() as closing:
        yield closing.enter_context(hosted(closing, tmp_path, packages))


def hosted(closing: ExitStack, directory: Path, packages: Path | None) -> TestClient:
    store = closing.enter_context(open_store(str(directory / "host.db"), create=True))
    host = Host(store, "https://cards.example.org", packages=packages)
    return TestClient(create_app(store, host=host), raise_server_exceptions=False)


def test_everybody_may_fetch_each_file_as_what_it_is(asks: TestClient) -> None:
    answers = {name: asks.get(f"/sdk/{name}") for name in FILES}
    assert {name: answer.headers["content-type"] for name, answer in answers.items()} == FILES
    assert {name: answer.text for name, answer in answers.items()} == {name: name for name in FILES}
    assert {answer.headers["x-content-type-options"] for answer in answers.values()} == {"nosniff"}


def test_the_page_lists_them_with_their_sums(asks: TestClient) -> None:
    page = asks.get("/sdk").text
    for name in FILES:
        assert f'<a href="/sdk/{name}">' in page
        assert sha256(name.encode()).hexdigest() in page
    wheel = "https://cards.example.org/sdk/python/upcard-0.1.0-py3-none-any.whl"
    assert wheel in page


def test_nothing_else_is_there(asks: TestClient) -> None:
    paths = (
        *("private", "python", "python/", "../host.db", "..%2Fhost.db", "%2e%2e/host.db"),
        *("python/../private", "//etc/passwd", "%2Fetc%2Fpasswd", "npm\\..\\private", "x%00"),
    )
    assert {asks.get(f"/sdk/{path}").status_code for path in paths} == {404}


def test_a_host_without_packages_says_so(tmp_path: Path) -> None:
    with ExitStack() as closing:
        answer = hosted(closing, tmp_path, None).get("/sdk/")
        assert (answer.status_code, "no packages of SDKs" in answer.text) == (404, True)


def changed(packages: Path) -> None:
    (packages / "notes.html").write_text("other")


def linked(packages: Path) -> None:
    (packages / "notes.html").unlink()
    (packages / "notes.html").symlink_to("npm/upcard-0.1.0.tgz")


def linked_directory(packages: Path) -> None:
    (packages / "npm").rename(packages / "elsewhere")
    (packages / "npm").symlink_to("elsewhere")


def climbing(packages: Path) -> None:
    (packages / SUMS).write_text(f"{'0' * 64}  ../host.db\n")


def without_sums(packages: Path) -> None:
    (packages / SUMS).unlink()


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (changed, "notes.html is not what SHA256SUMS says; build the packages again"),
        (linked, "notes.html is behind a symbolic link"),
        (linked_directory, "upcard-0.1.0.tgz is behind a symbolic link"),
        (climbing, "SHA256SUMS has a line '0*  ../host.db'; build the packages again"),
        (without_sums, "cannot read .*SHA256SUMS: No such file or directory; build the packages"),
    ],
    ids=["changed", "linked", "linked-directory", "climbing", "without-sums"],
)
def test_a_directory_that_is_not_as_it_was_built_is_refused(
    packages: Path, harm: object, told: str
) -> None:
    assert callable(harm)
    harm(packages)
    with pytest.raises(ConfigError, match=told):
        offered(packages)
