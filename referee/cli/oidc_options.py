"""The options for a provider of OpenID Connect; its secret is never on the command line."""

import os
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from referee.errors import ConfigError, FileError
from referee.hosting.client import host_name
from referee.hosting.openid import ProviderSettings

SECRET: Final = "UPCARD_OIDC_SECRET"  # noqa: S105 (the name of a variable)
_LARGEST: Final = 4096


class OidcOptions(NamedTuple):
    """The options."""

    oidc_issuer: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="UPCARD_OIDC_ISSUER",
            help="A provider of OpenID Connect by which people sign in, as it calls itself.",
        ),
    ] = None
    oidc_client: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            envvar="UPCARD_OIDC_CLIENT",
            help="What this host is called there; its secret is in the file of "
            f"--oidc-secret-file, or in the variable {SECRET}.",
        ),
    ] = None
    oidc_secret_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", envvar="UPCARD_OIDC_SECRET_FILE", help="The file with that secret."
        ),
    ] = None
    oidc_name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            envvar="UPCARD_OIDC_NAME",
            help="What people call the provider, as 'the university'; its host if not given.",
        ),
    ] = None

    def provider(self) -> ProviderSettings | None:
        """Return the provider, if there is one.

        Raises:
            ConfigError: something of it is missing.
        """
        # No process that is started from here has it.
        given = os.environ.pop(SECRET, "").strip()
        if self.oidc_issuer is None:
            if self.oidc_client or self.oidc_secret_file or self.oidc_name:
                raise ConfigError("say which provider of OpenID Connect: --oidc-issuer URL")
            return None
        if not self.oidc_client:
            raise ConfigError("say what this host is called by its provider: --oidc-client ID")
        secret = _read(self.oidc_secret_file) if self.oidc_secret_file else given
        if not secret:
            raise ConfigError(
                f"the provider's secret is missing; give --oidc-secret-file FILE, or set {SECRET}"
            )
        name = self.oidc_name or host_name(self.oidc_issuer)
        return ProviderSettings(self.oidc_issuer, self.oidc_client, secret, name)


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as opened:
            return opened.read(_LARGEST).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise FileError(f"cannot read the provider's secret in {path}: {reason}") from None
