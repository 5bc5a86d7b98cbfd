"""Addresses of schedulers: what leads to other machines is encrypted, and says how otherwise."""

from pathlib import Path

import pytest

from referee.cluster.addresses import PORT, endpoint, listening_host
from referee.errors import ConfigError


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    for name in ("ca.pem", "cert.pem", "key.pem"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize("text", ["tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1"])
def test_on_one_machine_nothing_needs_to_be_encrypted(text: str) -> None:
    assert endpoint(text, None).certificates is None


@pytest.mark.parametrize(
    "text", ["tcp://192.0.2.1:1", "tcp://0.0.0.0:1", "tcp://[::]:1", "tcp://no-such-host.invalid:1"]
)
def test_what_leads_to_other_machines_is_encrypted(text: str) -> None:
    with pytest.raises(ConfigError, match="is not encrypted"):
        endpoint(text, None)


def test_what_is_encrypted_needs_certificates() -> None:
    with pytest.raises(ConfigError, match="needs certificates: name their directory by --tls"):
        endpoint("tls://127.0.0.1", None)


def test_certificates_are_for_what_is_encrypted(certificates: Path) -> None:
    with pytest.raises(ConfigError, match="write tls:// to use --tls"):
        endpoint("tcp://127.0.0.1", certificates)


def test_a_certificate_that_cannot_be_read_is_named(certificates: Path) -> None:
    (certificates / "key.pem").unlink()
    with pytest.raises(ConfigError, match=r"cannot read .*key\.pem: No such file"):
        endpoint("tls://127.0.0.1", certificates)


def test_every_role_of_a_cluster_has_the_same_certificates(certificates: Path) -> None:
    found = endpoint("tls://192.0.2.1", certificates).certificates
    assert found
    assert found.require_encryption
    for role in ("scheduler", "worker", "client"):
        config = found.get_tls_config_for_role(role)
        assert config["cert"] == str(certificates / "cert.pem")
        assert config["ca_file"] == str(certificates / "ca.pem")


def test_the_port_may_be_left_out(certificates: Path) -> None:
    assert str(endpoint("tls://play.example", certificates).address) == f"tls://play.example:{PORT}"


def test_an_address_is_shown_as_it_was_written() -> None:
    assert str(endpoint("tcp://[::1]:8786", None).address) == "tcp://[::1]:8786"


@pytest.mark.parametrize(
    "text", ["", "play.example:8786", "http://a", "tls://", "tls://a/b", "tls://a:x", "tls://[a"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="is no address of a scheduler; write tls://HOST:8786"):
        endpoint(text, None)


def test_a_machine_listens_to_others_only_if_that_is_encrypted(certificates: Path) -> None:
    assert listening_host(endpoint("tcp://127.0.0.1", None).address) == "127.0.0.1"
    assert listening_host(endpoint("tls://127.0.0.1", certificates).address) is None
