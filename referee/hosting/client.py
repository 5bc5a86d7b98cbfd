"""Speaks with a host for an author: hands in bots, and asks what became of them."""

import json
import os
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx2

from referee.errors import ConfigError, FileError
from referee.files.writing import whole_file

URL_VARIABLE: Final = "UPCARD_HOST"
TOKEN_VARIABLE: Final = "UPCARD_TOKEN"  # noqa: S105 (the name of a variable)
_API: Final = "/api/v1"
_TIMEOUT: Final = httpx2.Timeout(30.0, write=300.0)
_LONGEST: Final = 500
"""Of a message of a host, which may be anybody's."""


class Login(NamedTuple):
    """A host, and the token by which one signs in there."""

    url: str
    token: str


class HostClient:
    """One host, as an author's programs use it."""

    def __init__(self, login: Login) -> None:
        """Take the host and the token; nothing is sent yet.

        Raises:
            ConfigError: the token would be sent over a connection that is not encrypted.
        """
        self.url = login.url
        refuse_unencrypted(login.url)
        headers = {"Authorization": f"Bearer {login.token}"} if login.token else {}
        self._client = httpx2.Client(base_url=login.url, headers=headers, timeout=_TIMEOUT)

    def me(self) -> dict[str, Any]:
        """Return who signs in by the token."""
        return self._asked("GET", "/me")

    def sign_in(self, login: str, password: str, name: str) -> str:
        """Return a new token for a login and its password."""
        form = {"login": login, "password": password, "name": name, "scopes": "submit"}
        return str(self._asked("POST", "/tokens", data=form)["token"])

    def submit(self, archive: bytes, ladder: str | None) -> dict[str, Any]:
        """Hand in an archive, and return the submission."""
        query = {"ladder": ladder} if ladder else {}
        headers = {"Content-Type": "application/octet-stream"}
        return self._asked("POST", "/submissions", params=query, content=archive, headers=headers)

    def submissions(self) -> list[dict[str, Any]]:
        """Return what was handed in, the latest first."""
        return list(self._asked("GET", "/submissions")["submissions"])

    def submission(self, number: int) -> dict[str, Any]:
        """Return a submission, and what became of it."""
        return self._asked("GET", f"/submissions/{number}")

    def build_log(self, number: int) -> str:
        """Return what the build of a submission wrote."""
        return self._answer("GET", f"/submissions/{number}/build.log").text

    def fault(self, number: int, fault: int) -> bytes:
        """Return a fault bundle that the report card of a submission names."""
        return self._answer("GET", f"/submissions/{number}/faults/{fault}").content

    def change(self, number: int, what: str) -> dict[str, Any]:
        """Change whether a version plays: ``rest``, or ``choose``."""
        return self._asked("POST", f"/submissions/{number}/{what}", data={})

    def _asked(self, method: str, path: str, **sent: Any) -> dict[str, Any]:  # noqa: ANN401 (as httpx takes it)
        answer = self._answer(method, path, **sent)
        try:
            found = answer.json()
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ConfigError(f"{self.url} is no host of Upcard, or of another version")
        return found

    def _answer(self, method: str, path: str, **sent: Any) -> httpx2.Response:  # noqa: ANN401 (likewise)
        if method == "POST" and "data" in sent:
            sent.setdefault("headers", {})
            sent["headers"]["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            answer = self._client.request(method, f"{_API}{path}", **sent)
        except httpx2.HTTPError as error:
            raise FileError(f"cannot reach {self.url}: {error or type(error).__name__}") from None
        if answer.is_success:
            return answer
        raise ConfigError(f"{self.url}: {_message(answer)}")


def _message(answer: httpx2.Response) -> str:
    try:
        said = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        said = f"it answers {answer.status_code}"
    message = " ".join(str(said).split())[:_LONGEST].rstrip(".")
    if answer.status_code == 401:
        message += "; sign in: upcard login URL"
    return message


def refuse_unencrypted(url: str) -> None:
    """Refuse to send anything secret over a connection that is not encrypted, but to this machine.

    Raises:
        ConfigError: it would be, or this is no URL.
    """
    if not _is_here(host_name(url)) and urlsplit(url).scheme == "http":
        raise ConfigError(f"{url[:200]} is not encrypted, so secrets would be read; use https")


def host_name(url: str) -> str:
    """Return the name of the machine in a URL of a host.

    Raises:
        ConfigError: it is none.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # such as a bracket that is not closed
        name = None
    else:
        name = parts.hostname if parts.scheme in {"http", "https"} else None
    if not name:
        raise ConfigError(f"{url[:200]!r} is no URL of a host; write https://cards.example.org")
    return name


def _is_here(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


# What is kept of it on this machine


def logins_file() -> Path:
    """Return the file of the hosts that this user is signed in to."""
    base = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".config") / "upcard" / "hosts.json"


def keep_login(login: Login) -> None:
    """Keep a login, which is the one that is used from then on."""
    path = logins_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
    kept = {url: token for url, token in _logins(path).items() if url != login.url}
    with whole_file(path) as out:
        json.dump({login.url: login.token, **kept}, out, indent=1)


def forget_login(url: str | None) -> list[str]:
    """Forget a login, or all of them; return those."""
    path = logins_file()
    kept = _logins(path)
    gone = [each for each in kept if url is None or each == url]
    if gone:
        with whole_file(path) as out:
            json.dump({each: kept[each] for each in kept if each not in gone}, out, indent=1)
    return gone


def current_login() -> Login:
    """Return the login that is used: of the environment, else the one that was kept last.

    Raises:
        ConfigError: there is none.
    """
    kept = _logins(logins_file())
    url = os.environ.get(URL_VARIABLE) or next(iter(kept), "")
    token = os.environ.get(TOKEN_VARIABLE) or kept.get(url.rstrip("/"), "")
    if not url or not token:
        raise ConfigError(
            f"you are signed in to no host; upcard login URL, or set {URL_VARIABLE} and "
            f"{TOKEN_VARIABLE}"
        )
    return Login(url.rstrip("/"), token)


def _logins(path: Path) -> Mapping[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8") or "{}")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {error}; remove it, and sign in again") from None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise FileError(f"cannot read {path}; remove it, and sign in again")
    return found
