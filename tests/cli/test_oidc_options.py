"""The options for a provider of OpenID Connect: all of it or none, and no secret among them."""

import os
from pathlib import Path

import pytest

from referee.cli.oidc_options import SECRET, OidcOptions
from referee.errors import ConfigError, FileError
from referee.hosting.openid import ProviderSettings

ISSUER = "https://id.example.org"
GIVEN = OidcOptions(ISSUER, "upcard")


def test_without_options_there_is_no_provider() -> None:
    assert OidcOptions().provider() is None


def test_the_secret_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(" s3cret\n")
    found = GIVEN._replace(oidc_secret_file=tmp_path / "secret", oidc_name="the club").provider()
    assert found == ProviderSettings(ISSUER, "upcard", "s3cret", "the club")


def test_the_secret_is_taken_out_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "s3cret")
    assert GIVEN.provider() == ProviderSettings(ISSUER, "upcard", "s3cret", "id.example.org")
    assert SECRET not in os.environ


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        pytest.param(OidcOptions(ISSUER), "--oidc-client ID", id="no client"),
        pytest.param(OidcOptions(oidc_client="upcard"), "--oidc-issuer URL", id="no issuer"),
        pytest.param(GIVEN, "--oidc-secret-file FILE, or set UPCARD_OIDC_SECRET", id="no secret"),
    ],
)
def test_what_is_missing_is_said(options: OidcOptions, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        options.provider()


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file"), (b"\xff", "it is no text")],
    ids=["missing", "binary"],
)
def test_a_secret_that_cannot_be_read_is_named(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    place = tmp_path / "secret"
    if content:
        place.write_bytes(content)
    with pytest.raises(FileError, match=f"cannot read the provider's secret in .*: {reason}"):
        GIVEN._replace(oidc_secret_file=place).provider()
