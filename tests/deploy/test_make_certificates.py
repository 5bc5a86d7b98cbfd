"""The certificates of a cluster let its members in and nobody else."""

import ssl
import stat
import subprocess
from pathlib import Path

import pytest

from tests.sharing import shared

MAKE = Path(__file__).parents[2] / "deploy" / "make-certificates"
NAMES = ("play.example", "192.0.2.7", "2001:db8::7")


@pytest.fixture(scope="session")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return (
        shared(tmp_path_factory, "certificates", lambda place: _make(place / "tls", *NAMES)) / "tls"
    )


@pytest.fixture(scope="session")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = shared(tmp_path_factory, "foreign-certificates", lambda place: _make(place / "tls"))
    return place / "tls"


@pytest.mark.parametrize("name", [*NAMES, "localhost", "127.0.0.1", "::1"])
def test_members_accept_each_other_by_every_name(ours: Path, name: str) -> None:
    server, client = _server(ours), _client(ours)
    client.check_hostname = True
    _shake_hands(server, client, name)


def test_a_member_refuses_a_server_of_another_authority(ours: Path, theirs: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        _shake_hands(_server(theirs), _client(ours))


def test_a_member_refuses_a_client_of_another_authority(ours: Path, theirs: Path) -> None:
    foreign = _client(theirs)
    foreign.verify_mode = ssl.CERT_NONE
    with pytest.raises(ssl.SSLCertVerificationError):
        _shake_hands(_server(ours), foreign)


def test_a_member_refuses_a_client_without_certificate(ours: Path) -> None:
    with pytest.raises(ssl.SSLError, match="PEER_DID_NOT_RETURN_A_CERTIFICATE"):
        _shake_hands(_server(ours), _strict(ssl.PROTOCOL_TLS_CLIENT, ours))


def test_only_the_owner_can_read_the_key(ours: Path) -> None:
    assert stat.S_IMODE((ours / "key.pem").stat().st_mode) == 0o600


def test_the_key_of_the_authority_is_not_kept(ours: Path) -> None:
    assert {file.name for file in ours.iterdir()} == {"ca.pem", "cert.pem", "key.pem"}


def test_what_exists_is_left_as_it_is(tmp_path: Path) -> None:
    refused = subprocess.run([MAKE, tmp_path], capture_output=True, text=True, check=False)
    assert (refused.returncode, [*tmp_path.iterdir()]) == (1, [])


@pytest.mark.parametrize("name", ["", "a b", "a,DNS:b", "$(id)"])
def test_what_is_no_name_of_a_host_is_refused(tmp_path: Path, name: str) -> None:
    refused = subprocess.run([MAKE, tmp_path / "tls", name], capture_output=True, check=False)
    assert (refused.returncode, [*tmp_path.iterdir()]) == (2, [])


def _make(place: Path, *names: str) -> None:
    subprocess.run([MAKE, place, *names], check=True, capture_output=True)


def _server(place: Path) -> ssl.SSLContext:
    context = _member(ssl.PROTOCOL_TLS_SERVER, place)
    context.verify_mode = ssl.CERT_REQUIRED
    return context


def _client(place: Path) -> ssl.SSLContext:
    return _member(ssl.PROTOCOL_TLS_CLIENT, place)


def _member(protocol: int, place: Path) -> ssl.SSLContext:
    context = _strict(protocol, place)
    context.load_cert_chain(place / "cert.pem", place / "key.pem")
    return context


def _strict(protocol: int, place: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    # What Python from 3.13 on demands of a chain.
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.check_hostname = False
    context.load_verify_locations(place / "ca.pem")
    return context


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, name: str = "localhost") -> None:
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        client.wrap_bio(to_client, to_server, server_hostname=name),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    # The client has done its part before the server has seen its certificate.
    for side in sides * 3:
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    for side in sides:
        side.do_handshake()
