"""People sign in to a host by a real provider of OpenID Connect."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httpx2
import pytest

from referee.store.accounts import account_of_login, add_account
from referee.store.audit import audit_log
from referee.store.hosting_models import By, NewAccount
from referee.store.opening import open_store
from tests.cli.bots import UPCARD, environment
from tests.sdk.polyglot import absent
from tests.soak.cluster import free_port
from tests.waiting import PATIENCE, until

OPENID: Final = Path(__file__).with_name("openid")
SECRET: Final = "what only the host and the provider know"
FORM: Final = re.compile(r'action="([^"]+)".*?name="prompt" value="([^"]+)"', re.DOTALL)


class Hosted(NamedTuple):
    """A host that has a provider."""

    url: str
    db: Path


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """Start a provider, and a host on which accounts of ada and bert wait for their owners."""
    if not shutil.which("node") or not shutil.which("npm"):
        absent("node and npm")
    place, ports = tmp_path_factory.mktemp("openid"), (free_port(), free_port())
    shutil.copytree(OPENID, place / "provider")
    install = ("npm", "install", "--prefer-offline", "--no-audit", "--no-fund")
    subprocess.run(install, cwd=place / "provider", check=True, capture_output=True)
    hosted = Hosted(f"http://127.0.0.1:{ports[1]}", place / "upcard.db")
    with open_store(str(hosted.db), create=True) as store:
        for login in ("ada", "bert"):
            new = NewAccount(login, login.title(), mail=f"{login}@example.org")
            add_account(store, new, By(None, datetime.now(UTC)))
    (place / "secret").write_text(SECRET)
    issuer = f"http://127.0.0.1:{ports[0]}"
    redirect = f"{hosted.url}/sign-in/provider/answer"
    provides = ["node", "provider.js", str(ports[0]), redirect, SECRET]
    hosts = [*UPCARD, "host", "--no-queue", "--db", str(hosted.db), "--port", str(ports[1])]
    hosts += ["--oidc-issuer", issuer, "--oidc-client", "upcard", "--oidc-name", "the club"]
    hosts += ["--oidc-secret-file", str(place / "secret")]
    with running(provides, place / "provider", issuer), running(hosts, place, hosted.url):
        yield hosted


@contextmanager
def running(command: list[str], place: Path, url: str) -> Iterator[None]:
    """Run a command until it answers at a URL, and as long as the context lasts."""
    with (
        (place / "log").open("wb") as log,
        subprocess.Popen(
            command, cwd=place, env=environment(), stdout=log, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            until(lambda: process.poll() is not None or answers(url))
            assert process.poll() is None, (place / "log").read_text()
            yield
        finally:
            process.terminate()


def answers(url: str) -> bool:
    try:
        return bool(httpx2.get(url, timeout=PATIENCE).status_code)
    except httpx2.TransportError:
        return False


class Browser:
    """Keeps cookies as a browser does, which takes this machine for a safe place."""

    def __init__(self) -> None:
        self._cookies: dict[str, dict[str, str]] = {}

    def ask(
        self, url: str, form: dict[str, str] | None = None, *, follow: bool = True
    ) -> httpx2.Response:
        """Ask for a page, and go where that leads, as far as one may."""
        held = self._cookies.setdefault(urlsplit(url).netloc, {})
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in held.items())}
        method = "GET" if form is None else "POST"
        answer = httpx2.request(method, url, data=form, headers=headers, timeout=PATIENCE)
        for line in answer.headers.get_list("set-cookie"):
            for name, cookie in SimpleCookie(line).items():
                held[name] = cookie.value
        if follow and answer.is_redirect:
            return self.ask(str(answer.url.join(answer.headers["location"])))
        return answer

    def to_answer(self, host: str, login: str) -> str:
        """Sign in at the provider; return where that sends the browser back to."""
        page = self.ask(f"{host}/sign-in/provider?to=/account/settings")
        while found := FORM.search(page.text):
            filled = {"prompt": found[2], "login": login, "password": "any"}
            page = self.ask(found[1], filled, follow=False)
            while not (to := str(page.url.join(page.headers["location"]))).startswith(host):
                page = self.ask(to, follow=False)
                if not page.is_redirect:
                    break
            else:
                return to
        raise AssertionError(page.text)


def test_who_the_provider_vouches_for_is_signed_in_to_the_account_that_waits(
    hosted: Hosted,
) -> None:
    browser = Browser()
    answer = browser.to_answer(hosted.url, "ada")
    page = browser.ask(answer)
    assert (urlsplit(str(page.url)).path, page.status_code) == ("/account/settings", 200)
    assert "Login <strong>ada</strong>" in page.text
    with open_store(str(hosted.db)) as store:
        account = account_of_login(store, "ada")
        assert account
        assert account.subject == "ada"
    # The same answer is good for nobody, not for the same browser either.
    for other in (browser, Browser()):
        again = other.ask(answer)
        assert again.status_code == 403
        assert "for another browser; begin again" in again.text


def test_who_says_a_mail_that_was_not_verified_gets_no_account(hosted: Hosted) -> None:
    browser = Browser()
    page = browser.ask(browser.to_answer(hosted.url, "mallory"))
    assert page.status_code == 403
    assert "No account waits for you here" in page.text
    assert "Sign in with the club" in page.text
    with open_store(str(hosted.db)) as store:
        logged = [entry for _, entry in audit_log(store, 100) if entry.subject == "by the provider"]
    assert "sign in failed" in [entry.action for entry in logged]


def test_a_code_is_of_no_use_in_another_browser(hosted: Hosted) -> None:
    theirs, ours = (Browser(), Browser())
    code = re.compile(r"(?<=[?&]code=)[^&]+")
    stolen = code.search(theirs.to_answer(hosted.url, "bert"))
    assert stolen
    page = ours.ask(code.sub(stolen[0], ours.to_answer(hosted.url, "mallory")))
    assert page.status_code == 403
    assert "gave no answer that can be used: invalid_grant" in page.text
