"""`upcard serve`: a server that is started, asked and stopped as anybody would."""

import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from referee.store.opening import open_store
from referee.web.app import create_app
from tests.cli.bots import UPCARD, environment
from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league
from tests.waiting import PATIENCE

INTERRUPTED: Final = 130


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a league that is open."""
    place = tmp_path_factory.mktemp("serve") / "upcard.db"
    write_league(place, duels=2)
    return place


class Server:
    """A server that has said where it is."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        self.process = process
        self.said = process.stdout.readline()
        self.address = self.said.split()[2] if self.said else ""

    @contextmanager
    def ask(self, path: str, host: str | None = None) -> Iterator[HTTPResponse]:
        """Ask for a page, by another name than that of its address if need be."""
        at = urlsplit(self.address)
        with closing(HTTPConnection(at.hostname or "", at.port, timeout=PATIENCE)) as connection:
            connection.putrequest("GET", path, skip_host=True)
            connection.putheader("Host", host or at.netloc)
            connection.endheaders()
            yield connection.getresponse()

    def status(self, path: str, host: str | None = None) -> int:
        with self.ask(path, host) as answer:
            return answer.status

    def stop(self, by: signal.Signals) -> tuple[int, str]:
        """Ask it to stop; give its exit code, and what it said of its end."""
        assert self.process.stderr
        self.process.send_signal(by)
        code = self.process.wait(PATIENCE)
        return code, self.process.stderr.read()


@contextmanager
def serving(place: Path, *words: object) -> Iterator[Server]:
    command = [*UPCARD, "serve", "--db", str(place), "--port", "0", *map(str, words)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            yield Server(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Server]:
    """Serve at an address that this machine alone can reach, as without any option."""
    with serving(place) as started:
        yield started


def test_it_says_where_it_is(server: Server) -> None:
    told = r"Serving at http://127\.0\.0\.1:\d+/ \(Ctrl-C stops it\)\n"
    assert re.fullmatch(told, server.said)


@pytest.mark.parametrize("path", ["/", "/leagues/club/", "/static/upcard.css", "/healthz"])
def test_it_serves_there(server: Server, path: str) -> None:
    assert server.status(path) == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "localhost:1", "LOCALHOST", "[::1]:8"])
def test_it_answers_to_the_names_of_its_own_machine(server: Server, host: str) -> None:
    assert server.status("/", host) == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example"])
@pytest.mark.parametrize("path", ["/", "/api/v1/leagues", "/metrics"])
def test_it_answers_to_no_other_name(server: Server, host: str, path: str) -> None:
    assert server.status(path, host) == 400


def test_it_does_not_say_what_serves(server: Server) -> None:
    with server.ask("/") as answer:
        assert answer.headers["server"] is None


def test_an_address_that_climbs_leads_nowhere(server: Server) -> None:
    with server.ask("/static/../../app.py") as answer:
        assert answer.status == 404
        assert 'href="../../../index.html"' in answer.read().decode()


def test_the_head_of_a_stream_keeps_nobody(server: Server) -> None:
    at = urlsplit(server.address).netloc
    with closing(HTTPConnection(at, timeout=PATIENCE)) as connection:
        for method, path in (("HEAD", "/leagues/club/live"), ("GET", "/healthz")):
            connection.request(method, path)
            with connection.getresponse() as answer:
                assert answer.status == 200
                answer.read()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda s: s.name)
def test_a_signal_stops_it_also_while_somebody_reads_a_stream(
    place: Path, by: signal.Signals
) -> None:
    with serving(place) as started, started.ask("/leagues/club/live") as stream:
        assert stream.readline() == b"retry: 3000\n"
        assert started.stop(by) == (INTERRUPTED, "upcard: interrupted\n")


def test_it_answers_to_the_address_it_listens_at_and_to_names_it_is_given(place: Path) -> None:
    with serving(place, "--host", "127.0.0.2", "--name", "cards.example") as started:
        assert started.said.startswith("Serving at http://127.0.0.2:")
        hosts = (None, "cards.example", "localhost", "evil.example")
        assert [started.status("/", host) for host in hosts] == [200, 200, 200, 400]


def test_it_answers_to_any_name_where_others_can_reach_it(place: Path) -> None:
    with serving(place, "--host", "0.0.0.0") as started:  # noqa: S104 (for as long as it is asked)
        assert started.status("/", "cards.example") == 200


def _has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")
def test_it_serves_by_ipv6_too(place: Path) -> None:
    with serving(place, "--host", "::1") as started:
        assert started.said.startswith("Serving at http://[::1]:")
        assert [started.status("/", host) for host in (None, "evil.example")] == [200, 400]


def test_a_port_that_is_taken_is_told_in_a_line(upcard: Upcard, place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = upcard("serve", "--db", place, "--port", port)
    why = f"cannot listen on 127.0.0.1 port {port}: Address already in use"
    assert said == (1, "", f"upcard: {why}; choose others with --host and --port\n")


@pytest.mark.parametrize(
    "host", ["none.invalid", "256.0.0.1", "203.0.113.1", "x" * 300, "a..b", ""]
)
def test_an_address_that_is_none_of_this_machine_is_told_in_a_line(
    upcard: Upcard, place: Path, host: str
) -> None:
    said = upcard("serve", "--db", place, "--port", 0, "--host", host)
    assert (said.code, said.out) == (1, "")
    assert "--host" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("port", [-1, 65536, "http"])
def test_a_port_that_is_none_is_refused(upcard: Upcard, place: Path, port: object) -> None:
    said = upcard("serve", "--db", place, "--port", port)
    assert (said.code, said.err.count("\n")) == (2, 1)


def test_a_store_that_is_not_there_is_refused_in_a_line(upcard: Upcard, tmp_path: Path) -> None:
    said = upcard("serve", "--db", tmp_path / "none.db", "--port", 0)
    assert said.code == 2
    assert "there is no store" in said.err
    assert said.err.count("\n") == 1


def test_the_help_tells_every_option(upcard: Upcard) -> None:
    said = upcard("serve", "--help")
    assert said.code == 0
    for option in ("--host", "--port", "--name", "--proxy", "--db"):
        assert option in said.out


@pytest.mark.parametrize(
    ("command", "address"),
    [
        ("ratings", "/api/v1/leagues/club"),
        ("crosstable", "/api/v1/leagues/club/crosstable"),
    ],
)
def test_programs_are_told_what_the_command_tells(
    upcard: Upcard, place: Path, command: str, address: str
) -> None:
    said = upcard(command, "club", "--db", place, "--json")
    with open_store(str(place)) as store, TestClient(create_app(store)) as asks:
        assert asks.get(address).json() == json.loads(said.out)


def test_programs_are_told_of_a_duel_what_the_command_tells(upcard: Upcard, place: Path) -> None:
    said = json.loads(upcard("duels", "club", "--db", place, "--json").out)
    with open_store(str(place)) as store, TestClient(create_app(store)) as asks:
        told = asks.get("/api/v1/leagues/club/pairings/1-2/duels").json()
    assert told["duels"] == said["duels"]
