"""A host, the people on it, and the browsers and programs by which they ask for something."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Final

import httpx2 as httpx
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from referee.hosting.credentials import TOKEN, new_credential
from referee.hosting.signing_in import Throttle, begin_session
from referee.publication.checksums import SUMS, sums
from referee.store.accounts import add_account, add_token
from referee.store.hosting_models import Account, By, Ladder, NewAccount, NewToken, Role
from referee.store.ladders import create_ladder
from referee.store.opening import open_store
from referee.web.app import create_app
from referee.web.host import asking, forms
from referee.web.host.hosting import Host
from tests.store import hosting_scenes
from tests.store.hosting_scenes import NOW

URL: Final = "https://cards.example.org"
PASSWORD: Final = "five geese, no fox"
HASHED: Final = PasswordHasher(1, 8, 1).hash(PASSWORD)
"""As cheap as can be."""
LADDER: Final = "spring"
PACKAGE: Final = "upcard-0.1.0.tgz"
_FORM_TOKEN: Final = re.compile(r'name="form_token" value="([^"]*)"')


Headers = Mapping[str, str | bytes]


@dataclass
class Site:
    """A host whose clock the test sets."""

    host: Host
    ladder: Ladder
    client: TestClient
    now: datetime = NOW
    _accounts: dict[str, Account] = field(default_factory=dict)

    def wait(self, **time: float) -> None:
        """Move the clock on."""
        self.now += timedelta(**time)

    def begin(self) -> None:
        """Forget who tried to sign in, and set the clock back."""
        self.now, self.host.throttle = NOW, Throttle()

    @property
    def by(self) -> By:
        """The host itself, now."""
        return By(None, self.now)

    def account(self, login: str, role: Role = "author", name: str = "") -> Account:
        """Return the account of a login, which is made if there is none."""
        if login not in self._accounts:
            new = NewAccount(login, name or login.title(), role, password=HASHED)
            self._accounts[login] = add_account(self.host.store, new, self.by)
        return self._accounts[login]

    def browser(self, account: Account | None = None) -> "Browser":
        """Return a browser, in which an account is signed in or nobody is."""
        found = Browser(self)
        if account:
            until = self.now + self.host.settings().session
            secret = begin_session(self.host.store, account, self.now, until).secret
            found.cookies[asking.COOKIE] = secret
        return found

    def program(self, account: Account, *scopes: str, days: float = 1) -> "Program":
        """Return a program with a token of an account."""
        drawn = new_credential(TOKEN)
        new = NewToken("laptop", drawn.digest, scopes, self.now + timedelta(days=days))
        add_token(self.host.store, account, new, self.now)
        return Program(self, drawn.secret)

    def ask(
        self, method: str, path: str, headers: Headers, content: bytes | Iterable[bytes]
    ) -> httpx.Response:
        """Send a request as it is, without what was kept of an earlier one."""
        self.client.cookies.clear()
        sent = [
            (name.encode(), value.encode("latin-1") if isinstance(value, str) else value)
            for name, value in headers.items()
        ]
        return self.client.request(method, path, headers=sent, content=content)


@dataclass
class Browser:
    """A browser, which keeps its cookies, and sends forms with what their pages were given."""

    site: Site
    cookies: dict[str, str] = field(default_factory=dict)
    _form_token: str = ""

    def get(self, path: str) -> httpx.Response:
        """Load a page."""
        return self.send("GET", path)

    def post(self, path: str, fields: Mapping[str, str] | None = None) -> httpx.Response:
        """Send a form with its token."""
        return self.post_as_is(path, {forms.FIELD: self.form_token(), **(fields or {})})

    def post_as_is(self, path: str, fields: Mapping[str, str]) -> httpx.Response:
        """Send a form with nothing but these fields."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.send("POST", path, kind, str(httpx.QueryParams(dict(fields))).encode())

    def upload(
        self, archive: bytes, fields: Mapping[str, str] | None = None, name: str = "bot.tar.gz"
    ) -> httpx.Response:
        """Hand a bot in by the form."""
        whole = {forms.FIELD: self.form_token(), "ladder": LADDER, **(fields or {})}
        content = multipart(whole.items(), [("archive", name, archive)])
        return self.send("POST", "/submissions", {"Content-Type": MULTIPART}, content)

    def form_token(self) -> str:
        """Return what the forms of this browser are sent with."""
        if not self._form_token:
            found = _FORM_TOKEN.search(self.get("/sign-in").text)
            assert found
            self._form_token = unescape(found[1])
        return self._form_token

    def send(
        self,
        method: str,
        path: str,
        headers: Headers | None = None,
        content: bytes | Iterable[bytes] = b"",
    ) -> httpx.Response:
        """Send a request with the cookies, and keep those of the answer."""
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        whole = {**(headers or {}), **({"Cookie": sent} if sent else {})}
        answer = self.site.ask(method, path, whole, content)
        for name, morsel in set_cookies(answer).items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value
        return answer


@dataclass
class Program:
    """A program, which shows a token."""

    site: Site
    token: str

    def get(self, path: str) -> httpx.Response:
        """Ask for something."""
        return self.send("GET", path)

    def post(self, path: str, fields: Mapping[str, str] | None = None) -> httpx.Response:
        """Send a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.send("POST", path, kind, str(httpx.QueryParams(dict(fields or {}))).encode())

    def submit(self, archive: bytes) -> httpx.Response:
        """Hand an archive in."""
        return self.send("POST", f"/api/v1/submissions?ladder={LADDER}", content=archive)

    def send(
        self,
        method: str,
        path: str,
        headers: Headers | None = None,
        content: bytes | Iterable[bytes] = b"",
    ) -> httpx.Response:
        """Send a request with the token."""
        shown = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        return self.site.ask(method, path, shown, content)


BOUNDARY: Final = "a-boundary"
MULTIPART: Final = f"multipart/form-data; boundary={BOUNDARY}"


def multipart(fields: Iterable[tuple[str, str]], files: Iterable[tuple[str, str, bytes]]) -> bytes:
    """Return a form with files as a browser sends it."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields
    ]
    parts += [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n'
        f"Content-Type: application/gzip\r\n\r\n".encode()
        + content
        + b"\r\n"
        for name, file, content in files
    ]
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def set_cookies(answer: httpx.Response) -> SimpleCookie:
    """Return the cookies that an answer sets."""
    found: SimpleCookie = SimpleCookie()
    for line in answer.headers.get_list("set-cookie"):
        found.load(line)
    return found


def _packages(directory: Path) -> Path:
    """Return a directory of packages of SDKs, with one file."""
    directory.mkdir()
    (directory / PACKAGE).write_bytes(PACKAGE.encode())
    (directory / SUMS).write_text(sums({PACKAGE: sha256(PACKAGE.encode()).hexdigest()}))
    return directory


@contextmanager
def hosted(place: Path) -> Iterator[Site]:
    """Host a competition with one ladder and one package, in a store that is there."""
    with open_store(str(place)) as store:
        ladder = create_ladder(store, LADDER, hosting_scenes.PLAN, By(None, NOW))
        site: Site
        packages = _packages(place.parent / "packages")
        host = Host(store, URL, clock=lambda: site.now, packages=packages)
        app = create_app(store, host=host)
        with TestClient(app, base_url=URL, follow_redirects=False) as client:
            site = Site(host, ladder, client)
            yield site
