"""The addresses of schedulers, and the certificates with which all of a cluster know each other."""

import socket
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from distributed.comm.core import connect
from distributed.security import Security

from referee.errors import ConfigError

PORT: Final = 8786
NOWHERE: Final = "127.0.0.1:0"
"""Where Dask's own pages are served, which it does not do without."""
_REACHING: Final = 5.0
"""Seconds."""
_CERTIFICATES: Final = ("ca.pem", "cert.pem", "key.pem")
_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 (compared, not bound)


class Address(NamedTuple):
    """Where a scheduler listens."""

    scheme: str
    """``tls``, or ``tcp`` on one machine."""
    host: str
    port: int

    def __str__(self) -> str:
        """Return it as it is written on a command line."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


class Endpoint(NamedTuple):
    """A scheduler, and how to connect to it."""

    address: Address
    certificates: Security | None
    """Those of the cluster; None where nothing is encrypted."""


def endpoint(text: str, certificates: Path | None) -> Endpoint:
    """Return the scheduler of an address, with the certificates of its cluster.

    Args:
        text: its address, as ``tls://host:8786``; the port may be left out.
        certificates: the directory with ca.pem, cert.pem and key.pem, if it was named.

    Raises:
        ConfigError: the address is none, is not encrypted and leads to other machines, or needs
            certificates that are not there.
    """
    address = _address(text)
    return Endpoint(address, _security(address, certificates))


def _address(text: str) -> Address:
    shown = text[:80]
    try:
        parts = urlsplit(text)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        raise _no_address(shown) from None
    if scheme not in {"tls", "tcp"} or not host or parts.path or parts.query:
        raise _no_address(shown)
    if scheme == "tcp" and not _is_loopback(host):
        raise ConfigError(
            f"{shown} is not encrypted, and anyone who can reach a scheduler can run programs on "
            f"all of its machines; write tls://{host}, and name the certificates by --tls"
        )
    return Address(scheme, host, PORT if port is None else port)


def _no_address(shown: str) -> ConfigError:
    return ConfigError(f"{shown!r} is no address of a scheduler; write tls://HOST:{PORT}")


def _security(address: Address, certificates: Path | None) -> Security | None:
    if address.scheme == "tcp":
        if certificates:
            raise ConfigError(f"{address} is not encrypted; write tls:// to use --tls")
        return None
    if certificates is None:
        raise ConfigError(
            f"{address} needs certificates: name their directory by --tls or in UPCARD_TLS "
            "(deploy/make-certificates makes one for all machines)"
        )
    ca, certificate, key = (str(_readable(certificates / name)) for name in _CERTIFICATES)
    return Security(
        require_encryption=True,
        tls_ca_file=ca,
        **{f"tls_{role}_cert": certificate for role in ("scheduler", "worker", "client")},
        **{f"tls_{role}_key": key for role in ("scheduler", "worker", "client")},
    )


def listening_host(scheduler: Address) -> str | None:
    """Return where a machine of a cluster listens: only locally if nothing is encrypted."""
    return "127.0.0.1" if scheduler.scheme == "tcp" else None


async def unreachable(scheduler: Endpoint) -> str | None:
    """Return why a scheduler cannot be reached; None if it can."""
    address, certificates = scheduler
    arguments = certificates.get_connection_args("client") if certificates else {}
    try:
        comm = await connect(str(address), timeout=_REACHING, **arguments)
    except OSError as error:
        cause: BaseException = error
        while cause.__cause__:
            cause = cause.__cause__
        return str(cause) or "it does not answer"
    await comm.close()
    return None


def _is_loopback(host: str) -> bool:
    if host in _EVERYWHERE:
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return False
    return all(ip_address(str(each[4][0]).partition("%")[0]).is_loopback for each in found)


def _readable(path: Path) -> Path:
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}; --tls names a directory with "
            f"{', '.join(_CERTIFICATES)}"
        ) from None
